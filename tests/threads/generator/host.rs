//! The sequential version of a case: between barriers, threads one after the other.

use super::device::{Used, first_values, global};
use super::ir::*;
use super::print::{Meaning, View, outer};

/// The procedure that computes what the case must leave.
pub fn print(case: &Case) -> Vec<String> {
    let view = View::new(case, true);
    let (threads, total) = (case.threads(), case.threads() * case.blocks);
    let mut out = vec![
        format!("subroutine plain{}(expected)", case.number),
        "  implicit none".into(),
        "  integer(8) :: expected(*)".into(),
        format!(
            "  integer, parameter :: nt = {threads}, nb = {}",
            case.blocks
        ),
        "  integer :: t, b, g, i, at, lane, from, total, kv".into(),
        format!("  integer(8) :: out({total}, {COLUMNS})"),
    ];
    for (id, item) in case.items.iter().enumerate().skip(1) {
        let kept = match item.place {
            Place::Scalar(_) => format!("v_{}", item.name),
            Place::Dummy(_) if !global(item) => continue,
            Place::Alias => continue,
            _ => item.name.clone(),
        };
        let n = match (item.layout, item.place) {
            (Layout::Scalar, Place::Scalar(_)) => total,
            (Layout::Scalar, _) => case.blocks,
            _ => total,
        };
        let _ = id;
        out.push(format!("  {} :: {kept}({n})", item.ty.declared()));
    }
    for reg in &case.regs {
        out.push(format!("  {} :: {}({total})", reg.ty.declared(), reg.name));
    }
    for ty in TYPES {
        out.push(format!(
            "  {} :: keep_{}({threads})",
            ty.declared(),
            suffix(ty)
        ));
    }
    let mut used = Used::default();
    for kernel in &case.kernels {
        used.nodes(&kernel.first);
        used.nodes(&kernel.body);
    }
    for procedure in &case.procedures {
        used.nodes(&procedure.body);
    }
    for var in used.vars {
        out.push(format!("  integer :: {var}"));
    }
    let globals: Vec<&Item> = case.items.iter().skip(1).filter(|i| global(i)).collect();
    let extent = |i: &Item| {
        if i.layout == Layout::Scalar {
            case.blocks
        } else {
            total
        }
    };
    for (index, item) in globals.iter().enumerate() {
        out.push(format!(
            "  {} = {}",
            item.name,
            first_values(item, index, extent(item))
        ));
    }
    out.push("  out = 0".into());
    for step in &case.steps {
        match step {
            Step::Launch(kernel, value) => launch(&view, &case.kernels[*kernel], *value, &mut out),
            Step::Loop { to, from, add } => {
                let (to, from) = (&case.items[*to].name, &case.items[*from].name);
                out.push(format!("  {to} = iand({from}*3 + {add}, 1023)"));
            }
        }
    }
    out.push(format!(
        "  expected(1:{0}) = reshape(out, [{0}])",
        total * COLUMNS as i64
    ));
    out.push(format!("  at = {}", total * COLUMNS as i64));
    for item in &globals {
        let n = extent(item);
        out.push(format!(
            "  expected(at + 1:at + {n}) = int({}, 8)",
            item.name
        ));
        out.push(format!("  at = at + {n}"));
    }
    out.push(format!("end subroutine plain{}", case.number));
    out.push(String::new());
    out
}

/// Values that the case leaves.
pub fn results(case: &Case) -> i64 {
    let total = case.threads() * case.blocks;
    let globals = case.items.iter().skip(1).filter(|i| global(i));
    let each = globals.map(|i| {
        if i.layout == Layout::Scalar {
            case.blocks
        } else {
            total
        }
    });
    total * COLUMNS as i64 + each.sum::<i64>()
}

fn suffix(ty: Ty) -> &'static str {
    match ty {
        Ty::I4 => "i4",
        Ty::I8 => "i8",
        Ty::R4 => "r4",
        Ty::R8 => "r8",
    }
}

fn launch(view: &View, kernel: &Kernel, value: i64, out: &mut Vec<String>) {
    out.push(format!("  kv = {value}"));
    let mut depth = 1;
    if !kernel.grid {
        out.push("  do b = 1, nb".into());
        depth = 2;
    }
    let mut printer = Sequential {
        view: view.clone(),
        grid: kernel.grid,
    };
    for nodes in [&kernel.first, &kernel.body, &kernel.last] {
        printer.nodes(nodes, out, depth);
    }
    if !kernel.grid {
        out.push("  end do".into());
    }
}

struct Sequential<'a> {
    view: View<'a>,
    grid: bool,
}

impl Sequential<'_> {
    /// Statements with no barrier between them are done thread by thread.
    fn nodes(&mut self, nodes: &[Node], out: &mut Vec<String>, depth: usize) {
        let statement = |n: &Node| match n {
            Node::Each { stmt, .. } => Some(stmt.clone()),
            _ => None,
        };
        let mut rest = nodes;
        while let Some((node, after)) = rest.split_first() {
            let run: Vec<Stmt> = rest.iter().map_while(statement).collect();
            if run.is_empty() {
                self.node(node, out, depth);
                rest = after;
            } else {
                self.each(out, depth, |s, out, depth| {
                    run.iter().for_each(|stmt| s.view.stmt(stmt, out, depth));
                });
                rest = &rest[run.len()..];
            }
        }
    }

    fn blocks_around(
        &self,
        out: &mut Vec<String>,
        depth: usize,
        body: impl FnOnce(&Self, &mut Vec<String>, usize),
    ) {
        let pad = "  ".repeat(depth);
        if self.grid {
            out.push(format!("{pad}do b = 1, nb"));
            body(self, out, depth + 1);
            out.push(format!("{pad}end do"));
        } else {
            body(self, out, depth);
        }
    }

    /// The lines for every thread.
    fn each(
        &self,
        out: &mut Vec<String>,
        depth: usize,
        body: impl FnOnce(&Self, &mut Vec<String>, usize),
    ) {
        self.blocks_around(out, depth, |s, out, depth| {
            let pad = "  ".repeat(depth);
            out.push(format!("{pad}do t = 1, nt"));
            out.push(format!("{pad}  g = (b - 1)*nt + t"));
            body(s, out, depth + 1);
            out.push(format!("{pad}end do"));
        });
    }

    fn node(&mut self, node: &Node, out: &mut Vec<String>, depth: usize) {
        let pad = "  ".repeat(depth);
        match node {
            Node::Each { .. } | Node::Sync { .. } | Node::Fence(_) => {}
            Node::Loop { .. } | Node::ExitIf(_) | Node::If { .. } => {
                let view = self.view.clone();
                let inside = &mut |n: &[Node], out: &mut Vec<String>| self.nodes(n, out, depth + 1);
                view.control(node, out, depth, inside);
            }
            Node::Collective {
                what,
                result,
                value,
                ty,
            } => self.collective(*what, *result, value, *ty, out, depth),
            Node::Call {
                procedure,
                actuals,
                result,
            } => self.call(*procedure, actuals, *result, out, depth),
            Node::Associate {
                alias,
                actual,
                body,
            } => {
                let meaning = self.meaning(actual);
                self.view.items.insert(*alias, meaning);
                self.nodes(body, out, depth);
                self.view.items.remove(alias);
            }
            Node::Blocks {
                how,
                data,
                flag,
                result,
                value,
            } => {
                let [data, _, result] =
                    [data, flag, result].map(|i| self.view.case.items[*i].name.clone());
                self.blocks_around(out, depth, |s, out, depth| {
                    let pad = "  ".repeat(depth);
                    let value = s.view.reg(*value);
                    let lines = match how {
                        Blocks::Last => format!(
                            "g = b*nt\n{data}(b) = {value}\nif (b == nb) then\n  total = 0\n  do from = 1, nb\n    total = total*3 + {data}(from)\n  end do\n  \
                             {result}(1) = iand({result}(1)*5 + total, 1023)\nend if"
                        ),
                        Blocks::Chain => format!(
                            "g = (b - 1)*nt + 1\nif (b > 1) then\n  {result}(b) = iand({data}(b - 1)*3 + {value}, 1023)\nelse\n  {result}(b) = {value}\nend if\n{data}(b) = {result}(b)"
                        ),
                        Blocks::Lock => format!(
                            "g = (b - 1)*nt + 1\n{result}(1) = {result}(1) + {value}\n{data}(1) = max({data}(1), {value})"
                        ),
                    };
                    out.extend(lines.lines().map(|l| format!("{pad}{l}")));
                });
                if *how == Blocks::Chain {
                    let flag = &self.view.case.items[*flag].name;
                    out.push(format!("{pad}{flag} = 1"));
                }
            }
        }
    }

    fn meaning(&self, actual: &Actual) -> Meaning {
        match actual {
            Actual::Whole(item)
            | Actual::Part(item)
            | Actual::First(item)
            | Actual::Strided(item) => self
                .view
                .items
                .get(item)
                .cloned()
                .unwrap_or(Meaning::Item(*item)),
            Actual::Element(item, index) => Meaning::Text(self.view.element(*item, index)),
            Actual::Value(_) | Actual::Reg(_) | Actual::Absent => Meaning::Absent,
        }
    }

    fn call(
        &mut self,
        procedure: usize,
        actuals: &[Actual],
        result: Option<RegId>,
        out: &mut Vec<String>,
        depth: usize,
    ) {
        let case = self.view.case;
        let called = &case.procedures[procedure];
        let mut inner = View::new(case, true);
        for (dummy, actual) in called.dummies.iter().zip(actuals) {
            match (dummy, actual) {
                (Dummy::Item(item), Actual::Value(value)) => {
                    let kept = format!("v_{}(g)", case.items[*item].name);
                    self.each(out, depth, |s, out, depth| {
                        out.push(format!(
                            "{}{kept} = {}",
                            "  ".repeat(depth),
                            s.view.expr(value)
                        ));
                    });
                    inner.items.insert(*item, Meaning::Text(kept));
                }
                (Dummy::Item(item), Actual::Reg(reg)) => {
                    inner
                        .items
                        .insert(*item, Meaning::Text(self.view.reg(*reg)));
                }
                (Dummy::Item(item), actual) => {
                    inner.items.insert(*item, self.meaning(actual));
                }
                (Dummy::Reg(dummy), Actual::Reg(reg)) => {
                    inner
                        .regs
                        .insert(*dummy, self.view.regs.get(reg).copied().unwrap_or(*reg));
                }
                (Dummy::Reg(_), _) => {}
            }
        }
        let outside = std::mem::replace(&mut self.view, inner);
        self.nodes(&called.first, out, depth);
        self.nodes(&called.body, out, depth);
        self.view = outside;
        if let (Some(to), Some(from)) = (result, called.result) {
            let from = &case.regs[from].name;
            self.each(out, depth, |s, out, depth| {
                out.push(format!(
                    "{}{} = {from}(g)",
                    "  ".repeat(depth),
                    s.view.reg(to)
                ));
            });
        }
    }

    fn collective(
        &self,
        what: Collective,
        result: RegId,
        value: &Expr,
        ty: Ty,
        out: &mut Vec<String>,
        depth: usize,
    ) {
        self.blocks_around(out, depth, |s, out, depth| {
            let pad = "  ".repeat(depth);
            let keep = format!("keep_{}", suffix(ty));
            let value = s.view.expr(value);
            let result = s.view.reg(result);
            let warp = "lane = iand(t - 1, 31)\n  from = t - lane\n";
            let last = "min(from + 31, nt)";
            let body = match what {
                Collective::Count => format!("{result} = count({keep} /= 0)"),
                Collective::And => format!("{result} = merge(1, 0, all({keep} /= 0))"),
                Collective::Or => format!("{result} = merge(1, 0, any({keep} /= 0))"),
                Collective::ShuffleXor(k) => format!("{warp}  {result} = {keep}(min(nt, from + ieor(lane, {k})))"),
                Collective::ShuffleUp(k) => {
                    format!("{warp}  if (lane >= {k}) lane = lane - {k}\n  {result} = {keep}(from + lane)")
                }
                Collective::ShuffleDown(k) => {
                    format!("{warp}  if (lane + {k} < 32) lane = lane + {k}\n  {result} = {keep}(min(nt, from + lane))")
                }
                Collective::Shuffle(k) => format!("{warp}  {result} = {keep}(min(nt, from + {k} - 1))"),
                Collective::Ballot => format!("{warp}  {result} = count({keep}(from:{last}) /= 0)"),
                Collective::Any => format!("{warp}  {result} = merge(1, 0, any({keep}(from:{last}) /= 0))"),
                Collective::All => format!("{warp}  {result} = merge(1, 0, all({keep}(from:{last}) /= 0))"),
                Collective::Match => format!("{warp}  {result} = count({keep}(from:{last}) == {keep}(t))"),
            };
            let absent = s.view.case.absent(what).map(|absent| {
                let (absent, zero) = (s.view.expr(&absent), s.view.expr(&Expr::Number(ty, 0)));
                format!("\n  if ({}) {result} = {zero}", outer(&absent))
            });
            let body = body + &absent.unwrap_or_default();
            let lines = format!(
                "do t = 1, nt\n  g = (b - 1)*nt + t\n  {keep}(t) = {value}\nend do\ndo t = 1, nt\n  g = (b - 1)*nt + t\n  {body}\nend do"
            );
            out.extend(lines.lines().map(|l| format!("{pad}{l}")));
        });
    }
}
