//! The clauses: names, arguments, and the directives that accept them (OpenACC 3.3, chapter 2).

use super::directive::Kind;

/// What a clause is. `pcopy`, `present_or_copy` and their like are the clauses without the prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClauseKind {
    Async,
    Attach,
    Auto,
    Bind,
    Collapse,
    Copy,
    Copyin,
    Copyout,
    Create,
    Default,
    DefaultAsync,
    Delete,
    Detach,
    Device,
    DeviceNum,
    DeviceResident,
    DeviceType,
    Deviceptr,
    Finalize,
    Firstprivate,
    Gang,
    Host,
    If,
    IfPresent,
    Independent,
    Link,
    NoCreate,
    Nohost,
    NumGangs,
    NumWorkers,
    Present,
    Private,
    Reduction,
    /// `self(condition)` of a construct; of `update` it is [`ClauseKind::Host`].
    SelfClause,
    Seq,
    Tile,
    UseDevice,
    Vector,
    VectorLength,
    Wait,
    Worker,
}

use ClauseKind::*;

/// The argument of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    None,
    /// One expression.
    One,
    /// One expression or none.
    AtMostOne,
    /// Variables, sections, common blocks.
    Variables,
    /// One value or more.
    Values,
    /// Any number of values, or no list.
    Optional,
}

/// A row of the table of clauses.
pub(super) struct Row {
    pub name: &'static str,
    pub kind: ClauseKind,
    pub argument: Argument,
}

const fn row(name: &'static str, kind: ClauseKind, argument: Argument) -> Row {
    Row {
        name,
        kind,
        argument,
    }
}

/// The names of clauses. The first row of a kind has its usual name.
pub(super) const CLAUSES: [Row; 50] = [
    row("async", Async, Argument::AtMostOne),
    row("attach", Attach, Argument::Variables),
    row("auto", Auto, Argument::None),
    row("bind", Bind, Argument::One),
    row("collapse", Collapse, Argument::One),
    row("copy", Copy, Argument::Variables),
    row("copyin", Copyin, Argument::Variables),
    row("copyout", Copyout, Argument::Variables),
    row("create", Create, Argument::Variables),
    row("default", Default, Argument::One),
    row("default_async", DefaultAsync, Argument::One),
    row("delete", Delete, Argument::Variables),
    row("detach", Detach, Argument::Variables),
    row("device", Device, Argument::Variables),
    row("device_num", DeviceNum, Argument::One),
    row("device_resident", DeviceResident, Argument::Variables),
    row("device_type", DeviceType, Argument::Values),
    row("deviceptr", Deviceptr, Argument::Variables),
    row("finalize", Finalize, Argument::None),
    row("firstprivate", Firstprivate, Argument::Variables),
    row("gang", Gang, Argument::Optional),
    row("host", Host, Argument::Variables),
    row("if", If, Argument::One),
    row("if_present", IfPresent, Argument::None),
    row("independent", Independent, Argument::None),
    row("link", Link, Argument::Variables),
    row("no_create", NoCreate, Argument::Variables),
    row("nohost", Nohost, Argument::None),
    row("num_gangs", NumGangs, Argument::Values),
    row("num_workers", NumWorkers, Argument::One),
    row("present", Present, Argument::Variables),
    row("private", Private, Argument::Variables),
    row("reduction", Reduction, Argument::Variables),
    row("self", SelfClause, Argument::AtMostOne),
    row("seq", Seq, Argument::None),
    row("tile", Tile, Argument::Values),
    row("use_device", UseDevice, Argument::Variables),
    row("vector", Vector, Argument::AtMostOne),
    row("vector_length", VectorLength, Argument::One),
    row("wait", Wait, Argument::Optional),
    row("worker", Worker, Argument::AtMostOne),
    // Other names of the same.
    row("dtype", DeviceType, Argument::Values),
    row("pcopy", Copy, Argument::Variables),
    row("pcopyin", Copyin, Argument::Variables),
    row("pcopyout", Copyout, Argument::Variables),
    row("pcreate", Create, Argument::Variables),
    row("present_or_copy", Copy, Argument::Variables),
    row("present_or_copyin", Copyin, Argument::Variables),
    row("present_or_copyout", Copyout, Argument::Variables),
    row("present_or_create", Create, Argument::Variables),
];

impl ClauseKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        let found = CLAUSES.iter().find(|r| r.kind == self);
        found.map_or("", |r| r.name)
    }

    /// A clause that gives variables a place in device memory.
    pub fn is_data(self) -> bool {
        matches!(
            self,
            Copy | Copyin | Copyout | Create | NoCreate | Present | Deviceptr | Attach
        )
    }

    /// It may list common blocks.
    pub(super) fn accepts_common(self) -> bool {
        self.is_data() || matches!(self, DeviceResident | Link | Delete | Host | Device)
    }

    pub(super) fn argument(self) -> Argument {
        let found = CLAUSES.iter().find(|r| r.kind == self);
        found.map_or(Argument::None, |r| r.argument)
    }

    /// A directive accepts several of it.
    pub(super) fn may_repeat(self) -> bool {
        matches!(self.argument(), Argument::Variables) || matches!(self, Wait | DeviceType)
    }
}

const COMPUTE: &[ClauseKind] = &[
    Async, Wait, DeviceType, If, SelfClause, Default, Copy, Copyin, Copyout, Create, NoCreate,
    Present, Deviceptr, Attach,
];
const PARALLEL: &[ClauseKind] = &[
    NumGangs,
    NumWorkers,
    VectorLength,
    Private,
    Firstprivate,
    Reduction,
];
const KERNELS: &[ClauseKind] = &[NumGangs, NumWorkers, VectorLength];
const SERIAL: &[ClauseKind] = &[Private, Firstprivate, Reduction];
const LOOP: &[ClauseKind] = &[
    Collapse,
    Gang,
    Worker,
    Vector,
    Seq,
    Independent,
    Auto,
    Tile,
    DeviceType,
    Private,
    Reduction,
];
const DATA: &[ClauseKind] = &[
    If, Async, Wait, DeviceType, Copy, Copyin, Copyout, Create, NoCreate, Present, Deviceptr,
    Attach, Default,
];

/// The clauses that a directive accepts.
pub(super) fn accepted(kind: Kind) -> Vec<ClauseKind> {
    let parts: &[&[ClauseKind]] = match kind {
        Kind::Parallel => &[COMPUTE, PARALLEL],
        Kind::Kernels => &[COMPUTE, KERNELS],
        Kind::Serial => &[COMPUTE, SERIAL],
        Kind::Loop => &[LOOP],
        Kind::ParallelLoop => &[COMPUTE, PARALLEL, LOOP],
        Kind::KernelsLoop => &[COMPUTE, KERNELS, LOOP],
        Kind::SerialLoop => &[COMPUTE, SERIAL, LOOP],
        Kind::Data => &[DATA],
        Kind::EnterData => &[&[If, Async, Wait, Copyin, Create, Attach]],
        Kind::ExitData => &[&[If, Async, Wait, Copyout, Delete, Detach, Finalize]],
        Kind::HostData => &[&[UseDevice, If, IfPresent]],
        Kind::Update => &[&[Async, Wait, DeviceType, If, IfPresent, Host, Device]],
        Kind::Wait => &[&[Async, If]],
        Kind::Atomic(_) => &[&[If]],
        Kind::Routine => &[&[Gang, Worker, Vector, Seq, Bind, DeviceType, Nohost]],
        Kind::Declare => &[&[
            Copy,
            Copyin,
            Copyout,
            Create,
            Present,
            Deviceptr,
            DeviceResident,
            Link,
        ]],
        Kind::Init | Kind::Shutdown => &[&[DeviceType, DeviceNum, If]],
        Kind::Set => &[&[DefaultAsync, DeviceNum, DeviceType, If]],
        Kind::Cache | Kind::End(_) => &[],
    };
    parts.concat()
}
