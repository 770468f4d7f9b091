//! The declarations of a C++ header: what each declares, what it mentions, which lines it has. The texts are the runtime's own, formatted:
//! a declaration has its lines for itself.

use std::collections::BTreeSet;

use super::cpp::{Token, after_braces, declared, is_macro, opened, placed_tokens, tokens};

/// A declaration with its lines, counted from 0.
#[derive(Debug)]
pub(super) struct Item {
    pub first: usize,
    pub last: usize,
    /// What it declares, in lower case.
    pub names: BTreeSet<String>,
    /// What it mentions, in lower case; of a group its head alone.
    pub words: BTreeSet<String>,
    /// Not taken away from what it stands in.
    pub fixed: bool,
    /// What stands in a class or namespace.
    pub group: Option<Vec<Item>>,
    /// A namespace of the runtime, whose names no Fortran can have.
    pub is_cuf: bool,
}

/// The tokens of a file with the lines that they stand on.
pub(super) struct Source<'t> {
    pub lines: Vec<&'t str>,
    tokens: Vec<Token<'t>>,
    /// The line of each token.
    at: Vec<usize>,
}

/// The words of C++ in lower case, without those of comments and literals.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    tokens(text, true).into_iter().filter_map(|t| match t {
        Token::Name(name) => Some(name.to_ascii_lowercase()),
        _ => None,
    })
}

impl<'t> Source<'t> {
    pub fn new(text: &'t str) -> Source<'t> {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        let (tokens, places): (Vec<_>, Vec<_>) = placed_tokens(text, false).into_iter().unzip();
        Source {
            lines: text.lines().collect(),
            tokens,
            at: places
                .into_iter()
                .map(|at: usize| starts.partition_point(|s| *s <= at) - 1)
                .collect(),
        }
    }

    /// The declarations of the file, and its macros.
    pub fn declarations(&self) -> Vec<Item> {
        let mut items = self.items(0..self.tokens.len(), false);
        self.macros(&mut items);
        items
    }

    /// The declarations among these tokens.
    fn items(&self, range: std::ops::Range<usize>, in_class: bool) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        let mut i = range.start;
        while i < range.end {
            match &self.tokens[i..range.end] {
                [Token::Symbol(';'), ..] => i += 1,
                [
                    Token::Name("public" | "private" | "protected"),
                    Token::Symbol(':'),
                    ..,
                ] if in_class => i += 2,
                _ => {
                    let (item, next) = self.item(i, range.end, in_class);
                    add(&mut items, item);
                    i = next;
                }
            }
        }
        items
    }

    /// The macros of the file, where no declaration stands around them.
    fn macros(&self, items: &mut Vec<Item>) {
        let mut k = 0;
        while let Some(line) = self.lines.get(k) {
            let first = k;
            k += 1;
            let Some(rest) = line
                .strip_prefix("#define ")
                .or(line.strip_prefix("#undef "))
            else {
                continue;
            };
            while self.lines[k - 1].ends_with('\\') && k < self.lines.len() {
                k += 1;
            }
            if items
                .iter()
                .any(|i| i.group.is_none() && i.first <= first && first <= i.last)
            {
                continue;
            }
            let Some(name) = words(rest).next() else {
                continue;
            };
            let body = self.lines[first..k].join("\n").replacen('#', " ", 1);
            // Beside an #undef, the name alone.
            let words = match line.starts_with("#define") {
                true => words(&body)
                    .filter(|w| *w != name && w != "define")
                    .collect(),
                false => BTreeSet::new(),
            };
            let item = Item {
                first,
                last: k - 1,
                names: BTreeSet::from([name]),
                words,
                fixed: false,
                group: None,
                is_cuf: false,
            };
            insert(items, item);
        }
    }

    /// The declaration that begins with a token, and the token after it.
    fn item(&self, start: usize, end: usize, in_class: bool) -> (Item, usize) {
        if let [Token::Name(name), Token::Symbol('('), ..] = &self.tokens[start..end]
            && is_macro(name)
        {
            let mut close = start + 1;
            let mut depth = 0;
            while close < end {
                match self.tokens[close] {
                    Token::Symbol('(') => depth += 1,
                    Token::Symbol(')') => depth -= 1,
                    _ => {}
                }
                close += 1;
                if depth == 0 {
                    break;
                }
            }
            let end = close + usize::from(self.tokens.get(close) == Some(&Token::Symbol(';')));
            return (self.described(start..end, end, None, in_class), end);
        }
        let mut depth = 0;
        let mut head = None;
        let mut group = None;
        let mut i = start;
        while i < end {
            match self.tokens[i] {
                Token::Symbol('(' | '[') => depth += 1,
                Token::Symbol(')' | ']') => depth -= 1,
                Token::Symbol(';') if depth == 0 => {
                    i += 1;
                    break;
                }
                Token::Symbol('{') => {
                    let close = after_braces(&self.tokens, i).min(end);
                    let before = &plain(&self.tokens[start..i])[..];
                    if depth == 0 && head.is_none() {
                        head = Some(i);
                        if opened(before).is_some() {
                            group = Some((i, close, false));
                            i = close;
                            break;
                        }
                        if is_class(before) {
                            group = Some((i, close, true));
                        }
                    }
                    let continued =
                        matches!(self.tokens.get(close), Some(Token::Symbol(',' | '{' | ';')));
                    i = close;
                    if depth == 0 && is_function(before) && !is_class(before) && !continued {
                        break;
                    }
                    continue;
                }
                _ => {}
            }
            i += 1;
        }
        let head = head.unwrap_or(i);
        (self.described(start..i, head, group, in_class), i)
    }

    fn described(
        &self,
        range: std::ops::Range<usize>,
        head: usize,
        group: Option<(usize, usize, bool)>,
        in_class: bool,
    ) -> Item {
        let tokens = &self.tokens[range.clone()];
        let before = &plain(&self.tokens[range.start..head])[..];
        let (first, last) = (self.at[range.start], self.at[range.end - 1]);
        let has = |word| before.contains(&Token::Name(word));
        let is_namespace = group.is_some_and(|(.., class)| !class);
        let mut names = BTreeSet::new();
        if !is_namespace {
            let mut found = BTreeSet::new();
            declared(before, &mut found);
            if let [
                ..,
                Token::Symbol('}'),
                Token::Name(variable),
                Token::Symbol(';'),
            ] = tokens
            {
                found.insert((*variable).to_owned());
            }
            names.extend(found.iter().map(|n| n.to_ascii_lowercase()));
            let several =
                !is_function(before) && !is_class(before) && tokens.contains(&Token::Symbol(','));
            if has("enum") || several {
                // The values, and variables after the first; the types of these are harmless.
                let all = tokens.iter().filter_map(|t| match t {
                    Token::Name(name) => Some(name.to_ascii_lowercase()),
                    _ => None,
                });
                names.extend(all);
            }
        }
        names.retain(|n| !WORDS.split(' ').any(|w| w == n));
        if let [Token::Name(name), Token::Symbol('('), ..] = before
            && is_macro(name)
        {
            // What it declares may have names that it makes of its arguments.
            names.clear();
        }
        let ends_in_macro = matches!(before, [.., Token::Name(name)] | [.., Token::Name(name), Token::Symbol(';')] if is_macro(name));
        let is_type = is_class(before) || has("enum") || has("using");
        let is_data = !is_function(before) && !is_type;
        let always = [
            "operator",
            "friend",
            "virtual",
            "override",
            "static_assert",
            "asm",
            "namespace",
        ];
        let fixed = !is_namespace
            && (names.is_empty()
                || always.iter().any(|w| has(w))
                || is_data && (in_class || ends_in_macro || has("maybe_unused")));
        let inner = group.and_then(|(open, close, class)| {
            let inner = self.items(open + 1..close - 1, class);
            let (top, bottom) = (self.at[open], self.at[close - 1]);
            let apart = inner.iter().all(|i| top < i.first && i.last < bottom);
            (apart && !inner.is_empty()).then_some((top, bottom, inner))
        });
        let mut mentions: BTreeSet<String> = match &inner {
            Some((top, bottom, _)) => words(&self.lines[first..=*top].join("\n"))
                .chain(words(&self.lines[*bottom..=last].join("\n")))
                .collect(),
            None => words(&self.lines[first..=last].join("\n")).collect(),
        };
        if is_namespace {
            mentions.clear();
        }
        Item {
            first,
            last,
            names,
            words: mentions,
            fixed: fixed || is_namespace && inner.is_none(),
            group: inner.map(|(.., inner)| inner),
            is_cuf: opened(before).is_some_and(|(_, path)| path.first() == Some(&"cuf")),
        }
    }
}

/// What the language has names for.
const WORDS: &str = "__attribute__ auto bool char class const constexpr double enum float inline int long short static struct union unsigned void";

/// Adds a declaration; those that share a line are one.
fn add(items: &mut Vec<Item>, item: Item) {
    match items.last_mut() {
        Some(last) if last.last >= item.first => {
            last.last = last.last.max(item.last);
            last.names.extend(item.names);
            last.words.extend(item.words);
            last.fixed |= item.fixed;
            // A group that shares a line is taken as a whole.
            let inner = last.group.take().into_iter().chain(item.group).flatten();
            inner.for_each(|i| absorb(last, i));
        }
        _ => items.push(item),
    }
}

fn absorb(into: &mut Item, item: Item) {
    into.names.extend(item.names);
    into.words.extend(item.words);
    into.fixed |= item.fixed;
    let inner = item.group.into_iter().flatten();
    inner.for_each(|i| absorb(into, i));
}

/// Puts a macro where it stands: into the group around it.
fn insert(items: &mut Vec<Item>, item: Item) {
    let around = items
        .iter_mut()
        .find(|i| i.first < item.first && item.last < i.last);
    match around {
        Some(Item {
            group: Some(inner), ..
        }) => insert(inner, item),
        Some(_) => {}
        None => {
            let at = items.partition_point(|i| i.first < item.first);
            items.insert(at, item);
        }
    }
}

/// Attributes with arguments, which look like functions.
const ATTRIBUTES: [&str; 4] = ["alignas", "__align__", "__attribute__", "__launch_bounds__"];

/// Tokens without attributes.
fn plain<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let mut out = Vec::new();
    let mut depth = 0;
    for token in tokens {
        let attribute = matches!(out.last(), Some(Token::Name(n)) if ATTRIBUTES.contains(n));
        match token {
            Token::Symbol('(') if depth > 0 || attribute => depth += 1,
            Token::Symbol(')') if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    out.pop();
                }
            }
            _ if depth > 0 => {}
            _ => out.push(*token),
        }
    }
    out
}

/// The head of a declaration without template parameters.
fn untemplated<'a, 't>(mut head: &'a [Token<'t>]) -> &'a [Token<'t>] {
    while let [Token::Name("template"), Token::Symbol('<'), ..] = head {
        let mut depth = 0;
        let mut parentheses = 0;
        let end = head.iter().position(|t| {
            match t {
                Token::Symbol('(') => parentheses += 1,
                Token::Symbol(')') => parentheses -= 1,
                Token::Symbol('<') if parentheses == 0 => depth += 1,
                Token::Symbol('>') if parentheses == 0 => depth -= 1,
                _ => {}
            }
            depth == 0 && *t == Token::Symbol('>')
        });
        head = &head[end.map_or(head.len(), |e| e + 1)..];
    }
    head
}

/// The head of a class, structure or union with a body.
fn is_class(head: &[Token<'_>]) -> bool {
    let head = untemplated(head);
    let key = head
        .iter()
        .position(|t| matches!(t, Token::Name("struct" | "class" | "union")));
    let Some(key) = key else { return false };
    let before = head[..key].iter().all(|t| {
        matches!(
            t,
            Token::Name("inline" | "static" | "constexpr" | "typedef" | "requires" | "friend")
        )
    });
    let called = head[key..].contains(&Token::Symbol('('));
    before && !called && !head[key..].contains(&Token::Symbol('='))
}

/// The head of a function.
fn is_function(head: &[Token<'_>]) -> bool {
    let head = untemplated(head);
    let at = |c| head.iter().position(|t| *t == Token::Symbol(c));
    match (at('('), at('=')) {
        (Some(open), Some(equals)) => {
            open < equals || head[..open].contains(&Token::Name("operator"))
        }
        (open, _) => open.is_some(),
    }
}
