//! What the templates of a type's generated procedures say (`templates/host`). Texts are Fortran; names of objects begin with the
//! dummy they belong to.

use askama::Template;

/// The type that a procedure is for.
pub(in crate::translation::host) struct Of {
    pub name: String,
    pub procedure: String,
    /// The procedure may come to call itself.
    pub recursive: bool,
    /// Has no values of its own: the dummies are of the class.
    pub is_abstract: bool,
}

impl Of {
    /// TYPE or CLASS.
    fn word(&self) -> &'static str {
        if self.is_abstract { "class" } else { "type" }
    }
}

/// `cuf_release_<type>`.
#[derive(Template)]
#[template(path = "host/release.f90", escape = "fortran")]
pub(super) struct Release {
    pub of: Of,
    pub parts: Vec<Freed>,
    pub value: Value,
}

/// How a part is freed.
pub(super) enum Freed {
    By {
        procedure: String,
        object: String,
        allocatable: bool,
    },
    Statements(Vec<String>),
}

/// Where a freed value gets its initial value from.
pub(super) enum Value {
    Fresh,
    /// The procedure that gives it, for a type whose assignment is the user's.
    Reset(String),
    /// The extensions of an abstract type give their values to all components.
    OfExtension,
}

/// `cuf_reset_<type>`, for a type whose assignment is the user's.
#[derive(Template)]
#[template(path = "host/reset.f90", escape = "fortran")]
pub(super) struct Reset {
    pub of: Of,
}

/// `cuf_copy_<type>`.
#[derive(Template)]
#[template(path = "host/copy.f90", escape = "fortran")]
pub(super) struct Copy {
    pub of: Of,
    pub parts: Vec<Copied>,
    pub release: String,
    /// Statements that make the new value that of `cuf_to`.
    pub result: Vec<String>,
}

/// `cuf_copy_<type>` of an abstract type.
#[derive(Template)]
#[template(path = "host/copy_extension.f90", escape = "fortran")]
pub(super) struct CopyExtension {
    pub of: Of,
    pub parts: Vec<Copied>,
}

/// How a part is copied.
pub(super) enum Copied {
    /// An allocatable component that became a pointer: memory of its own and the value, by the statements `allocate` and `copy`.
    Pointer {
        to: String,
        from: String,
        allocate: String,
        copy: String,
    },
    /// A part of the new value that still shares its data with that of the old one: it starts anew.
    Anew {
        to: String,
        from: String,
        start: Start,
        copy: String,
        allocatable: bool,
    },
    /// A part that has no value yet, with its bounds if it is allocatable.
    Structure {
        to: String,
        from: String,
        bounds: Option<String>,
        copy: String,
    },
    Allocatable {
        to: String,
        from: String,
        bounds: String,
    },
    /// A pointer of the program.
    Target {
        to: String,
        from: String,
    },
    Value {
        to: String,
        from: String,
    },
    Statements(Vec<String>),
}

/// How a part gets its initial value: by the procedure of its type, or as the type's name says.
pub(super) enum Start {
    Reset(String),
    Fresh(String),
}

/// Blanks before what stands under a condition.
fn if_allocatable(allocatable: &bool) -> &'static str {
    if *allocatable { "  " } else { "" }
}

/// `cuf_move_<type>`.
#[derive(Template)]
#[template(path = "host/move.f90", escape = "fortran")]
pub(super) struct Move {
    pub of: Of,
    /// Statements that make `cuf_new` share the data of `cuf_from`.
    pub value: Vec<String>,
    pub release: String,
    /// Statements that make the new value that of `cuf_to`.
    pub result: Vec<String>,
}

/// `cuf_move_<type>` of a type that contains itself.
#[derive(Template)]
#[template(path = "host/move_components.f90", escape = "fortran")]
pub(super) struct MoveComponents {
    pub of: Of,
    pub release: String,
    pub parts: Vec<Moved>,
}

/// How a component changes hands.
pub(super) enum Moved {
    /// An allocatable component that became a pointer.
    Pointer {
        to: String,
        from: String,
    },
    Allocatable {
        to: String,
        from: String,
    },
    Structure {
        to: String,
        from: String,
        procedure: String,
    },
    /// A pointer of the program.
    Target {
        to: String,
        from: String,
    },
    Value {
        to: String,
        from: String,
    },
    Statements(Vec<String>),
}

/// `cuf_final_<type>` and its versions for arrays.
#[derive(Template)]
#[template(path = "host/final.f90", escape = "fortran")]
pub(super) struct Final {
    pub of: Of,
    pub elemental: bool,
    /// Of the dummy, in parentheses.
    pub shape: String,
    /// The user's procedure.
    pub own: Option<String>,
    /// Statements that finalise the components.
    pub parts: Vec<String>,
    /// The procedure for the parent, and its argument.
    pub parent: Option<(String, String)>,
}

/// The procedures bound to a type that end the life of a value.
#[derive(Template)]
#[template(path = "host/class_release.f90", escape = "fortran")]
pub(super) struct ClassRelease {
    pub of: Of,
    pub elemental: bool,
    /// Not only frees, if the type has something to finalise.
    pub finalises: bool,
    pub finalise: Option<String>,
    /// None if the type owns nothing.
    pub release: Option<String>,
}

/// The procedure bound to a type that copies a value.
#[derive(Template)]
#[template(path = "host/class_copy.f90", escape = "fortran")]
pub(super) struct ClassCopy {
    pub of: Of,
    /// None if the type owns nothing.
    pub copy: Option<String>,
}
