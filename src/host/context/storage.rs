//! The texts that allocate and release memory: calls of the runtime for data of the device, statements for that of the host.

use crate::host::context::memory::is_generic_type;
use crate::host::context::names::*;
use crate::host::context::{Pass, list};
use crate::sema::model::*;

/// Bounds of one allocation as Fortran text.
#[derive(Default)]
pub(in crate::host) struct BoundsText {
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

impl Pass<'_> {
    /// The text that allocates a pointer of any type. `options` begins with a comma or is empty.
    pub(in crate::host) fn allocate_text(
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
        let extents: Vec<String> = bounds
            .upper
            .iter()
            .enumerate()
            .map(|(i, u)| match bounds.lower.get(i) {
                Some(l) if l != "1" => format!("{u} - ({l}) + 1"),
                _ => u.clone(),
            })
            .collect();
        let count: String = extents
            .iter()
            .map(|e| format!("*{MAX}(0_8, {INT}({e}, 8))"))
            .collect();
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
    pub(in crate::host) fn default_text(&mut self, name: &str, ty: &Type, space: &str) -> String {
        let Type::Derived(t) = ty else {
            return String::new();
        };
        if !self.model.has_default_init(ty) {
            return String::new();
        }
        let type_name = self.visible_type(*t).unwrap_or(self.model.type_name(ty));
        let data = self.data_of(ty);
        // A local variable would be finalised.
        let save = match self.owners.finalizable(*t) {
            true => ", save",
            false => "",
        };
        // The host reaches what is not device data itself.
        let set = match space {
            "" => format!("call {CUF}h2d({name}{data}, {CUF}default{data})"),
            _ => format!("{name} = {CUF}default"),
        };
        format!(
            "; block; type({type_name}){save} :: {CUF}default; if ({ASSOCIATED}({name})) {set}; end block"
        )
    }

    /// Frees a pointer if it is associated.
    pub(in crate::host) fn release_text(&self, name: &str, ty: &Type) -> String {
        if is_generic_type(ty) {
            format!("call {CUF}release({name})")
        } else {
            format!("if ({ASSOCIATED}({name})) call {CUF}free({CUF}loc({name})); nullify({name})")
        }
    }
}
