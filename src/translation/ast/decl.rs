//! Specification statements and type specifiers.

use super::{Arg, Expr, ExprKind, Name, ProgramUnit, Span};

/// A specification statement (or construct) with its span and label.
#[derive(Clone, Debug)]
pub struct Decl {
    pub kind: DeclKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum DeclKind {
    Use(Box<Use>),
    /// Empty list: `import` or `import, all`.
    Import {
        names: Vec<Name>,
        none: bool,
    },
    ImplicitNone,
    /// `implicit real*8 (a-h, o-z), integer (i)`: rules of a type and letter ranges.
    Implicit(Vec<(TypeSpec, Vec<(char, char)>)>),
    /// `type, attributes :: entities`
    Type(Box<TypeDecl>),
    /// Attribute statement: `allocatable :: a`, `dimension x(3)`, `attributes(device) :: a, b`, `save`, `intent(in) x`, `public :: a`.
    /// An empty entity list means all (`save`, `private`). Several CUDA attributes give several `attrs`.
    Attributes {
        attrs: Vec<Attr>,
        entities: Vec<Entity>,
    },
    /// `parameter (a = 1, b = 2)`
    Parameter(Vec<(Name, Expr)>),
    DerivedType(Box<DerivedTypeDef>),
    Interface(Box<Interface>),
    /// `procedure(iface), attrs :: names`
    Procedure {
        interface: Option<Name>,
        attrs: Vec<Attr>,
        entities: Vec<Entity>,
    },
    /// `enum, bind(c)`: enumerators with optional values.
    Enum(Vec<(Name, Option<Expr>)>),
    /// Blocks of `common /name/ a, b(3)`; an empty name is blank common.
    Common(Vec<(Name, Vec<Entity>)>),
    Equivalence(Vec<Vec<Expr>>),
    /// The sets of a DATA statement.
    Data(Vec<DataSet>),
    Namelist(Vec<(Name, Vec<Name>)>),
    /// Cray pointers: `pointer (p, x(n))`.
    CrayPointer(Vec<(Name, Entity)>),
    Format,
    /// Compiler directives that are statements of the tree, and everything passed through unread.
    Other,
}

#[derive(Clone, Debug)]
pub struct Use {
    pub module: Name,
    /// `use, intrinsic ::`
    pub intrinsic: bool,
    /// `only:` was written (possibly with an empty list).
    pub only: bool,
    /// Items of ONLY, or the renames.
    pub items: Vec<UseItem>,
    /// Where the ONLY list ends (end of the statement's last item).
    pub list_end: u32,
}

/// `local => original`, `name`, `operator(+)`, `assignment(=)` (folded text without blanks in the last two).
#[derive(Clone, Debug)]
pub struct UseItem {
    pub local: Name,
    pub original: Option<Name>,
}

/// A type declaration statement (also for components).
#[derive(Clone, Debug)]
pub struct TypeDecl {
    pub spec: TypeSpec,
    pub attrs: Vec<Attr>,
    /// The `::`, if written.
    pub colons: Option<Span>,
    pub entities: Vec<Entity>,
    pub span: Span,
}

/// A type specifier.
#[derive(Clone, Debug)]
pub struct TypeSpec {
    pub kind: TypeSpecKind,
    pub span: Span,
}

impl Decl {
    /// The outermost expressions of kinds, lengths, bounds and values, and all of DATA; of interfaces none.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut out = Vec::new();
        match &self.kind {
            DeclKind::Type(t) => t.collect(&mut out),
            DeclKind::Attributes { attrs, entities } => {
                attrs.iter().for_each(|a| a.collect(&mut out));
                entities.iter().for_each(|e| e.collect(&mut out));
            }
            DeclKind::Parameter(values) => out.extend(values.iter().map(|(_, e)| e)),
            DeclKind::DerivedType(t) => t.components.iter().for_each(|c| {
                if let Component::Data(d) = c {
                    d.collect(&mut out);
                }
            }),
            DeclKind::Enum(values) => out.extend(values.iter().filter_map(|(_, e)| e.as_ref())),
            DeclKind::Common(blocks) => {
                let entities = blocks.iter().flat_map(|(_, e)| e);
                entities.for_each(|e| e.collect(&mut out));
            }
            DeclKind::Data(sets) => sets.iter().for_each(|s| out.extend(s.expressions())),
            DeclKind::CrayPointer(pairs) => pairs.iter().for_each(|(_, e)| e.collect(&mut out)),
            _ => {}
        }
        out
    }
}

impl TypeDecl {
    fn collect<'a>(&'a self, out: &mut Vec<&'a Expr>) {
        self.spec.collect(out);
        self.attrs.iter().for_each(|a| a.collect(out));
        self.entities.iter().for_each(|e| e.collect(out));
    }
}

impl Attr {
    fn collect<'a>(&'a self, out: &mut Vec<&'a Expr>) {
        if let AttrKind::Dimension(dims) = &self.kind {
            dims.collect(out);
        }
    }
}

impl Entity {
    fn collect<'a>(&'a self, out: &mut Vec<&'a Expr>) {
        self.dims.iter().for_each(|d| d.collect(out));
        if let Some(CharLen::Expr(l)) = self.len.as_deref() {
            out.push(l);
        }
        if let Some(init) = self.init.as_deref() {
            out.extend(init.expressions());
        }
    }
}

impl ArraySpec {
    /// The bounds.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut out = Vec::new();
        self.collect(&mut out);
        out
    }

    fn collect<'a>(&'a self, out: &mut Vec<&'a Expr>) {
        for d in &self.dims {
            let (lower, upper) = match d {
                DimSpec::Explicit { lower, upper } => (lower, Some(upper)),
                DimSpec::Colon { lower } | DimSpec::AssumedSize { lower } => (lower, None),
                DimSpec::AssumedRank => continue,
            };
            out.extend(lower.as_deref());
            out.extend(upper);
        }
    }
}

impl TypeSpec {
    /// Of TYPE and CLASS with the name of a type: the name, and the values of its parameters.
    pub fn derived(&self) -> Option<(&Name, &[Arg])> {
        match &self.kind {
            TypeSpecKind::Derived { name, params }
            | TypeSpecKind::Class {
                name: Some(name),
                params,
            } => Some((name, params)),
            _ => None,
        }
    }

    /// The expressions of its kind, length and parameters.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut out = Vec::new();
        self.collect(&mut out);
        out
    }

    fn collect<'a>(&'a self, out: &mut Vec<&'a Expr>) {
        match &self.kind {
            TypeSpecKind::Intrinsic { kind, len, .. } => {
                out.extend(kind.as_deref());
                if let Some(CharLen::Expr(e)) = len.as_deref() {
                    out.push(e);
                }
            }
            TypeSpecKind::Derived { params, .. } | TypeSpecKind::Class { params, .. } => {
                out.extend(params.iter().map(|a| &a.value));
            }
            TypeSpecKind::AssumedType | TypeSpecKind::Other => {}
        }
    }

    /// CHARACTER, however it is written.
    pub fn is_character(&self) -> bool {
        matches!(
            self.kind,
            TypeSpecKind::Intrinsic {
                base: IntrinsicBase::Character,
                ..
            }
        )
    }
}

#[derive(Clone, Debug)]
pub enum TypeSpecKind {
    Intrinsic {
        base: IntrinsicBase,
        /// `(kind)`, `(kind=k)` or `*8` (as an integer literal; bytes, not kind, for `star`).
        kind: Option<Box<Expr>>,
        /// The kind was written `*n`: for complex the kind is n/2.
        star: bool,
        /// Length of CHARACTER.
        len: Option<Box<CharLen>>,
    },
    /// `type(name(params))`, also `type(integer(4))`-like forms as Intrinsic.
    Derived { name: Name, params: Vec<Arg> },
    /// `class(name)`; None is `class(*)`.
    Class {
        name: Option<Name>,
        params: Vec<Arg>,
    },
    /// `type(*)`
    AssumedType,
    /// `procedure(...)` inside a component list, or something unknown.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntrinsicBase {
    Integer,
    Real,
    DoublePrecision,
    Complex,
    DoubleComplex,
    Logical,
    Character,
    Byte,
}

#[derive(Clone, Debug)]
pub enum CharLen {
    Expr(Expr),
    /// `*`
    Assumed,
    /// `:`
    Deferred,
}

/// An attribute in a declaration or an attribute statement.
#[derive(Clone, Debug)]
pub struct Attr {
    pub kind: AttrKind,
    /// The attribute's words only, without commas.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AttrKind {
    Dimension(ArraySpec),
    Codimension,
    Allocatable,
    Pointer,
    Target,
    Parameter,
    Save,
    Intent(Intent),
    Optional,
    Value,
    Volatile,
    Asynchronous,
    External,
    Intrinsic,
    Contiguous,
    Public,
    Private,
    Protected,
    Bind(Option<Box<Expr>>),
    Abstract,
    Extends(Name),
    Pass(Option<Name>),
    NoPass,
    Deferred,
    NonOverridable,
    Kind,
    Len,
    Cuda(CudaAttr),
    /// Folded word of an attribute that is not known.
    Other(String),
}

/// CUDA Fortran variable attributes (guide 2.6, 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CudaAttr {
    Device,
    Constant,
    Shared,
    Managed,
    Pinned,
    Texture,
    Unified,
    GridConstant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    In,
    Out,
    InOut,
}

/// One declared entity: `name(dims)*len = init`.
#[derive(Clone, Debug)]
pub struct Entity {
    pub name: Name,
    pub dims: Option<ArraySpec>,
    pub len: Option<Box<CharLen>>,
    pub init: Option<Box<Init>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Init {
    /// `= expr`
    Value(Expr),
    /// `=> expr`
    Pointer(Expr),
    /// `/ values /`, an extension: those of a DATA set.
    Data(Vec<DataValue>, Span),
}

impl Init {
    /// The outermost expressions.
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            Init::Value(e) | Init::Pointer(e) => vec![e],
            Init::Data(values, _) => values.iter().flat_map(DataValue::expressions).collect(),
        }
    }
}

/// `a, b(2), (c(i), i = 1, n) / values /` of a DATA statement, unevaluated.
#[derive(Clone, Debug)]
pub struct DataSet {
    pub objects: Vec<Expr>,
    pub values: Vec<DataValue>,
}

impl DataSet {
    /// The outermost expressions.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let values = self.values.iter().flat_map(DataValue::expressions);
        self.objects.iter().chain(values)
    }
}

impl DataSet {
    /// The names of the variables that it gives values to, or to parts of them.
    pub fn names(&self) -> Vec<&Name> {
        fn of(object: &Expr) -> Vec<&Name> {
            match &object.kind {
                ExprKind::ImpliedDo(d) => d.items.iter().flat_map(of).collect(),
                _ => object.base_name().into_iter().collect(),
            }
        }
        self.objects.iter().flat_map(of).collect()
    }
}

/// `value` or `repeat*value`
#[derive(Clone, Debug)]
pub struct DataValue {
    pub repeat: Option<Expr>,
    pub value: Expr,
}

impl DataValue {
    fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.repeat.iter().chain([&self.value])
    }
}

/// Bounds in parentheses.
#[derive(Clone, Debug)]
pub struct ArraySpec {
    pub dims: Vec<DimSpec>,
    /// Includes the parentheses.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum DimSpec {
    /// `n` or `lo:hi`
    Explicit {
        lower: Option<Box<Expr>>,
        upper: Expr,
    },
    /// `:` or `lo:` (assumed shape or deferred shape)
    Colon { lower: Option<Box<Expr>> },
    /// `*` or `lo:*`
    AssumedSize { lower: Option<Box<Expr>> },
    /// `..`
    AssumedRank,
}

/// `type [, attrs] :: name ... end type`
#[derive(Clone, Debug)]
pub struct DerivedTypeDef {
    pub name: Name,
    pub attrs: Vec<Attr>,
    pub sequence: bool,
    /// A STRUCTURE (DEC), whose fields may share memory.
    pub structure: bool,
    /// PRIVATE before the components or before the bindings.
    pub private: bool,
    pub components: Vec<Component>,
    /// The statements SEQUENCE and PRIVATE.
    pub plain: Vec<Span>,
    /// `procedure :: a => b`, `generic :: g => a, b`, `final :: f`
    pub bindings: Vec<Binding>,
    pub header: Span,
    pub end: Span,
    /// CONTAINS inside the type.
    pub contains: Option<Span>,
}

#[derive(Clone, Debug)]
pub enum Component {
    Data(TypeDecl),
    /// Procedure pointer component.
    Procedure {
        interface: Option<Name>,
        attrs: Vec<Attr>,
        entities: Vec<Entity>,
        span: Span,
    },
}

#[derive(Clone, Debug)]
pub enum Binding {
    /// `procedure[(iface)][, attrs] :: name => target`
    Procedure {
        interface: Option<Name>,
        attrs: Vec<Attr>,
        name: Name,
        target: Option<Name>,
        statement: Span,
    },
    /// `generic[, attrs] :: spec => names`
    Generic {
        spec: Name,
        targets: Vec<Name>,
        statement: Span,
    },
    Final {
        names: Vec<Name>,
        statement: Span,
    },
}

impl Binding {
    /// The statement it stands in, perhaps with others.
    pub fn statement(&self) -> Span {
        match self {
            Binding::Procedure { statement, .. }
            | Binding::Generic { statement, .. }
            | Binding::Final { statement, .. } => *statement,
        }
    }
}

/// An interface block.
#[derive(Clone, Debug)]
pub struct Interface {
    pub is_abstract: bool,
    /// Generic name, `operator(.x.)`, `operator(+)`, `assignment(=)`: folded, without blanks.
    pub generic: Option<Name>,
    pub bodies: Vec<ProgramUnit>,
    /// `[module] procedure a, b`
    pub procedures: Vec<Name>,
    /// The statements that list them.
    pub lists: Vec<Span>,
    pub header: Span,
    pub end: Span,
}
