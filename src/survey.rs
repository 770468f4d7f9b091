//! What a file uses of CUDA Fortran: counts of kernels, loops, transfers and features, for `cuf2cu check`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::account::Places;
use crate::ast::*;
use crate::sema::Input;
use crate::sema::model::{CodeContext, FileId, Model, ScopeId, Space, SymbolKind};

/// Things of one sort, and how many of them lie where an error was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    pub found: usize,
    /// Of these: with an error in them. Their file has no output.
    pub refused: usize,
}

/// Assignments and calls of host code that move data, by direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Transfers {
    /// `device = host`
    pub to_device: usize,
    /// `host = device`
    pub to_host: usize,
    /// `device = device`
    pub on_device: usize,
    /// References of `cudaMemcpy...` and `cudaMemset...`, whose direction is a matter of the run.
    pub by_call: usize,
}

impl Transfers {
    /// All of them.
    pub fn total(&self) -> usize {
        self.to_device + self.to_host + self.on_device + self.by_call
    }
}

/// The survey of one file, or the sum over several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Survey {
    /// Lines of the file as the user has it.
    pub lines: usize,
    /// Procedures with `attributes(global)` or `attributes(grid_global)`; interface bodies do not count.
    pub kernels: Count,
    /// Procedures with `attributes(device)` or `attributes(host,device)`.
    pub device_procedures: Count,
    /// `!$cuf kernel do`
    pub cuf_loops: Count,
    /// Calls with chevrons.
    pub launches: usize,
    pub transfers: Transfers,
    /// Features by name, and how often each stands in the text.
    pub features: BTreeMap<&'static str, usize>,
    /// Modules used that are not in the program, and by how many files.
    pub modules: BTreeMap<String, usize>,
}

const OPENACC: &str = "OpenACC directives (kept)";

impl Survey {
    /// Whether there are OpenACC directives.
    pub fn has_openacc(&self) -> bool {
        self.features.contains_key(OPENACC)
    }

    /// Adds another survey to this one.
    pub fn add(&mut self, other: &Survey) {
        self.lines += other.lines;
        for (own, more) in [
            (&mut self.kernels, other.kernels),
            (&mut self.device_procedures, other.device_procedures),
            (&mut self.cuf_loops, other.cuf_loops),
        ] {
            own.found += more.found;
            own.refused += more.refused;
        }
        self.launches += other.launches;
        self.transfers.to_device += other.transfers.to_device;
        self.transfers.to_host += other.transfers.to_host;
        self.transfers.on_device += other.transfers.on_device;
        self.transfers.by_call += other.transfers.by_call;
        for (name, n) in &other.features {
            *self.features.entry(name).or_default() += n;
        }
        for (name, n) in &other.modules {
            *self.modules.entry(name.clone()).or_default() += n;
        }
    }
}

/// Surveys one file. `uses` are the modules it uses, `refused` the places that errors name.
pub fn survey(
    model: &Model,
    file: FileId,
    input: &Input<'_>,
    uses: &[String],
    refused: &Places,
) -> Survey {
    let mut surveyor = Surveyor {
        model,
        file,
        refused,
        scope: ScopeId(0),
        device: false,
        out: Survey::default(),
    };
    for c in &input.ast.comments {
        let text = input.text.get(c.span.start as usize..c.span.end as usize);
        surveyor.comment(text.unwrap_or_default());
    }
    let units = model.files.get(file.0 as usize).map(|f| &f.units[..]);
    for (unit, scope) in input.ast.units.iter().zip(units.unwrap_or_default()) {
        surveyor.unit(unit, Some(*scope));
    }
    let outside = |m: &&String| {
        let known = model.module_of(file, m);
        known.is_none_or(|s| model.is_foreign(s))
    };
    let modules = uses.iter().filter(outside).map(|m| (m.clone(), 1));
    surveyor.out.modules = modules.collect();
    surveyor.out
}

struct Surveyor<'a> {
    model: &'a Model,
    file: FileId,
    refused: &'a Places,
    scope: ScopeId,
    /// In a device procedure or a CUF loop.
    device: bool,
    out: Survey,
}

/// Names of device code by how they begin.
const DEVICE_NAMES: &[(&str, &str)] = &[
    ("atomic", "atomic operations"),
    ("syncthreads", "barriers"),
    ("syncwarp", "barriers"),
    ("threadfence", "memory fences"),
    ("__shfl", "warp shuffles and votes"),
    ("ballot", "warp shuffles and votes"),
    ("allthreads", "warp shuffles and votes"),
    ("anythread", "warp shuffles and votes"),
    ("match_", "warp shuffles and votes"),
    ("this_grid", "cooperative groups"),
    ("this_thread_block", "cooperative groups"),
    ("this_warp", "cooperative groups"),
    ("this_cluster", "cooperative groups"),
    ("wmma", "tensor cores"),
];

/// Names of the runtime in host code by how they begin; the first that fits counts.
const HOST_NAMES: &[(&str, &str)] = &[
    ("cudastream", "streams"),
    ("cudaforsetdefaultstream", "streams"),
    ("cudaevent", "events"),
    ("cudabindtexture", "textures"),
    ("cudagraph", "graphs"),
    ("cuda", "calls of the CUDA runtime"),
    ("cublas", "cuBLAS"),
    ("cufft", "cuFFT"),
    ("curand", "cuRAND"),
    ("cusparse", "cuSPARSE"),
    ("cusolver", "cuSOLVER"),
    ("cutensor", "cuTENSOR"),
    ("nccl", "NCCL"),
    ("nvshmem", "NVSHMEM"),
    ("nvtx", "NVTX"),
];

impl Surveyor<'_> {
    fn feature(&mut self, name: &'static str) {
        *self.out.features.entry(name).or_default() += 1;
    }

    fn count(&self, span: Span) -> Count {
        Count {
            found: 1,
            refused: usize::from(self.refused.touch(&span)),
        }
    }

    fn comment(&mut self, text: &str) {
        let Some(sentinel) = text.get(..5).map(str::to_ascii_lowercase) else {
            return;
        };
        match sentinel.as_str() {
            "!$acc" | "c$acc" | "*$acc" => self.feature(OPENACC),
            "!$omp" | "c$omp" | "*$omp" => self.feature("OpenMP directives (kept)"),
            _ => {}
        }
    }

    fn unit(&mut self, unit: &ProgramUnit, scope: Option<ScopeId>) {
        let saved = (self.scope, self.device);
        self.scope = scope.unwrap_or(self.scope);
        let word = |w: &str| unit.prefix.attributes.iter().any(|a| a.text == w);
        let mut add = |total: fn(&mut Survey) -> &mut Count| {
            let one = self.count(unit.span);
            let sum = total(&mut self.out);
            sum.found += one.found;
            sum.refused += one.refused;
        };
        if word("global") || word("grid_global") {
            add(|s| &mut s.kernels);
        } else if word("device") {
            add(|s| &mut s.device_procedures);
        }
        if word("grid_global") {
            self.feature("cooperative launches");
        }
        if !unit.prefix.launch_bounds.is_empty() {
            self.feature("launch bounds");
        }
        if !unit.prefix.cluster_dims.is_empty() {
            self.feature("thread block clusters");
        }
        self.device = self.model[self.scope].context == CodeContext::Device;
        self.declarations(&unit.spec);
        self.block(&unit.body);
        for p in &unit.procedures {
            self.unit(p, self.model.scope_at(self.file, p.span.start));
        }
        (self.scope, self.device) = saved;
    }

    fn declarations(&mut self, spec: &[Decl]) {
        for d in spec {
            match &d.kind {
                DeclKind::Type(t) => self.entities(&t.attrs, t.entities.len()),
                DeclKind::Attributes { attrs, entities } => self.entities(attrs, entities.len()),
                DeclKind::DerivedType(t) => {
                    for c in &t.components {
                        if let Component::Data(t) = c {
                            self.entities(&t.attrs, t.entities.len());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn entities(&mut self, attrs: &[Attr], number: usize) {
        for a in attrs {
            let AttrKind::Cuda(a) = a.kind else { continue };
            let name = match a {
                CudaAttr::Device => "device data",
                CudaAttr::Constant => "constant memory",
                CudaAttr::Shared => "shared memory",
                CudaAttr::Managed => "managed data",
                CudaAttr::Pinned => "pinned data",
                CudaAttr::Texture => "textures",
                CudaAttr::Unified => "unified data",
                CudaAttr::GridConstant => "grid constants",
            };
            *self.out.features.entry(name).or_default() += number;
        }
    }

    fn block(&mut self, body: &[Stmt]) {
        for s in body {
            self.stmt(s);
        }
    }

    fn inner_block(&mut self, offset: u32, body: &[Stmt]) {
        let inner = self.model.scope_at(self.file, offset).unwrap_or(self.scope);
        let saved = std::mem::replace(&mut self.scope, inner);
        self.block(body);
        self.scope = saved;
    }

    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                if !self.device {
                    self.assignment(lhs, rhs);
                }
                self.expr(lhs);
                self.expr(rhs);
            }
            StmtKind::PointerAssign { lhs, rhs } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            StmtKind::Call(c) => self.call(c),
            StmtKind::If {
                branches,
                else_block,
                ..
            } => {
                for b in branches {
                    self.expr(&b.cond);
                    self.block(&b.body);
                }
                if let Some(e) = else_block {
                    self.block(&e.body);
                }
            }
            StmtKind::LogicalIf { cond, stmt } => {
                self.expr(cond);
                self.stmt(stmt);
            }
            StmtKind::Do(d) => {
                match &d.control {
                    DoControl::Counted { from, to, step, .. } => {
                        [Some(from), Some(to), step.as_ref()]
                            .into_iter()
                            .flatten()
                            .for_each(|e| self.expr(e));
                    }
                    DoControl::While(e) => self.expr(e),
                    _ => {}
                }
                self.block(&d.body);
            }
            StmtKind::Select(sel) => {
                self.expr(&sel.selector);
                for c in &sel.cases {
                    self.inner_block(c.header.end, &c.body);
                }
            }
            StmtKind::Where { branches, .. } => branches.iter().for_each(|b| self.block(&b.body)),
            StmtKind::Forall { body, .. } | StmtKind::OtherBlock { body, .. } => self.block(body),
            StmtKind::Associate { body, header, .. } => self.inner_block(header.end, body),
            StmtKind::Block {
                spec, body, header, ..
            } => {
                self.declarations(spec);
                self.inner_block(header.end, body);
            }
            StmtKind::Return(Some(e)) => self.expr(e),
            StmtKind::Print { items, .. }
            | StmtKind::Write { items, .. }
            | StmtKind::Read { items, .. } => items.iter().for_each(|e| self.expr(e)),
            StmtKind::CufKernel(k) => {
                let one = self.count(s.span);
                self.out.cuf_loops.found += one.found;
                self.out.cuf_loops.refused += one.refused;
                let saved = std::mem::replace(&mut self.device, true);
                if let Some(body) = &k.body {
                    self.stmt(body);
                }
                self.device = saved;
            }
            _ => {}
        }
    }

    fn call(&mut self, c: &Call) {
        if let Some(l) = &c.launch {
            self.out.launches += 1;
            if self.device {
                self.feature("dynamic parallelism");
            }
            if matches!(
                l.args.first().map(|a| &a.value.kind),
                Some(ExprKind::Star { .. })
            ) {
                self.feature("grids sized by the runtime");
            }
            if l.args.len() > 3 {
                self.feature("streams");
            }
        } else if let Some(n) = c.callee.as_name() {
            self.name(&n.text);
        }
        c.args.iter().for_each(|a| self.expr(&a.value));
    }

    /// Counts the references of runtime procedures in an expression.
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Ref { base, .. } = &e.kind
            && let Some(n) = base.as_name()
        {
            self.name(&n.text);
        }
        e.for_each_child(&mut |c| self.expr(c));
    }

    fn name(&mut self, name: &str) {
        let table = if self.device {
            DEVICE_NAMES
        } else {
            HOST_NAMES
        };
        let Some((_, feature)) = table.iter().find(|(start, _)| name.starts_with(start)) else {
            return;
        };
        let of_the_program = self.model.lookup(self.scope, name).is_some_and(|s| {
            let known = !matches!(self.model[s].kind, SymbolKind::Unknown);
            known && !self.model.is_foreign(self.model[s].scope)
        });
        if of_the_program {
            return;
        }
        if name.starts_with("cudamemcpy") || name.starts_with("cudamemset") {
            self.out.transfers.by_call += 1;
        } else {
            self.feature(feature);
        }
    }

    fn assignment(&mut self, lhs: &Expr, rhs: &Expr) {
        let t = match (self.is_device(lhs), self.is_device(rhs)) {
            (true, true) => &mut self.out.transfers.on_device,
            (true, false) => &mut self.out.transfers.to_device,
            (false, true) => &mut self.out.transfers.to_host,
            (false, false) => return,
        };
        *t += 1;
    }

    /// The expression is a designator of device data.
    fn is_device(&self, e: &Expr) -> bool {
        let mut e = e;
        while let ExprKind::Paren(inner) = &e.kind {
            e = inner;
        }
        let Some(symbol) = e
            .base_name()
            .and_then(|n| self.model.lookup(self.scope, &n.text))
        else {
            return false;
        };
        let space = match &self.model[symbol].kind {
            // The component, not the whole, says where the data is.
            _ if has_component(e) => self.model.space(&self.model.expr(self.scope, e)),
            SymbolKind::Variable(v) => Some(v.space),
            SymbolKind::Associate { space, .. } => *space,
            _ => None,
        };
        space.is_some_and(|s| matches!(s, Space::Device | Space::Constant | Space::Texture))
    }
}

fn has_component(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Component { .. } => true,
        ExprKind::Ref { base, .. } => has_component(base),
        _ => false,
    }
}
