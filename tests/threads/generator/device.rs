//! A case as CUDA Fortran.

use super::ir::*;
use super::print::{View, outer};

/// The modules and the procedure that runs the case: those for the other file, and those for the main file.
pub fn print(case: &Case) -> (Vec<String>, Vec<String>) {
    let printer = Printer {
        case,
        view: View::new(case, false),
    };
    (printer.other(), printer.main())
}

struct Printer<'a> {
    case: &'a Case,
    view: View<'a>,
}

impl Printer<'_> {
    fn seed(&self) -> u64 {
        self.case.seed
    }

    fn total(&self) -> i64 {
        self.case.threads() * self.case.blocks
    }

    fn other(&self) -> Vec<String> {
        let seed = self.case.number;
        let mut out = vec![
            format!("module data{seed}"),
            "  use cudafor".into(),
            "  use cooperative_groups".into(),
            "  implicit none".into(),
        ];
        for item in &self.case.items {
            let Place::Module { allocatable } = item.place else {
                continue;
            };
            let more = if allocatable { ", allocatable" } else { "" };
            let shape = match (item.layout, allocatable) {
                (_, true) => "(:)".to_owned(),
                (Layout::Scalar, _) => format!("({})", self.case.blocks),
                _ => format!("({})", self.total()),
            };
            out.push(format!(
                "  {}, device{more} :: {}{shape}",
                item.ty.declared(),
                item.name
            ));
        }
        out.push("contains".into());
        for procedure in self.case.procedures.iter().filter(|p| p.elsewhere) {
            self.procedure(procedure, &mut out);
        }
        out.push(format!("end module data{seed}"));
        out.push(String::new());
        out
    }

    fn main(&self) -> Vec<String> {
        let seed = self.case.number;
        let mut out = vec![
            format!("module case{seed}"),
            format!("  use data{seed}"),
            "  use cudafor".into(),
            "  use cooperative_groups".into(),
            "  implicit none".into(),
            "contains".into(),
        ];
        for procedure in self.case.procedures.iter().filter(|p| !p.elsewhere) {
            self.procedure(procedure, &mut out);
        }
        if self
            .case
            .steps
            .iter()
            .any(|s| matches!(s, Step::Loop { .. }))
        {
            out.extend([
                "  attributes(device) integer function step(v, add)".into(),
                "    integer :: v".into(),
                "    integer, value :: add".into(),
                "    call threadfence()".into(),
                "    step = iand(v*3 + add, 1023)".into(),
                "  end function step".into(),
            ]);
        }
        for kernel in &self.case.kernels {
            self.kernel(kernel, &mut out);
        }
        self.driver(&mut out);
        out.push(format!("end module case{seed}"));
        out.push(String::new());
        out
    }

    /// Declarations of what every subprogram has.
    fn common(&self, out: &mut Vec<String>, value_n: bool, body: &[&[Node]]) {
        let mut used = Used::default();
        body.iter().for_each(|n| used.nodes(n));
        out.push("    integer :: t, b, g, nt, tx, ty, lane, msk, old".into());
        if used.grid {
            out.push("    type(grid_group) :: gg".into());
        }
        for var in used.vars {
            out.push(format!("    integer :: {var}"));
        }
        let [x, y, z] = self.case.block;
        let (flat, ty) = match (y, z) {
            (1, 1) => ("threadIdx%x".to_owned(), "1".to_owned()),
            (_, 1) => (
                format!("threadIdx%x + (threadIdx%y - 1)*{x}"),
                "threadIdx%y".to_owned(),
            ),
            _ => (
                "threadIdx%x + (threadIdx%y - 1 + (threadIdx%z - 1)*blockDim%y)*blockDim%x"
                    .to_owned(),
                format!("threadIdx%y + (threadIdx%z - 1)*{y}"),
            ),
        };
        out.push(format!("    t = {flat}"));
        out.push("    tx = threadIdx%x".into());
        out.push(format!("    ty = {ty}"));
        out.push("    b = blockIdx%x".into());
        out.push(match (value_n, self.seed() % 2) {
            (true, _) => "    nt = n".into(),
            (false, 0) => "    nt = blockDim%x*blockDim%y*blockDim%z".into(),
            (false, _) => format!("    nt = {}", self.case.threads()),
        });
        out.push("    g = (b - 1)*nt + t".into());
        out.push("    lane = iand(t - 1, 31)".into());
        out.push("    msk = -1".into());
        let (threads, rest) = (self.case.threads(), self.case.threads() % 32);
        if rest != 0 {
            let full = threads - rest;
            out.push(format!("    if (t > {full}) msk = {}", (1i64 << rest) - 1));
        }
        out.push("    old = 0".into());
        if used.grid {
            out.push("    gg = this_grid()".into());
        }
    }

    fn shape(&self, item: &Item, form: Form, whole: bool) -> String {
        let threads = self.case.threads();
        let n = if item.grid { self.total() } else { threads };
        match (item.layout, form) {
            (Layout::Scalar, _) if !whole => String::new(),
            (Layout::Scalar, Form::AssumedSize) => "(*)".into(),
            (Layout::Scalar, _) => format!("({})", self.case.blocks),
            (Layout::Plain { lower: 1 }, Form::AssumedShape) => "(:)".into(),
            (Layout::Plain { lower }, Form::AssumedShape) => format!("({lower}:)"),
            (Layout::Plain { lower: 1 }, Form::Explicit) => format!("({n})"),
            (Layout::Plain { lower }, Form::Explicit) => format!("({lower}:{})", n + lower - 1),
            (Layout::Plain { lower: 1 }, Form::AssumedSize) => "(*)".into(),
            (Layout::Plain { lower }, Form::AssumedSize) => format!("({lower}:*)"),
            (Layout::Stride, Form::AssumedShape) => "(:)".into(),
            (Layout::Stride, Form::Explicit) => format!("({})", 2 * n),
            (Layout::Stride, Form::AssumedSize) => "(*)".into(),
            (Layout::Tile { .. }, Form::AssumedShape) => "(:, :)".into(),
            (Layout::Tile { nx, pad }, Form::Explicit) => format!("({}, {})", nx + pad, n / nx),
            (Layout::Tile { nx, pad }, Form::AssumedSize) => format!("({}, *)", nx + pad),
        }
    }

    fn declare(&self, id: ItemId) -> Option<String> {
        let item = &self.case.items[id];
        let ty = item.ty.declared();
        let volatile = if item.volatile { ", volatile" } else { "" };
        let intent = if item.constant { ", intent(in)" } else { "" };
        let text = match item.place {
            Place::Shared => {
                format!(
                    "{ty}, shared{volatile} :: {}{}",
                    item.name,
                    self.shape(item, Form::Explicit, false)
                )
            }
            Place::SharedAutomatic => format!("{ty}, shared :: {}(n)", item.name),
            Place::SharedAssumedSize => format!("{ty}, shared :: {}(*)", item.name),
            Place::Dummy(_) if id == OUT => {
                format!("{ty} :: {}({}, {COLUMNS})", item.name, self.total())
            }
            Place::Dummy(form) => {
                format!(
                    "{ty}{intent}{volatile} :: {}{}",
                    item.name,
                    self.shape(item, form, true)
                )
            }
            Place::Scalar(passing) => {
                let attribute = match passing {
                    Passing::Plain => "",
                    Passing::IntentIn => ", intent(in)",
                    Passing::Value => ", value",
                    Passing::Optional => ", optional",
                };
                format!("{ty}{attribute} :: {}", item.name)
            }
            Place::Module { .. } | Place::Alias => return None,
        };
        Some(format!("    {text}"))
    }

    fn procedure(&self, procedure: &Procedure, out: &mut Vec<String>) {
        let name = |d: &Dummy| match d {
            Dummy::Item(item) => self.case.items[*item].name.clone(),
            Dummy::Reg(reg) => self.case.regs[*reg].name.clone(),
        };
        let dummies: Vec<String> = procedure.dummies.iter().map(name).collect();
        let (kind, result) = match procedure.result {
            Some(reg) => ("function", format!(" result({})", self.case.regs[reg].name)),
            None => ("subroutine", String::new()),
        };
        out.push(format!(
            "  attributes(device) {kind} {}({}){result}",
            procedure.name,
            dummies.join(", ")
        ));
        for dummy in &procedure.dummies {
            match dummy {
                Dummy::Item(item) => out.extend(self.declare(*item)),
                Dummy::Reg(reg) => {
                    let reg = &self.case.regs[*reg];
                    out.push(format!("    {} :: {}", reg.ty.declared(), reg.name));
                }
            }
        }
        for reg in procedure.result.iter().chain(&procedure.regs) {
            let reg = &self.case.regs[*reg];
            out.push(format!("    {} :: {}", reg.ty.declared(), reg.name));
        }
        self.common(out, false, &[&procedure.first, &procedure.body]);
        self.nodes(&procedure.first, out, 2);
        self.nodes(&procedure.body, out, 2);
        out.push(format!("  end {kind} {}", procedure.name));
        out.push(String::new());
    }

    fn kernel(&self, kernel: &Kernel, out: &mut Vec<String>) {
        let mut dummies: Vec<String> = self
            .dummies(kernel)
            .map(|i| self.case.items[i].name.clone())
            .collect();
        dummies.extend(["n".to_owned(), "kv".to_owned()]);
        let attribute = if kernel.grid { "grid_global" } else { "global" };
        out.push(format!(
            "  attributes({attribute}) subroutine {}({})",
            kernel.name,
            dummies.join(", ")
        ));
        out.push("    integer, value :: n, kv".into());
        for item in &kernel.items {
            out.extend(self.declare(*item));
        }
        for reg in &kernel.regs {
            let reg = &self.case.regs[*reg];
            out.push(format!("    {} :: {}", reg.ty.declared(), reg.name));
        }
        self.common(
            out,
            self.seed().is_multiple_of(3),
            &[&kernel.first, &kernel.body, &kernel.last],
        );
        for nodes in [&kernel.first, &kernel.body, &kernel.last] {
            self.nodes(nodes, out, 2);
        }
        out.push(format!("  end subroutine {}", kernel.name));
        out.push(String::new());
    }

    /// Arguments of the kernel.
    fn dummies<'b>(&'b self, kernel: &'b Kernel) -> impl Iterator<Item = ItemId> + 'b {
        let items = kernel.items.iter().copied();
        items.filter(|i| matches!(self.case.items[*i].place, Place::Dummy(_)))
    }

    fn nodes(&self, nodes: &[Node], out: &mut Vec<String>, depth: usize) {
        nodes.iter().for_each(|n| self.node(n, out, depth));
    }

    fn node(&self, node: &Node, out: &mut Vec<String>, depth: usize) {
        let pad = "  ".repeat(depth);
        match node {
            Node::Each { stmt, .. } => self.view.stmt(stmt, out, depth),
            Node::Sync { level, flavour, .. } => {
                out.push(format!("{pad}{}", barrier(*level, *flavour)))
            }
            Node::Fence(n) => {
                let name =
                    ["threadfence", "threadfence_block", "threadfence_system"][*n as usize % 3];
                out.push(format!("{pad}call {name}()"));
            }
            Node::Loop { .. } | Node::ExitIf(_) | Node::If { .. } => {
                let inside = &mut |n: &[Node], out: &mut Vec<String>| self.nodes(n, out, depth + 1);
                self.view.control(node, out, depth, inside);
            }
            Node::Collective {
                what,
                result,
                value,
                ty,
            } => {
                let text = self.collective(*what, &self.view.expr(value));
                let text = match self.case.absent(*what) {
                    None => text,
                    Some(absent) => {
                        let zero = self.view.expr(&Expr::Number(*ty, 0));
                        format!("merge({zero}, {text}, {})", outer(&self.view.expr(&absent)))
                    }
                };
                out.push(format!("{pad}{} = {text}", self.view.reg(*result)));
            }
            Node::Call {
                procedure,
                actuals,
                result,
            } => {
                let procedure = &self.case.procedures[*procedure];
                let mut list = Vec::new();
                let mut keywords = false;
                for (dummy, actual) in procedure.dummies.iter().zip(actuals) {
                    match (self.actual(actual), dummy) {
                        (None, _) => keywords = true,
                        (Some(text), Dummy::Item(item)) if keywords => {
                            list.push(format!("{}={text}", self.case.items[*item].name));
                        }
                        (Some(text), Dummy::Reg(reg)) if keywords => {
                            list.push(format!("{}={text}", self.case.regs[*reg].name));
                        }
                        (Some(text), _) => list.push(text),
                    }
                }
                let call = format!("{}({})", procedure.name, list.join(", "));
                out.push(match result {
                    Some(reg) => format!("{pad}{} = {call}", self.view.reg(*reg)),
                    None => format!("{pad}call {call}"),
                });
            }
            Node::Associate {
                alias,
                actual,
                body,
            } => {
                let text = self.actual(actual).unwrap_or_default();
                out.push(format!(
                    "{pad}associate ({} => {text})",
                    self.case.items[*alias].name
                ));
                self.nodes(body, out, depth + 1);
                out.push(format!("{pad}end associate"));
            }
            Node::Blocks {
                how,
                data,
                flag,
                result,
                value,
            } => self.blocks(
                *how,
                [*data, *flag, *result],
                &self.view.reg(*value),
                out,
                &pad,
            ),
        }
    }

    fn blocks(
        &self,
        how: Blocks,
        items: [ItemId; 3],
        value: &str,
        out: &mut Vec<String>,
        pad: &str,
    ) {
        let [data, flag, result] = items.map(|i| self.case.items[i].name.as_str());
        let lines = match how {
            Blocks::Last => format!(
                "if (t == nt) then\n  {data}(b) = {value}\n  call threadfence()\n  old = atomicadd({flag}(1), 1)\n  \
                 if (old == {blocks} - 1) then\n    old = 0\n    call threadfence()\n    do tx = 1, {blocks}\n      old = old*3 + {data}(tx)\n    end do\n    \
                 {result}(1) = iand({result}(1)*5 + old, 1023)\n    {flag}(1) = 0\n  end if\n  tx = threadIdx%x\nend if\ncall syncthreads()",
                blocks = self.case.blocks
            ),
            Blocks::Chain => format!(
                "if (t == 1) then\n  if (b > 1) then\n    do\n      if ({flag}(b - 1) /= 0) exit\n      call threadfence()\n    end do\n    call threadfence()\n    \
                 {result}(b) = iand({data}(b - 1)*3 + {value}, 1023)\n  else\n    {result}(b) = {value}\n  end if\n  {data}(b) = {result}(b)\n  call threadfence()\n  \
                 {flag}(b) = 1\n  tx = threadIdx%x\nend if\ncall syncthreads()"
            ),
            Blocks::Lock => format!(
                "if (t == 1) then\n  do\n    if (atomiccas({flag}(1), 0, 1) == 0) exit\n  end do\n  call threadfence()\n  \
                 {result}(1) = {result}(1) + {value}\n  {data}(1) = max({data}(1), {value})\n  call threadfence()\n  old = atomicexch({flag}(1), 0)\nend if\ncall syncthreads()"
            ),
        };
        out.extend(lines.lines().map(|l| format!("{pad}{l}")));
    }

    fn collective(&self, what: Collective, value: &str) -> String {
        let value = outer(value);
        let partial = self.case.threads() % 32 != 0 || self.seed() % 4 == 1;
        let shuffle = |name: &str, by: i64| match partial {
            true => format!("__shfl{name}_sync(msk, {value}, {by})"),
            false => format!("__shfl{name}({value}, {by})"),
        };
        match what {
            Collective::Count => format!("syncthreads_count({value})"),
            Collective::And => format!("merge(1, 0, syncthreads_and({value}) /= 0)"),
            Collective::Or => format!("merge(1, 0, syncthreads_or({value}) /= 0)"),
            Collective::ShuffleXor(k) => shuffle("_xor", k),
            Collective::ShuffleUp(k) => shuffle("_up", k),
            Collective::ShuffleDown(k) => shuffle("_down", k),
            Collective::Shuffle(k) => shuffle("", k),
            Collective::Ballot => format!("popcnt(ballot_sync(msk, {value}))"),
            Collective::Any if partial => format!("merge(1, 0, any_sync(msk, {value}) /= 0)"),
            Collective::Any => format!("merge(1, 0, anythread({value} /= 0))"),
            Collective::All if partial => format!("merge(1, 0, all_sync(msk, {value}) /= 0)"),
            Collective::All => format!("merge(1, 0, allthreads({value} /= 0))"),
            Collective::Match => format!("popcnt(match_any_sync(msk, {value}))"),
        }
    }

    fn actual(&self, actual: &Actual) -> Option<String> {
        let name = |item: &ItemId| self.case.items[*item].name.clone();
        Some(match actual {
            Actual::Whole(item) => name(item),
            Actual::Part(item) => format!("{}((b - 1)*nt + 1:b*nt)", name(item)),
            Actual::First(item) => match self.case.items[*item].grid {
                true => format!("{}((b - 1)*nt + 1)", name(item)),
                false => {
                    let first = Index {
                        slot: Box::new(Expr::int(1)),
                        block: None,
                        pattern: Pattern::Block,
                    };
                    self.view.element(*item, &first)
                }
            },
            Actual::Strided(item) => format!("{}(1:{}:2)", name(item), 2 * self.case.threads() - 1),
            Actual::Element(item, index) => self.view.element(*item, index),
            Actual::Value(e) => match e {
                Expr::Element(..) | Expr::Reg(_) | Expr::Number(..) => self.view.expr(e),
                _ => format!("({})", outer(&self.view.expr(e))),
            },
            Actual::Reg(reg) => self.view.reg(*reg),
            Actual::Absent => return None,
        })
    }

    /// The host procedure that runs the kernels and compares.
    fn driver(&self, out: &mut Vec<String>) {
        let (seed, total) = (self.case.number, self.total());
        let globals: Vec<&Item> = (self.case.items.iter().skip(1))
            .filter(|i| global(i))
            .collect();
        let extent = |i: &Item| {
            if i.layout == Layout::Scalar {
                self.case.blocks
            } else {
                total
            }
        };
        out.push("  subroutine drive(actual)".into());
        out.push("    integer(8) :: actual(*)".into());
        out.push("    integer :: i, status, at".into());
        out.push(format!(
            "    integer(8), device :: d_out({total}, {COLUMNS})"
        ));
        out.push(format!("    integer(8) :: h_out({total}, {COLUMNS})"));
        for item in &globals {
            let (ty, n) = (item.ty.declared(), extent(item));
            out.push(format!("    {ty} :: h_{}({n})", item.name));
            if !matches!(item.place, Place::Module { .. }) {
                out.push(format!("    {ty}, device, allocatable :: {}(:)", item.name));
            }
        }
        for (index, item) in globals.iter().enumerate() {
            if !matches!(item.place, Place::Module { allocatable: false }) {
                out.push(format!("    allocate({}({}))", item.name, extent(item)));
            }
            out.push(format!(
                "    h_{0} = {1}",
                item.name,
                first_values(item, index, extent(item))
            ));
            out.push(format!("    {0} = h_{0}", item.name));
        }
        out.push("    d_out = 0".into());
        let threads = self.case.threads();
        let [x, y, z] = self.case.block;
        for step in &self.case.steps {
            match step {
                Step::Launch(kernel, value) => {
                    let kernel = &self.case.kernels[*kernel];
                    let name = |i: ItemId| match i {
                        OUT => "d_out".to_owned(),
                        _ => self.case.items[i].name.clone(),
                    };
                    let mut actuals: Vec<String> = self.dummies(kernel).map(name).collect();
                    actuals.extend([threads.to_string(), value.to_string()]);
                    let dynamic: usize = (kernel.items.iter())
                        .map(|i| &self.case.items[*i])
                        .filter(|i| {
                            matches!(i.place, Place::SharedAutomatic | Place::SharedAssumedSize)
                        })
                        .map(|i| i.ty.bytes() * threads as usize)
                        .sum();
                    let bytes = if dynamic > 0 {
                        format!(", {dynamic}")
                    } else {
                        String::new()
                    };
                    let block = if (y, z) == (1, 1) {
                        x.to_string()
                    } else {
                        format!("dim3({x}, {y}, {z})")
                    };
                    out.push(format!(
                        "    call {}<<<{}, {block}{bytes}>>>({})",
                        kernel.name,
                        self.case.blocks,
                        actuals.join(", ")
                    ));
                }
                Step::Loop { to, from, add } => {
                    let (to, from) = (&self.case.items[*to].name, &self.case.items[*from].name);
                    out.push("    !$cuf kernel do <<<*, 64>>>".into());
                    out.push(format!("    do i = 1, {total}"));
                    out.push(format!("      {to}(i) = step({from}(i), {add})"));
                    out.push("    end do".into());
                }
            }
        }
        out.push("    status = cudaDeviceSynchronize()".into());
        out.push(format!(
            "    if (status /= 0) call threads_stop({seed}, status)"
        ));
        out.push("    h_out = d_out".into());
        out.push(format!(
            "    actual(1:{}) = reshape(h_out, [{}])",
            total * COLUMNS as i64,
            total * COLUMNS as i64
        ));
        out.push(format!("    at = {}", total * COLUMNS as i64));
        for item in &globals {
            let n = extent(item);
            out.push(format!("    h_{0} = {0}", item.name));
            out.push(format!(
                "    actual(at + 1:at + {n}) = int(h_{}, 8)",
                item.name
            ));
            out.push(format!("    at = at + {n}"));
            if matches!(item.place, Place::Module { allocatable: true }) {
                out.push(format!("    deallocate({})", item.name));
            }
        }
        out.push("  end subroutine drive".into());
    }
}

/// Whether the item belongs to the whole grid and is compared at the end.
pub fn global(item: &Item) -> bool {
    let kernels = matches!(item.place, Place::Dummy(_)) && item.name.starts_with('g');
    kernels || matches!(item.place, Place::Module { .. })
}

/// First values of global data.
pub fn first_values(item: &Item, index: usize, extent: i64) -> String {
    if item.layout == Layout::Scalar {
        return "0".to_owned();
    }
    format!(
        "[(mod(i*{} + {}, 61), i = 1, {extent})]",
        7 + 2 * index,
        3 + index
    )
}

fn barrier(level: Level, flavour: u8) -> &'static str {
    match (level, flavour) {
        (Level::Grid, _) => "call syncthreads(gg)",
        (Level::Warp | Level::Thread, 0..=5) => "call syncwarp(msk)",
        (_, 6) => "old = syncthreads_or(0)",
        (_, 7) => "old = syncthreads_count(t)",
        _ => "call syncthreads()",
    }
}

/// Names that nodes use.
#[derive(Default)]
pub struct Used {
    pub vars: Vec<String>,
    pub grid: bool,
}

impl Used {
    pub fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Sync { level, .. } => self.grid |= *level == Level::Grid,
                Node::Loop { var, body, .. } => {
                    self.vars.push(var.clone());
                    self.nodes(body);
                }
                Node::If {
                    then, otherwise, ..
                } => {
                    self.nodes(then);
                    self.nodes(otherwise);
                }
                Node::Associate { body, .. } => self.nodes(body),
                Node::Each { stmt, .. } => self.stmt(stmt),
                _ => {}
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::For(var, _, _, body) => {
                self.vars.push(var.clone());
                body.iter().for_each(|s| self.stmt(s));
            }
            Stmt::If(_, a, b) => a.iter().chain(b).for_each(|s| self.stmt(s)),
            _ => {}
        }
    }
}
