//! Actual arguments of launchers.

use crate::abi::{ArgPassing, LauncherParam, ParamSource, View};
use crate::ast::{Arg, Expr, ExprKind};
use crate::host::context::HostRewriter;
use crate::host::context::names::*;
use crate::host::context::rules::Values;
use crate::sema::expression::typed::TExprKind;
use crate::sema::model::*;

impl HostRewriter<'_> {
    pub(in crate::translation::host) fn loop_actual(&mut self, p: &LauncherParam) -> String {
        match &p.source {
            ParamSource::Operand { array, through } => self.operand_text(array, through),
            ParamSource::LoopRange { from, to, step } => {
                let values: Vec<_> = [Some(from), Some(to), step.as_ref()]
                    .into_iter()
                    .flatten()
                    .map(|e| self.value_text(e))
                    .collect();
                format!("{CUF}range({})", values.join(", "))
            }
            ParamSource::Captured(e) => {
                let t = self.expr(e);
                if matches!(p.passing, ArgPassing::Descriptor | ArgPassing::Address) {
                    self.reached(&t);
                }
                // What an associate name of the loop stands for is written nowhere.
                let written = self
                    .slice(e.span)
                    .replace(char::is_whitespace, "")
                    .replace('&', "");
                let spelled = self.spelled(e).filter(|s| *s != written.to_lowercase());
                match &p.passing {
                    ArgPassing::Descriptor => {
                        let name = spelled.unwrap_or_else(|| self.designator_text(e));
                        let whole = match t.kind {
                            TExprKind::Variable(s) => Some(s),
                            _ => None,
                        };
                        self.descriptor(&name, &t.ty, whole)
                    }
                    ArgPassing::Address => {
                        let name = spelled.unwrap_or_else(|| self.designator_text(e));
                        format!("{CUF}address({name}{})", self.data_of(&t.ty))
                    }
                    ArgPassing::Value(Type::Logical(_)) => {
                        let value = spelled.unwrap_or_else(|| self.value_text(e));
                        format!("{LOGICAL}({value}, 1)")
                    }
                    ArgPassing::HostValue | ArgPassing::OptionalValue => {
                        let value = spelled.unwrap_or_else(|| self.value_text(e));
                        value + &self.passed_data(&t.ty, t.rank == 0)
                    }
                    ArgPassing::Value(_) | ArgPassing::Range => {
                        spelled.unwrap_or_else(|| self.value_text(e))
                    }
                    ArgPassing::Reference { .. } => {
                        if let Some(root) = t.root() {
                            self.note_variable(root);
                        }
                        let name = spelled.unwrap_or_else(|| self.designator_text(e));
                        name + &self.passed_data(&t.ty, t.rank == 0)
                    }
                }
            }
            ParamSource::Hidden(s) | ParamSource::Dummy(s) => {
                let name = match self.visible_name(self.scope, *s) {
                    Some(name) => name,
                    None => {
                        let (statement, text, is_actual) = self.unseen_data(*s);
                        self.unit.extra_uses.insert(statement);
                        if is_actual {
                            return text;
                        }
                        text
                    }
                };
                let ty = self
                    .model
                    .variable(*s)
                    .map_or(Type::Unknown, |v| v.ty.clone());
                match p.passing {
                    ArgPassing::Descriptor => self.descriptor(&name, &ty, Some(*s)),
                    _ => format!("{CUF}address({name}{})", self.data_of(&ty)),
                }
            }
        }
    }

    /// An array operand, seen through functions that move its elements.
    pub(in crate::translation::host) fn operand_text(
        &mut self,
        array: &Expr,
        through: &[View],
    ) -> String {
        let t = self.expr(array);
        self.reached(&t);
        let text = self.designator_text(array);
        let mut text = format!("{CUF}array({text}{})", self.data_of(&t.ty));
        for view in through {
            text = match view {
                View::Transpose => format!("{CUF}transposed({text})"),
                View::Spread { dim, copies } => {
                    let (dim, copies) = (self.value_text(dim), self.value_text(copies));
                    format!("{CUF}spread({text}, {dim}, {copies})")
                }
                View::Reshape { shape, order } => {
                    let shape = self.value_text(shape);
                    let order = match order {
                        Some(o) => format!(", {}", self.value_text(o)),
                        None => String::new(),
                    };
                    format!("{CUF}reshaped({text}, {shape}{order})")
                }
            };
        }
        text
    }

    /// An array as an argument, with its lower bounds where they are not known to be 1.
    pub(in crate::translation::host) fn descriptor(
        &mut self,
        name: &str,
        ty: &Type,
        variable: Option<SymbolId>,
    ) -> String {
        let from_one = variable.is_some_and(|s| {
            let is_one = |lower: &Option<Box<Expr>>| {
                let value = |e: &Expr| self.model.expr(self.model[s].scope, e).as_integer();
                lower.as_deref().is_none_or(|e| value(e) == Some(1))
            };
            self.model.variable(s).is_some_and(|v| {
                let moving = v.attrs.is_dynamic();
                v.dims.iter().all(|d| match d {
                    Dim::Explicit { lower, .. } | Dim::AssumedSize { lower } => is_one(lower),
                    Dim::Colon { lower } => is_one(lower) && v.dummy.is_some() && !moving,
                    Dim::AssumedRank => false,
                })
            })
        });
        let data = self.data_of(ty);
        if from_one {
            format!("{CUF}array({name}{data})")
        } else {
            format!("{CUF}array({name}{data}, {LBOUND}({name}))")
        }
    }

    /// A designator of names, components and elements, folded and without blanks; None for other expressions.
    pub(in crate::translation::host) fn spelled(&self, e: &Expr) -> Option<String> {
        Some(match &e.kind {
            ExprKind::Name(n) => n.text.to_string(),
            ExprKind::Component { base, name } => format!("{}%{}", self.spelled(base)?, name.text),
            ExprKind::Ref { base, args } => {
                let text = |a: &Arg| {
                    self.slice(a.span)
                        .replace(char::is_whitespace, "")
                        .replace('&', "")
                };
                let args: Vec<String> = args.iter().map(text).collect();
                format!("{}({})", self.spelled(base)?, args.join(",")).to_lowercase()
            }
            _ => return None,
        })
    }
}
