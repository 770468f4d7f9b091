//! What a file uses of CUDA Fortran: counts of kernels, loops, transfers and features, for `cuf2cu check` and `cuf2cu report`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::ast::*;
use crate::sema::Input;
use crate::sema::library::runtime_modules;
use crate::sema::model::{CodeContext, FileId, Model, ScopeId, Space, SymbolKind};
use crate::statement_stats::Places;

/// Things of one sort, and how many of them lie where an error was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Count {
    pub found: usize,
    /// Of these: with an error in them. Their file has no output.
    pub refused: usize,
}

/// Assignments and calls of host code that move data, by direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
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
    /// Kernels that OpenACC's compute constructs become.
    pub acc_kernels: Count,
    /// Calls with chevrons.
    pub launches: usize,
    pub transfers: Transfers,
    /// Features by name, and how often each stands in the text.
    pub features: BTreeMap<&'static str, usize>,
    /// Modules used that are not in the program, and by how many files.
    pub modules: BTreeMap<String, usize>,
    /// Those of them that neither the Fortran compiler nor cuf2cu brings.
    #[serde(skip)]
    pub foreign_modules: BTreeSet<String>,
    /// References of procedures of the runtime and of CUDA's libraries in host code, by subject.
    #[serde(skip)]
    pub calls: BTreeMap<Subject, BTreeMap<String, Calls>>,
    /// What is no CUDA Fortran, or is written like any Fortran, and may behave otherwise afterwards.
    #[serde(skip)]
    pub remarks: BTreeMap<&'static str, usize>,
    /// The user's file and line where the first of each feature and remark stands.
    #[serde(skip)]
    pub first: BTreeMap<&'static str, (PathBuf, u32)>,
}

/// What procedures of the host belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A part of the runtime API.
    Runtime(&'static str),
    /// A library of CUDA.
    Library(&'static str),
}

/// References of one procedure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// As the first of them writes the name.
    pub name: String,
    pub number: usize,
}

/// The place of an offset of the text in the user's file.
pub type PlaceOf<'a> = &'a dyn Fn(u32) -> (PathBuf, u32);

/// See [`Survey::remarks`].
pub const CONCURRENT: &str = "DO CONCURRENT in host code";
pub const LISTS: &str = "list-directed output";
pub const ELEMENTS: &str = "expressions of host code with elements of device data";

pub const OPENACC: &str = "OpenACC directives (kept)";
pub const OPENMP: &str = "OpenMP directives (kept)";

impl Survey {
    /// Whether the file has anything of CUDA Fortran.
    pub fn has_cuda(&self) -> bool {
        let kept = |name: &&&str| matches!(**name, OPENACC | OPENMP);
        let features = self.features.len() - self.features.keys().filter(kept).count();
        features
            + self.kernels.found
            + self.device_procedures.found
            + self.cuf_loops.found
            + self.acc_kernels.found
            > 0
            || self.launches + self.transfers.total() > 0
            || !self.calls.is_empty()
    }

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
            (&mut self.acc_kernels, other.acc_kernels),
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
        self.foreign_modules
            .extend(other.foreign_modules.iter().cloned());
        for (subject, calls) in &other.calls {
            let own = self.calls.entry(*subject).or_default();
            for (folded, more) in calls {
                own.entry(folded.clone()).or_default().add(more);
            }
        }
        for (name, n) in &other.remarks {
            *self.remarks.entry(name).or_default() += n;
        }
        for (name, place) in &other.first {
            self.first.entry(name).or_insert_with(|| place.clone());
        }
    }
}

impl Calls {
    fn add(&mut self, other: &Calls) {
        self.number += other.number;
        if self.name.is_empty() {
            self.name.clone_from(&other.name);
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
    place_of: PlaceOf<'_>,
) -> Survey {
    let mut surveyor = Surveyor {
        model,
        file,
        text: input.text,
        refused,
        place_of,
        scope: ScopeId(0),
        device: false,
        out: Survey::default(),
    };
    for c in &input.ast.comments {
        let text = input.text.get(c.span.start as usize..c.span.end as usize);
        surveyor.comment(text.unwrap_or_default(), c.span);
    }
    let units = model.files.get(file.0 as usize).map(|f| &f.units[..]);
    for (unit, scope) in input.ast.units.iter().zip(units.unwrap_or_default()) {
        surveyor.unit(unit, Some(*scope));
    }
    let outside = |m: &&String| {
        if *m == runtime_modules::OPENACC_RUNTIME {
            return false;
        }
        let known = model.module_of(file, m);
        known.is_none_or(|s| model.is_foreign(s))
    };
    let modules = uses.iter().filter(outside).map(|m| (m.clone(), 1));
    surveyor.out.modules = modules.collect();
    let brought =
        |m: &&String| model.module_of(file, m).is_some() || runtime_modules::find(m).is_some();
    let all = surveyor.out.modules.keys();
    surveyor.out.foreign_modules = all.filter(|m| !brought(m)).cloned().collect();
    surveyor.out
}

struct Surveyor<'a> {
    model: &'a Model,
    file: FileId,
    text: &'a str,
    refused: &'a Places,
    place_of: PlaceOf<'a>,
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

/// How a name begins, the feature that it is one of, and the subject of its call.
type Row = (&'static str, &'static str, Subject);

/// Names of the runtime and of the libraries in host code by how they begin; the first that fits counts.
const HOST_NAMES: &[Row] = &[
    ("cudastream", "streams", Subject::Runtime("streams")),
    (
        "cudaforsetdefaultstream",
        "streams",
        Subject::Runtime("streams"),
    ),
    (
        "cudaforgetdefaultstream",
        "streams",
        Subject::Runtime("streams"),
    ),
    ("cudaevent", "events", Subject::Runtime("events")),
    ("cudabindtexture", "textures", Subject::Runtime("textures")),
    (
        "cudaunbindtexture",
        "textures",
        Subject::Runtime("textures"),
    ),
    ("cudagraph", "graphs", Subject::Runtime("graphs")),
    ("cudamalloc", RUNTIME, Subject::Runtime(MEMORY)),
    ("cudafree", RUNTIME, Subject::Runtime(MEMORY)),
    ("cudamem", RUNTIME, Subject::Runtime(MEMORY)),
    ("cudahost", RUNTIME, Subject::Runtime(MEMORY)),
    ("cudagetsymbol", RUNTIME, Subject::Runtime(MEMORY)),
    ("cudapointer", RUNTIME, Subject::Runtime(MEMORY)),
    ("cudagetlasterror", RUNTIME, Subject::Runtime("errors")),
    ("cudapeek", RUNTIME, Subject::Runtime("errors")),
    ("cudageterror", RUNTIME, Subject::Runtime("errors")),
    (
        "cudafunc",
        RUNTIME,
        Subject::Runtime("kernels and occupancy"),
    ),
    (
        "cudaoccupancy",
        RUNTIME,
        Subject::Runtime("kernels and occupancy"),
    ),
    (
        "cudalaunch",
        RUNTIME,
        Subject::Runtime("kernels and occupancy"),
    ),
    ("cudathread", RUNTIME, Subject::Runtime("devices")),
    ("cuda", RUNTIME, Subject::Runtime("devices")),
    ("cublas", "cuBLAS", Subject::Library("cuBLAS")),
    ("cufft", "cuFFT", Subject::Library("cuFFT")),
    ("curand", "cuRAND", Subject::Library("cuRAND")),
    ("cusparse", "cuSPARSE", Subject::Library("cuSPARSE")),
    ("cusolver", "cuSOLVER", Subject::Library("cuSOLVER")),
    ("cutensor", "cuTENSOR", Subject::Library("cuTENSOR")),
    ("nccl", "NCCL", Subject::Library("NCCL")),
    ("nvshmem", "NVSHMEM", Subject::Library("NVSHMEM")),
    ("nvtx", "NVTX", Subject::Library("NVTX")),
];

/// The feature that calls of the runtime are which have no feature of their own.
pub const RUNTIME: &str = "calls of the CUDA runtime";
const MEMORY: &str = "memory and copies";

impl Surveyor<'_> {
    fn feature(&mut self, name: &'static str, at: Span) {
        *self.out.features.entry(name).or_default() += 1;
        self.stands(name, at);
    }

    fn remark(&mut self, name: &'static str, at: Span) {
        *self.out.remarks.entry(name).or_default() += 1;
        self.stands(name, at);
    }

    /// Notes where the first of a name stands: the text is not walked in its order.
    fn stands(&mut self, name: &'static str, at: Span) {
        let place = (self.place_of)(at.start);
        let first = self.out.first.entry(name).or_insert_with(|| place.clone());
        if place < *first {
            *first = place;
        }
    }

    fn count(&self, span: Span) -> Count {
        Count {
            found: 1,
            refused: usize::from(self.refused.touch(&span)),
        }
    }

    fn comment(&mut self, text: &str, at: Span) {
        let Some(sentinel) = text.get(..5).map(str::to_ascii_lowercase) else {
            return;
        };
        match sentinel.as_str() {
            "!$acc" | "c$acc" | "*$acc" => self.feature(OPENACC, at),
            "!$omp" | "c$omp" | "*$omp" => self.feature(OPENMP, at),
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
            self.feature("cooperative launches", unit.span);
        }
        if !unit.prefix.launch_bounds.is_empty() {
            self.feature("launch bounds", unit.span);
        }
        if !unit.prefix.cluster_dims.is_empty() {
            self.feature("thread block clusters", unit.span);
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
                DeclKind::Type(t) => self.entities(&t.attrs, t.entities.len(), d.span),
                DeclKind::Attributes { attrs, entities } => {
                    self.entities(attrs, entities.len(), d.span)
                }
                DeclKind::DerivedType(t) => {
                    for c in &t.components {
                        if let Component::Data(t) = c {
                            self.entities(&t.attrs, t.entities.len(), d.span);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn entities(&mut self, attrs: &[Attr], number: usize, at: Span) {
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
            self.stands(name, at);
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
            StmtKind::Call(c) => self.call(c, s.span),
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
                    DoControl::Concurrent(_) if !self.device => self.remark(CONCURRENT, s.span),
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
            | StmtKind::Read { items, .. } => {
                if !self.device && is_list_directed_output(&s.kind) {
                    self.remark(LISTS, s.span);
                }
                items.iter().for_each(|e| self.expr(e));
            }
            StmtKind::CufKernel(k) => {
                let one = self.count(s.span);
                let sum = match k.mapping.origin() {
                    LoopOrigin::CufLoop => &mut self.out.cuf_loops,
                    LoopOrigin::Construct => &mut self.out.acc_kernels,
                };
                sum.found += one.found;
                sum.refused += one.refused;
                let saved = std::mem::replace(&mut self.device, true);
                if let Some(body) = &k.body {
                    self.stmt(body);
                }
                self.device = saved;
            }
            _ => {}
        }
    }

    fn call(&mut self, c: &Call, at: Span) {
        if let Some(l) = &c.launch {
            self.out.launches += 1;
            if self.device {
                self.feature("dynamic parallelism", at);
            }
            if matches!(
                l.args.first().map(|a| &a.value.kind),
                Some(ExprKind::Star { .. })
            ) {
                self.feature("grid sizes chosen by the runtime", at);
            }
            if l.args.len() > 3 {
                self.feature("streams", at);
            }
        } else if let Some(n) = c.callee.as_name() {
            self.name(n);
        }
        c.args.iter().for_each(|a| self.expr(&a.value));
    }

    /// Counts the references of runtime procedures in an expression.
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Ref { base, .. } = &e.kind
            && let Some(n) = base.as_name()
        {
            self.name(n);
        }
        e.for_each_child(&mut |c| self.expr(c));
    }

    fn name(&mut self, written: &Name) {
        let name = written.text.as_str();
        let symbol = self.model.lookup(self.scope, name);
        let of_the_program = symbol.is_some_and(|s| {
            let known = !matches!(self.model[s].kind, SymbolKind::Unknown);
            known && !self.model.is_foreign(self.model[s].scope)
        });
        if of_the_program {
            return;
        }
        if self.device {
            let row = DEVICE_NAMES
                .iter()
                .find(|(start, _)| name.starts_with(start));
            if let Some((_, feature)) = row {
                self.feature(feature, written.span);
            }
            return;
        }
        let row_of = |name: &str| HOST_NAMES.iter().find(|r| name.starts_with(r.0));
        // Procedures of libraries have other names, too: DGEMM of module cublas.
        let of_module = || {
            let scope = &self.model[self.model[symbol?].scope];
            let file = self.model.files.get(scope.file.0 as usize)?;
            let library = |r: &&Row| file.library && matches!(r.2, Subject::Library(_));
            row_of(&scope.name).filter(library)
        };
        let Some((_, feature, subject)) = row_of(name).or_else(of_module) else {
            return;
        };
        let span = written.span;
        let spelled = self.text.get(span.start as usize..span.end as usize);
        let one = Calls {
            name: spelled.unwrap_or(name).to_owned(),
            number: 1,
        };
        let calls = self.out.calls.entry(*subject).or_default();
        calls.entry(name.to_owned()).or_default().add(&one);
        if name.starts_with("cudamemcpy") || name.starts_with("cudamemset") {
            self.out.transfers.by_call += 1;
        } else {
            self.feature(feature, span);
        }
    }

    fn assignment(&mut self, lhs: &Expr, rhs: &Expr) {
        let t = match (self.is_device(lhs), self.is_device(rhs)) {
            (true, true) => &mut self.out.transfers.on_device,
            (true, false) => &mut self.out.transfers.to_device,
            (false, true) => &mut self.out.transfers.to_host,
            (false, false) => {
                if self.holds_device(rhs) {
                    self.remark(ELEMENTS, lhs.span);
                }
                return;
            }
        };
        *t += 1;
    }

    /// A part of the expression is a designator of device data; what is passed to a procedure, or is subscripted, is none.
    fn holds_device(&self, e: &Expr) -> bool {
        if self.is_device(e) {
            return true;
        }
        let mut found = false;
        if !matches!(e.kind, ExprKind::Ref { .. }) {
            e.for_each_child(&mut |c| found |= self.holds_device(c));
        }
        found
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

/// PRINT *, and WRITE (*, *) to whatever unit: numbers have the widths of the compiler.
fn is_list_directed_output(s: &StmtKind) -> bool {
    let format = match s {
        StmtKind::Print { format, .. } => Some(format),
        StmtKind::Write { control, .. } => {
            let named = |a: &&Arg| a.keyword.as_ref().is_some_and(|k| k.text == "fmt");
            let second = control.get(1).filter(|a| a.keyword.is_none());
            control.iter().find(named).or(second).map(|a| &a.value)
        }
        _ => None,
    };
    format.is_some_and(|f| matches!(f.kind, ExprKind::Star { .. }))
}
