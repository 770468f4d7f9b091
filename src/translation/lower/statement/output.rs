//! List-directed output of device code: PRINT *, and WRITE (*, *).

use crate::ast;
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::value::convert::conversion;
use crate::sema::expression::typed::*;
use crate::sema::model::{Field, Type};

impl LoweringContext<'_, '_> {
    /// One record. Lists with an implied do are put together item by item.
    pub fn print(&mut self, items: &[ast::Expr]) -> Vec<ir::Stmt> {
        let typed: Vec<TExpr> = items.iter().map(|i| self.typed(i)).collect();
        let mut items = Vec::new();
        for t in typed {
            self.parts(t, &mut items);
        }
        let implied = items
            .iter()
            .any(|i| matches!(i.kind, TExprKind::ImpliedDo { .. }));
        self.sequence(&items);
        if !implied {
            let values = items.iter().map(|t| self.item(t)).collect();
            return vec![ir::Stmt::expr(Expr::call(
                Function::Print,
                values,
                ir::Type::Void,
            ))];
        }
        let name = self.numbered("line");
        let record = ir::Type::Class(Class::PrintRecord);
        self.before(ir::Stmt::declare(record.clone(), &name, Init::None));
        let line = Expr::name(&name, record);
        let mut out = self.items(&line, &items);
        out.push(ir::Stmt::expr(line.method(
            Method::Finish,
            Vec::new(),
            ir::Type::Void,
        )));
        out
    }

    /// The item, or the components of a structure in its place (F2018 12.6.3).
    fn parts(&mut self, t: TExpr, out: &mut Vec<TExpr>) {
        if let TExprKind::ImpliedDo {
            items,
            var,
            from,
            to,
            step,
        } = t.kind
        {
            let mut parts = Vec::new();
            for i in items {
                self.parts(i, &mut parts);
            }
            let kind = TExprKind::ImpliedDo {
                items: parts,
                var,
                from,
                to,
                step,
            };
            out.push(TExpr { kind, ..t });
            return;
        }
        // BLOCKIDX and the like have the components of a dim3.
        if let TExprKind::Builtin {
            var,
            component: None,
        } = t.kind
            && var != BuiltinVar::WarpSize
        {
            out.extend((0..3).map(|c| TExpr {
                kind: TExprKind::Builtin {
                    var,
                    component: Some(c),
                },
                ty: Type::Integer(4),
                ..t.clone()
            }));
            return;
        }
        let Type::Derived(of) = t.ty else {
            out.push(t);
            return;
        };
        let model = self.model();
        let fields: Vec<_> = model.components_of(of).into_iter().cloned().collect();
        let indirect = |f: &Field| f.attrs.is_dynamic();
        if t.rank > 0 || !t.is_designator() || model[of].external || fields.iter().any(indirect) {
            self.refuse(
                t.span,
                "CUF0441",
                "structure cannot be printed in device code\nhelp: print its components",
            );
            return;
        }
        for (index, f) in fields.into_iter().enumerate() {
            let rank = i8::try_from(f.dims.len()).unwrap_or(0);
            let kind = TExprKind::Component {
                base: Box::new(t.clone()),
                of,
                index,
                name: f.name.clone(),
            };
            let part = TExpr {
                kind,
                ty: f.ty.clone(),
                rank,
                ..t.clone()
            };
            self.parts(part, out);
        }
    }

    fn item(&mut self, t: &TExpr) -> Expr {
        let v = if t.rank > 0 {
            self.section(t)
        } else {
            self.value(t)
        };
        match v.ty {
            ir::Type::Uint => conversion(v, &ir::Type::Int(4)),
            _ => v,
        }
    }

    /// `line.add(items...)`, with loops for implied dos.
    fn items(&mut self, line: &Expr, items: &[TExpr]) -> Vec<ir::Stmt> {
        let mut out = Vec::new();
        let mut plain = Vec::new();
        for i in items {
            let TExprKind::ImpliedDo {
                items,
                var,
                from,
                to,
                step,
            } = &i.kind
            else {
                plain.push(self.item(i));
                continue;
            };
            if !plain.is_empty() {
                let args = std::mem::take(&mut plain);
                out.push(ir::Stmt::expr(line.clone().method(
                    Method::Add,
                    args,
                    ir::Type::Void,
                )));
            }
            // In the bounds the name means the variable outside. What they call comes after the items before.
            let (pre, (lo, hi, step)) =
                self.with_hoisted(|cx| cx.implied_limits(items, from, to, step.as_deref()));
            out.extend(pre);
            let name = self.fresh(&self.model()[*var].spelling.clone());
            let (index, entity) = self.index_variable(*var, &name);
            let old = self.vars.insert(*var, entity);
            let (mut body, stmts) = self.with_hoisted(|cx| cx.items(line, items));
            body.extend(stmts);
            self.names.free(&name.to_ascii_lowercase());
            match old {
                Some(o) => self.vars.insert(*var, o),
                None => self.vars.remove(var),
            };
            out.extend(self.counted(&index, lo, hi, step, body));
        }
        if !plain.is_empty() {
            out.push(ir::Stmt::expr(line.clone().method(
                Method::Add,
                plain,
                ir::Type::Void,
            )));
        }
        out
    }
}
