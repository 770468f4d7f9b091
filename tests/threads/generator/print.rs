//! Expressions and statements as text, for the device and for the sequential version.

use std::collections::BTreeMap;

use super::ir::*;

/// What a dummy stands for in the sequential version.
#[derive(Clone, Debug)]
pub enum Meaning {
    Item(ItemId),
    /// An element, or a value kept for every thread.
    Text(String),
    Absent,
}

/// A side of the test, with what its names mean.
#[derive(Clone)]
pub struct View<'a> {
    pub case: &'a Case,
    pub host: bool,
    pub items: BTreeMap<ItemId, Meaning>,
    pub regs: BTreeMap<RegId, RegId>,
}

impl<'a> View<'a> {
    pub fn new(case: &'a Case, host: bool) -> View<'a> {
        View {
            case,
            host,
            items: BTreeMap::new(),
            regs: BTreeMap::new(),
        }
    }

    pub fn reg(&self, reg: RegId) -> String {
        let reg = self.regs.get(&reg).copied().unwrap_or(reg);
        let name = &self.case.regs[reg].name;
        if self.host {
            format!("{name}(g)")
        } else {
            name.clone()
        }
    }

    /// Loops, exits and branches, which read the same in device and host code; `inside` prints what they hold.
    pub fn control(
        &self,
        node: &Node,
        out: &mut Vec<String>,
        depth: usize,
        inside: &mut dyn FnMut(&[Node], &mut Vec<String>),
    ) {
        let pad = "  ".repeat(depth);
        let text = |e: &Expr| outer(&self.expr(e)).to_owned();
        match node {
            Node::Loop { var, last, body } => {
                out.push(format!("{pad}do {var} = 1, {}", text(last)));
                inside(body, out);
                out.push(format!("{pad}end do"));
            }
            Node::ExitIf(condition) => out.push(format!("{pad}if ({}) exit", text(condition))),
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                out.push(format!("{pad}if ({}) then", text(condition)));
                inside(then, out);
                if !otherwise.is_empty() {
                    out.push(format!("{pad}else"));
                    inside(otherwise, out);
                }
                out.push(format!("{pad}end if"));
            }
            _ => {}
        }
    }

    pub fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Number(ty, n) => ty.literal(*n),
            Expr::Thread => "t".to_owned(),
            Expr::Block => "b".to_owned(),
            Expr::Threads => "nt".to_owned(),
            Expr::Uniform(name) => name.clone(),
            Expr::Reg(reg) => self.reg(*reg),
            Expr::Element(item, index) => self.element(*item, index),
            Expr::Present(item) => match (self.host, self.items.get(item)) {
                (false, _) => format!("present({})", self.case.items[*item].name),
                (true, Some(Meaning::Absent)) => ".false.".to_owned(),
                (true, _) => ".true.".to_owned(),
            },
            Expr::Binary(op, a, b) => format!("({} {op} {})", self.expr(a), self.expr(b)),
            Expr::Call(name, list) => {
                let list: Vec<String> = list.iter().map(|e| self.expr(e)).collect();
                format!("{name}({})", list.join(", "))
            }
            Expr::Convert(to, from, e) => to.of(*from, &self.expr(e)),
            Expr::Wrapped(ty, e) => ty.wrapped(outer(&self.expr(e))),
        }
    }

    /// An element of shared or global data.
    pub fn element(&self, item: ItemId, index: &Index) -> String {
        if self.host {
            return self.host_element(item, index);
        }
        let data = &self.case.items[item];
        let name = &data.name;
        if data.layout == Layout::Scalar {
            return name.clone();
        }
        let own = matches!(*index.slot, Expr::Thread);
        let slot = self.expr(&index.slot);
        if data.grid {
            return match &index.block {
                None if own => format!("{name}(g)"),
                None => format!("{name}((b - 1)*nt + {slot})"),
                Some(block) => format!("{name}({}*nt + {slot})", self.expr(block)),
            };
        }
        match data.layout {
            Layout::Plain { lower: 1 } => format!("{name}({})", outer(&slot)),
            Layout::Plain { lower } if lower < 1 => format!("{name}({slot} - {})", 1 - lower),
            Layout::Plain { lower } => format!("{name}({slot} + {})", lower - 1),
            Layout::Stride => format!("{name}(2*{slot} - 1)"),
            Layout::Tile { .. } if own => format!("{name}(tx, ty)"),
            Layout::Tile { nx, .. } => {
                format!("{name}(mod({slot} - 1, {nx}) + 1, ({slot} - 1)/{nx} + 1)")
            }
            Layout::Scalar => name.clone(),
        }
    }

    fn host_element(&self, item: ItemId, index: &Index) -> String {
        let item = match self.items.get(&item) {
            None => item,
            Some(Meaning::Item(item)) => *item,
            Some(Meaning::Text(text)) => return text.clone(),
            Some(Meaning::Absent) => return "0".to_owned(),
        };
        let data = &self.case.items[item];
        let name = &data.name;
        if data.layout == Layout::Scalar {
            return format!("{name}(b)");
        }
        let slot = self.expr(&index.slot);
        match &index.block {
            None if slot == "t" => format!("{name}(g)"),
            None => format!("{name}((b - 1)*nt + {slot})"),
            Some(block) => format!("{name}({}*nt + {slot})", self.expr(block)),
        }
    }

    pub fn stmt(&self, stmt: &Stmt, out: &mut Vec<String>, depth: usize) {
        let pad = "  ".repeat(depth);
        match stmt {
            Stmt::Set(target, value) => {
                let target = match target {
                    Target::Reg(reg) => self.reg(*reg),
                    Target::Element(item, index) => self.element(*item, index),
                };
                out.push(format!("{pad}{target} = {}", outer(&self.expr(value))));
            }
            Stmt::If(condition, then, otherwise) => {
                out.push(format!("{pad}if ({}) then", outer(&self.expr(condition))));
                then.iter().for_each(|s| self.stmt(s, out, depth + 1));
                if !otherwise.is_empty() {
                    out.push(format!("{pad}else"));
                    otherwise.iter().for_each(|s| self.stmt(s, out, depth + 1));
                }
                out.push(format!("{pad}end if"));
            }
            Stmt::For(var, first, last, body) => {
                let (first, last) = (self.expr(first), self.expr(last));
                out.push(format!(
                    "{pad}do {var} = {}, {}",
                    outer(&first),
                    outer(&last)
                ));
                body.iter().for_each(|s| self.stmt(s, out, depth + 1));
                out.push(format!("{pad}end do"));
            }
            Stmt::Out(column, value) => out.push(format!(
                "{pad}out(g, {column}) = iand(out(g, {column})*3_8 + {}, 1099511627775_8)",
                self.expr(value)
            )),
            Stmt::Atomic(op, item, index, value) => {
                let (element, value) = (self.element(*item, index), self.expr(value));
                let value = outer(&value);
                if !self.host {
                    out.push(format!("{pad}old = atomic{op}({element}, {value})"));
                    return;
                }
                let new = match *op {
                    "add" => format!("{element} + {value}"),
                    "sub" => format!("{element} - {value}"),
                    "max" | "min" => format!("{op}({element}, {value})"),
                    "exch" => value.to_owned(),
                    _ => format!(
                        "i{}({element}, {value})",
                        if *op == "xor" { "eor" } else { op }
                    ),
                };
                out.push(format!("{pad}{element} = {new}"));
            }
        }
    }
}

/// The text without parentheses around the whole.
pub fn outer(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0i32;
    for c in inner.chars() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return text;
        }
    }
    inner
}
