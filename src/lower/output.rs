//! List-directed output of device code: PRINT *, and WRITE (*, *).

use super::context::Cx;
use super::convert::conversion;
use crate::ast;
use crate::ir::{self, *};
use crate::sema::typed::*;

impl Cx<'_, '_> {
    /// One record. Lists with an implied do are put together item by item.
    pub fn print(&mut self, items: &[ast::Expr]) -> Vec<ir::Stmt> {
        let items: Vec<TExpr> = items.iter().map(|i| self.typed(i)).collect();
        let implied = items
            .iter()
            .any(|i| matches!(i.kind, TExprKind::ImpliedDo { .. }));
        self.sequence(&items);
        if !implied {
            let values = items.iter().map(|t| self.item(t)).collect();
            return vec![ir::Stmt::expr(Expr::cuf("print", values, ir::Type::Void))];
        }
        let name = self.numbered("line");
        let record = ir::Type::Named(Ident::cuf("print_record"));
        self.before(ir::Stmt::declare(record.clone(), &name, Init::None));
        let line = Expr::name(&name, record);
        let mut out = self.items(&line, &items);
        out.push(ir::Stmt::expr(line.method(
            "finish",
            Vec::new(),
            ir::Type::Void,
        )));
        out
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
                    "add",
                    args,
                    ir::Type::Void,
                )));
            }
            let name = self.fresh(&self.model()[*var].spelling.clone());
            let (index, entity) = self.index_variable(*var, &name);
            let old = self.vars.insert(*var, entity);
            let (lo, hi) = (self.index_value(from), self.index_value(to));
            let step = step
                .as_ref()
                .map_or_else(|| Expr::int(1), |s| self.index_value(s));
            let (mut body, stmts) = self.collect(|cx| cx.items(line, items));
            body.extend(stmts);
            self.taken.remove(&name.to_ascii_lowercase());
            match old {
                Some(o) => self.vars.insert(*var, o),
                None => self.vars.remove(var),
            };
            out.extend(self.counted(&index, lo, hi, step, body));
        }
        if !plain.is_empty() {
            out.push(ir::Stmt::expr(line.clone().method(
                "add",
                plain,
                ir::Type::Void,
            )));
        }
        out
    }
}
