//! Directives as data.

use super::clause::ClauseKind;
use crate::ast::{Expr, ExprKind, Name, Span};

/// A directive.
#[derive(Clone, Debug)]
pub struct Directive {
    pub kind: Kind,
    /// The words of its name.
    pub words: Span,
    /// In order. Of clauses for device types only those that hold for NVIDIA GPUs.
    pub clauses: Vec<Clause>,
    /// Of `wait(..)`, `routine(..)` and `cache(..)`.
    pub arguments: Vec<Item>,
    /// From the `!` to the end of its last line.
    pub span: Span,
    /// Some of it could not be read, and is left out.
    pub is_incomplete: bool,
}

/// What a directive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Parallel,
    Kernels,
    Serial,
    Loop,
    ParallelLoop,
    KernelsLoop,
    SerialLoop,
    Data,
    EnterData,
    ExitData,
    HostData,
    Update,
    Wait,
    Atomic(AtomicKind),
    Routine,
    Declare,
    Cache,
    Init,
    Shutdown,
    Set,
    /// The end of a construct.
    End(Ended),
}

/// The constructs that have an end directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Parallel,
    Kernels,
    Serial,
    Loop,
    ParallelLoop,
    KernelsLoop,
    SerialLoop,
    Data,
    HostData,
    Atomic,
}

/// What an atomic operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicKind {
    Read,
    Write,
    Update,
    Capture,
}

/// A clause.
#[derive(Clone, Debug)]
pub struct Clause {
    pub kind: ClauseKind,
    /// As it is written, folded.
    pub word: Name,
    /// The operator of `reduction`, `readonly`, `zero`, `force`.
    pub modifier: Option<Name>,
    pub items: Vec<Item>,
    /// There is a list in parentheses.
    pub has_list: bool,
    pub span: Span,
}

/// An argument of a clause or directive.
#[derive(Clone, Debug)]
pub struct Item {
    /// `num`, `static`, `dim`, `length`, `devnum`, `queues` before a colon.
    pub modifier: Option<Name>,
    pub value: Value,
    /// The section of an array that `private` or `firstprivate` lists; `value` is the array.
    pub section: Option<Expr>,
    /// Of the value.
    pub span: Span,
}

/// The value of an argument.
#[derive(Clone, Debug)]
pub enum Value {
    Expr(Expr),
    Star,
    /// `/name/`
    Common(Name),
}

impl Item {
    /// The item with the array of which it lists a section or an element.
    pub(super) fn of_whole_array(self) -> Item {
        let base = match &self.value {
            Value::Expr(Expr {
                kind: ExprKind::Ref { base, .. },
                ..
            }) if base.as_name().is_some() => base.as_ref().clone(),
            _ => return self,
        };
        Item {
            section: self.expr().cloned(),
            value: Value::Expr(base),
            ..self
        }
    }

    /// The expression.
    pub fn expr(&self) -> Option<&Expr> {
        match &self.value {
            Value::Expr(e) => Some(e),
            _ => None,
        }
    }

    /// The word, if the argument is nothing else.
    pub fn word(&self) -> Option<&str> {
        self.expr()?.as_name().map(|n| n.text.as_str())
    }
}

impl Clause {
    /// The only argument, if it has an expression.
    pub fn value(&self) -> Option<&Expr> {
        self.items.first().and_then(Item::expr)
    }

    /// The expressions of all arguments.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.items.iter().filter_map(Item::expr)
    }
}

impl Directive {
    /// The first clause of a kind.
    pub fn clause(&self, kind: ClauseKind) -> Option<&Clause> {
        self.clauses.iter().find(|c| c.kind == kind)
    }

    /// Whether there is a clause of a kind.
    pub fn has(&self, kind: ClauseKind) -> bool {
        self.clause(kind).is_some()
    }
}

/// The names of directives.
pub(super) const NAMES: [(&str, Kind); 36] = [
    ("parallel", Kind::Parallel),
    ("kernels", Kind::Kernels),
    ("serial", Kind::Serial),
    ("loop", Kind::Loop),
    ("parallel loop", Kind::ParallelLoop),
    ("kernels loop", Kind::KernelsLoop),
    ("serial loop", Kind::SerialLoop),
    ("data", Kind::Data),
    ("enter data", Kind::EnterData),
    ("exit data", Kind::ExitData),
    ("host_data", Kind::HostData),
    ("update", Kind::Update),
    ("wait", Kind::Wait),
    ("atomic", Kind::Atomic(AtomicKind::Update)),
    ("atomic read", Kind::Atomic(AtomicKind::Read)),
    ("atomic write", Kind::Atomic(AtomicKind::Write)),
    ("atomic update", Kind::Atomic(AtomicKind::Update)),
    ("atomic capture", Kind::Atomic(AtomicKind::Capture)),
    ("routine", Kind::Routine),
    ("declare", Kind::Declare),
    ("cache", Kind::Cache),
    ("init", Kind::Init),
    ("shutdown", Kind::Shutdown),
    ("set", Kind::Set),
    ("end parallel", Kind::End(Ended::Parallel)),
    ("end kernels", Kind::End(Ended::Kernels)),
    ("end serial", Kind::End(Ended::Serial)),
    ("end loop", Kind::End(Ended::Loop)),
    ("end parallel loop", Kind::End(Ended::ParallelLoop)),
    ("end kernels loop", Kind::End(Ended::KernelsLoop)),
    ("end serial loop", Kind::End(Ended::SerialLoop)),
    ("end data", Kind::End(Ended::Data)),
    ("end host_data", Kind::End(Ended::HostData)),
    ("end atomic", Kind::End(Ended::Atomic)),
    ("host data", Kind::HostData),
    ("end host data", Kind::End(Ended::HostData)),
];

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        let found = NAMES.iter().find(|(_, k)| *k == self);
        found.map_or("", |(n, _)| n)
    }

    /// A compute construct, combined or not.
    pub fn is_compute(self) -> bool {
        self.construct().is_some()
    }

    /// Of a compute construct, combined or not, the construct.
    pub fn construct(self) -> Option<Kind> {
        match self {
            Kind::Parallel | Kind::ParallelLoop => Some(Kind::Parallel),
            Kind::Kernels | Kind::KernelsLoop => Some(Kind::Kernels),
            Kind::Serial | Kind::SerialLoop => Some(Kind::Serial),
            _ => None,
        }
    }

    /// It governs the loop that follows.
    pub fn is_loop(self) -> bool {
        matches!(
            self,
            Kind::Loop | Kind::ParallelLoop | Kind::KernelsLoop | Kind::SerialLoop
        )
    }

    /// It governs the statements up to its end.
    pub fn is_block(self) -> bool {
        matches!(
            self,
            Kind::Parallel | Kind::Kernels | Kind::Serial | Kind::Data | Kind::HostData
        )
    }

    /// The end directive closes it.
    pub fn is_ended_by(self, end: Ended) -> bool {
        match end {
            Ended::Parallel => matches!(self, Kind::Parallel | Kind::ParallelLoop),
            Ended::Kernels => matches!(self, Kind::Kernels | Kind::KernelsLoop),
            Ended::Serial => matches!(self, Kind::Serial | Kind::SerialLoop),
            Ended::Loop => self.is_loop(),
            Ended::ParallelLoop => self == Kind::ParallelLoop,
            Ended::KernelsLoop => self == Kind::KernelsLoop,
            Ended::SerialLoop => self == Kind::SerialLoop,
            Ended::Data => self == Kind::Data,
            Ended::HostData => self == Kind::HostData,
            Ended::Atomic => matches!(self, Kind::Atomic(_)),
        }
    }
}
