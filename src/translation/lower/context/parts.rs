//! The parts of the context in which a body is lowered, each with one job.

use std::collections::{BTreeMap, BTreeSet};

use super::Entity;
use crate::ast::Span;
use crate::ir::{self, Expr, names};
use crate::sema::model::{Model, SymbolId};

/// The C++ identifiers of a function.
#[derive(Default)]
pub struct LocalNames {
    /// Those that are taken, folded.
    taken: BTreeSet<String>,
    /// Those of the variables that another one around them keeps from having their own name.
    renamed: BTreeMap<SymbolId, String>,
}

impl LocalNames {
    /// Nothing else gets the (folded) identifier. False if something has it.
    pub fn take(&mut self, name: String) -> bool {
        self.taken.insert(name)
    }

    /// Other things may get the (folded) identifier again: its scope has ended.
    pub fn free(&mut self, name: &str) {
        self.taken.remove(name);
    }

    /// An identifier that nothing else in the function has, as near to `wanted` as possible.
    pub fn fresh(&mut self, wanted: &str) -> String {
        // What ends in an underscore is no user's name.
        let base = match wanted.ends_with('_') {
            true => wanted.to_owned(),
            false => names::safe(wanted),
        };
        let mut name = base.clone();
        let mut n = 1;
        while !self.taken.insert(name.to_ascii_lowercase()) {
            n += 1;
            name = format!("{base}{n}");
        }
        name
    }

    /// A number for a generated variable: `t1`, `t2`, ... that no user name has.
    pub fn numbered(&mut self, stem: &str) -> String {
        let mut n = 1;
        while !self.taken.insert(format!("{stem}{n}")) {
            n += 1;
        }
        format!("{stem}{n}")
    }

    /// The variable gets an identifier of its own.
    pub fn rename(&mut self, model: &Model, s: SymbolId) {
        let name = self.fresh(&model[s].spelling);
        self.renamed.insert(s, name);
    }

    /// The identifier of a variable of the procedure (already reserved).
    pub fn of(&self, model: &Model, s: SymbolId) -> String {
        match self.renamed.get(&s) {
            Some(name) => name.clone(),
            None => names::safe(&model[s].spelling),
        }
    }
}

/// Statements to be executed before the one being lowered, and the values that stand in temporaries already.
pub struct Hoisted {
    /// Innermost collection last.
    pre: Vec<Vec<ir::Stmt>>,
    /// By their place in the source and the depth of their collection.
    held: Vec<(usize, Span, Entity)>,
    /// Loops over the elements of an array statement around what is being lowered.
    pub loops: usize,
}

impl Default for Hoisted {
    fn default() -> Self {
        Hoisted {
            pre: vec![Vec::new()],
            held: Vec::new(),
            loops: 0,
        }
    }
}

impl Hoisted {
    /// Adds a statement before the one being lowered.
    pub fn before(&mut self, s: ir::Stmt) {
        if let Some(p) = self.pre.last_mut() {
            p.push(s);
        }
    }

    /// The statements before the one being lowered.
    pub fn statements(&mut self) -> Option<&mut Vec<ir::Stmt>> {
        self.pre.last_mut()
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.pre.last().map_or(0, Vec::len)
    }

    /// Begins a collection of its own.
    pub fn begin(&mut self) {
        self.pre.push(Vec::new());
    }

    /// Ends it: its statements. What they hold is held no longer.
    pub fn end(&mut self) -> Vec<ir::Stmt> {
        let statements = self.pre.pop().unwrap_or_default();
        let depth = self.pre.len();
        self.held.retain(|(at, ..)| *at <= depth);
        statements
    }

    /// What holds the value of the expression at a place.
    pub fn holding(&self, at: Span) -> Option<&Entity> {
        let mut all = self.held.iter();
        all.find(|(_, place, _)| *place == at).map(|(.., e)| e)
    }

    /// The value of the expression at a place is held.
    pub fn hold(&mut self, at: Span, entity: Entity) {
        self.held.push((self.pre.len(), at, entity));
    }

    /// The scalar at a place has its value in this expression.
    pub fn hold_value(&mut self, at: Span, value: &Expr) {
        let entity = Entity {
            expr: value.clone(),
            bounds: Vec::new(),
            optional: None,
        };
        self.hold(at, entity);
    }

    /// Only what satisfies the condition is held on.
    pub fn keep_only(&mut self, mut kept: impl FnMut(Span, &Entity) -> bool) {
        self.held.retain(|(_, at, e)| kept(*at, e));
    }
}

/// Subscripts of the place being assigned to that the assignment itself could change: their values before it, by their place.
#[derive(Default)]
pub struct SavedSubscripts {
    pub scalars: BTreeMap<(u32, u32), Expr>,
    pub vectors: BTreeMap<(u32, u32), Entity>,
}

/// The block's dynamic shared memory.
pub struct DynamicShared {
    /// Offset in bytes of the next automatic array.
    pub offset: Expr,
    /// Bytes that the offset is surely a multiple of.
    pub multiple: i128,
}

impl Default for DynamicShared {
    fn default() -> Self {
        DynamicShared {
            offset: Expr::int(0),
            multiple: 16,
        }
    }
}

/// Loops that declare their variable.
#[derive(Default)]
pub struct LoopVariables {
    /// Locals declared in their `for` statements.
    pub locals: BTreeSet<SymbolId>,
    /// DO loops that declare their variable, though it is declared outside, too.
    pub unread: BTreeSet<Span>,
}
