//! The texts that allocate and release memory: calls of the runtime for data of the device, statements for that of the host.

use crate::host::context::memory::is_generic_type;
use crate::host::context::names::*;
use crate::host::context::{HostRewriter, list};
use crate::sema::model::*;

/// Bounds of one allocation as Fortran text.
#[derive(Default)]
pub(in crate::translation::host) struct BoundsText {
    pub upper: Vec<String>,
    /// Empty where all lower bounds are 1.
    pub lower: Vec<String>,
    /// Bounds are of kind 8.
    pub wide: bool,
}

impl BoundsText {
    fn array(&self, items: &[String]) -> String {
        let prefix = if self.wide { "integer(8) :: " } else { "" };
        format!("[{prefix}{}]", items.join(", "))
    }

    /// `[upper][, lower=[...]]`, empty for a scalar.
    fn arguments(&self) -> String {
        if self.upper.is_empty() {
            return String::new();
        }
        let mut s = format!(", {}", self.array(&self.upper));
        if !self.lower.is_empty() {
            s.push_str(&format!(", lower={}", self.array(&self.lower)));
        }
        s
    }
}

impl BoundsText {
    /// The extents, of which negative ones mean 0.
    pub(in crate::translation::host) fn extents(&self) -> Vec<String> {
        let extent = |(i, u): (usize, &String)| match self.lower.get(i) {
            Some(l) if l != "1" => format!("{u} - ({l}) + 1"),
            _ => u.clone(),
        };
        self.upper.iter().enumerate().map(extent).collect()
    }

    /// The number of elements, as factors.
    fn count(&self) -> String {
        let factor = |e: &String| format!("*{MAX}(0_8, {INT}({e}, 8))");
        self.extents().iter().map(factor).collect()
    }
}

impl HostRewriter<'_> {
    /// The text that allocates a pointer of any type. `options` begins with a comma or is empty.
    pub(in crate::translation::host) fn allocate_text(
        &self,
        name: &str,
        ty: &Type,
        bounds: &BoundsText,
        space: &str,
        options: &str,
    ) -> String {
        let at = if space.is_empty() {
            String::new()
        } else {
            format!(", space={space}")
        };
        if is_generic_type(ty) {
            return format!(
                "call {CUF}allocate({name}{}{at}{options})",
                bounds.arguments()
            );
        }
        // Derived types: raw memory of the right size under the pointer.
        let extents = bounds.extents();
        let count = bounds.count();
        let memory = format!("{CUF}malloc({STORAGE_SIZE}({name})/8_8{count}{at}{options})");
        if extents.is_empty() {
            return format!("call {CUF}associate({memory}, {name})");
        }
        let shape: Vec<String> = extents
            .iter()
            .map(|e| match e.bytes().all(|c| c.is_ascii_digit()) {
                true => e.clone(),
                false if bounds.wide => format!("{MAX}({INT}({e}, 8), 0_8)"),
                false => format!("{MAX}({e}, 0)"),
            })
            .collect();
        let mut s = format!(
            "call {CUF}associate({memory}, {name}, {})",
            bounds.array(&shape)
        );
        if !bounds.lower.is_empty() {
            s.push_str(&format!(
                "; {name}({}) => {name}",
                list(bounds.lower.iter().map(|l| format!("{l}:")))
            ));
        }
        s
    }

    /// Gives new data of a type with default initialisation its value (F2018 7.5.4.6), beginning with a semicolon.
    pub(in crate::translation::host) fn default_text(
        &mut self,
        name: &str,
        ty: &Type,
        bounds: &BoundsText,
        space: &str,
    ) -> String {
        let Type::Derived(t) = ty else {
            return String::new();
        };
        // Pointers and allocatables of which nothing is known yet cannot be given a value, nor be allocated: the new memory gets theirs, too.
        let raw = !space.is_empty() && self.model.has_dynamic(ty);
        if !raw && !self.model.has_default_init(ty) {
            return String::new();
        }
        let type_name = self.type_here(*t);
        let data = self.data_of(ty);
        // A local variable would be finalised.
        let mut attributes = match self.owners.finalizable(*t) {
            true => ", save".to_owned(),
            false => String::new(),
        };
        // The host reaches what is not device data itself.
        let set = match space {
            "" => format!("call {CUF}h2d({name}{data}, {CUF}default{data})"),
            _ if raw => {
                attributes.push_str(", target");
                format!(
                    "call {CUF}repeat({CUF}loc({name}), {CUF}loc({CUF}default), {STORAGE_SIZE}({name})/8_8, 1_8{})",
                    bounds.count()
                )
            }
            _ => format!("{name} = {CUF}default"),
        };
        format!(
            "; block; type({type_name}){attributes} :: {CUF}default; if ({ASSOCIATED}({name})) {set}; end block"
        )
    }

    /// Frees a pointer if it is associated.
    pub(in crate::translation::host) fn release_text(&self, name: &str, ty: &Type) -> String {
        if is_generic_type(ty) {
            format!("call {CUF}release({name})")
        } else {
            format!("if ({ASSOCIATED}({name})) call {CUF}free({CUF}loc({name})); nullify({name})")
        }
    }
}
