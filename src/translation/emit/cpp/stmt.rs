//! Statements.

use super::expr::Printer;
use super::tags::{Holder, is_mark, soft};
use super::writer::Writer;
use crate::ir::*;
use crate::map::Rule;

impl Printer<'_> {
    /// Comments and blank lines above an item or statement.
    pub fn notes_above(&self, w: &mut Writer, notes: &Notes, doc: bool) {
        if notes.blank_before {
            w.blank();
        }
        if notes.above.is_empty() {
            return;
        }
        self.open(w, Origin::by(Rule::Comment));
        for c in &notes.above {
            match c {
                None => w.blank(),
                Some(c) => comment(w, c, doc),
            }
        }
        self.close(w, Origin::by(Rule::Comment));
    }

    /// The declaration of a name of the function that a statement declares, such as an array made of a parameter.
    fn declaration_of(&self, s: &Stmt) -> Origin {
        let first = match &s.kind {
            StmtKind::Declare(d) => d.names.first(),
            _ => None,
        };
        let named = first.and_then(|n| self.names.get(n.name.as_str()));
        named.map_or_else(Origin::default, |n| n.declaration.or(n.at))
    }

    /// The brace that ends a construct.
    fn closing(&self, s: &Stmt) -> String {
        let mut origin = s.origin;
        origin.start = origin.end.saturating_sub(1).max(origin.start);
        self.tagged("}".to_owned(), origin, Holder::End)
    }

    /// What is written from here on comes from `origin`.
    pub fn open(&self, w: &mut Writer, origin: Origin) {
        if let Some(tags) = self.tags()
            && !origin.is_none()
        {
            w.tag(&tags.open(origin, Holder::Own));
        }
    }

    /// The end of what came from `origin`.
    pub fn close(&self, w: &mut Writer, origin: Origin) {
        if let Some(tags) = self.tags()
            && !origin.is_none()
        {
            w.tag(tags.close().encode_utf8(&mut [0; 4]));
        }
    }

    /// A comment at the end of a line; `!<` describes what stands before it.
    pub fn remark(&self, c: &str) -> String {
        let text = remark(c);
        match self.tags() {
            Some(tags) => tags.around(&soft(&text), Origin::by(Rule::Comment), Holder::Own),
            None => text,
        }
    }

    pub fn stmts(&self, w: &mut Writer, body: &[Stmt]) {
        for (i, s) in body.iter().enumerate() {
            if let StmtKind::Label(l) = &s.kind {
                // A label needs a statement, and a declaration is none.
                let statement = body[i + 1..]
                    .iter()
                    .find(|s| !matches!(s.kind, StmtKind::Empty))
                    .is_some_and(|s| !matches!(s.kind, StmtKind::Declare(_)));
                self.notes_above(w, &s.notes, false);
                self.open(w, s.origin);
                w.outdented(&format!("{l}:{}", if statement { "" } else { ";" }));
                self.trailing(w, s);
                self.close(w, s.origin);
            } else {
                self.stmt(w, s);
            }
        }
    }

    pub fn stmt(&self, w: &mut Writer, s: &Stmt) {
        self.notes_above(w, &s.notes, false);
        if let Some(at) = s.at {
            w.mark(at);
        }
        let origin = s.origin.or(self.declaration_of(s));
        self.open(w, origin);
        self.lines(w, s);
        if let Some(c) = &s.notes.closing {
            w.append(&self.remark(c));
        }
        self.close(w, origin);
    }

    fn lines(&self, w: &mut Writer, s: &Stmt) {
        match &s.kind {
            StmtKind::Declare(d) => self.declare(w, d),
            StmtKind::Assign { lhs, rhs } => {
                if let Some(text) = self.compound(lhs, rhs) {
                    w.line(&format!("{text};"));
                    return self.trailing(w, s);
                }
                let small = matches!(lhs.ty.plain(), Type::Fixed { .. });
                let list = small.then(|| self.arguments(rhs, &lhs.ty)).flatten();
                let value = list.unwrap_or_else(|| self.converted(rhs, &lhs.ty));
                w.line(&format!("{} = {value};", self.expr(lhs)));
            }
            StmtKind::Expr(e) => w.line(&format!("{};", self.expr(e))),
            StmtKind::If {
                branches,
                otherwise,
            } => return self.if_stmt(w, s, branches, otherwise.as_deref()),
            StmtKind::For(f) => return self.for_stmt(w, s, f),
            StmtKind::ForEach(f) => {
                let unused = if f.maybe_unused {
                    "[[maybe_unused]] "
                } else {
                    ""
                };
                let (ty, range) = (self.ty(&f.ty), self.expr(&f.range));
                let vars = match &f.vars[..] {
                    [one] => one.clone(),
                    all => format!("[{}]", all.join(", ")),
                };
                w.line(&format!("for ({unused}{ty} {vars} : {range}) {{"));
                self.trailing(w, s);
                return self.body(w, &f.body, &self.closing(s));
            }
            StmtKind::While { cond, body } => {
                match cond {
                    Some(c) => w.line(&format!("while ({}) {{", self.condition(c))),
                    None => w.line("for (;;) {"),
                }
                self.trailing(w, s);
                self.body(w, body, &self.closing(s));
                return;
            }
            StmtKind::Switch {
                selector,
                cases,
                default,
            } => {
                w.line(&format!("switch ({}) {{", self.expr(selector)));
                self.trailing(w, s);
                for (values, body, notes) in cases {
                    let labels: Vec<_> = values
                        .iter()
                        .map(|v| format!("case {}:", self.expr(v)))
                        .collect();
                    self.case(w, &labels.join(" "), body, notes);
                }
                if let Some((body, notes)) = default {
                    self.case(w, "default:", body, notes);
                }
                w.line(&self.closing(s));
                return;
            }
            StmtKind::Block(body) => {
                w.line("{");
                self.trailing(w, s);
                self.body(w, body, &self.closing(s));
                return;
            }
            StmtKind::Break => w.line("break;"),
            StmtKind::Continue => w.line("continue;"),
            StmtKind::Goto(l) => w.line(&format!("goto {l};")),
            StmtKind::Label(l) => w.outdented(&format!("{l}:;")),
            StmtKind::Return(None) => w.line("return;"),
            StmtKind::Return(Some(e)) => {
                // The type of the result is that of the function.
                let small = matches!(e.ty.plain(), Type::Fixed { .. });
                let value = small.then(|| self.arguments(e, &e.ty)).flatten();
                let value = value.unwrap_or_else(|| self.converted(e, &e.ty));
                w.line(&format!("return {value};"));
            }
            StmtKind::Empty => {
                if let Some(c) = &s.notes.trailing {
                    self.open(w, Origin::by(Rule::Comment));
                    comment(w, c, false);
                    self.close(w, Origin::by(Rule::Comment));
                }
                return;
            }
        }
        self.trailing(w, s);
    }

    fn trailing(&self, w: &mut Writer, s: &Stmt) {
        if let Some(c) = &s.notes.trailing {
            w.append(&self.remark(c));
        }
    }

    fn body(&self, w: &mut Writer, body: &[Stmt], close: &str) {
        w.indent();
        self.stmts(w, body);
        w.dedent();
        w.line(close);
    }

    fn case(&self, w: &mut Writer, head: &str, body: &[Stmt], notes: &Notes) {
        self.notes_above(w, notes, false);
        let declares = body.iter().any(|s| matches!(s.kind, StmtKind::Declare(_)));
        let open = if declares { " {" } else { "" };
        w.line(&format!("{head}{open}"));
        if let Some(c) = &notes.trailing {
            w.append(&self.remark(c));
        }
        w.indent();
        self.stmts(w, body);
        if !matches!(
            body.last().map(|s| &s.kind),
            Some(StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Continue | StmtKind::Break)
        ) {
            w.line("break;");
        }
        w.dedent();
        if declares {
            w.line("}");
        }
    }

    fn declare(&self, w: &mut Writer, d: &Declare) {
        let unused = if d.maybe_unused {
            "[[maybe_unused]] "
        } else {
            ""
        };
        let of_block = match (d.qualifier, &d.ty) {
            (Qualifier::Shared, Type::LocalArray { elem, rank }) => {
                Some(format!("cuf::block_array<{}, {rank}>", self.ty(elem)))
            }
            _ => None,
        };
        let qualifier = match d.qualifier {
            Qualifier::None => "",
            Qualifier::Shared if of_block.is_some() => "",
            Qualifier::Shared => "__shared__ ",
            Qualifier::SharedTile => "__shared__ __align__(32) ",
            Qualifier::Const => "const ",
            Qualifier::Constexpr => "constexpr ",
        };
        let pointers = matches!(d.ty, Type::Pointer { .. } | Type::Ref(_));
        let ty = of_block.unwrap_or_else(|| self.ty(&d.ty));
        let names: Vec<_> = d.names.iter().map(|n| self.declarator(n, &d.ty)).collect();
        if pointers {
            for n in names {
                w.line(&format!("{unused}{qualifier}{ty} {n};"));
            }
        } else {
            w.line(&format!("{unused}{qualifier}{ty} {};", names.join(", ")));
        }
        if self.checked {
            for line in d.names.iter().filter_map(|n| known_to_checks(d, n)) {
                w.line(&line);
            }
        }
    }

    fn declarator(&self, d: &Declarator, ty: &Type) -> String {
        match &d.init {
            Init::None => self.named(&d.name),
            Init::Value(e) => match self.arguments(e, ty) {
                Some(args) if matches!(ty.plain(), Type::Fixed { .. }) => {
                    format!("{} = {args}", self.named(&d.name))
                }
                Some(args) => format!("{}{args}", self.named(&d.name)),
                None => format!("{} = {}", self.named(&d.name), self.converted(e, ty)),
            },
            Init::Args(args) => format!("{}({})", self.named(&d.name), self.list(args)),
            Init::Default => format!("{}{{}}", self.named(&d.name)),
        }
    }

    /// The bytes of a line without its marks.
    fn length(&self, line: &str) -> usize {
        let marks = line.chars().filter(|c| is_mark(*c)).map(char::len_utf8);
        match self.tags() {
            Some(_) => line.len() - marks.sum::<usize>(),
            None => line.len(),
        }
    }

    /// The name of a local, marked with its place in a declaration that is being printed.
    fn named(&self, name: &str) -> String {
        let origin = self.origin_of(name).unwrap_or_default();
        self.tagged(name.to_owned(), origin, Holder::Part)
    }

    /// Where a name of the function comes from; a parameter behind it has an underscore more.
    pub fn origin_of(&self, name: &str) -> Option<Origin> {
        let found = self.names.get(name);
        let found = found.or_else(|| self.names.get(name.trim_end_matches('_')));
        found.map(|n| n.at)
    }

    /// The arguments of the constructor, where the value is an object of the type just made.
    fn arguments(&self, e: &Expr, ty: &Type) -> Option<String> {
        if e.ty.plain() != ty.plain() {
            return None;
        }
        // Braces: with parentheses it could read as the declaration of a function.
        match &e.kind {
            ExprKind::Construct(args) | ExprKind::Object(args) => {
                Some(format!("{{{}}}", self.list(args)))
            }
            ExprKind::Complex(..) => {
                let text = self.without_tags(|p| p.expr(e));
                let args = text.strip_prefix(&self.ty(ty))?;
                Some(format!("{{{}}}", args.get(1..args.len() - 1)?))
            }
            _ => None,
        }
    }

    fn if_stmt(
        &self,
        w: &mut Writer,
        s: &Stmt,
        branches: &[(Expr, Vec<Stmt>)],
        otherwise: Option<&[Stmt]>,
    ) {
        // `if (c) statement;` on one line, as Fortran's IF statement.
        if let ([(cond, body)], None) = (branches, otherwise)
            && let [only] = &body[..]
            && only.notes.is_empty()
            && let Some(text) = self.one_line(only)
        {
            let line = format!("if ({}) {text}", self.condition(cond));
            if self.length(&line) < 96 {
                if let Some(at) = only.at {
                    w.mark(at);
                }
                w.line(&line);
                self.trailing(w, s);
                return;
            }
        }
        for (i, (cond, body)) in branches.iter().enumerate() {
            let head = format!("if ({}) {{", self.condition(cond));
            if i == 0 {
                w.line(&head);
                self.trailing(w, s);
            } else {
                w.line(&format!("}} else {head}"));
            }
            w.indent();
            self.stmts(w, body);
            w.dedent();
        }
        if let Some(body) = otherwise {
            w.line("} else {");
            w.indent();
            self.stmts(w, body);
            w.dedent();
        }
        w.line(&self.closing(s));
    }

    fn one_line(&self, s: &Stmt) -> Option<String> {
        match s.kind {
            StmtKind::Assign { .. }
            | StmtKind::Expr(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Return(_) => {
                let mut w = Writer::new(self.tags().is_some());
                self.lines(&mut w, s);
                let text = w.finish();
                let text = text.trim_end();
                let text = (!text.contains('\n')).then(|| text.to_owned())?;
                Some(self.tagged(text, s.origin, Holder::Own))
            }
            _ => None,
        }
    }

    fn for_stmt(&self, w: &mut Writer, s: &Stmt, f: &For) {
        let var = &f.var;
        let from = match (&f.from, &f.declare) {
            (None, _) => String::new(),
            (Some(e), None) => format!("{var} = {}", self.converted(e, &e.ty)),
            (Some(e), Some(t)) => format!("{} {var} = {}", self.ty(t), self.converted(e, t)),
        };
        let step = match &f.step {
            Step::By(1) => format!("++{var}"),
            Step::By(-1) => format!("--{var}"),
            Step::By(n) if *n < 0 => format!("{var} -= {}", n.unsigned_abs()),
            Step::By(n) => format!("{var} += {n}"),
            Step::Expr(e) => format!("{var} += {}", self.expr(e)),
            Step::Counted { count, by } => format!("--{count}, {var} += {}", self.expr(by)),
        };
        w.line(&format!(
            "for ({from}; {}; {step}) {{",
            self.condition(&f.cond)
        ));
        self.trailing(w, s);
        self.body(w, &f.body, &self.closing(s));
    }
}

/// A comment with one blank after the slashes, unless it is decoration.
fn spaced(c: &str) -> String {
    let c = c.trim_end();
    if c.is_empty() || c.starts_with([' ', '\t', '!', '-', '=', '*', '/']) {
        c.to_owned()
    } else {
        format!(" {c}")
    }
}

fn comment(w: &mut Writer, c: &str, doc: bool) {
    let c = c.trim_end();
    let slashes = if doc { "///" } else { "//" };
    if !c.is_empty() && c.trim_start_matches('!').is_empty() {
        w.comment(&format!("//{}", "/".repeat(c.len())));
        return;
    }
    // `!>` begins a description for documentation tools, `!!` continues it.
    w.comment(&match c.strip_prefix(['>', '<', '!']) {
        Some(d) if !d.starts_with('!') => ended(slashes, d),
        _ => ended("//", c),
    });
}

fn remark(c: &str) -> String {
    match c.strip_prefix('<') {
        Some(d) => format!("  {}", ended("///<", d)),
        None => format!("  {}", ended("//", without_mark(c))),
    }
}

/// A remark without a mark of documentation: `>`, which is for what follows, or a second `!`.
fn without_mark(c: &str) -> &str {
    match c.strip_prefix(['>', '!']) {
        Some(text) if text.starts_with([' ', '\t']) => text,
        _ => c,
    }
}

/// A comment that ends with its line: a backslash there would continue it on the next one.
fn ended(mark: &str, c: &str) -> String {
    let c = spaced(c);
    let end = if c.ends_with('\\') { " ." } else { "" };
    format!("{mark}{c}{end}")
}

/// How a variable is made known to the checks at run time: shared ones and those without a value by their memory, arrays by their names.
fn known_to_checks(d: &Declare, n: &Declarator) -> Option<String> {
    let macro_name = match (&d.qualifier, &n.init, d.ty.plain()) {
        (Qualifier::Shared, _, Type::LocalArray { .. }) => return None,
        (Qualifier::Shared | Qualifier::SharedTile, ..) => "CUF_SHARED",
        (
            _,
            _,
            Type::Array { .. } | Type::View { .. } | Type::Class(Class::MadeOfLayout { .. }),
        ) => "CUF_NAMED",
        (_, _, Type::Pointer { .. } | Type::Ref(_) | Type::Auto | Type::LocalArray { .. }) => {
            return None;
        }
        (Qualifier::None, Init::None, _) => "CUF_LOCAL",
        _ => return None,
    };
    Some(format!("{macro_name}({});", n.name))
}
