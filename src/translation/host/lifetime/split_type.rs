//! Types whose objects the runtime cannot take as they are: an any-type dummy takes no object of a type with type-bound or FINAL procedures
//! (F2018 15.5.2.4; gfortran 12 asks only for the type's own, not for inherited ones). Such a type is divided: its components go to a parent
//! of it without procedures, and the parent's component is what the runtime gets.

use crate::ast::{AttrKind, DerivedTypeDef};
use crate::host::context::names::VALUE;
use crate::host::context::rules::Values;
use crate::host::context::{Held, HostRewriter};
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

impl HostRewriter<'_> {
    /// What follows the name of an object of the type where an any-type dummy gets it, or nothing.
    pub(in crate::translation::host) fn data_of(&mut self, ty: &Type) -> String {
        match *ty {
            Type::Derived(t) | Type::Class(t) if self.is_divisible(t) => {
                self.divided.insert(t);
                format!("%{}", self.owners.helper_name("data", t))
            }
            _ => String::new(),
        }
    }

    /// The component that a TYPE(*) dummy gets, which is no descriptor. For a scalar it is that of the eldest type with procedures, at the
    /// same address: the data of an extension have the procedures that they inherit, which TYPE(*) does not take (F2018 15.5.2.4).
    pub(in crate::translation::host) fn passed_data(&mut self, ty: &Type, scalar: bool) -> String {
        let mut eldest = ty.clone();
        let mut at = match *ty {
            Type::Derived(t) | Type::Class(t) if scalar => Some(t),
            _ => None,
        };
        // A circle of extensions is an error of the program.
        for _ in 0..64 {
            let Some(t) = at else { break };
            if self.is_divisible(t) {
                eldest = Type::Derived(t);
            }
            at = self.model[t].parent;
        }
        self.data_of(&eldest)
    }

    /// A designator that an any-type dummy gets.
    pub(in crate::translation::host) fn as_data(&mut self, e: &TExpr) {
        self.whole_base(e);
        let data = self.data_of(&e.ty);
        if !data.is_empty() {
            self.edits.insert(Rule::Owner, e.span.end, data);
        }
    }

    /// A value of a divided type that no designator is, for an any-type dummy: the statement holds it under a name. True if it has been
    /// dealt with.
    pub(in crate::translation::host) fn held_data(&mut self, e: &TExpr) -> bool {
        let inner = e.unparenthesised();
        let data = match inner.is_designator() {
            true => return false,
            false => self.data_of(&e.ty),
        };
        if data.is_empty() {
            return false;
        }
        if self.held.is_none() {
            let message = "value of a type with type-bound procedures cannot be transferred from this context\nhelp: assign it to a variable first";
            self.finding("CUF0382", e.span, message.to_owned());
            return true;
        }
        let text = self.with_edits(e.span, |p| p.value(e));
        let name = self.held_name("value");
        // A variable would be finalised, what is associated is not; gfortran 12 fails on a type-bound operator in ASSOCIATE (an internal
        // error), and the standard wants the result of a function finalised (F2018 7.5.6.3).
        let finalised =
            matches!(e.ty, Type::Derived(t) | Type::Class(t) if self.owners.finalizable(t));
        let mut operator = false;
        e.walk(&mut |x| operator |= matches!(x.kind, TExprKind::BoundCall { binding: None, .. }));
        let variable = match finalised && !operator {
            true => Held {
                declaration: String::new(),
                set: vec![format!("associate ({name} => {text})")],
                release: Vec::new(),
                end: Some("end associate".to_owned()),
                at: None,
                name: name.clone(),
            },
            false => {
                let of = self.local_type(&e.ty);
                let (attribute, colons) = match e.rank.max(0) as usize {
                    0 => ("", String::new()),
                    n => (", allocatable", format!("({})", vec![":"; n].join(","))),
                };
                Held {
                    declaration: format!("{of}{attribute} :: {name}{colons}"),
                    set: vec![match e.rank > 0 {
                        // An assignment of an intrinsic function's result leaves the distance of the elements unset (gfortran 12).
                        true => format!("allocate({name}, source={text})"),
                        false => format!("{name} = {text}"),
                    }],
                    release: Vec::new(),
                    end: None,
                    at: None,
                    name: name.clone(),
                }
            }
        };
        self.hold_variable(variable);
        self.edits
            .replace(Rule::Owner, e.span, format!("{name}{data}"));
        true
    }

    /// The statement that copies a value between memories. `computed`: the rank of a value that is not written as a designator.
    pub(in crate::translation::host) fn copy_text(
        &mut self,
        routine: &str,
        to: &str,
        ty: &Type,
        (value, computed): (&str, Option<i8>),
    ) -> String {
        let data = self.data_of(ty);
        match computed.filter(|_| !data.is_empty()) {
            None => format!("call {routine}({to}{data}, {value}{data})"),
            Some(rank) => {
                let (open, close) = self.named_value(ty, rank, value);
                format!("{open}; call {routine}({to}{data}, {VALUE}{data}); {close}")
            }
        }
    }

    /// The statements before and after those that have a value by the name [`VALUE`]. gfortran 12 knows the components of what an
    /// ASSOCIATE names only if the expression has its type before it is resolved (array constructors without a type and intrinsic
    /// functions have not). A variable has it, but would be finalised.
    pub(in crate::translation::host) fn named_value(
        &mut self,
        ty: &Type,
        rank: i8,
        value: &str,
    ) -> (String, &'static str) {
        let plain = |t: &TypeId| self.is_divisible(*t) && !self.owners.finalizable(*t);
        match ty {
            Type::Derived(t) if plain(t) => {
                let of = self.type_here(*t);
                let colons = vec![":"; rank.max(0) as usize].join(",");
                let declared = match rank {
                    1.. => format!("type({of}), allocatable :: {VALUE}({colons})"),
                    _ => format!("type({of}) :: {VALUE}"),
                };
                // An assignment of an intrinsic function's result leaves the distance of the elements unset (gfortran 12).
                let set = match rank {
                    1.. => format!("allocate({VALUE}, source={value})"),
                    _ => format!("{VALUE} = {value}"),
                };
                (format!("block; {declared}; {set}"), "end block")
            }
            _ => (format!("associate ({VALUE} => {value})"), "end associate"),
        }
    }

    /// The type is divided, for somebody asks for it.
    fn divides(&self, def: &DerivedTypeDef, t: TypeId) -> bool {
        let asked = self.asked_divided.is_none_or(|asked| asked.contains(&t));
        let procedures = def.contains.is_some() || self.owners.has_bindings(t);
        procedures && asked && self.is_divisible(t)
    }

    /// The definition of a type that is divided, or named in other units though it is private.
    pub(in crate::translation::host) fn divide(&mut self, def: &DerivedTypeDef, t: TypeId) {
        if !self.divides(def, t) && self.is_exposed(t) {
            self.expose(def);
        }
        if !self.divides(def, t) {
            return;
        }
        let data = self.owners.helper_name("data", t);
        let is_module = self.model[self.owners.home(t)].kind == ScopeKind::Module;
        let (mut head, mut rest) = (String::from("type"), String::from("type"));
        if is_module {
            head.push_str(", public");
        }
        let exposed = self.is_exposed(t);
        if exposed {
            rest.push_str(", public");
        }
        for a in &def.attrs {
            let text = self.slice(a.span);
            match a.kind {
                AttrKind::Public | AttrKind::Private if exposed => {}
                AttrKind::Public | AttrKind::Private => rest.push_str(&format!(", {text}")),
                _ => head.push_str(&format!(", {text}")),
            }
        }
        self.edits
            .replace(Rule::Owner, def.header, format!("{head} :: {data}"));
        let name = self.slice(def.name.span).to_owned();
        let lines = [
            format!("end type {data}"),
            format!("{rest}, extends({data}) :: {name}"),
        ];
        let at = def.contains.unwrap_or(def.end).start;
        self.insert_before_line(Rule::Owner, at, &lines, 0);
    }

    /// The type has procedures of its own, or gets some, and nothing in its definition hinders its division.
    fn is_divisible(&self, t: TypeId) -> bool {
        let of = &self.model[t];
        // Those that generated code binds to it are the type's own, too.
        let bound = self.owners.has_bindings(t) && !self.owners.is_internal(t);
        let own = bound || !of.bindings.is_empty() || !of.finals.is_empty();
        if !own || of.external || of.is_abstract {
            return false;
        }
        let at_home = matches!(
            self.model[of.scope].kind,
            ScopeKind::Module | ScopeKind::Submodule
        );
        // The passed-object dummy of a procedure pointer has the type that the pointer is declared in.
        let pointers = of.components.iter().any(|f| f.is_procedure);
        if !at_home || pointers {
            return false;
        }
        // Where files are compiled one by one, who uses a type has to know whether it is divided, and who defines it does not know its users.
        self.asked_divided.is_some() || self.is_plain_data(t, 0) || self.is_cuda_file(of.scope)
    }

    /// An object of the type is nothing but its own memory.
    fn is_plain_data(&self, t: TypeId, depth: usize) -> bool {
        let plain = |f: &Field| match f.ty {
            Type::Derived(c) => depth < 16 && self.is_plain_data(c, depth + 1),
            Type::Class(_) | Type::ClassStar => false,
            _ => true,
        };
        let simple = |f: &Field| !f.attrs.is_dynamic() && plain(f);
        let parent = self.model[t].parent;
        self.model[t].components.iter().all(simple)
            && parent.is_none_or(|p| depth < 16 && self.is_plain_data(p, depth + 1))
    }

    /// The file of a scope uses CUDA Fortran.
    fn is_cuda_file(&self, scope: ScopeId) -> bool {
        let model = self.model;
        let file = model[scope].file;
        let uses = |s: &ScopeId| model[*s].uses.iter().any(|m| m == "cudafor");
        let device = |s: &SymbolId| model.variable(*s).is_some_and(|v| v.space != Space::Host);
        model.scopes_of(file).iter().any(uses) || model.symbols_of(file).iter().any(device)
    }
}
