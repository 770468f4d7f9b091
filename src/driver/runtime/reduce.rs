//! C++ headers with only those declarations that a program mentions, directly or not: what is not called is not there, neither its
//! comments. Names alone decide, whatever they belong to, so that all overloads of a function stay together; data members stay always,
//! for they are the layout of a class.
//!
//! The texts are the runtime's own, formatted: a declaration has its lines for itself.

use std::collections::BTreeSet;

use super::cpp::lines_for;
use super::items::{Item, Source, words};
use crate::driver::toolchain::Target;

/// What range-based loops and structured bindings call without naming it.
const IMPLIED: [&str; 5] = ["begin", "end", "get", "tuple_element", "tuple_size"];

/// The words that decide, in lower case.
struct Mentioned<'a> {
    /// In C++.
    words: BTreeSet<String>,
    /// By Fortran and C, which know what is in no namespace.
    linked: &'a BTreeSet<String>,
}

/// What a program is made of besides the runtime.
pub struct Roots<'a> {
    /// Words of the device code, in lower case.
    pub device: &'a BTreeSet<String>,
    /// Those of all other sources.
    pub others: &'a BTreeSet<String>,
}

/// Takes away what nothing mentions: neither the device code nor, of what is in no namespace, the other sources, nor what is left.
/// `files`: names and texts; `needed`: the targets, each with its files. What one of them needs of a file the others have to compile, too.
pub fn reduce(
    files: &[(&str, &str)],
    needed: &[(Target, BTreeSet<&str>)],
    roots: &Roots<'_>,
) -> Vec<String> {
    let mut kept: Vec<Vec<bool>> = files
        .iter()
        .map(|(_, text)| vec![false; text.lines().count()])
        .collect();
    let mut targets: Vec<View> = needed
        .iter()
        .map(|(target, names)| View::new(files, *target, names, roots))
        .collect();
    // Each round can only add words and lines, and there are finitely many.
    loop {
        let before = (
            kept.clone(),
            targets
                .iter()
                .map(|t| t.mentioned.words.len())
                .sum::<usize>(),
        );
        for target in &mut targets {
            target.round(&mut kept);
        }
        let words = targets
            .iter()
            .map(|t| t.mentioned.words.len())
            .sum::<usize>();
        if before == (kept.clone(), words) {
            break;
        }
    }
    let texts = files.iter().zip(&mut kept).map(|((_, text), kept)| {
        let lines: Vec<&str> = text.lines().collect();
        empty_conditions(&lines, kept);
        joined(&lines, kept)
    });
    texts.collect()
}

/// The files as a target has them.
struct View<'a> {
    mentioned: Mentioned<'a>,
    files: Vec<ViewedFile>,
}

struct ViewedFile {
    /// Among all files.
    index: usize,
    /// The lines that are there for the target.
    serves: Vec<bool>,
    comments: Vec<Comment>,
    items: Vec<Item>,
}

impl<'a> View<'a> {
    fn new(
        files: &[(&str, &str)],
        target: Target,
        names: &BTreeSet<&str>,
        roots: &Roots<'a>,
    ) -> View<'a> {
        let mut view = View {
            mentioned: Mentioned {
                words: roots.device.clone(),
                linked: roots.others,
            },
            files: Vec::new(),
        };
        let implied = IMPLIED.iter().map(|w| (*w).to_owned());
        view.mentioned.words.extend(implied);
        for (index, (name, text)) in files.iter().enumerate() {
            if !names.contains(name) {
                continue;
            }
            let serves: Vec<bool> = lines_for(text)
                .into_iter()
                .map(|(cuda, cpu)| match target {
                    Target::Cuda => cuda,
                    Target::Cpu => cpu,
                })
                .collect();
            let lines = text.lines().zip(&serves);
            let there: Vec<&str> = lines.map(|(l, s)| if *s { l } else { "" }).collect();
            let there = there.join("\n");
            let source = Source::new(&there);
            let items = source.declarations();
            // What conditions ask for, outside of declarations.
            for (k, line) in source.lines.iter().enumerate() {
                if (line.starts_with("#if") || line.starts_with("#el")) && !within(&items, k) {
                    view.mentioned.words.extend(words(&line[1..]));
                }
            }
            let comments = text.lines().map(Comment::of).collect();
            view.files.push(ViewedFile {
                index,
                serves,
                comments,
                items,
            });
        }
        view
    }

    /// Adds what the words mention, and its words.
    fn round(&mut self, kept: &mut [Vec<bool>]) {
        for file in &self.files {
            let kept = &mut kept[file.index];
            self.mentioned.follow(&file.items, false, kept);
            let mut own = file.serves.clone();
            self.mentioned
                .leave_out(file, &file.items, false, kept, &mut own);
            kept.iter_mut().zip(own).for_each(|(k, own)| *k |= own);
        }
    }
}

/// Whether a line is a comment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comment {
    No,
    /// About the declaration below.
    Declaration,
    /// About all up to a blank line.
    Paragraph,
}

impl Comment {
    fn of(line: &str) -> Comment {
        match line.trim_start() {
            l if l.starts_with("///") => Comment::Declaration,
            l if l.starts_with("//") => Comment::Paragraph,
            _ => Comment::No,
        }
    }
}

/// The line is one of a declaration, not of a group around others.
fn within(items: &[Item], line: usize) -> bool {
    let around = items.iter().find(|i| i.first <= line && line <= i.last);
    around.is_some_and(|i| match &i.group {
        Some(inner) => within(inner, line),
        None => true,
    })
}

impl Mentioned<'_> {
    /// `kept`: lines that stay because of another target.
    fn keeps(&self, item: &Item, in_cuf: bool, kept: &[bool]) -> bool {
        let named = |n: &String| self.words.contains(n) || !in_cuf && self.linked.contains(n);
        match &item.group {
            // A namespace is there for what is in it.
            Some(inner) if item.names.is_empty() => {
                let in_cuf = in_cuf || item.is_cuf;
                inner.iter().any(|i| self.keeps(i, in_cuf, kept))
            }
            _ => item.fixed || kept[item.first] || item.names.iter().any(named),
        }
    }

    fn follow(&mut self, items: &[Item], in_cuf: bool, kept: &[bool]) {
        for item in items {
            if !self.keeps(item, in_cuf, kept) {
                continue;
            }
            self.words.extend(item.words.iter().cloned());
            if let Some(inner) = &item.group {
                self.follow(inner, in_cuf || item.is_cuf, kept);
            }
        }
    }

    /// Marks the lines of what is not mentioned.
    fn leave_out(
        &self,
        file: &ViewedFile,
        items: &[Item],
        in_cuf: bool,
        kept: &[bool],
        own: &mut [bool],
    ) {
        for (k, item) in items.iter().enumerate() {
            if self.keeps(item, in_cuf, kept) {
                if let Some(inner) = &item.group {
                    self.leave_out(file, inner, in_cuf || item.is_cuf, kept, own);
                }
                continue;
            }
            own[item.first..=item.last].fill(false);
            let follows = items.get(k + 1).is_some_and(|n| n.first == item.last + 1);
            for line in (0..item.first).rev() {
                match file.comments[line] {
                    Comment::Declaration => own[line] = false,
                    Comment::Paragraph if !follows => own[line] = false,
                    Comment::Paragraph | Comment::No => break,
                }
            }
        }
    }
}

/// Marks conditions of the preprocessor around nothing.
fn empty_conditions(lines: &[&str], kept: &mut [bool]) {
    let mut open: Vec<(Vec<usize>, bool)> = Vec::new();
    for k in 0..lines.len() {
        let line = lines[k].trim();
        if line.starts_with("#if") {
            open.push((vec![k], false));
        } else if line.starts_with("#el") {
            if let Some((own, _)) = open.last_mut() {
                own.push(k);
            }
        } else if line.starts_with("#endif") {
            let Some((own, filled)) = open.pop() else {
                continue;
            };
            if !filled {
                own.into_iter().chain([k]).for_each(|k| kept[k] = false);
            } else if let Some((_, outer)) = open.last_mut() {
                *outer = true;
            }
        } else if kept[k]
            && !line.is_empty()
            && !line.starts_with("//")
            && let Some((_, filled)) = open.last_mut()
        {
            *filled = true;
        }
    }
}

/// The lines that are kept, without blank ones that have lost what they stood beside.
fn joined(lines: &[&str], kept: &[bool]) -> String {
    let mut out: Vec<&str> = Vec::new();
    let mut gap = false;
    for (line, kept) in lines.iter().zip(kept) {
        if !kept {
            gap = true;
            continue;
        }
        let beside_nothing =
            |last: &&str| last.is_empty() || last.ends_with('{') || last.ends_with(':');
        if line.is_empty() && gap && out.last().is_none_or(beside_nothing) {
            continue;
        }
        if gap
            && line.trim_start().starts_with('}')
            && out.last().is_some_and(|l| l.is_empty())
            && line.starts_with(' ')
        {
            out.pop();
        }
        out.push(line);
        gap &= line.is_empty();
    }
    out.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::runtime::FILES;

    fn of(text: &str, device: &str, others: &str) -> String {
        let set = |words: &str| words.split_whitespace().map(str::to_owned).collect();
        let (device, others) = (set(device), set(others));
        let roots = Roots {
            device: &device,
            others: &others,
        };
        let needed = [(Target::Cpu, BTreeSet::from(["a.hpp"]))];
        reduce(&[("a.hpp", text)], &needed, &roots).concat()
    }

    const HEADER: &str = "#pragma once
#define CUF_TWICE(x) (2 * (x))
#define CUF_NONE 0

namespace cuf {

/// Called.
inline int called(int x)
{
    return CUF_TWICE(helper{x}.value());
}

/// Not called.
inline int other() { return called(1); }

class helper {
public:
    explicit helper(int x) : x_{x} {}
    int value() const { return x_; }
    /// Of nobody.
    int unused() const
    {
        return other();
    }

private:
    int x_, y_ = 0;
};

#if defined(CUF_EXTRA)
inline constexpr int extra = 1, more{2};
#endif

}  // namespace cuf

// Two of a kind.
extern \"C\" int cuf_rt_a() { return 1; }
extern \"C\" int cuf_rt_b() { return 2; }
";

    #[test]
    fn what_is_mentioned_stays() {
        let text = of(HEADER, "called", "cuf_rt_b other");
        let expected = "#pragma once
#define CUF_TWICE(x) (2 * (x))

namespace cuf {

/// Called.
inline int called(int x)
{
    return CUF_TWICE(helper{x}.value());
}

class helper {
public:
    explicit helper(int x) : x_{x} {}
    int value() const { return x_; }

private:
    int x_, y_ = 0;
};

}  // namespace cuf

// Two of a kind.
extern \"C\" int cuf_rt_b() { return 2; }
";
        assert_eq!(text, expected);
        assert!(of(HEADER, "more", "").contains("more{2}"));
        assert!(!of(HEADER, "", "called").contains("called"));
    }

    #[test]
    fn what_is_all_mentioned_stays_as_it_is() {
        for file in FILES.iter().filter(|f| !f.is_fortran()) {
            let all: BTreeSet<String> = words(&file.text).collect();
            let roots = Roots {
                device: &all,
                others: &all,
            };
            let names = BTreeSet::from([file.name.as_str()]);
            let targets = [(Target::Cuda, names.clone()), (Target::Cpu, names)];
            let files = [(file.name.as_str(), &*file.text)];
            assert_eq!(
                reduce(&files, &targets, &roots),
                [&*file.text],
                "{}",
                file.name
            );
        }
    }
}
