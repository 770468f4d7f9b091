//! The semantic model of a whole program: scopes, symbols, types. Built once from all files, then only read.
//!
//! Identity is by index ([`ScopeId`], [`SymbolId`], [`TypeId`]): a use-associated or host-associated name has the
//! [`SymbolId`] of the entity it was declared as, whatever it is called locally.

pub(in crate::translation::sema) mod diagnostic_subject;
pub mod dialect;
pub mod externals;
pub mod index;
pub(in crate::translation::sema) mod lookup;
pub mod loop_nest;
pub mod memory_mode;
pub(in crate::translation::sema) mod module_names;
pub mod query;
pub mod sides;
pub mod suggestions;

use crate::libraries::Choice;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::ast::{self, Span, Word};
use crate::sema::model::dialect::Dialect;

macro_rules! id {
    ($(#[$m:meta])* $name:ident) => {
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
    };
}
/// A set of named flags in one integer.
macro_rules! bitflags_like {
    ($(#[$m:meta])* $name:ident : $repr:ty { $($flag:ident = $bit:expr),* $(,)? }) => {
        $(#[$m])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name(pub $repr);
        impl $name {
            $(pub const $flag: $name = $name(1 << $bit);)*
            /// All flags of `other` are set.
            pub fn has(self, other: $name) -> bool {
                self.0 & other.0 == other.0
            }
            pub fn set(&mut self, other: $name) {
                self.0 |= other.0;
            }
        }
    };
}

id!(/// A scope: program unit, procedure, BLOCK, derived type, interface body...
    ScopeId);
id!(/// A declared entity.
    SymbolId);
id!(/// A derived type.
    TypeId);
id!(/// A source file, in the order given to the analysis.
    FileId);

/// Things by name, in the order in which they came.
pub type Names<T> = IndexMap<Word, T, FxBuildHasher>;

/// The model. Index with the ids.
#[derive(Debug, Default)]
pub struct Model {
    pub dialect: Dialect,
    pub files: Vec<FileInfo>,
    pub scopes: Vec<Scope>,
    pub symbols: Vec<Symbol>,
    pub types: Vec<DerivedType>,
    /// Program units of all files by name.
    pub units_by_name: Names<Vec<ScopeId>>,
    /// External procedures defined in the program, by name (the first of each name).
    pub externals: Names<SymbolId>,
    /// What files that are compiled by themselves say of the external procedures that they define.
    pub outside: externals::Sequences,
    /// Types of the runtime's and compiler's modules in use, by name.
    pub external_types: Names<TypeId>,
    /// Modules by name (the first of each name; see `Model::module_of` for a file's view), intrinsic ones and the runtime's (`cudafor`, ...) included when used.
    pub modules: Names<ScopeId>,
    /// Files in an order in which every module stands before its users.
    pub file_order: Vec<FileId>,
    /// C_F_POINTER occurs: pointers may be associated by address with data that is no target.
    pub has_address_pointers: bool,
    /// Generics made of others by USE or by an interface block that extends them, both ways.
    pub generic_kin: std::collections::BTreeMap<SymbolId, Vec<SymbolId>>,
    /// COMMON statements: the scope, the name of the block, and those of its variables.
    pub commons: Vec<(ScopeId, Word, Vec<Word>)>,
    /// Module data that OpenACC declares on the device: device code reaches their copies there.
    pub present: BTreeSet<SymbolId>,
    index: OnceLock<index::Index>,
    /// Expressions nested beyond what is typed. They are met when any pass asks for a type, so passes may add to this.
    beyond_limits: Mutex<BTreeSet<(FileId, u32, u32)>>,
}

impl Model {
    /// Notes variables of modules, by folded names, as present on the device.
    pub fn mark_present(&mut self, variables: &[(String, String)]) {
        for (module, name) in variables {
            let scope = self.modules.get(module.as_str()).copied();
            let found = scope.and_then(|s| self[s].names.get(name.as_str()).copied());
            if let Some(s) = found {
                self.present.insert(s);
            }
        }
    }

    /// Notes an expression that is nested too deeply to be typed.
    pub(in crate::translation::sema) fn report_limit(&self, file: FileId, span: Span) {
        let mut all = self
            .beyond_limits
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        all.insert((file, span.start, span.end));
        // The first ones in the text are kept, whichever thread met them first.
        if all.len() > MAX_REPORTED {
            all.pop_last();
        }
    }

    /// The places of expressions that were nested too deeply to be typed, in order.
    pub fn beyond_limits(&self) -> Vec<(FileId, Span)> {
        let all = self
            .beyond_limits
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let span = |&(file, start, end): &(FileId, u32, u32)| (file, Span { start, end });
        all.iter().map(span).collect()
    }
}

/// Places beyond the limits that are kept.
const MAX_REPORTED: usize = 100;

#[derive(Debug)]
pub struct FileInfo {
    /// Scopes of the program units, parallel to `ast::File::units`.
    pub units: Vec<ScopeId>,
    /// Modules that the file uses (at any depth) and does not define, as resolved for this file; in order of first use.
    pub modules_used: Names<ScopeId>,
    /// It is the module of a library.
    pub library: bool,
}

/// A scope and the names visible in it.
#[derive(Debug)]
pub struct Scope {
    pub kind: ScopeKind,
    /// Folded name of the unit (empty for BLOCK and an unnamed main program).
    pub name: String,
    pub parent: Option<ScopeId>,
    pub file: FileId,
    /// The symbol of the procedure or module itself.
    pub symbol: Option<SymbolId>,
    /// Everything declared here or obtained by USE with ONLY or a rename, under its local name.
    /// Whole modules are in `opened`; host association goes through `parent`. Use `Model::lookup`.
    pub names: Names<SymbolId>,
    /// Names that were obtained by USE with ONLY or a rename (they may be re-exported, and are not declared here).
    pub used: Names<SymbolId>,
    /// Modules used without ONLY.
    pub opened: Vec<Opened>,
    /// Of a module: its public names, those it re-exports included.
    pub exports: Names<SymbolId>,
    /// Of a module: runtime modules whose names it re-exports too.
    pub reexported: Vec<Opened>,
    /// Of a module: runtime modules some of whose names come along with it.
    pub brings: Vec<ScopeId>,
    /// Of a module of the runtime: the intrinsic procedures that it overloads.
    pub overloads: Names<SymbolId>,
    /// Of a procedure for the device that asks where it runs: what does not run there.
    pub unreached: Option<sides::Unreached>,
    /// DATA statements of device code, and values in declarations that are written as in those.
    pub data: Vec<ast::DataSet>,
    /// Modules named in USE statements here, in order.
    pub uses: Vec<String>,
    pub implicit: Implicit,
    /// `private` without a list.
    pub default_private: bool,
    /// Internal and module procedures, BLOCKs, interface bodies, in order of their position.
    pub children: Vec<ScopeId>,
    /// The whole unit or construct.
    pub span: Span,
    /// Device code, host code or both: of the innermost procedure.
    pub context: CodeContext,
    /// A module that is not in the program and whose contents are not known is used here: a name without declaration may
    /// be one of its entities.
    pub open_ended: bool,
}

/// A module used without ONLY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    pub module: ScopeId,
    /// Names of the module that a rename gives another local name.
    pub hidden: Vec<Word>,
}

impl Opened {
    /// The module's entity of that name is not known by it.
    pub fn hides(&self, name: &str) -> bool {
        self.hidden.iter().any(|h| h == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    Program,
    Module,
    Submodule,
    Procedure,
    InterfaceBody,
    Block,
    /// ASSOCIATE, SELECT TYPE: associate names.
    Associate,
    DerivedType,
    BlockData,
    /// A module that comes with the runtime or the compiler.
    External,
}

/// Where a procedure's code runs (guide 2.5, 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CodeContext {
    #[default]
    Host,
    Device,
    HostDevice,
}

/// Implicit typing rules in force, one per letter; None where IMPLICIT NONE. Most scopes share those of their host.
#[derive(Clone, Debug)]
pub struct Implicit(pub Arc<[Option<Type>; 26]>);

/// A type with its kind parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Kinds 1, 2, 4, 8.
    Integer(u8),
    /// Kinds 2, 4, 8 (16 only on the host).
    Real(u8),
    /// Kind of the parts: 4 or 8.
    Complex(u8),
    Logical(u8),
    Character(CharacterLength),
    Derived(TypeId),
    Class(TypeId),
    ClassStar,
    AssumedType,
    /// A BOZ literal: takes the type of its context.
    Boz,
    /// A derived type of an external module whose definition is not needed (`mpi_comm`, ...), by name.
    Opaque(String),
    /// Not known: already diagnosed, or of a module that is not in the program.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CharacterLength {
    Constant(i64),
    /// Known only at run time, assumed or deferred.
    Other,
}

#[derive(Debug)]
pub struct Symbol {
    /// Name where it is declared, folded.
    pub name: Word,
    /// As the user spelled it in its declaration.
    pub spelling: Word,
    pub scope: ScopeId,
    /// Of the name in its declaration; empty for external and implicit symbols.
    pub span: Span,
    pub private: bool,
    pub kind: SymbolKind,
}

#[derive(Debug)]
pub enum SymbolKind {
    Variable(Variable),
    /// Named constant: its value is folded where possible.
    Parameter(Box<Parameter>),
    Procedure(Box<Procedure>),
    Generic(Generic),
    DerivedType(TypeId),
    Module(ScopeId),
    StatementFunction(StatementFunction),
    /// Associate name: stands for this expression (re-analysed in `scope`, the scope outside the construct).
    /// Type, rank and space are those of the selector, or of the guard in SELECT TYPE and SELECT RANK.
    Associate {
        expr: ast::Expr,
        outer: ScopeId,
        ty: Type,
        rank: i8,
        space: Option<Space>,
    },
    Namelist,
    CommonBlock,
    /// An entity of a module that is not in the program, or of unknown nature.
    Unknown,
}

impl SymbolKind {
    /// A variable or a name for one.
    pub fn is_data(&self) -> bool {
        matches!(self, SymbolKind::Variable(_) | SymbolKind::Associate { .. })
    }
}

/// A data object.
#[derive(Clone, Debug)]
pub struct Variable {
    pub ty: Type,
    /// Empty for a scalar.
    pub dims: Vec<Dim>,
    pub space: Space,
    pub attrs: VarAttrs,
    pub intent: Option<ast::Intent>,
    /// Position among the dummies of its procedure.
    pub dummy: Option<usize>,
    /// The result variable of its function.
    pub is_result: bool,
    /// Has an explicit declaration (else implicitly typed).
    pub declared: bool,
    pub init: Option<Box<ast::Init>>,
    /// Span of the type declaration statement it was declared in (empty if implicit).
    pub decl: Span,
    /// A dummy of a library that takes the letter of the BLAS for its integer, too.
    pub option: Option<Choice>,
}

/// One dimension; expressions belong to the scope of the symbol.
#[derive(Clone, Debug)]
pub enum Dim {
    Explicit {
        lower: Option<Box<ast::Expr>>,
        upper: ast::Expr,
    },
    /// Deferred or assumed shape, by the variable's attributes.
    Colon {
        lower: Option<Box<ast::Expr>>,
    },
    AssumedSize {
        lower: Option<Box<ast::Expr>>,
    },
    AssumedRank,
}

/// Where a variable's data lives (guide 3.2, table of attributes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Space {
    /// No CUDA attribute in host code.
    #[default]
    Host,
    /// `device`, and dummies of kernels.
    Device,
    Constant,
    Shared,
    Managed,
    Unified,
    Pinned,
    Texture,
    /// A local variable or VALUE dummy of a device procedure; a dummy of a device procedure whose space is the actual's.
    Thread,
}

bitflags_like! {
    /// Attributes of a variable that are simple words.
    VarAttrs: u32 {
        ALLOCATABLE = 0, POINTER = 1, TARGET = 2, SAVE = 3, OPTIONAL = 4, VALUE = 5, VOLATILE = 6,
        CONTIGUOUS = 7, PROTECTED = 8, IN_COMMON = 9, IN_EQUIVALENCE = 10, EXTERNAL = 11, GRID_CONSTANT = 12,
        CRAY_POINTEE = 13, ASYNCHRONOUS = 14, BIND_C = 15,
        // The actual's type, kind or rank need not agree (`!dir$ ignore_tkr`).
        IGNORE_TYPE = 16, IGNORE_KIND = 17, IGNORE_RANK = 18,
        // `character(:)`
        DEFERRED_LENGTH = 19,
        // Assumed shape in an interface body, passed by its address because the definition in the program has a shape of its own.
        BY_ADDRESS = 20,
        // DATA gives it a value, or parts of it.
        IN_DATA = 21,
        // Host and device data are taken alike, by the address (`!dir$ ignore_tkr (d)`).
        IGNORE_DEVICE = 22,
    }
}

impl VarAttrs {
    /// ALLOCATABLE or POINTER: the data is where an ALLOCATE statement or an association puts it.
    pub fn is_dynamic(self) -> bool {
        self.has(VarAttrs::ALLOCATABLE) || self.has(VarAttrs::POINTER)
    }
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub ty: Type,
    pub dims: Vec<Dim>,
    pub init: Option<ast::Expr>,
    /// Folded value (array constants in element order), None where it could not be folded.
    pub value: Option<Constant>,
}

/// A folded constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    Integer(i128, u8),
    /// Value rounded to the kind.
    Real(f64, u8),
    Complex(f64, f64, u8),
    Logical(bool, u8),
    Character(String),
    /// Column-major elements and the extents (bounds 1:n unless the declaration says otherwise).
    Array(Vec<Constant>, Vec<i64>),
    /// Structure constructor: components in order.
    Structure(TypeId, Vec<Constant>),
}

/// A procedure with what is known of its interface.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Scope of its body or interface body; None without explicit interface.
    pub body: Option<ScopeId>,
    pub kind: ProcedureKind,
    /// Dummies in order; None is an alternate return.
    pub dummies: Vec<Option<SymbolId>>,
    /// Result variable of a function.
    pub result: Option<SymbolId>,
    pub is_function: bool,
    pub target: ProcedureTarget,
    pub launch_bounds: Vec<i64>,
    pub cluster_dims: Vec<i64>,
    pub elemental: bool,
    pub pure: bool,
    pub recursive: bool,
    /// `bind(c, name=...)`: the C name.
    pub bind_name: Option<String>,
    /// Procedure of the runtime's or compiler's modules or an intrinsic declared by INTRINSIC.
    pub external_module: bool,
}

impl Procedure {
    /// A host procedure of which nothing but its kind is known: no dummies, no result.
    pub fn unknown(kind: ProcedureKind) -> Self {
        Procedure {
            body: None,
            kind,
            dummies: Vec::new(),
            result: None,
            is_function: false,
            target: ProcedureTarget::Host,
            launch_bounds: Vec::new(),
            cluster_dims: Vec::new(),
            elemental: false,
            pure: false,
            recursive: false,
            bind_name: None,
            external_module: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcedureKind {
    Module,
    Internal,
    External,
    Intrinsic,
    Dummy,
    Pointer,
}

/// What `attributes(...)` says (guide 2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ProcedureTarget {
    #[default]
    Host,
    Global,
    GridGlobal,
    Device,
    HostDevice,
}

#[derive(Clone, Debug, Default)]
pub struct Generic {
    /// All specific procedures, those of the same generic in used modules included.
    pub specifics: Vec<SymbolId>,
    /// The derived type of the same name (the generic overloads its constructor).
    pub of_type: Option<TypeId>,
}

#[derive(Clone, Debug)]
pub struct StatementFunction {
    pub dummies: Vec<SymbolId>,
    pub expr: ast::Expr,
    pub ty: Type,
}

#[derive(Debug)]
pub struct DerivedType {
    pub name: String,
    pub scope: ScopeId,
    pub parent: Option<TypeId>,
    /// Name of the parent component: the parent's name where the type extends it, which USE may have changed.
    pub parent_name: String,
    /// Own components in order (without the parent's).
    pub components: Vec<Field>,
    /// Type-bound procedures: binding name to specific, and generic bindings.
    pub bindings: Names<TypeBinding>,
    /// KIND and LEN parameters of the type itself.
    pub parameters: bool,
    pub sequence: bool,
    /// A STRUCTURE (DEC): its layout is not known.
    pub structure: bool,
    /// FINAL procedures of the type itself.
    pub finals: Vec<SymbolId>,
    pub is_abstract: bool,
    pub bind_c: bool,
    /// Comes from the runtime or compiler (dim3, cudaEvent, c_ptr...).
    pub external: bool,
}

#[derive(Clone, Debug)]
pub enum TypeBinding {
    Specific {
        procedure: Option<SymbolId>,
        nopass: bool,
        pass: Option<String>,
        deferred: bool,
        /// Or so it may be: of a type with a PRIVATE statement.
        private: bool,
    },
    Generic(Vec<String>),
}

/// A component. Its expressions belong to the type's scope.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub spelling: String,
    pub ty: Type,
    pub dims: Vec<Dim>,
    pub space: Space,
    pub attrs: VarAttrs,
    pub init: Option<Box<ast::Init>>,
    pub span: Span,
    /// Procedure pointer component.
    pub is_procedure: bool,
}

impl std::ops::Index<ScopeId> for Model {
    type Output = Scope;
    fn index(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0 as usize]
    }
}

impl std::ops::Index<SymbolId> for Model {
    type Output = Symbol;
    fn index(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }
}

impl std::ops::Index<TypeId> for Model {
    type Output = DerivedType;
    fn index(&self, id: TypeId) -> &DerivedType {
        &self.types[id.0 as usize]
    }
}
