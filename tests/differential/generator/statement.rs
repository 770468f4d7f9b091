//! Statements and constructs.

use super::expr::{Expr, Ty, level};
use super::program::{Part, Stmt, names};
use super::variable::{VARIABLE_BOUND, Variable};
use super::{Generator, Style};

impl Generator {
    /// One statement or construct; `nesting` counts the constructs around it.
    pub fn statement(&mut self, nesting: u32) -> Stmt {
        self.budget -= 1;
        let construct = nesting < 3 && self.budget > 0;
        let arrays = self.style != Style::Loop;
        match self.random.below(100) {
            0..=11 => {
                if let Some(s) = self.log_statement(2) {
                    return s;
                }
            }
            12..=32 if arrays => {
                if let Some(s) = self.array_assignment() {
                    return s;
                }
            }
            33..=36 if arrays => {
                if let Some(s) = self.where_construct() {
                    return s;
                }
            }
            37..=39 if arrays => {
                if let Some(s) = self.forall() {
                    return s;
                }
            }
            40..=44 if construct => return self.if_construct(nesting),
            45..=50 if construct => return self.loop_construct(nesting),
            51..=53 if construct => return self.select_case(nesting),
            54..=55 if construct => return self.jump(nesting),
            56 if construct && arrays => return self.block(nesting),
            57 if construct && arrays => return self.associate(nesting),
            58..=61 => {
                if let Some(text) = self.call_statement(1) {
                    return Stmt::line(text);
                }
            }
            62 => {
                if let Some(s) = self.move_bits() {
                    return s;
                }
            }
            63..=64 => {
                let condition = self.condition(2);
                return Stmt::line(format!("if ({condition}) {}", self.assignment()));
            }
            65..=68 => return self.overflow_chain(),
            _ => {}
        }
        Stmt::line(self.assignment())
    }

    fn body(&mut self, nesting: u32, most: i64) -> Vec<Stmt> {
        let count = self.random.between(1, most);
        let mut statements = Vec::new();
        for _ in 0..count {
            statements.push(self.statement(nesting + 1));
            if self.budget <= 0 {
                break;
            }
        }
        statements
    }

    fn depth(&mut self) -> u32 {
        self.random.pick(&[1, 2, 2, 3, 3, 4])
    }

    fn condition(&mut self, depth: u32) -> String {
        let kind = self.random.pick(&[4, 4, 4, 1, 8]);
        self.scalar(Ty::Logical(kind), depth).text
    }

    /// A value for a variable of the type.
    pub fn bounded(&mut self, e: Expr, ty: Ty) -> Expr {
        match (ty, e.ty) {
            (Ty::Real(_) | Ty::Complex(_), Ty::Complex(_)) => {
                self.clamped_complex(e, VARIABLE_BOUND)
            }
            (Ty::Real(_) | Ty::Complex(_), _) => self.clamped(e, VARIABLE_BOUND),
            _ => e,
        }
    }

    /// `scalar = expression`.
    fn assignment(&mut self) -> String {
        let target = self.target();
        let depth = self.depth();
        let e = match self.function_of(false) {
            Some(ty) => {
                let targets = self.assignable(Some(ty), false);
                if !targets.is_empty()
                    && let Some(e) = self.function_reference(ty, depth)
                {
                    let v = self.random.pick(&targets);
                    return format!("{} = {}", self.element(&v).text, e.text);
                }
                self.convertible(target.ty, depth)
            }
            None => self.convertible(target.ty, depth),
        };
        let e = self.bounded(e, target.ty);
        let substring = match target.ty {
            Ty::Character(n) if n > 2 && self.random.chance(25) => {
                let from = self.random.between(1, n as i64 - 1);
                format!("({from}:{})", self.random.between(from, n as i64))
            }
            _ => String::new(),
        };
        format!("{}{substring} = {}", target.text, e.text)
    }

    /// `section = expression`, with overlap now and then.
    fn array_assignment(&mut self) -> Option<Stmt> {
        let shape = self.some_shape();
        self.shaped(shape, |g| {
            if let Some(ty) = g.function_of(true)
                && g.shape.len() == 1
                && let Some(target) = g.section_target(Some(ty))
                && let Some(e) = g.array_procedure(ty, g.shape[0], 2)
            {
                return Some(Stmt::line(format!("{} = {}", target.text, e.text)));
            }
            let ty = g.type_of_value();
            let target = g
                .section_target(Some(ty))
                .or_else(|| g.section_target(None))?;
            let e = if g.random.chance(30) {
                g.array(target.ty, 2)
            } else {
                let depth = g.random.pick(&[1, 2, 2, 3]);
                g.assignable_array(target.ty, depth)
            };
            let e = g.bounded(e, target.ty);
            // gfortran's library refuses to spread a scalar over what a pointer points to.
            if g.names_of(&target.text).len() > 1 && e.text.contains("spread(") {
                return None;
            }
            Some(Stmt::line(format!("{} = {}", target.text, e.text)))
        })
    }

    /// A value for an array. gfortran writes past its temporary where a concatenation is assigned to shorter elements.
    fn assignable_array(&mut self, ty: Ty, depth: u32) -> Expr {
        match ty {
            Ty::Character(_) => self.exact(ty, depth),
            _ => self.convertible(ty, depth),
        }
    }

    fn array_mask(&mut self, depth: u32) -> Expr {
        let kind = self.random.pick(&[4, 4, 1, 8]);
        if self.random.chance(40) {
            return self.array(Ty::Logical(kind), depth);
        }
        let ty = if self.random.chance(50) {
            Ty::Integer(self.integer_kind())
        } else {
            Ty::Real(self.random.pick(&[4, 8]))
        };
        let a = self.array(ty, depth);
        let b = self.exact(ty, depth);
        let op = self.random.pick(&["<", ">", "<=", "/="]);
        a.binary(op, &b, level::RELATION, Ty::Logical(4))
    }

    fn masked_assignment(&mut self) -> Option<Stmt> {
        let target = self.section_target(None)?;
        let e = self.assignable_array(target.ty, 2);
        let e = self.bounded(e, target.ty);
        // gfortran 12 reads elements of the array that WHERE changes after their change.
        let of_target = self.names_of(&target.text);
        if of_target.iter().any(|name| reads_element(&e.text, name)) {
            return None;
        }
        // It takes their length for 1 where characters of components overlap.
        if matches!(target.ty, Ty::Character(_))
            && target.text.contains('%')
            && of_target.iter().any(|name| names(&e.text, name))
        {
            return None;
        }
        Some(Stmt::line(format!("{} = {}", target.text, e.text)))
    }

    /// gfortran 12 evaluates subscripts and scalars of later parts before the assignments of earlier ones.
    fn where_construct(&mut self) -> Option<Stmt> {
        let construct = self.any_where_construct()?;
        let mut lines = Vec::new();
        construct.print(0, &mut lines);
        let mut changed: Vec<String> = Vec::new();
        for line in &lines {
            if changed.iter().any(|name| reads_element(line, name)) {
                return None;
            }
            let assigned = line.trim_start();
            if !assigned.starts_with("where (")
                && !assigned.starts_with("elsewhere")
                && !assigned.starts_with("end where")
            {
                let place = assigned.split(' ').next().unwrap_or_default();
                changed.extend(self.names_of(place));
            }
        }
        Some(construct)
    }

    fn any_where_construct(&mut self) -> Option<Stmt> {
        let shape = self.some_shape();
        self.shaped(shape, |g| {
            let mask = g.array_mask(1).text;
            if g.random.chance(35) {
                let Stmt::Line(text) = g.masked_assignment()? else {
                    return None;
                };
                return Some(Stmt::line(format!("where ({mask}) {text}")));
            }
            let mut parts = vec![Part::new(
                format!("where ({mask})"),
                vec![g.masked_assignment()?],
            )];
            if g.random.chance(30) {
                parts[0].body.push(g.masked_assignment()?);
            }
            if g.random.chance(30) {
                let mask = g.array_mask(1).text;
                parts.push(Part::new(
                    format!("elsewhere ({mask})"),
                    vec![g.masked_assignment()?],
                ));
            }
            if g.random.chance(50) {
                parts.push(Part::new("elsewhere", vec![g.masked_assignment()?]));
            }
            Some(Stmt::group(parts, "end where"))
        })
    }

    /// A new index variable.
    fn index(&mut self, kind: u8) -> Variable {
        let name = self.name("n");
        self.declarations.push(format!("integer({kind}) :: {name}"));
        let mut variable = Variable::new(name, Ty::Integer(kind), Vec::new());
        variable.assignable = false;
        variable
    }

    /// forall and do concurrent over one array: every index writes its own element.
    fn forall(&mut self) -> Option<Stmt> {
        let arrays: Vec<Variable> = self
            .assignable(None, true)
            .into_iter()
            .filter(|v| v.bounds.len() == 1)
            .collect();
        if arrays.is_empty() {
            return None;
        }
        let v = self.random.pick(&arrays);
        let (lo, hi) = v.bounds[0];
        let n = self.random.between(1, (hi - lo + 1).min(8));
        let offset = lo + self.random.between(0, hi - lo + 1 - n) - 1;
        let concurrent = self.random.chance(35);
        let mut index = self.index(4);
        index.range = Some((1, n));
        let name = index.name.clone();
        let header = if self.random.chance(20) && n > 2 {
            format!("{name} = 1:{n}:2")
        } else {
            format!("{name} = 1:{n}")
        };
        self.variables.push(index);
        // The iterations of do concurrent may not depend on each other: nothing reads what is written.
        let hidden: Vec<Variable> = if concurrent {
            let all = std::mem::take(&mut self.variables);
            let (keep, hide): (Vec<_>, Vec<_>) =
                (all.into_iter()).partition(|w| w.memory() != v.memory());
            self.variables = keep;
            hide
        } else {
            Vec::new()
        };
        let procedures = std::mem::take(&mut self.procedures);
        let mask = if self.random.chance(35) {
            format!(", {}", self.scalar(Ty::Logical(4), 1).text)
        } else {
            String::new()
        };
        let e = self.shaped(Vec::new(), |g| {
            // gfortran 12 does not pad a shorter character value in a masked FORALL.
            let e = match v.ty {
                Ty::Character(_) => g.exact(v.ty, 2),
                ty => g.convertible(ty, 2),
            };
            g.bounded(e, v.ty)
        });
        self.procedures = procedures;
        self.variables.extend(hidden);
        self.variables.retain(|w| w.name != name);
        let subscript = match offset {
            0 => name.clone(),
            o if o < 0 => format!("{name} - {}", -o),
            o => format!("{name} + {o}"),
        };
        let text = format!("{}({subscript}){} = {}", v.name, v.suffix, e.text);
        if concurrent {
            return Some(Stmt::group(
                vec![Part::new(
                    format!("do concurrent ({header}{mask})"),
                    vec![Stmt::line(text)],
                )],
                "end do",
            ));
        }
        if self.random.chance(50) {
            return Some(Stmt::line(format!("forall ({header}{mask}) {text}")));
        }
        Some(Stmt::group(
            vec![Part::new(
                format!("forall ({header}{mask})"),
                vec![Stmt::line(text)],
            )],
            "end forall",
        ))
    }

    fn if_construct(&mut self, nesting: u32) -> Stmt {
        let condition = self.condition(2);
        let mut parts = vec![Part::new(
            format!("if ({condition}) then"),
            self.body(nesting, 3),
        )];
        while self.random.chance(25) && self.budget > 0 {
            let condition = self.condition(2);
            parts.push(Part::new(
                format!("else if ({condition}) then"),
                self.body(nesting, 2),
            ));
        }
        if self.random.chance(50) && self.budget > 0 {
            parts.push(Part::new("else", self.body(nesting, 2)));
        }
        Stmt::group(parts, "end if")
    }

    fn loop_construct(&mut self, nesting: u32) -> Stmt {
        let label = if self.random.chance(30) {
            self.name("loop")
        } else {
            String::new()
        };
        let prefix = if label.is_empty() {
            String::new()
        } else {
            format!("{label}: ")
        };
        let end = if label.is_empty() {
            "end do".to_owned()
        } else {
            format!("end do {label}")
        };
        if self.random.chance(20) {
            let counter = self.index(4).name;
            let condition = self.condition(1);
            let mut body = vec![Stmt::line(format!("{counter} = {counter} + 1"))];
            body.extend(self.body(nesting, 3));
            let head = match self.random.below(2) {
                0 => format!("{prefix}do while ({counter} < 5 .and. ({condition}))"),
                _ => {
                    body.insert(1, Stmt::line(format!("if ({counter} > 4) exit {label}")));
                    format!("{prefix}do")
                }
            };
            return Stmt::group(
                vec![
                    Part::new(format!("{counter} = 0"), Vec::new()),
                    Part::new(head, body),
                ],
                end,
            );
        }
        let kind = self.random.pick(&[4, 4, 4, 8, 2]);
        let mut index = self.index(kind);
        let (header, range) = match self.random.below(6) {
            0..=2 => {
                let n = self.random.between(1, 6);
                (format!("1, {n}"), Some((1, n)))
            }
            3 => {
                let n = self.random.between(2, 6);
                (format!("{n}, 1, -1"), Some((1, n)))
            }
            4 => {
                let (a, s) = (self.random.between(-4, 4), self.random.pick(&[2, 3, -2]));
                let b = a + s * self.random.between(-1, 4);
                (format!("{a}, {b}, {s}"), None)
            }
            _ => {
                let e = self.scalar(Ty::Integer(4), 1).text;
                (format!("1, iand({e}, 7)"), Some((1, 7)))
            }
        };
        index.range = range;
        let name = index.name.clone();
        self.variables.push(index);
        let mut body = self.body(nesting, 3);
        if self.random.chance(35) {
            let condition = self.condition(1);
            let action = self.random.pick(&["cycle", "exit"]);
            let at = self.random.between(0, body.len() as i64) as usize;
            body.insert(at, Stmt::line(format!("if ({condition}) {action} {label}")));
        }
        self.variables.retain(|v| v.name != name);
        Stmt::group(
            vec![Part::new(format!("{prefix}do {name} = {header}"), body)],
            end,
        )
    }

    fn select_case(&mut self, nesting: u32) -> Stmt {
        let mut parts = Vec::new();
        let cases: Vec<String> =
            match self
                .random
                .below(if self.style == Style::Loop { 8 } else { 10 })
            {
                0..=6 => {
                    let kind = self.integer_kind();
                    let e = self.scalar(Ty::Integer(kind), 2).text;
                    let suffix = if kind == 4 {
                        String::new()
                    } else {
                        format!("_{kind}")
                    };
                    parts.push(Part::new(format!("select case ({e})"), Vec::new()));
                    vec![
                        format!("(:-3{suffix})"),
                        format!("(-2{suffix}, 0{suffix}:3{suffix})"),
                        format!("(7{suffix}, 9{suffix}, 11{suffix}:40{suffix})"),
                        format!("(41{suffix}:)"),
                    ]
                }
                7 => {
                    let e = self.scalar(Ty::Logical(4), 2).text;
                    parts.push(Part::new(format!("select case ({e})"), Vec::new()));
                    // gfortran skips a select of a logical that has a default case alone.
                    let body = self.body(nesting, 1);
                    parts.push(Part::new("case (.true.)", body));
                    vec!["(.false.)".to_owned()]
                }
                _ => {
                    let n = self.random.between(1, 4) as usize;
                    let e = self.shaped(Vec::new(), |g| g.text(n, 1)).text;
                    parts.push(Part::new(format!("select case ({e})"), Vec::new()));
                    vec![
                        "('a':'az', '0')".to_owned(),
                        "('x':)".to_owned(),
                        "(:' 9')".to_owned(),
                    ]
                }
            };
        for case in cases {
            if self.random.chance(70) {
                let body = if self.budget > 0 {
                    self.body(nesting, 2)
                } else {
                    Vec::new()
                };
                parts.push(Part::new(format!("case {case}"), body));
            }
        }
        if self.random.chance(60) || parts.len() == 1 {
            let body = if self.budget > 0 {
                self.body(nesting, 2)
            } else {
                Vec::new()
            };
            parts.push(Part::new("case default", body));
        }
        Stmt::group(parts, "end select")
    }

    fn label(&mut self) -> usize {
        self.labels += 10;
        self.labels
    }

    fn jump(&mut self, nesting: u32) -> Stmt {
        let end = self.label();
        match self.random.below(3) {
            0 => {
                let condition = self.condition(2);
                let body = self.body(nesting, 2);
                Stmt::group(
                    vec![Part::new(format!("if ({condition}) goto {end}"), body)],
                    format!("{end} continue"),
                )
            }
            1 => {
                let counter = self.index(4).name;
                let condition = self.condition(1);
                let body = self.body(nesting, 2);
                Stmt::group(
                    vec![
                        Part::new(format!("{counter} = 0"), Vec::new()),
                        Part::new(format!("{end} continue"), Vec::new()),
                        Part::new(format!("{counter} = {counter} + 1"), body),
                    ],
                    format!("if ({counter} < 3 .and. ({condition})) goto {end}"),
                )
            }
            _ => {
                let (a, b) = (self.label(), self.label());
                let e = self.scalar(Ty::Integer(4), 1).text;
                let first = self.body(nesting, 1);
                let second = self.body(nesting, 1);
                Stmt::group(
                    vec![
                        Part::new(format!("goto ({a}, {b}, {end}) iand({e}, 3)"), first),
                        Part::new(format!("goto {end}"), Vec::new()),
                        Part::new(format!("{a} continue"), second),
                        Part::new(format!("{b} continue"), vec![Stmt::line(self.assignment())]),
                    ],
                    format!("{end} continue"),
                )
            }
        }
    }

    fn block(&mut self, nesting: u32) -> Stmt {
        let ty = self.type_of_value();
        let name = self.name("w");
        let e = self.scalar(ty, 2);
        let e = self.bounded(e, ty);
        let (dimension, bounds) = if self.random.chance(40) {
            ("(0:3)", vec![(0, 3)])
        } else {
            ("", Vec::new())
        };
        let head = vec![
            Stmt::fixed(format!("{} :: {name}{dimension}", ty.declared())),
            Stmt::fixed(format!("{name} = {}", e.text)),
        ];
        self.variables.push(Variable::new(name.clone(), ty, bounds));
        let mut body = head;
        // Names of indices are those of the whole procedure.
        body.extend(self.body(nesting, 3));
        self.variables.retain(|v| v.name != name);
        Stmt::group(vec![Part::new("block", body)], "end block")
    }

    fn associate(&mut self, nesting: u32) -> Stmt {
        let name = self.name("u");
        let ty = self.type_of_value();
        if self.random.chance(50) {
            // An expression: its value is taken once.
            let e = self.scalar(ty, 2);
            let e = self.bounded(e, ty);
            let mut variable = Variable::new(name.clone(), ty, Vec::new());
            variable.assignable = false;
            self.variables.push(variable);
            let body = self.body(nesting, 3);
            self.variables.retain(|v| v.name != name);
            return Stmt::group(
                vec![Part::new(
                    format!("associate ({name} => ({}))", e.text),
                    body,
                )],
                "end associate",
            );
        }
        let n = self.random.between(2, 6);
        let Some(section) = self.shaped(vec![n], |g| g.section_target(Some(ty))) else {
            return Stmt::line(self.assignment());
        };
        // A constant place, or what the name stands for would change its meaning in the text only.
        let plain = !section.text.contains("iand");
        if !plain {
            return Stmt::line(self.assignment());
        }
        let bounds = if section.text.contains('(') {
            vec![(1, n)]
        } else {
            let v = self.variables.iter().find(|v| v.name == section.text);
            v.map_or(vec![(1, n)], |v| v.bounds.clone())
        };
        self.variables.push(Variable::new(name.clone(), ty, bounds));
        let body = self.body(nesting, 3);
        self.variables.retain(|v| v.name != name);
        Stmt::group(
            vec![Part::new(
                format!("associate ({name} => {})", section.text),
                body,
            )],
            "end associate",
        )
    }

    fn move_bits(&mut self) -> Option<Stmt> {
        let kind = self.integer_kind();
        let targets = self.assignable(Some(Ty::Integer(kind)), false);
        if targets.is_empty() {
            return None;
        }
        let v = self.random.pick(&targets);
        let target = self.element(&v).text;
        let from = self.scalar(Ty::Integer(kind), 2).text;
        let width = i64::from(kind) * 8;
        let length = self.random.between(0, width);
        let (a, b) = (
            self.random.between(0, width - length),
            self.random.between(0, width - length),
        );
        Some(Stmt::line(format!(
            "call mvbits({from}, {a}, {length}, {target}, {b})"
        )))
    }
}

/// Whether the text has an element of the array, not a section of it alone.
fn reads_element(text: &str, name: &str) -> bool {
    let start = format!("{name}(");
    text.match_indices(&start).any(|(at, _)| {
        let rest = &text[at + start.len()..];
        let mut depth = 0;
        let inside = rest.chars().take_while(|c| {
            depth += match c {
                '(' | '[' => 1,
                ')' | ']' => -1,
                _ => 0,
            };
            depth >= 0
        });
        let inside: String = inside.collect();
        !inside.contains(':') && !inside.starts_with('[')
    })
}
