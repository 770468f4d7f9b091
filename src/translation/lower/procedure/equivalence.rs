//! EQUIVALENCE among local variables: references into one storage of bytes.

use std::collections::BTreeMap;

use crate::ast::{self, Decl, DeclKind, Span};
use crate::ir::{self, *};
use crate::lower::context::state::Stored;
use crate::lower::context::{Entity, LoweringContext};
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

/// Where a variable lies: its storage's number while they are gathered, and its offset in bytes.
#[derive(Clone, Copy)]
struct Place {
    storage: usize,
    offset: i64,
}

/// The largest alignment of a type, and that of a storage.
const ALIGNMENT: i64 = 16;

impl LoweringContext<'_, '_> {
    /// Lays out the variables of all EQUIVALENCE statements. Returns the declarations of the storages.
    pub fn lay_out_equivalence(&mut self, spec: &[Decl]) -> Vec<ir::Stmt> {
        let mut places: BTreeMap<SymbolId, Place> = BTreeMap::new();
        let mut storages = 0;
        for d in spec {
            let DeclKind::Equivalence(sets) = &d.kind else {
                continue;
            };
            for set in sets {
                if let Err((span, why)) = self.place_set(set, &mut places, &mut storages) {
                    self.refuse(span, "CUF0410", why);
                    return Vec::new();
                }
            }
        }
        (0..storages)
            .filter_map(|n| self.storage(n, &places))
            .collect()
    }

    /// Puts the objects of a set into one storage; those that some of them already have become one.
    fn place_set(
        &self,
        set: &[ast::Expr],
        places: &mut BTreeMap<SymbolId, Place>,
        storages: &mut usize,
    ) -> Result<(), (Span, String)> {
        let storage = *storages;
        *storages += 1;
        for object in set {
            let t = self.model().expr(self.scope, object);
            let (symbol, inside) = self
                .equivalence_object(&t)
                .map_err(|why| (object.span, why))?;
            // The objects of a set have their first byte in common: it is the zero of the new storage.
            let offset = -inside;
            let Some(old) = places.get(&symbol).copied() else {
                places.insert(symbol, Place { storage, offset });
                continue;
            };
            if old.storage == storage && old.offset != offset {
                let name = &self.model()[symbol].spelling;
                let why = format!("`equivalence` gives `{name}` two storage locations");
                return Err((object.span, why));
            }
            for p in places.values_mut().filter(|p| p.storage == old.storage) {
                p.storage = storage;
                p.offset += offset - old.offset;
            }
        }
        Ok(())
    }

    /// The variable of an equivalence object, and the bytes before the object in it.
    fn equivalence_object(&self, t: &TExpr) -> Result<(SymbolId, i64), String> {
        let constant = "subscripts and substrings in `equivalence` must be constant";
        match &t.kind {
            TExprKind::Variable(s) => {
                self.size_and_alignment(*s)?;
                Ok((*s, 0))
            }
            TExprKind::Substring { base, lo, .. } => {
                let (s, offset) = self.equivalence_object(base)?;
                let lo = lo.as_ref().map_or(Some(1), |e| e.as_integer());
                let lo = lo.and_then(|v| i64::try_from(v).ok()).ok_or(constant)?;
                Ok((s, offset + lo - 1))
            }
            TExprKind::Index { base, subs } => {
                let (s, offset) = self.equivalence_object(base)?;
                let v = self.model().variable(s).ok_or(constant)?;
                let (element, _) = self.layout(&v.ty).ok_or(constant)?;
                let (mut index, mut stride) = (0, 1);
                for (sub, b) in subs.iter().zip(self.model().bounds(self.scope, &v.dims)) {
                    let at = match sub {
                        Subscript::Element(e) => e.as_integer(),
                        _ => None,
                    };
                    let at = at.and_then(|v| i64::try_from(v).ok()).ok_or(constant)?;
                    let (lower, upper) = (b.lower.ok_or(constant)?, b.upper.ok_or(constant)?);
                    index += (at - lower) * stride;
                    stride *= (upper - lower + 1).max(0);
                }
                Ok((s, offset + index * element))
            }
            _ => Err(
                "object in `equivalence` must be a variable, an array element, or a substring"
                    .into(),
            ),
        }
    }

    /// Size and alignment in bytes of a local variable that may stand in an EQUIVALENCE.
    fn size_and_alignment(&self, s: SymbolId) -> Result<(i64, i64), String> {
        let name = &self.model()[s].spelling;
        let other = || {
            format!(
                "`{name}` cannot appear in `equivalence` in device code\nnote: only local variables of constant size without other attributes can share storage there"
            )
        };
        let v = self.model().variable(s).ok_or_else(other)?;
        let barred = [
            VarAttrs::POINTER,
            VarAttrs::ALLOCATABLE,
            VarAttrs::SAVE,
            VarAttrs::TARGET,
            VarAttrs::IN_COMMON,
            VarAttrs::CRAY_POINTEE,
        ];
        if v.dummy.is_some()
            || v.is_result
            || v.init.is_some()
            || self.model()[s].scope != self.scope
            || barred.iter().any(|a| v.attrs.has(*a))
        {
            return Err(other());
        }
        let (size, alignment) = self.layout(&v.ty).ok_or_else(other)?;
        let elements = self.elements(self.scope, &v.dims).ok_or_else(other)?;
        Ok((size * elements, alignment))
    }

    fn elements(&self, scope: ScopeId, dims: &[Dim]) -> Option<i64> {
        let mut n = 1;
        for b in self.model().bounds(scope, dims) {
            n *= (b.upper? - b.lower? + 1).max(0);
        }
        Some(n)
    }

    /// Size and alignment of a type in memory, as the C++ compiler lays it out.
    fn layout(&self, ty: &model::Type) -> Option<(i64, i64)> {
        let of = |k: &u8| i64::from(*k);
        Some(match ty {
            model::Type::Integer(k) | model::Type::Real(k) | model::Type::Logical(k) => {
                (of(k), of(k))
            }
            model::Type::Complex(k) => (2 * of(k), of(k)),
            model::Type::Character(CharacterLength::Constant(n)) => (*n, 1),
            model::Type::Derived(t) => {
                let d = &self.model()[*t];
                if d.external || d.structure || d.parent.is_some() || !d.finals.is_empty() {
                    return None;
                }
                let (mut size, mut alignment) = (0, 1);
                for f in &d.components {
                    let plain = !f.attrs.is_dynamic() && !f.is_procedure && f.init.is_none();
                    let (s, a) = self.layout(&f.ty).filter(|_| plain)?;
                    size = (size + a - 1) / a * a + s * self.elements(d.scope, &f.dims)?;
                    alignment = alignment.max(a);
                }
                ((size + alignment - 1) / alignment * alignment, alignment)
            }
            _ => return None,
        })
    }

    /// Declares a storage and notes the places of its variables.
    fn storage(&mut self, number: usize, places: &BTreeMap<SymbolId, Place>) -> Option<ir::Stmt> {
        let mut members = Vec::new();
        for (s, p) in places.iter().filter(|(_, p)| p.storage == number) {
            let (size, alignment) = self.size_and_alignment(*s).ok()?;
            members.push((*s, p.offset, size, alignment));
        }
        let first = members.iter().map(|m| m.1).min()?;
        let aligned = |shift: i64| members.iter().all(|m| (m.1 - first + shift) % m.3 == 0);
        let Some(shift) = (0..ALIGNMENT).find(|s| aligned(*s)) else {
            let s = members.first()?.0;
            let span = self.model()[s].span;
            self.refuse(
                span,
                "CUF0410",
                "this `equivalence` misaligns a variable; GPUs require natural alignment",
            );
            return None;
        };
        let bytes = members.iter().map(|m| m.1 - first + shift + m.2).max()?;
        let name = self.fresh("storage");
        let ty = ir::Type::Class(Class::Storage(bytes.max(1)));
        for (s, offset, ..) in &members {
            let place = Stored {
                storage: Expr::name(&name, ty.clone()),
                offset: offset - first + shift,
            };
            self.equivalence.insert(*s, place);
        }
        self.need_header("device/equivalence.hpp");
        Some(ir::Stmt::declare(ty, &name, Init::None))
    }

    /// Declares a variable of an EQUIVALENCE: a reference into its storage.
    pub fn equivalenced(&mut self, s: SymbolId, v: &Variable, name: &str) -> Option<ir::Stmt> {
        let elem = self.storage_type(&v.ty)?;
        let scope = self.model()[s].scope;
        let (ty, bounds) = match v.dims.is_empty() {
            true => (elem, Vec::new()),
            false => {
                let dims = self.fixed_dims(scope, &v.dims)?;
                let elem = Box::new(elem);
                (ir::Type::Fixed { elem, dims }, self.declared_bounds(s))
            }
        };
        self.vars.insert(
            s,
            Entity {
                expr: Expr::name(name, ty.clone()),
                bounds,
                optional: None,
            },
        );
        let Stored { storage, offset } = self.equivalence.get(&s)?.clone();
        let place = Expr::call_of(
            Function::StorageAt,
            vec![TemplateArg::Type(ty.clone())],
            vec![storage, Expr::int(offset)],
            ty,
        );
        let reference = ir::Type::Ref(Box::new(ir::Type::Auto));
        Some(ir::Stmt::declare(reference, name, Init::Value(place)))
    }
}
