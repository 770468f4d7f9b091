//! Array constructors whose implied DO refers to procedures with device data that may have gaps: each element needs a copy of its own, which
//! no expression can hold. A loop in the BLOCK around the statement makes the elements.

use crate::host::context::Held;
use crate::host::context::names::SIZE;
use crate::host::context::rules::Values;
use crate::host::context::{Exit, HostRewriter};
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// Elements for which there is room before the first doubling.
const ROOM: u32 = 16;

/// What the loop fills.
struct Made {
    /// An allocatable array.
    elements: String,
    /// How many of them there are.
    count: String,
}

impl HostRewriter<'_> {
    /// Makes the elements of such a constructor before the statement. False if it can stay as it is, or no loop can stand there.
    pub(in crate::translation::host) fn looped(&mut self, e: &TExpr, items: &[TExpr]) -> bool {
        let fits = self.held.is_some()
            && !self.repeats
            && crate::host::temporaries::copy_in::is_named(&e.ty);
        if !fits || !items.iter().any(|i| self.copies_again(i)) || !items.iter().all(is_scalar) {
            return false;
        }
        let made = Made {
            elements: self.held_name("elements"),
            count: self.held_name("made"),
        };
        // The loop has variables of its own, which take other names.
        self.exits.push(Exit {
            held: vec![made.elements.clone(), made.count.clone()],
            ..Exit::default()
        });
        let lines: Vec<String> = items
            .iter()
            .flat_map(|i| self.loop_lines(i, &made))
            .collect();
        self.exits.pop();
        let Made { elements, count } = made;
        let mut set = vec![format!("allocate ({elements}({ROOM}))")];
        set.extend(lines);
        let variable = |name: &str, declaration: String, set: Vec<String>| Held {
            name: name.to_owned(),
            declaration,
            set,
            release: Vec::new(),
            end: None,
            at: None,
        };
        let counter = format!("integer(8) :: {count}");
        self.hold_variable(variable(&count, counter, vec![format!("{count} = 0")]));
        let array = format!("{}, allocatable :: {elements}(:)", self.local_type(&e.ty));
        self.hold_variable(variable(&elements, array, set));
        self.edits
            .replace(Rule::CopyIn, e.span, format!("{elements}(:{count})"));
        true
    }

    /// Within an implied DO there is an argument that needs a copy.
    fn copies_again(&self, item: &TExpr) -> bool {
        let TExprKind::ImpliedDo { items, .. } = &item.kind else {
            return false;
        };
        let mut found = false;
        for i in items {
            i.walk(&mut |e| {
                if let TExprKind::Call {
                    procedure, args, ..
                } = &e.kind
                {
                    let dummies = self.dummies(*procedure);
                    let mut pairs = args.iter().zip(dummies);
                    found |= pairs.any(|(a, d)| a.as_ref().is_some_and(|a| self.needs_copy(a, d)));
                }
            });
        }
        found
    }

    /// The statements that append what an item stands for.
    fn loop_lines(&mut self, item: &TExpr, made: &Made) -> Vec<String> {
        let TExprKind::ImpliedDo {
            items,
            var,
            from,
            to,
            step,
        } = &item.kind
        else {
            return self.appended(item, made);
        };
        let bounds: Vec<String> = [Some(from), Some(to), step.as_ref()]
            .into_iter()
            .flatten()
            .map(|x| self.with_edits(x.span, |p| p.without_holding(|p| p.value(x))))
            .collect();
        let variable = &self.model[*var];
        let name = variable.spelling.clone();
        let ty = match &variable.kind {
            SymbolKind::Variable(v) => self.local_type(&v.ty),
            _ => "integer".to_owned(),
        };
        let mut lines = vec![
            "block".to_owned(),
            format!("  {ty} :: {name}"),
            format!("  do {name} = {}", bounds.join(", ")),
        ];
        for i in items {
            let inner = self.loop_lines(i, made);
            lines.extend(inner.into_iter().map(|l| format!("    {l}")));
        }
        lines.extend(["  end do".to_owned(), "end block".to_owned()]);
        lines
    }

    /// The statements that append one value, with the copies that its arguments need.
    fn appended(&mut self, value: &TExpr, made: &Made) -> Vec<String> {
        let Made { elements, count } = made;
        let mut text = String::new();
        let held = self.held_by(|p| text = p.with_edits(value.span, |p| p.value(value)));
        let mut lines = Vec::new();
        let declarations = held.iter().map(|h| h.declaration.clone());
        lines.extend(declarations.filter(|d| !d.is_empty()));
        lines.extend(held.iter().flat_map(|h| h.set.clone()));
        lines.push(format!("{count} = {count} + 1"));
        lines.push(format!(
            "if ({count} > {SIZE}({elements})) {elements} = [{elements}, {elements}]"
        ));
        lines.push(format!("{elements}({count}) = {text}"));
        lines.extend(held.iter().flat_map(|h| h.release.clone()));
        lines.extend(held.iter().rev().filter_map(|h| h.end.clone()));
        if held.is_empty() {
            return lines;
        }
        let inner = lines.into_iter().map(|l| format!("  {l}"));
        let mut all = vec!["block".to_owned()];
        all.extend(inner);
        all.push("end block".to_owned());
        all
    }
}

/// The item stands for scalars.
fn is_scalar(item: &TExpr) -> bool {
    match &item.kind {
        TExprKind::ImpliedDo { items, .. } => items.iter().all(is_scalar),
        _ => item.rank == 0,
    }
}
