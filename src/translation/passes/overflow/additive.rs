//! Sums, differences, products and negations: which are computed unsigned, because they may overflow.

use super::arithmetic::integer;
use super::graph::{Graph, Node, Use, Wrap};
use super::rewrite::{Phase, Walker};
use super::size::Size;
use super::wrap_heuristics::leaves;
use crate::ir::*;

impl Walker<'_> {
    pub(super) fn ring(&mut self, e: &mut Expr, used: Use) {
        if !self.around {
            self.note_evidence(e, used);
        }
        let around = self.around;
        self.around |=
            self.phase == Phase::Rewrite && (self.wrap == Wrap::All || self.plausible(e, used));
        self.rewrite_ring(e, used);
        self.around = around;
    }

    fn rewrite_ring(&mut self, e: &mut Expr, used: Use) {
        let overflows = self.around && self.overflows(e, used);
        let signed = integer(&e.ty).filter(|(_, signed)| *signed && self.phase == Phase::Rewrite);
        match &mut e.kind {
            ExprKind::Binary { lhs, rhs, .. } => {
                self.operand(lhs, used);
                self.operand(rhs, used);
                let Some((bytes, _)) = signed else { return };
                let unsigned = unsigned(bytes);
                if lhs.ty != unsigned && rhs.ty != unsigned {
                    if !overflows {
                        return;
                    }
                    let first = !matches!(lhs.kind, ExprKind::Int(_));
                    make_unsigned(if first { lhs } else { rhs }, unsigned.clone());
                }
                self.below_zero(lhs, &unsigned);
                self.below_zero(rhs, &unsigned);
                e.ty = unsigned;
            }
            ExprKind::Unary { operand, .. } => {
                self.operand(operand, used);
                let Some((bytes, _)) = signed else { return };
                let unsigned = unsigned(bytes);
                if operand.ty != unsigned {
                    if !overflows {
                        return;
                    }
                    make_unsigned(operand, unsigned.clone());
                }
                e.ty = unsigned;
            }
            _ => {}
        }
    }

    /// The negative of a 16-bit integer, if it may be the smallest: ptxas takes that for 32768, so a function of the runtime computes it.
    pub(super) fn negated_short(&mut self, e: &mut Expr, used: Use) {
        if e.ty != Type::Int(2) || self.phase != Phase::Rewrite || !self.graph.matters(used) {
            return;
        }
        let ExprKind::Convert(wide) = &mut e.kind else {
            return;
        };
        let operand = match &mut wide.kind {
            ExprKind::Unary {
                op: UnaryOp::Neg,
                operand,
            } => operand,
            ExprKind::Binary {
                op: BinaryOp::Sub,
                lhs,
                rhs,
            } if lhs.as_int() == Some(0) => rhs,
            ExprKind::Binary {
                op: BinaryOp::Mul,
                lhs,
                rhs,
            } if lhs.as_int() == Some(-1) || rhs.as_int() == Some(-1) => {
                if lhs.as_int() == Some(-1) { rhs } else { lhs }
            }
            _ => return,
        };
        if operand.ty.plain() == &e.ty && self.size(operand).negated(2).overflows() {
            let operand = std::mem::replace(&mut **operand, Expr::bool(false));
            *e = Expr::call(Function::Negated, vec![operand], e.ty.clone());
        }
    }

    /// nvcc warns where it converts a negative constant by itself.
    pub(super) fn below_zero(&mut self, e: &mut Expr, unsigned: &Type) {
        if e.ty != *unsigned && matches!(self.size(e), Size::Range(a, b) if a == b && a < 0) {
            make_unsigned(e, unsigned.clone());
        }
    }

    /// Marks what is known of a sum or product from itself alone.
    pub(super) fn note_evidence(&mut self, e: &Expr, used: Use) {
        if self.phase != Phase::Uses {
            return;
        }
        let leaves = leaves(e);
        let nodes: Vec<(Node, bool)> = leaves
            .places
            .iter()
            .filter_map(|(p, factor)| Some((self.place(p)?, *factor)))
            .collect();
        let evident = leaves.evident || nodes.iter().any(|(n, _)| self.graph.is_large(*n));
        for (n, factor) in nodes {
            if evident {
                self.graph.mark_hashed(n);
            }
            if let Use::Into(to) = used {
                if evident {
                    self.graph.mark_hashed(to);
                }
                if factor {
                    self.graph.multiply(n, to);
                }
            }
        }
    }

    /// A program may rely on the wrapping of this sum or product.
    pub(super) fn plausible(&mut self, e: &Expr, used: Use) -> bool {
        match used {
            Use::Bits => return true,
            Use::Into(n) if self.graph.is_hashed(n) => return true,
            _ => {}
        }
        let leaves = leaves(e);
        let known = |n: Node, graph: &Graph| graph.is_hashed(n) || graph.is_large(n);
        leaves.evident
            || leaves
                .places
                .iter()
                .any(|(p, _)| self.place(p).is_some_and(|n| known(n, self.graph)))
    }

    fn overflows(&mut self, e: &Expr, used: Use) -> bool {
        if !self.graph.matters(used) {
            return false;
        }
        match self.size(e) {
            Size::Product => !matches!(used, Use::Into(n) if self.graph.is_position(n)),
            s => s.overflows(),
        }
    }
}

fn unsigned(bytes: u8) -> Type {
    if bytes > 4 { Type::Ulong } else { Type::Uint }
}

/// Converts an operand; from a shorter kind directly, which extends the sign.
fn make_unsigned(e: &mut Expr, ty: Type) {
    let value = std::mem::replace(e, Expr::bool(false));
    let value = match value.kind {
        ExprKind::Convert(inner) if matches!(inner.ty.plain(), Type::Int(_)) => *inner,
        kind => Expr::new(kind, value.ty),
    };
    *e = Expr::new(ExprKind::Convert(Box::new(value)), ty);
}

#[cfg(test)]
mod tests {
    use super::super::arithmetic::ring;
    use super::*;

    fn int(name: &str) -> Expr {
        Expr::name(name, Type::Int(4))
    }

    fn sum(a: Expr, b: Expr) -> Expr {
        Expr::binary(BinaryOp::Add, a, b, Type::Int(4))
    }

    #[test]
    fn shorter_operands_extend_their_sign() {
        let mut e = Expr::new(
            ExprKind::Convert(Box::new(Expr::name("k", Type::Int(1)))),
            Type::Int(4),
        );
        make_unsigned(&mut e, Type::Uint);
        assert!(matches!(&e.kind, ExprKind::Convert(i) if i.ty == Type::Int(1)));
        assert!(ring(&sum(int("a"), int("b"))));
    }
}
