//! Derived types: components, inheritance, bindings.

use super::attributes::{apply, defers_length, dimension, dims};
use super::builder::{Builder, Fixup, variable};
use crate::ast::{self, AttrKind, Binding, Component};
use crate::sema::model::*;

impl<'a> Builder<'a> {
    /// Makes the type known, without its contents.
    pub fn announce_type(&mut self, scope: ScopeId, def: &'a ast::DerivedTypeDef) {
        let id = TypeId(self.m.types.len() as u32);
        self.m.types.push(DerivedType {
            name: def.name.text.to_string(),
            scope,
            parent: None,
            components: Vec::new(),
            bindings: Default::default(),
            parent_name: String::new(),
            parameters: has_parameters(def),
            sequence: def.sequence,
            structure: def.structure,
            finals: Vec::new(),
            is_abstract: def
                .attrs
                .iter()
                .any(|a| matches!(a.kind, AttrKind::Abstract)),
            bind_c: def
                .attrs
                .iter()
                .any(|a| matches!(a.kind, AttrKind::Bind(_))),
            external: false,
        });
        if let Some(s) = self.local(scope, &def.name.text)
            && let SymbolKind::DerivedType(_) = self.m[s].kind
        {
            let first = self.m[s].span;
            self.duplicate(&def.name, first);
        }
        // The constructor's generic may come by USE together with another type of the name: this one hides both.
        self.scope_mut(scope)
            .used
            .shift_remove(def.name.text.as_str());
        let s = self.declare(scope, &def.name, SymbolKind::DerivedType(id));
        self.attribute_access(scope, s, &def.attrs, &def.name);
    }

    pub fn define_type(&mut self, scope: ScopeId, def: &'a ast::DerivedTypeDef) {
        let Some(id) = self.m.lookup_type(scope, &def.name.text) else {
            return;
        };
        for a in &def.attrs {
            if let AttrKind::Extends(p) = &a.kind {
                let parent = self.m.lookup_type(scope, &p.text).filter(|t| *t != id);
                let t = &mut self.m.types[id.0 as usize];
                t.parent = parent;
                t.parent_name = p.text.to_string();
            }
        }
        let mut fields = Vec::new();
        for c in &def.components {
            match c {
                Component::Data(d) => {
                    let ty = self.type_of_spec(scope, &d.spec);
                    for e in &d.entities {
                        let ty = match &e.len {
                            Some(len) => Type::Character(self.m.character_length(scope, Some(len))),
                            None => ty.clone(),
                        };
                        let mut v = variable(ty);
                        for a in &d.attrs {
                            apply(&mut v, &a.kind);
                        }
                        // Lies where the structure does (decision 1011).
                        if matches!(v.space, Space::Managed | Space::Unified)
                            && !v.attrs.is_dynamic()
                        {
                            v.space = Space::Host;
                        }
                        if defers_length(e, &d.spec) {
                            v.attrs.set(VarAttrs::DEFERRED_LENGTH);
                        }
                        let spec = e.dims.as_ref().or(dimension(&d.attrs));
                        fields.push(Field {
                            name: e.name.text.to_string(),
                            spelling: self.text(e.name.span).to_owned(),
                            ty: v.ty,
                            dims: spec.map_or(Vec::new(), dims),
                            space: v.space,
                            attrs: v.attrs,
                            init: e.init.clone(),
                            span: e.name.span,
                            is_procedure: false,
                        });
                    }
                }
                Component::Procedure { entities, .. } => {
                    for e in entities {
                        let mut attrs = VarAttrs::default();
                        attrs.set(VarAttrs::POINTER);
                        fields.push(Field {
                            name: e.name.text.to_string(),
                            spelling: self.text(e.name.span).to_owned(),
                            ty: Type::Unknown,
                            dims: Vec::new(),
                            space: Space::Host,
                            attrs,
                            init: e.init.clone(),
                            span: e.name.span,
                            is_procedure: true,
                        });
                    }
                }
            }
        }
        self.m.types[id.0 as usize].components = fields;
        self.fixups
            .entry(scope)
            .or_default()
            .push(Fixup::Bindings(id, def));
    }

    pub fn bind_type(&mut self, scope: ScopeId, ty: TypeId, def: &'a ast::DerivedTypeDef) {
        let private = def.private;
        for b in &def.bindings {
            match b {
                Binding::Procedure {
                    interface,
                    attrs,
                    name,
                    target,
                    ..
                } => {
                    let implementation = interface.as_ref().or(target.as_ref()).unwrap_or(name);
                    let procedure = self.specific(scope, &implementation.text);
                    let has = |k: fn(&AttrKind) -> bool| attrs.iter().any(|a| k(&a.kind));
                    let pass = attrs.iter().find_map(|a| match &a.kind {
                        AttrKind::Pass(p) => p.as_ref().map(|p| p.text.to_string()),
                        _ => None,
                    });
                    let binding = TypeBinding::Specific {
                        procedure,
                        nopass: has(|k| matches!(k, AttrKind::NoPass)),
                        pass,
                        deferred: has(|k| matches!(k, AttrKind::Deferred)),
                        private: has(|k| matches!(k, AttrKind::Private))
                            || private && !has(|k| matches!(k, AttrKind::Public)),
                    };
                    self.m.types[ty.0 as usize]
                        .bindings
                        .insert(name.text.clone(), binding);
                }
                Binding::Generic { spec, targets, .. } => {
                    let names = targets.iter().map(|t| t.text.to_string());
                    let bindings = &mut self.m.types[ty.0 as usize].bindings;
                    if let Some(TypeBinding::Generic(list)) = bindings.get_mut(spec.text.as_str()) {
                        list.extend(names);
                    } else {
                        bindings.insert(spec.text.clone(), TypeBinding::Generic(names.collect()));
                    }
                }
                Binding::Final { names, .. } => {
                    let finals = names.iter().filter_map(|n| self.specific(scope, &n.text));
                    let finals: Vec<SymbolId> = finals.collect();
                    self.m.types[ty.0 as usize].finals.extend(finals);
                }
            }
        }
    }
}

/// The definition has KIND or LEN parameters.
fn has_parameters(def: &ast::DerivedTypeDef) -> bool {
    let parameter = |a: &ast::Attr| matches!(a.kind, AttrKind::Kind | AttrKind::Len);
    def.components
        .iter()
        .any(|c| matches!(c, Component::Data(d) if d.attrs.iter().any(parameter)))
}
