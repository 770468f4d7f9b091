//! What is known while the statements of an iteration are followed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::path::Path;
use crate::ast::{self, Span, Stmt, StmtKind as Ast};
use crate::lower::cufloop::mentions::Places;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// Statements that are followed with all that is known of their paths.
pub(super) const PATIENCE: usize = 5_000;

/// A read of a scalar that may come before the iteration gives it a value.
#[derive(Clone, Debug)]
pub struct FirstRead {
    pub at: Span,
    /// The iteration cannot have given it a value before, but the one before it has.
    pub certain: bool,
    /// Constructs that assign the scalar on other paths.
    pub left_at: Vec<Span>,
}

/// What a procedure does with a scalar dummy.
#[derive(Clone, Debug, Default)]
pub struct DummyUse {
    /// Its value may be read before it is changed.
    pub read: bool,
    /// It may get a value.
    pub written: bool,
    /// It keeps its first value on some path.
    pub kept: bool,
    /// The dummies on whose first values the last one depends.
    pub from: BTreeSet<usize>,
}

/// What a procedure does with its scalar dummies, by position.
pub type Summary = BTreeMap<usize, DummyUse>;

/// Where a construct with a name, or a loop, is left.
pub(super) struct Frame {
    pub(super) name: Option<ast::Word>,
    pub(super) is_loop: bool,
    pub(super) exits: Vec<Path>,
    pub(super) cycles: Vec<Path>,
}

pub(super) struct Flow<'f> {
    pub(super) cells: &'f [TExpr],
    pub(super) by_root: BTreeMap<SymbolId, Vec<usize>>,
    /// Variables that are not the same in all iterations.
    pub(super) varying: &'f BTreeSet<SymbolId>,
    /// The variables of the mapped loops with their first values.
    pub(super) mapped: &'f [(SymbolId, TExpr)],
    /// Where the scalars stand.
    pub(super) places: Vec<u32>,
    pub(super) typed: HashMap<(ScopeId, Span), Rc<TExpr>>,
    pub(super) changes: HashMap<Span, Rc<BTreeSet<usize>>>,
    pub(super) frames: Vec<Frame>,
    /// States at the end of the iteration.
    pub(super) ends: Vec<Path>,
    /// States with which labels are reached by jumps.
    pub(super) landings: BTreeMap<u32, Path>,
    pub(super) grown: bool,
    pub(super) steps: usize,
    pub(super) first_reads: BTreeMap<usize, FirstRead>,
    /// Scalars that get a value somewhere.
    pub(super) written: BTreeSet<usize>,
    /// Procedures that are being looked at.
    pub(super) active: Vec<ScopeId>,
    pub(super) summaries: HashMap<ScopeId, Option<Rc<Summary>>>,
}

/// The parts of a scalar that are followed one by one.
pub fn parts(model: &Model, scalar: &TExpr, out: &mut Vec<TExpr>) {
    let whole = |out: &mut Vec<TExpr>| out.push(scalar.clone());
    if let Type::Complex(kind) = scalar.ty {
        for imaginary in [false, true] {
            let base = Box::new(scalar.clone());
            out.push(TExpr {
                kind: TExprKind::ComplexPart { base, imaginary },
                ty: Type::Real(kind),
                ..scalar.clone()
            });
        }
        return;
    }
    let Type::Derived(of) = scalar.ty else {
        return whole(out);
    };
    let components = model.components_of(of);
    let plain = |c: &&Field| c.dims.is_empty() && !c.attrs.is_dynamic() && !c.is_procedure;
    if model[of].parent.is_some() || components.is_empty() || !components.iter().all(plain) {
        return whole(out);
    }
    for (index, c) in components.into_iter().enumerate() {
        let component = TExpr {
            kind: TExprKind::Component {
                base: Box::new(scalar.clone()),
                of,
                index,
                name: c.name.clone(),
            },
            ty: c.ty.clone(),
            rank: 0,
            value: None,
            span: scalar.span,
        };
        parts(model, &component, out);
    }
}

impl<'f> Flow<'f> {
    pub(super) fn new(
        cells: &'f [TExpr],
        varying: &'f BTreeSet<SymbolId>,
        mapped: &'f [(SymbolId, TExpr)],
        places: &Places,
        active: Vec<ScopeId>,
    ) -> Self {
        let mut by_root: BTreeMap<SymbolId, Vec<usize>> = BTreeMap::new();
        for (n, c) in cells.iter().enumerate() {
            if let Some(r) = c.root() {
                by_root.entry(r).or_default().push(n);
            }
        }
        let found = by_root.keys().filter_map(|r| places.0.get(r));
        let mut places: Vec<u32> = found.flatten().copied().collect();
        places.sort_unstable();
        Flow {
            cells,
            by_root,
            varying,
            mapped,
            places,
            typed: HashMap::new(),
            changes: HashMap::new(),
            frames: Vec::new(),
            ends: Vec::new(),
            landings: BTreeMap::new(),
            grown: false,
            steps: 0,
            first_reads: BTreeMap::new(),
            written: BTreeSet::new(),
            active,
            summaries: HashMap::new(),
        }
    }
}

/// The statement has a jump in it.
pub(super) fn jumps(s: &Stmt) -> bool {
    let jump = matches!(
        s.kind,
        Ast::Cycle(_)
            | Ast::Exit(_)
            | Ast::Goto(_)
            | Ast::Return(_)
            | Ast::ComputedGoto { .. }
            | Ast::AssignedGoto { .. }
            | Ast::ArithmeticIf { .. }
            | Ast::Stop { .. }
    );
    jump || s.blocks().iter().any(|b| b.iter().any(jumps))
}

/// A jump out of the loop to somewhere else than behind it.
pub(super) fn jumps_far(body: &[Stmt], own: Option<&ast::Name>) -> bool {
    body.iter().any(|s| {
        let far = match &s.kind {
            Ast::Cycle(n) | Ast::Exit(n) => n
                .as_ref()
                .is_some_and(|n| own.is_none_or(|o| o.text != n.text)),
            Ast::LogicalIf { stmt, .. } => jumps_far(std::slice::from_ref(stmt), own),
            _ => s.blocks().is_empty() && jumps(s),
        };
        far || s.blocks().iter().any(|b| jumps_far(b, own))
    })
}
