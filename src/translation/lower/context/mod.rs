//! The context in which a body is lowered: what the program shares, and the state of one procedure or CUF loop.

pub(in crate::translation::lower) mod layout;
pub(in crate::translation::lower) mod origins;
pub(in crate::translation::lower) mod parts;
pub(in crate::translation::lower) mod query;
pub(in crate::translation::lower) mod rules;
pub(in crate::translation::lower) mod state;
mod submodule;
pub(in crate::translation::lower) mod together;

use crate::ast::Span;
use crate::ir::names;
use crate::ir::{self, *};
use crate::lower::context::parts::{
    DynamicShared, Hoisted, LocalNames, LoopVariables, SavedSubscripts,
};
use crate::lower::context::state::{Capture, Operands, Stored};
use crate::lower::context::together::Together;
use crate::lower::program::analysis::Analysis;
use crate::lower::program::effects::Facts;
use crate::lower::{FileName, Purpose};
use crate::sema::model::*;
use crate::sema::{Finding, Input};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

pub(in crate::translation::lower) use submodule::CallBelow;

/// What is known of the whole program before its bodies are lowered; only read.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    pub model: &'a Model,
    pub inputs: &'a [Input<'a>],
    pub names: &'a [FileName<'a>],
    pub analysis: &'a Analysis<'a>,
    /// Offsets of the line ends of each file, once they are asked for.
    pub line_ends: &'a [OnceLock<Vec<u32>>],
    pub purpose: Purpose,
}

/// What the bodies of a program unit share: the program, and what they collect.
pub struct Shared<'a> {
    pub model: &'a Model,
    pub inputs: &'a [Input<'a>],
    pub names: &'a [FileName<'a>],
    pub analysis: &'a Analysis<'a>,
    line_ends: &'a [OnceLock<Vec<u32>>],
    pub purpose: Purpose,
    /// Values of named constants by their C++ name (with the namespace, or the procedure's for local ones).
    pub constants: RefCell<BTreeMap<String, i128>>,
    pub findings: RefCell<Vec<Finding>>,
    /// Derived types and module-level constants and variables that device code uses.
    pub used_types: RefCell<BTreeSet<TypeId>>,
    pub used_symbols: RefCell<BTreeSet<SymbolId>>,
    /// Files whose headers a file needs.
    pub needs: RefCell<BTreeSet<(FileId, FileId)>>,
    pub headers: RefCell<BTreeSet<(FileId, String)>>,
    /// Device procedures of other languages, by file and name.
    pub externals: RefCell<BTreeMap<(FileId, String), ir::Proc>>,
    /// Kernels that device code launches: the header of their file declares them.
    pub children: RefCell<BTreeSet<ScopeId>>,
    /// Calls of procedures of submodules.
    pub below: RefCell<BTreeSet<CallBelow>>,
}

/// What one program unit collected, on its way to the rest of the program.
#[derive(Default)]
pub struct Collected {
    findings: Vec<Finding>,
    used_types: BTreeSet<TypeId>,
    used_symbols: BTreeSet<SymbolId>,
    needs: BTreeSet<(FileId, FileId)>,
    headers: BTreeSet<(FileId, String)>,
    externals: BTreeMap<(FileId, String), ir::Proc>,
    children: BTreeSet<ScopeId>,
    below: BTreeSet<CallBelow>,
}

impl<'a> Shared<'a> {
    pub fn new(program: Program<'a>) -> Shared<'a> {
        Shared {
            model: program.model,
            inputs: program.inputs,
            names: program.names,
            analysis: program.analysis,
            line_ends: program.line_ends,
            purpose: program.purpose,
            constants: RefCell::default(),
            findings: RefCell::default(),
            used_types: RefCell::default(),
            used_symbols: RefCell::default(),
            needs: RefCell::default(),
            headers: RefCell::default(),
            externals: RefCell::default(),
            children: RefCell::default(),
            below: RefCell::default(),
        }
    }

    /// The user's line (from 1) that an offset of a file's text stands on.
    pub fn line(&self, file: FileId, offset: u32) -> usize {
        let i = file.0 as usize;
        let ends = self.line_ends.get(i).zip(self.inputs.get(i));
        let line = ends.map_or(0, |(ends, input)| {
            let all = || input.text.match_indices('\n').map(|(n, _)| n as u32);
            let ends = ends.get_or_init(|| all().collect());
            ends.partition_point(|end| *end < offset)
        });
        let user = self.names.get(i).and_then(|n| n.lines.get(line));
        user.map_or(line + 1, |l| *l as usize)
    }

    /// The user's file and line of an offset, `heat.cuf:31`.
    pub fn place(&self, file: FileId, offset: u32) -> String {
        let source = self.names.get(file.0 as usize).map_or("", |n| n.source);
        format!("{source}:{}", self.line(file, offset))
    }

    /// What has been collected.
    pub fn into_collected(self) -> Collected {
        Collected {
            findings: self.findings.into_inner(),
            used_types: self.used_types.into_inner(),
            used_symbols: self.used_symbols.into_inner(),
            needs: self.needs.into_inner(),
            headers: self.headers.into_inner(),
            externals: self.externals.into_inner(),
            children: self.children.into_inner(),
            below: self.below.into_inner(),
        }
    }

    /// Adds what another program unit collected.
    pub fn add(&self, more: Collected) {
        self.findings.borrow_mut().extend(more.findings);
        self.used_types.borrow_mut().extend(more.used_types);
        self.used_symbols.borrow_mut().extend(more.used_symbols);
        self.needs.borrow_mut().extend(more.needs);
        self.headers.borrow_mut().extend(more.headers);
        self.externals.borrow_mut().extend(more.externals);
        self.children.borrow_mut().extend(more.children);
        self.below.borrow_mut().extend(more.below);
    }
}

impl Shared<'_> {
    pub fn finding(
        &self,
        file: FileId,
        span: Span,
        code: &'static str,
        message: String,
        help: Option<&str>,
    ) {
        let f = Finding {
            help: help.map(str::to_owned),
            ..Finding::new(code, file, span, message)
        };
        let mut all = self.findings.borrow_mut();
        if !all.contains(&f) {
            all.push(f);
        }
    }

    pub fn report(&self, f: Finding) {
        let mut all = self.findings.borrow_mut();
        if !all.contains(&f) {
            all.push(f);
        }
    }

    /// A warning.
    pub fn warn(&self, file: FileId, span: Span, code: &'static str, message: String) {
        self.finding(file, span, code, message, None);
        let mut all = self.findings.borrow_mut();
        if let Some(last) = all.last_mut().filter(|f| f.span == span && f.code == code) {
            last.warning = true;
        }
    }

    pub fn use_type(&self, t: TypeId) {
        self.used_types.borrow_mut().insert(t);
    }

    /// Namespace of the program unit that a scope belongs to.
    pub fn namespace_of(&self, scope: ScopeId) -> String {
        let unit = self.model.unit_of(scope);
        let known = self.analysis.units.get(&unit);
        known.map_or_else(String::new, |u| u.namespace.clone())
    }

    /// Name of the unit (module, submodule, program, external procedure) around a scope, as generated symbols have it.
    pub fn unit_name(&self, scope: ScopeId) -> String {
        let unit = self.model.unit_of(scope);
        let known = self.analysis.units.get(&unit);
        known.map_or_else(|| self.model[unit].name.clone(), |u| u.symbol.clone())
    }

    /// What generated code calls a procedure: its name, or for an internal procedure one that no other of the unit has.
    pub fn procedure_name(&self, procedure: SymbolId, body: ScopeId) -> String {
        let parent = self.model[body].parent.map(|p| self.model[p].kind);
        let stem = self
            .analysis
            .stems
            .get(&body)
            .filter(|_| matches!(parent, Some(ScopeKind::Procedure | ScopeKind::Program)));
        names::safe(stem.map_or(self.model[procedure].spelling.as_str(), String::as_str))
    }

    pub fn type_ident(&self, t: TypeId) -> Ident {
        let d = &self.model[t];
        let home = d.scope;
        let unit = self.namespace_of(home);
        // Types of several procedures of one unit may have the same name.
        let taken = |other: &TypeId| {
            let other = &self.model[*other];
            let at = other.scope;
            at != home && !other.external && self.namespace_of(at) == unit
        };
        let local = self.model[home].parent.is_some();
        let name = if local && self.model.types_named(&d.name).iter().any(taken) {
            self.local_name(home, &d.name)
        } else {
            d.name.clone()
        };
        Ident {
            space: Namespaces::Unit(unit),
            name: names::safe(&name),
        }
    }

    /// A name that the procedures and blocks around it make unique in the unit.
    fn local_name(&self, scope: ScopeId, name: &str) -> String {
        let s = &self.model[scope];
        let Some(parent) = s.parent else {
            return name.to_owned();
        };
        let stem = if s.name.is_empty() {
            let place = self.model[parent].children.iter().position(|c| *c == scope);
            format!("block{}", place.map_or(0, |n| n + 1))
        } else {
            s.name.clone()
        };
        self.local_name(parent, &format!("{stem}_{name}"))
    }
}

/// Lower and upper bounds as far as they are expressions that do not change.
pub type KnownBounds = Vec<(Option<Expr>, Option<Expr>)>;

/// How an entity is written and what is known of its bounds.
#[derive(Clone, Debug)]
pub struct Entity {
    pub expr: Expr,
    /// Bounds of an array where they can be written as expressions that do not change; None: ask the object.
    pub bounds: KnownBounds,
    /// `T*` that may be null: an optional dummy.
    pub optional: Option<String>,
}

/// Enclosing loops and switches, for CYCLE and EXIT.
#[derive(Clone, Debug)]
pub struct Frame {
    pub name: Option<String>,
    pub kind: FrameKind,
    /// Label after the construct / at the end of the body, once a jump needs it.
    pub exit_label: Option<String>,
    pub cycle_label: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    Loop,
    /// A C++ switch: `break` would leave it instead of the loop around.
    Switch,
    /// A mapped loop of a CUF kernel: all of them are one C++ loop.
    Mapped {
        innermost: bool,
    },
    /// Named IF, BLOCK, ASSOCIATE or SELECT that EXIT may leave.
    Block,
}

/// The body of one procedure or CUF loop while it is lowered.
pub struct LoweringContext<'a, 's> {
    pub sh: &'s Shared<'a>,
    pub file: FileId,
    pub input: Input<'a>,
    pub scope: ScopeId,
    /// Scope of the procedure; of the host procedure for a CUF loop.
    pub unit_scope: ScopeId,
    pub namespace: String,
    pub facts: Facts,
    pub vars: BTreeMap<SymbolId, Entity>,
    pub names: LocalNames,
    pub hoisted: Hoisted,
    pub frames: Vec<Frame>,
    pub result: Option<SymbolId>,
    pub failed: bool,
    /// What is refused is no finding: the host does it.
    pub quiet: bool,
    /// An operation of host code on whole arrays is being lowered: what it takes from the host.
    pub operands: Option<Operands>,
    pub dynamic: DynamicShared,
    /// The body is a CUF loop: variables of the host are captured when they are first met.
    pub capture: Option<Capture>,
    /// Named constants of the host procedure that an internal procedure uses.
    pub host_constants: Vec<ir::Stmt>,
    /// The threads of a block execute the statements together.
    pub(in crate::translation::lower) block: Option<Together>,
    pub loops: LoopVariables,
    /// Arguments of the statement functions being expanded.
    pub substitutions: Vec<BTreeMap<SymbolId, Expr>>,
    pub frozen: SavedSubscripts,
    /// Cray pointers with their targets.
    pub cray: BTreeMap<SymbolId, Vec<SymbolId>>,
    /// Where the variables of EQUIVALENCE statements lie.
    pub equivalence: BTreeMap<SymbolId, Stored>,
    /// Where the statement or declaration being lowered begins in the text.
    pub at: u32,
    /// The same as a whole; empty between them.
    pub extent: Span,
}

impl<'a, 's> LoweringContext<'a, 's> {
    pub fn new(
        sh: &'s Shared<'a>,
        file: FileId,
        scope: ScopeId,
        facts: Facts,
    ) -> Option<LoweringContext<'a, 's>> {
        let input = *sh.inputs.get(file.0 as usize)?;
        Some(LoweringContext {
            sh,
            file,
            input,
            scope,
            unit_scope: scope,
            namespace: sh.namespace_of(scope),
            facts,
            vars: BTreeMap::new(),
            names: LocalNames::default(),
            hoisted: Hoisted::default(),
            frames: Vec::new(),
            result: None,
            failed: false,
            quiet: false,
            operands: None,
            dynamic: DynamicShared::default(),
            capture: None,
            host_constants: Vec::new(),
            block: None,
            loops: LoopVariables::default(),
            substitutions: Vec::new(),
            frozen: SavedSubscripts::default(),
            cray: BTreeMap::new(),
            equivalence: BTreeMap::new(),
            at: 0,
            extent: Span::default(),
        })
    }

    /// The place of the statement being lowered, as a first argument of what stops the program there if it fails.
    pub fn place_text(&self) -> Expr {
        Expr::new(
            ExprKind::Str(self.sh.place(self.file, self.at)),
            ir::Type::Auto,
        )
    }

    pub fn model(&self) -> &'a Model {
        self.sh.model
    }

    /// Reports what cannot be translated; the procedure is then left out.
    pub fn refuse(&mut self, span: Span, code: &'static str, message: impl Into<String>) {
        self.failed = true;
        if self.quiet {
            return;
        }
        self.sh.finding(self.file, span, code, message.into(), None);
    }

    /// Refuses and gives an expression to go on with.
    pub fn refuse_expr(
        &mut self,
        span: Span,
        code: &'static str,
        message: impl Into<String>,
    ) -> Expr {
        self.refuse(span, code, message);
        Expr::int(0)
    }

    /// An identifier that nothing else in the function has, as near to `wanted` as possible.
    pub fn fresh(&mut self, wanted: &str) -> String {
        self.names.fresh(wanted)
    }

    /// A number for a generated variable: `t1`, `t2`, ... that no user name has.
    pub fn numbered(&mut self, stem: &str) -> String {
        self.names.numbered(stem)
    }

    /// Adds a statement before the one being lowered.
    pub fn before(&mut self, s: ir::Stmt) {
        self.hoisted.before(s);
    }

    /// Runs `f` and gives the statements it wanted before.
    pub fn with_hoisted<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> (Vec<ir::Stmt>, T) {
        self.hoisted.begin();
        let value = f(self);
        (self.hoisted.end(), value)
    }

    /// A constant temporary with the value, declared before the statement being lowered.
    pub fn temporary(&mut self, value: Expr) -> Expr {
        let name = self.numbered("t");
        let ty = value.ty.plain().clone();
        self.before(ir::Stmt::constant(ty.clone(), &name, value));
        Expr::name(&name, ty)
    }

    /// All names declared in the procedure keep their C++ identifiers to themselves, whatever is generated. What a construct
    /// inside declares under the name of something outside gets an identifier of its own: the scope of a C++ name begins before
    /// its initialiser, and captured data, constants and private variables of CUF loops are declared outside of all blocks.
    pub fn reserve_names(&mut self, scope: ScopeId) {
        let model = self.model();
        let mut all: Vec<SymbolId> = self.facts.mentioned.iter().copied().collect();
        all.extend(model[scope].names.values().copied());
        all.sort_by_key(|s| (self.depth(model[*s].scope), *s));
        all.dedup();
        let identifier = |s: SymbolId| names::safe(&model[s].spelling).to_ascii_lowercase();
        for s in &all {
            self.names.take(identifier(*s));
        }
        let mut owners: BTreeMap<String, Vec<ScopeId>> = BTreeMap::new();
        for s in all {
            let home = model[s].scope;
            let homes = owners.entry(identifier(s)).or_default();
            // Those of constructs side by side do not meet.
            if homes
                .iter()
                .any(|other| *other != home && self.encloses(*other, home))
            {
                self.names.rename(model, s);
            } else {
                homes.push(home);
            }
        }
    }

    /// Number of scopes around a scope.
    fn depth(&self, scope: ScopeId) -> usize {
        std::iter::successors(self.model()[scope].parent, |s| self.model()[*s].parent).count()
    }

    /// `inner` is `outer` or inside it, or sees what is declared in there.
    fn encloses(&self, outer: ScopeId, inner: ScopeId) -> bool {
        let mut around = std::iter::successors(Some(inner), |s| self.model()[*s].parent);
        // What comes by USE association is declared in no scope around, and is outside of all constructs.
        let construct = matches!(
            self.model()[outer].kind,
            ScopeKind::Block | ScopeKind::Associate
        );
        !construct || around.any(|s| s == outer)
    }

    /// The identifier of a variable of this procedure (already reserved).
    pub fn local_name(&self, s: SymbolId) -> String {
        self.names.of(self.model(), s)
    }
}
