//! Loop nests over array elements.

use std::collections::BTreeSet;

use super::convert::subscript;
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::state::LoopIndex;

impl LoweringContext<'_, '_> {
    /// A loop nest over ranges; the first dimension is innermost.
    pub fn nest(
        &mut self,
        ranges: &[(Expr, Expr)],
        f: impl FnOnce(&mut Self, &[LoopIndex]) -> Vec<ir::Stmt>,
    ) -> Vec<ir::Stmt> {
        let mut names = Vec::new();
        let mut ix = Vec::new();
        let mut limits = Vec::new();
        for (lo, hi) in ranges {
            let name = self.numbered("k");
            let wide = [lo, hi].iter().any(|e| {
                e.ty == ir::Type::Int(8) && e.as_int().is_none_or(|v| i32::try_from(v).is_err())
            });
            let ty = if wide {
                ir::Type::Int(8)
            } else {
                ir::Type::Int(4)
            };
            ix.push(LoopIndex {
                var: Expr::name(&name, ty.clone()),
                base: lo.clone(),
            });
            // A bound that reads memory is evaluated once.
            let hi = if reads_memory(hi) {
                self.temporary(subscript(hi.clone()))
            } else {
                hi.clone()
            };
            limits.push((lo.clone(), hi));
            names.push((name, ty));
        }
        let start = self.hoisted.count();
        self.hoisted.loops += 1;
        let mut body = f(self, &ix);
        self.hoisted.loops -= 1;
        let variables: Vec<String> = names.iter().map(|(n, _)| n.clone()).collect();
        let mut own = self.take_dependent(start, variables);
        own.append(&mut body);
        body = own;
        for ((name, ty), (lo, hi)) in names.iter().zip(limits) {
            body = vec![ir::Stmt::count(ty.clone(), name, lo, hi, body)];
        }
        for (name, _) in names {
            self.names.free(&name);
        }
        body
    }

    /// Of the statements put before the current one, from `start`: those that depend on variables of a loop, which belong into it.
    pub fn take_dependent(&mut self, start: usize, variables: Vec<String>) -> Vec<ir::Stmt> {
        let Some(pre) = self.hoisted.statements().filter(|p| p.len() > start) else {
            return Vec::new();
        };
        let new = pre.split_off(start);
        let facts: Vec<_> = new.iter().map(Facts::of).collect();
        let mut names: BTreeSet<String> = variables.into_iter().collect();
        let mut inside = vec![false; new.len()];
        loop {
            let before = names.len();
            for (f, inside) in facts.iter().zip(&mut inside) {
                *inside |= !f.mentioned.is_disjoint(&names)
                    || f.variable.as_ref().is_some_and(|v| names.contains(v));
                if *inside {
                    names.extend(f.constant.iter().chain(&f.variable).cloned());
                }
            }
            // What such a statement may change starts anew in every iteration.
            for (f, inside) in facts.iter().zip(&inside) {
                let changed = |v: &&String| f.mentioned.contains(*v);
                let all = facts.iter().filter_map(|x| x.variable.as_ref());
                if *inside {
                    names.extend(all.filter(changed).cloned());
                }
            }
            if names.len() == before {
                break;
            }
        }
        let mut dependent = Vec::new();
        for (s, inside) in new.into_iter().zip(inside) {
            if inside {
                dependent.push(s);
            } else {
                pre.push(s);
            }
        }
        if !dependent.is_empty() {
            self.hoisted.keep_only(|_, e| match e.expr.local() {
                Some(n) => !names.contains(n),
                None => true,
            });
        }
        dependent
    }
}

/// The local variables of one statement.
struct Facts {
    mentioned: BTreeSet<String>,
    /// Declared here with a value that stays.
    constant: Option<String>,
    /// Declared here.
    variable: Option<String>,
}

impl Facts {
    fn of(s: &ir::Stmt) -> Facts {
        let mut mentioned = BTreeSet::new();
        s.walk(&mut |s| {
            s.own_exprs(&mut |e| {
                e.walk(&mut |x| mentioned.extend(x.local().map(str::to_string)));
            });
        });
        let (mut constant, mut variable) = (None, None);
        if let StmtKind::Declare(d) = &s.kind {
            let name = d.names.first().map(|n| n.name.clone());
            match d.qualifier {
                Qualifier::Const | Qualifier::Constexpr => constant = name,
                _ => variable = name,
            }
        }
        Facts {
            mentioned,
            constant,
            variable,
        }
    }
}

/// Reads array elements or calls something: not to be evaluated in every iteration.
pub(in crate::translation::lower) fn reads_memory(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |x| {
        found |= matches!(
            x.kind,
            ExprKind::Element { .. } | ExprKind::Call { .. } | ExprKind::Deref(_)
        );
    });
    found
}
