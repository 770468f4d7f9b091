//! A runtime module with only those of its entities that a program mentions.
//!
//! An entity is a type, a named constant, a procedure, an interface of one, or a generic interface. A specific procedure is kept with its
//! generic interface if all of the module's derived types among its arguments are mentioned elsewhere: without a variable of the type
//! nobody can call it. The same holds for intrinsic types that only a word can declare, or a constant. Operators and assignments are kept
//! by their types alone; those of a module apart (`APART`) where the module is mentioned.

use std::collections::BTreeSet;

use super::cpp::identifiers;

/// The module of an assignment to an intrinsic type, which is used for nothing else.
const APART: &str = "cuf_symbol_assignment";

/// The words of a text in lower case, those of comments and literals with them.
pub fn words(text: &str) -> BTreeSet<String> {
    identifiers(text).map(str::to_ascii_lowercase).collect()
}

/// The words of a program, with the type of the character constants that procedures of the runtime may get.
pub fn words_of_program(text: &str) -> BTreeSet<String> {
    let mut words = words(text);
    let others = ["print", "write", "stop", "open", "include", "bind"];
    let argument = |line: &str| {
        let Some(at) = line.find(['\'', '"']) else {
            return false;
        };
        let before = line[..at].to_ascii_lowercase();
        before.contains("cuda") || !identifiers(&before).any(|word| others.contains(&word))
    };
    if code(text).lines().any(argument) {
        words.insert("character".to_owned());
    }
    words
}

/// A piece of a module: its text with the comments and blank lines before it.
#[derive(Debug)]
enum Piece {
    /// Kept always.
    Fixed(String),
    /// `head item, item`: each item is kept if its name is mentioned.
    List {
        lead: String,
        head: String,
        items: Vec<String>,
        /// Of the named constants and USE: an item's own words count as mentioned. Not those of PRIVATE and PUBLIC.
        mentions: bool,
    },
    /// Kept if the name is mentioned.
    Entity { name: String, text: String },
    /// An interface block: the lines around the members.
    Interface {
        lead: String,
        first: String,
        last: String,
        /// None: of procedures without a common name; "": of an operator or an assignment.
        generic: Option<String>,
        members: Vec<Member>,
    },
}

/// A procedure in an interface block: its interface, or a line with names of module procedures.
#[derive(Debug)]
enum Member {
    Body { name: String, text: String },
    Names(Vec<String>),
}

/// `text`, the source of modules, reduced to what `roots` (words in lower case) mention, directly or not.
///
/// The text has to be of the form that the templates give it: one statement a line, with continuations.
pub fn reduced(text: &str, roots: &BTreeSet<String>) -> String {
    let pieces = pieces(text);
    let mut keep = Keep {
        procedures: pieces
            .iter()
            .filter_map(|p| match p {
                Piece::Entity { name, text } => Some((name.clone(), text.clone())),
                _ => None,
            })
            .collect(),
        types: pieces
            .iter()
            .filter_map(|p| match p {
                Piece::Entity { name, text } if is_type(text) => Some(name.clone()),
                _ => None,
            })
            .collect(),
        mentioned: roots.clone(),
        operators: false,
    };
    // Each round can only add words, and there are finitely many.
    loop {
        let before = keep.mentioned.len();
        for piece in &pieces {
            keep.follow(piece);
        }
        if keep.mentioned.len() == before {
            break;
        }
    }
    keep.operators = pieces.iter().any(|p| match p {
        Piece::Interface {
            generic: Some(g),
            members,
            ..
        } if g.is_empty() => members.iter().any(|m| !keep.keeps(m, Some("")).is_empty()),
        _ => false,
    });
    let mut out = String::new();
    for piece in &pieces {
        keep.print(piece, &mut out);
    }
    out.replace("\n\ncontains\nend module", "\nend module")
}

/// A program has objects of these types only if the words are in its text.
const INTRINSIC_TYPES: [&str; 3] = ["character", "complex", "logical"];

struct Keep {
    /// All entities that are not in interfaces.
    procedures: std::collections::BTreeMap<String, String>,
    types: BTreeSet<String>,
    mentioned: BTreeSet<String>,
    /// Operators or assignments are kept: they have the types of one and the same program.
    operators: bool,
}

impl Keep {
    fn has(&self, name: &str) -> bool {
        self.mentioned.contains(name)
    }

    /// Whether a specific procedure with this text, under a generic name or none, can be called.
    fn callable(&self, text: &str, generic: Option<&str>) -> bool {
        let used: Vec<String> = types_in(text)
            .into_iter()
            .filter(|t| self.types.contains(t))
            .collect();
        let declared = INTRINSIC_TYPES.iter().filter(|t| {
            code(text).lines().any(|l| {
                l.trim_start()
                    .strip_prefix(**t)
                    .is_some_and(|l| l.starts_with('('))
            })
        });
        used.iter().all(|t| self.has(t))
            && declared.into_iter().all(|t| self.has(t))
            && (generic != Some("") || !used.is_empty())
    }

    fn keeps(&self, member: &Member, generic: Option<&str>) -> Vec<String> {
        match member {
            Member::Body { name, text } => {
                let wanted = match generic {
                    None => self.has(name),
                    Some("") => self.callable(text, generic),
                    // Host code names a specific where the generic does not find it.
                    Some(g) => self.has(name) || self.has(g) && self.callable(text, generic),
                };
                wanted.then(|| name.clone()).into_iter().collect()
            }
            Member::Names(names) => {
                let wanted = |name: &&String| {
                    let text = self.procedures.get(*name).map_or("", String::as_str);
                    generic.is_none_or(|g| g.is_empty() || self.has(g))
                        && self.callable(text, generic)
                };
                names.iter().filter(wanted).cloned().collect()
            }
        }
    }

    fn follow(&mut self, piece: &Piece) {
        let mut found = BTreeSet::new();
        match piece {
            Piece::Fixed(_) => {}
            Piece::List {
                head,
                items,
                mentions,
                ..
            } => {
                let kept = items
                    .iter()
                    .filter(|i| *mentions && self.has(&item_name(i)));
                found.extend(kept.flat_map(|i| words(i)));
                if !found.is_empty() {
                    found.extend(words(head));
                }
            }
            Piece::Entity { name, text } if self.has(name) => found = words(code(text).as_str()),
            Piece::Entity { .. } => {}
            Piece::Interface {
                generic, members, ..
            } => {
                for member in members {
                    let kept = self.keeps(member, generic.as_deref());
                    if let (Member::Body { text, .. }, false) = (member, kept.is_empty()) {
                        found.extend(words(code(text).as_str()));
                    }
                    found.extend(kept);
                }
            }
        }
        self.mentioned.extend(found);
    }

    fn print(&self, piece: &Piece, out: &mut String) {
        match piece {
            Piece::Fixed(text) => out.push_str(text),
            Piece::List {
                lead, head, items, ..
            } => {
                let kept: Vec<&str> = items
                    .iter()
                    .filter(|i| match item_name(i).as_str() {
                        "operator" | "assignment" => self.operators,
                        name => self.has(name),
                    })
                    .map(String::as_str)
                    .collect();
                if !kept.is_empty() {
                    out.push_str(lead);
                    statement(head, &kept, out);
                }
            }
            Piece::Entity { name, text } if self.has(name) => out.push_str(text),
            Piece::Entity { .. } => {}
            Piece::Interface {
                lead,
                first,
                last,
                generic,
                members,
            } => {
                let mut inside = String::new();
                let mut kept_names: Vec<String> = Vec::new();
                for member in members {
                    let kept = self.keeps(member, generic.as_deref());
                    kept_names.extend(kept.iter().cloned());
                    match member {
                        _ if kept.is_empty() => {}
                        Member::Body { text, .. } if inside.is_empty() => {
                            inside.push_str(text.trim_start_matches('\n'));
                        }
                        Member::Body { text, .. } => inside.push_str(text),
                        Member::Names(_) => {
                            inside.push_str(&format!(
                                "    module procedure :: {}\n",
                                kept.join(", ")
                            ));
                        }
                    }
                }
                let alone = generic.as_ref().filter(|_| kept_names.len() == 1);
                if alone.is_some_and(|g| kept_names[0].eq_ignore_ascii_case(g)) {
                    // A generic of one procedure of its name is that procedure.
                    if inside.contains("module procedure ::") {
                        return;
                    }
                    out.push_str(&format!("{lead}  interface\n{inside}  end interface\n"));
                } else if !inside.is_empty() {
                    out.push_str(&format!("{lead}{first}{inside}{last}"));
                }
            }
        }
    }
}

/// A statement that ends in a list, with continuations.
fn statement(head: &str, items: &[&str], out: &mut String) {
    const WIDTH: usize = 116;
    let mut line = head.to_owned();
    for (i, item) in items.iter().enumerate() {
        let comma = if i + 1 < items.len() { "," } else { "" };
        if line.len() + item.len() + 2 > WIDTH && i > 0 {
            out.push_str(&format!("{line} &\n"));
            line = "   ".to_owned();
        }
        line.push_str(&format!(" {item}{comma}"));
    }
    out.push_str(&format!("{line}\n"));
}

/// The name that an item of a list declares: of `a => b` and `a = 1` it is `a`.
fn item_name(item: &str) -> String {
    identifiers(item)
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase()
}

/// The text defines a type.
fn is_type(text: &str) -> bool {
    let code = code(text);
    let rest = code.trim_start().strip_prefix("type");
    rest.is_some_and(|r| !r.starts_with('('))
}

/// A text without its comment lines.
fn code(text: &str) -> String {
    text.lines()
        .filter(|l| !l.trim_start().starts_with('!'))
        .fold(String::new(), |all, l| all + l + "\n")
}

/// The names in `type(...)`, in lower case.
fn types_in(text: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    lower
        .split("type(")
        .skip(1)
        .filter_map(|rest| {
            identifiers(rest.split(')').next()?)
                .next()
                .map(str::to_owned)
        })
        .collect()
}

/// Takes the source apart.
fn pieces(text: &str) -> Vec<Piece> {
    let mut reader = Reader {
        lines: text.lines().peekable(),
    };
    let mut pieces = Vec::new();
    let mut apart = false;
    while let Some(Statement {
        lead,
        joined: first,
        raw,
    }) = reader.statement()
    {
        let lower = first.trim().to_ascii_lowercase();
        let whole = format!("{lead}{raw}");
        apart = apart && !lower.starts_with("end module") || lower == format!("module {APART}");
        let list = [", only: ", "parameter :: ", "private :: ", "public :: "]
            .iter()
            .find_map(|mark| {
                Some(lower.find(mark)? + mark.len() + first.len() - first.trim_start().len())
            });
        if let Some(names) = lower.strip_prefix("!$omp threadprivate(") {
            // Each variable's own directive goes with it.
            pieces.extend(items(names.trim_end_matches(')')).into_iter().map(|name| {
                let text = format!("  !$omp threadprivate({name})\n");
                Piece::Entity { name, text }
            }));
        } else if let Some(at) = list {
            let at = at.min(first.len());
            pieces.push(Piece::List {
                lead,
                head: first[..at].trim_end().to_owned(),
                items: items(&first[at..]),
                mentions: !lower.starts_with("private") && !lower.starts_with("public"),
            });
        } else if lower.starts_with("type") {
            // A declaration of a variable is one line.
            let text = match is_type(&first) {
                true => whole + &reader.until("end type"),
                false => whole,
            };
            pieces.push(Piece::Entity {
                name: last_name(&lower),
                text,
            });
        } else if lower.starts_with("interface") {
            let lower = match apart {
                true => format!("interface {APART}"),
                false => lower,
            };
            pieces.push(interface(lead, raw, &lower, &mut reader));
        } else if let Some(name) = procedure_name(&lower) {
            let text = whole + &reader.until_end_of_procedure();
            pieces.push(Piece::Entity { name, text });
        } else {
            pieces.push(Piece::Fixed(whole));
        }
    }
    pieces
}

fn interface(lead: String, first: String, lower: &str, reader: &mut Reader<'_>) -> Piece {
    let rest = lower.trim_start_matches("interface").trim();
    let generic = match rest {
        "" => None,
        _ if rest.starts_with("operator") || rest.starts_with("assignment") => Some(String::new()),
        name => Some(name.to_owned()),
    };
    let mut members = Vec::new();
    let mut last = String::new();
    while let Some(Statement { lead, joined, raw }) = reader.statement() {
        let lower = joined.trim().to_ascii_lowercase();
        if lower.starts_with("end interface") {
            last = raw;
            break;
        }
        let listed = lower.strip_prefix("module ").unwrap_or(&lower);
        match (listed.strip_prefix("procedure ::"), procedure_name(&lower)) {
            (Some(names), _) => members.push(Member::Names(items(names))),
            (None, Some(name)) => members.push(Member::Body {
                name,
                text: format!("{lead}{raw}") + &reader.until_end_of_procedure(),
            }),
            (None, None) => {}
        }
    }
    Piece::Interface {
        lead,
        first,
        last,
        generic,
        members,
    }
}

/// The parts of a list between its commas; those in brackets belong to a part.
fn items(list: &str) -> Vec<String> {
    let mut depth = 0i32;
    list.split(|c: char| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        c == ',' && depth == 0
    })
    .map(|i| i.split_whitespace().collect::<Vec<_>>().join(" "))
    .filter(|i| !i.is_empty())
    .collect()
}

/// The name that `type, bind(C) :: name`, `type name` or `type(t) :: name` defines.
fn last_name(statement: &str) -> String {
    identifiers(statement).last().unwrap_or_default().to_owned()
}

/// The name of the procedure that a statement begins.
fn procedure_name(statement: &str) -> Option<String> {
    let mut words = identifiers(statement.split('!').next()?);
    let first = words.next()?;
    if first == "end" {
        return None;
    }
    let mut prefix = Some(first);
    while let Some(word) = prefix {
        match word {
            "function" | "subroutine" => return words.next().map(str::to_owned),
            "pure" | "elemental" | "integer" | "logical" => prefix = words.next(),
            _ => return None,
        }
    }
    None
}

/// A blank line, or a comment that is no directive of OpenMP.
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('!') && !line.starts_with("!$omp")
}

/// A statement.
struct Statement {
    /// The comments and blank lines before it.
    lead: String,
    /// On one line, without the end of the line.
    joined: String,
    /// As it stands.
    raw: String,
}

struct Reader<'a> {
    lines: std::iter::Peekable<std::str::Lines<'a>>,
}

impl Reader<'_> {
    /// The next statement with its continuations. Of comments that are alone at the end it is empty.
    fn statement(&mut self) -> Option<Statement> {
        self.lines.peek()?;
        let mut lead = String::new();
        while let Some(line) = self.lines.next_if(|l| is_comment(l)) {
            lead.push_str(line);
            lead.push('\n');
        }
        let (mut joined, mut raw) = (String::new(), String::new());
        for line in self.lines.by_ref() {
            raw.push_str(line);
            raw.push('\n');
            let part = if joined.is_empty() {
                line
            } else {
                line.trim_start()
            };
            match part.trim_end().strip_suffix('&') {
                Some(part) => joined.push_str(part),
                None => {
                    joined.push_str(part);
                    break;
                }
            }
        }
        Some(Statement { lead, joined, raw })
    }

    /// The lines up to one that begins with `end`, as they are.
    fn until(&mut self, end: &str) -> String {
        let mut text = String::new();
        for line in self.lines.by_ref() {
            text.push_str(line);
            text.push('\n');
            if line.trim_start().to_ascii_lowercase().starts_with(end) {
                break;
            }
        }
        text
    }

    /// The rest of a procedure, with the interface blocks in it.
    fn until_end_of_procedure(&mut self) -> String {
        let mut text = String::new();
        let mut depth = 0;
        for line in self.lines.by_ref() {
            text.push_str(line);
            text.push('\n');
            let lower = line.trim().to_ascii_lowercase();
            let ends = lower.starts_with("end function") || lower.starts_with("end subroutine");
            if ends && depth == 0 {
                break;
            }
            if ends {
                depth -= 1;
            } else if procedure_name(&lower).is_some() {
                depth += 1;
            }
        }
        text
    }
}
