//! Derived types, module data and named constants that device code needs: their definitions in C++.

use std::collections::BTreeSet;

use super::unit::FileOut;
use crate::ast;
use crate::ir::names;
use crate::ir::{self, *};
use crate::lower::context::{LoweringContext, Shared};
use crate::lower::statement::comments;
use crate::lower::value::constant::filled;
use crate::lower::value::place::{field_name, parent_member};
use crate::map::Rule;
use crate::sema::model::*;

/// Namespace and file of the unit around a scope.
pub(in crate::translation::lower) fn home(
    sh: &Shared<'_>,
    scope: ScopeId,
) -> (FileId, u32, String) {
    let mut at = scope;
    while let Some(p) = sh.model[at].parent {
        if sh.model[at].kind == ScopeKind::Submodule {
            break;
        }
        at = p;
    }
    (
        sh.model[at].file,
        sh.model[at].span.start,
        sh.namespace_of(scope),
    )
}

/// A type, after those of its components.
pub(in crate::translation::lower) fn structure(
    sh: &Shared<'_>,
    t: TypeId,
    files: &mut [FileOut],
    done: &mut BTreeSet<TypeId>,
) {
    if !done.insert(t) {
        return;
    }
    let model = sh.model;
    let d = &model[t];
    for f in &d.components {
        match f.ty {
            crate::sema::model::Type::Derived(c) if !model[c].external => {
                structure(sh, c, files, done);
            }
            _ => {}
        }
    }
    let scope = model[d.scope].parent.unwrap_or(d.scope);
    let (file, at, namespace) = home(sh, scope);
    let Some(mut cx) = LoweringContext::new(sh, file, scope, Default::default()) else {
        return;
    };
    if d.structure {
        let at = model
            .lookup(scope, &d.name)
            .map_or(model[d.scope].span, |s| model[s].span);
        let message = format!(
            "structure `{}` has an unknown layout and cannot be used in device code",
            d.name
        );
        cx.refuse(at, "CUF0410", message);
        return;
    }
    let mut fields = Vec::new();
    // A member, not a base class: C++ would put the next members into the padding of a base, Fortran does not.
    if let Some(p) = d.parent {
        sh.use_type(p);
        sh.needs
            .borrow_mut()
            .insert((file, model[model[p].scope].file));
        let ty = ir::Type::Derived(sh.type_ident(p));
        fields.push(StructField {
            name: parent_member(&model[p].name),
            ty,
            init: None,
            joined: false,
            notes: Notes::default(),
            origin: Origin::default(),
        });
    }
    let place = model[scope]
        .names
        .get(d.name.as_str())
        .map_or(model[d.scope].span.start, |s| model[*s].span.start);
    let mut after = place;
    for f in &d.components {
        let Some((ty, init)) = component(&mut cx, d, f) else {
            return;
        };
        let mut n = comments::notes(&cx.input, after, f.span);
        n.blank_before = false;
        let gap = cx.source_text(ast::Span {
            start: after,
            end: f.span.start,
        });
        let joined = gap.trim() == ","
            && init.is_none()
            && fields
                .last()
                .is_some_and(|f: &StructField| f.ty == ty && f.init.is_none());
        after = f.span.end;
        fields.push(StructField {
            name: field_name(f, &f.name),
            ty,
            init,
            joined,
            notes: n,
            origin: Origin::new(f.span.start, f.span.end, Rule::DerivedType),
        });
    }
    if cx.failed {
        return;
    }
    let item = Item {
        kind: ItemKind::Struct(Struct {
            name: sh.type_ident(t).name,
            fields,
        }),
        notes: comments::declaration(&cx.input, place),
        origin: Origin::new(place, place + d.name.len() as u32, Rule::DerivedType),
    };
    if let Some(out) = files.get_mut(file.0 as usize) {
        out.members(at, &namespace).header.push((place, item));
    }
}

/// Type and default value of a component; None: it was refused.
fn component(
    cx: &mut LoweringContext<'_, '_>,
    d: &DerivedType,
    f: &Field,
) -> Option<(ir::Type, Option<Expr>)> {
    let pointer = f.attrs.is_dynamic();
    if f.is_procedure {
        cx.refuse(
            f.span,
            "CUF0410",
            format!(
                "component `{}` of type `{}` is a procedure pointer, which is not supported in device code",
                f.name, d.name
            ),
        );
        return None;
    }
    let Some(elem) = cx.storage_type(&f.ty) else {
        cx.refuse(
            f.span,
            "CUF0403",
            format!(
                "type of component `{}` is not supported in device code",
                f.name
            ),
        );
        return None;
    };
    if pointer {
        cx.need_header("device/fortran_pointer.hpp");
    }
    let ty = if pointer && f.dims.is_empty() {
        ir::Type::Pointer {
            to: Box::new(elem.clone()),
            restrict: false,
        }
    } else if pointer {
        ir::Type::Descriptor {
            elem: Box::new(elem.clone()),
            rank: f.dims.len(),
        }
    } else if f.dims.is_empty() {
        elem.clone()
    } else {
        match cx.fixed_dims(d.scope, &f.dims) {
            Some(dims) => ir::Type::Fixed {
                elem: Box::new(elem.clone()),
                dims,
            },
            None => {
                cx.refuse(
                    f.span,
                    "CUF0410",
                    format!("component `{}` has no constant shape", f.name),
                );
                return None;
            }
        }
    };
    let init = cx.component_default(d.scope, f);
    Some((ty, init))
}

pub(in crate::translation::lower) fn global(sh: &Shared<'_>, s: SymbolId, files: &mut [FileOut]) {
    let model = sh.model;
    let info = &model[s];
    let (file, at, namespace) = home(sh, info.scope);
    let Some(mut cx) = LoweringContext::new(sh, file, info.scope, Default::default()) else {
        return;
    };
    let name = names::safe(&info.spelling);
    let place = info.span.start;
    match &info.kind {
        SymbolKind::Parameter(_) => {
            let Some((ty, value)) = cx.constant_value(s, info.span) else {
                return;
            };
            let item = Item {
                kind: ItemKind::Constant { name, ty, value },
                notes: comments::declaration(&cx.input, place),
                origin: Origin::new(place, info.span.end, Rule::NamedConstant),
            };
            if let Some(out) = files.get_mut(file.0 as usize) {
                out.members(at, &namespace).header.push((place, item));
            }
        }
        SymbolKind::Variable(v) => {
            let v = v.clone();
            let ty = match cx.variable_type(s, &v, info.span) {
                ir::Type::Bool => cx.storage_type(&v.ty).unwrap_or(ir::Type::Unknown),
                ir::Type::LocalArray { .. } => {
                    cx.refuse(
                        info.span,
                        "CUF0410",
                        format!("module variable `{name}` has no constant shape"),
                    );
                    return;
                }
                t => t,
            };
            let init = match v.init.as_deref() {
                Some(ast::Init::Value(e)) => {
                    let t = model.expr(info.scope, e);
                    let elem = ty.element().clone();
                    match &ty {
                        ir::Type::Fixed { dims, .. } if t.rank <= 0 => Some(filled(
                            cx.initialiser(&t, &elem),
                            dims.iter().map(FixedDim::extent).product(),
                        )),
                        ir::Type::Fixed { .. } => {
                            let value = t.value.clone().or_else(|| model.initial_value(s));
                            let Some(c) = value else {
                                let message = format!(
                                    "initial value of `{name}` is not a constant expression that cuf2cu can evaluate"
                                );
                                cx.refuse(t.span, "CUF0409", message);
                                return;
                            };
                            Some(cx.literal(&c, &v.ty, t.span))
                        }
                        _ => Some(cx.initialiser(&t, &elem)),
                    }
                }
                // nvcc wants a value that is constant as a whole, not some components with one.
                _ if model.has_default_init(&v.ty) => {
                    Some(Expr::new(ExprKind::List(Vec::new()), ty.clone()))
                }
                _ => None,
            };
            if cx.failed {
                return;
            }
            let space = match v.space {
                Space::Constant => GlobalSpace::Constant,
                Space::Managed | Space::Unified => GlobalSpace::Managed,
                _ => GlobalSpace::Device,
            };
            let g = GlobalVariable {
                name,
                ty,
                space,
                init,
                is_extern: false,
                line: cx
                    .input
                    .text
                    .get(..place as usize)
                    .map_or(0, |t| t.rfind('\n').map_or(0, |at| at + 1))
                    as u32,
            };
            let origin = Origin::new(place, info.span.end, Rule::ModuleVariable);
            let declared = Item {
                kind: ItemKind::Variable(GlobalVariable {
                    is_extern: true,
                    ..g.clone()
                }),
                notes: comments::declaration(&cx.input, place),
                origin,
            };
            let defined = Item {
                kind: ItemKind::Variable(g),
                notes: Notes::default(),
                origin,
            };
            if let Some(out) = files.get_mut(file.0 as usize) {
                let m = out.members(at, &namespace);
                m.header.push((place, declared));
                m.source.push((place, defined));
            }
        }
        _ => {}
    }
}

impl LoweringContext<'_, '_> {}
