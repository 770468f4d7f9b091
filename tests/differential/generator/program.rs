//! A finished program: a tree of statements that can be printed for either compiler and made smaller.

use super::{LOGS, STATE};

/// How the device runs the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A device subroutine called by a kernel with one thread per instance.
    Device,
    /// A kernel of its own, launched once per instance.
    Kernel,
    /// The body of a CUF loop over the instances.
    Loop,
}

/// How an array of the state is declared as a dummy argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// With this lower bound.
    Explicit(i64),
    AssumedSize,
    /// With this lower bound.
    AssumedShape(i64),
}

impl Form {
    /// The first subscript.
    pub fn lower(self) -> i64 {
        match self {
            Form::Explicit(lo) | Form::AssumedShape(lo) => lo,
            Form::AssumedSize => 1,
        }
    }

    fn dimension(self) -> String {
        match self {
            Form::Explicit(1) => super::ELEMENTS.to_string(),
            Form::Explicit(lo) => format!("{lo}:{}", lo + super::ELEMENTS - 1),
            Form::AssumedSize => "*".to_owned(),
            Form::AssumedShape(1) => ":".to_owned(),
            Form::AssumedShape(lo) => format!("{lo}:"),
        }
    }
}

/// The declarations of the state's arrays.
#[derive(Clone, Debug)]
pub struct State {
    pub forms: [Form; STATE.len()],
}

impl Default for State {
    fn default() -> State {
        State {
            forms: [Form::Explicit(1); STATE.len()],
        }
    }
}

/// A place in a log with a tolerance of its own on a GPU.
#[derive(Clone, Debug)]
pub struct Tolerance {
    pub log: usize,
    pub at: usize,
    /// Negative: an absolute tolerance, of two to this power more than the unit roundoff.
    pub ulps: i32,
}

/// A statement or construct. `@t` in a text is the subscript of the instance, `@` the number of the program.
#[derive(Clone, Debug)]
pub enum Stmt {
    Line(String),
    /// A line that is never removed alone: a declaration of a block, say.
    Fixed(String),
    Group {
        parts: Vec<Part>,
        tail: String,
    },
}

/// One part of a construct: `else if (...) then` and what follows.
#[derive(Clone, Debug)]
pub struct Part {
    pub head: String,
    pub body: Vec<Stmt>,
}

impl Part {
    pub fn new(head: impl Into<String>, body: Vec<Stmt>) -> Part {
        Part {
            head: head.into(),
            body,
        }
    }
}

impl Stmt {
    pub fn line(text: impl Into<String>) -> Stmt {
        Stmt::Line(text.into())
    }

    pub fn fixed(text: impl Into<String>) -> Stmt {
        Stmt::Fixed(text.into())
    }

    pub fn group(parts: Vec<Part>, tail: impl Into<String>) -> Stmt {
        Stmt::Group {
            parts,
            tail: tail.into(),
        }
    }

    pub fn print(&self, indent: usize, out: &mut Vec<String>) {
        let pad = " ".repeat(indent);
        match self {
            Stmt::Line(text) | Stmt::Fixed(text) => out.push(format!("{pad}{text}")),
            Stmt::Group { parts, tail } => {
                for part in parts {
                    out.push(format!("{pad}{}", part.head));
                    for statement in &part.body {
                        statement.print(indent + 2, out);
                    }
                }
                out.push(format!("{pad}{tail}"));
            }
        }
    }
}

/// A random program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Names the program in results.
    pub seed: u64,
    /// Seed of the first values.
    pub data: u64,
    pub style: Style,
    pub declarations: Vec<String>,
    pub prologue: Vec<Stmt>,
    pub body: Vec<Stmt>,
    /// Copies of local variables to the state.
    pub dump: Vec<Stmt>,
    /// Procedures; the first line starts with `#` where the attributes stand.
    pub helpers: Vec<Vec<String>>,
    pub tolerances: Vec<Tolerance>,
    /// A compiler that contracts `a*b + c` may give other results.
    pub contraction: bool,
    pub state: State,
}

/// Which of the two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Device,
    Plain,
}

impl Program {
    fn statements(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let indent = if self.style == Style::Loop { 6 } else { 4 };
        for statement in self.prologue.iter().chain(&self.body).chain(&self.dump) {
            statement.print(indent, &mut lines);
        }
        lines
    }

    /// The arrays of the state and logs that the program names: name, declared dimension, position.
    pub fn dummies(&self) -> Vec<Dummy> {
        let text = self.statements().join("\n");
        let state = STATE
            .iter()
            .zip(&self.state.forms)
            .map(|((name, ty), form)| (*name, *ty, *form));
        let logs = LOGS
            .iter()
            .map(|(name, ty)| (*name, *ty, Form::Explicit(1)));
        let mut dummies: Vec<Dummy> = Vec::new();
        for (index, (name, ty, form)) in state.chain(logs).enumerate() {
            if names(&text, name) {
                let extent = if index < STATE.len() {
                    super::ELEMENTS
                } else {
                    super::LOG as i64
                };
                let dimension = if index < STATE.len() {
                    form.dimension()
                } else {
                    extent.to_string()
                };
                dummies.push(Dummy {
                    name,
                    declaration: ty.declared(),
                    dimension,
                    extent,
                    shape: matches!(form, Form::AssumedShape(_)),
                });
            }
        }
        dummies
    }

    /// The text of the program's procedures, of the given number in its file.
    pub fn print(&self, side: Side, number: usize, instances: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let text = self.statements().join("\n");
        let calls = |text: &str, index: usize| names(text, &format!("h@_{}", index + 1));
        for (index, helper) in self.helpers.iter().enumerate() {
            let later = self.helpers[index + 1..]
                .iter()
                .any(|h| calls(&h.join("\n"), index));
            if later || calls(&text, index) {
                let attributes = if side == Side::Device {
                    "attributes(device) "
                } else {
                    ""
                };
                lines.extend(helper.iter().map(|l| match l.strip_prefix('#') {
                    Some(rest) => format!("  {attributes}{rest}"),
                    None => format!("  {l}"),
                }));
            }
        }
        let dummies = self.dummies();
        let list: Vec<&str> = dummies.iter().map(|d| d.name).collect();
        let list = list.join(", ");
        let on_device = side == Side::Device;
        let attributes = match self.style {
            Style::Device if on_device => "attributes(device) ",
            Style::Kernel if on_device => "attributes(global) ",
            _ => "",
        };
        let in_loop = self.style == Style::Loop;
        let list = if in_loop && on_device {
            String::new()
        } else {
            list
        };
        lines.push(format!("  {attributes}subroutine body@({list})"));
        for d in &dummies {
            let dimension = if in_loop {
                format!("{}, {instances}", d.extent)
            } else {
                d.dimension.clone()
            };
            if !(in_loop && on_device) {
                lines.push(format!("    {} :: {}({dimension})", d.declaration, d.name));
            }
        }
        for declaration in &self.declarations {
            // An unused declaration says nothing.
            lines.push(format!("    {declaration}"));
        }
        if in_loop {
            lines.push("    integer :: t".to_owned());
            if on_device {
                lines.push("    !$cuf kernel do <<<*, *>>>".to_owned());
            }
            lines.push(format!("    do t = 1, {instances}"));
        }
        lines.extend(self.statements());
        if in_loop {
            lines.push("    end do".to_owned());
        }
        lines.push("  end subroutine".to_owned());
        let number = number.to_string();
        lines
            .into_iter()
            .map(|l| l.replace("@t", ", t").replace('@', &number))
            .collect()
    }

    /// Smaller programs: each without one statement, part or construct, or without a part of the declarations and their first values.
    pub fn smaller(&self) -> Vec<Program> {
        let mut all = Vec::new();
        let rest: Vec<String> = self.tidied_statements();
        for which in 0..3 {
            let statements = [&self.body, &self.prologue, &self.dump][which];
            for variant in without_one(statements) {
                // A variable that is still read needs its value.
                if which == 1 && !unused(statements, &variant, &rest) {
                    continue;
                }
                let mut program = self.clone();
                *[&mut program.body, &mut program.prologue, &mut program.dump][which] = variant;
                all.push(program);
            }
        }
        if self.dump.len() > 1 {
            all.insert(
                0,
                Program {
                    dump: Vec::new(),
                    ..self.clone()
                },
            );
        }
        all
    }

    /// Characters of its statements.
    pub fn size(&self) -> usize {
        self.statements().iter().map(String::len).sum()
    }

    fn tidied_statements(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for statement in self.body.iter().chain(&self.dump) {
            statement.print(0, &mut lines);
        }
        lines
    }

    /// The program without declarations of names that nothing uses.
    pub fn tidied(&self) -> Program {
        let mut program = self.clone();
        let text = self.statements().join("\n");
        let used = |line: &String| match line.split_once("::") {
            Some((start, name)) if !start.starts_with("type") && !start.starts_with("  ") => {
                let name = name
                    .trim()
                    .split(['(', ' ', '='])
                    .next()
                    .unwrap_or_default();
                names(&text, name)
            }
            _ => true,
        };
        program.declarations.retain(used);
        program
    }
}

/// A dummy argument of a program.
#[derive(Clone, Debug)]
pub struct Dummy {
    pub name: &'static str,
    pub declaration: String,
    pub dimension: String,
    pub extent: i64,
    /// Assumed shape: the actual argument is a section.
    pub shape: bool,
}

/// Whether the text has the name as a word.
pub fn names(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(word) && !text[at + name.len()..].starts_with(word))
}

/// Whether the statement that `fewer` lacks gives a value to a name that neither it nor `rest` has.
fn unused(all: &[Stmt], fewer: &[Stmt], rest: &[String]) -> bool {
    let lines = |statements: &[Stmt]| {
        let mut lines = Vec::new();
        statements.iter().for_each(|s| s.print(0, &mut lines));
        lines
    };
    let left = lines(fewer);
    let text = format!("{}\n{}", left.join("\n"), rest.join("\n"));
    let removed = lines(all).into_iter().find(|l| !left.contains(l));
    let name = removed
        .as_deref()
        .and_then(|l| l.split_once(" = "))
        .map(|(name, _)| name);
    name.is_some_and(|name| !names(&text, name))
}

fn without_one(statements: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut all = Vec::new();
    let replaced = |index: usize, by: Vec<Stmt>| {
        let mut copy = statements.to_vec();
        copy.splice(index..=index, by);
        copy
    };
    for (index, statement) in statements.iter().enumerate() {
        if !matches!(statement, Stmt::Fixed(_)) {
            all.push(replaced(index, Vec::new()));
        }
        let Stmt::Group { parts, tail } = statement else {
            continue;
        };
        for (p, part) in parts.iter().enumerate() {
            // What a header declares or counts must stay around its body.
            let plain = ["if", "else", "case", "select", "where"]
                .iter()
                .any(|w| part.head.starts_with(w));
            if plain && !part.body.is_empty() {
                all.push(replaced(index, part.body.clone()));
            }
            if p > 0 {
                let mut fewer = parts.clone();
                fewer.remove(p);
                all.push(replaced(index, vec![Stmt::group(fewer, tail.clone())]));
            }
            for body in without_one(&part.body) {
                let mut changed = parts.clone();
                changed[p].body = body;
                all.push(replaced(index, vec![Stmt::group(changed, tail.clone())]));
            }
        }
    }
    all
}
