//! ALLOCATE and DEALLOCATE of device, managed, unified and pinned data (guide 3.3).

use crate::ast::*;
use crate::host::context::HostRewriter;
use crate::host::context::edit::join_lines;
use crate::host::context::memory::{allocation_space, is_generic_type};
use crate::host::context::names;
use crate::host::context::names::{
    ALLOCATED, ASSOCIATED, CUF, D2D, H2D, INT, LBOUND, SIZE, STORAGE_SIZE, UBOUND,
};
use crate::host::context::rules::Values;
use crate::host::context::storage::BoundsText;
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// Lines before and after an allocation.
pub(in crate::translation::host) struct ReservedNames {
    pub before: String,
    pub after: String,
}

impl HostRewriter<'_> {
    pub(in crate::translation::host) fn allocate(&mut self, a: &Allocate, span: Span) {
        let objects: Vec<TExpr> = a.objects.iter().map(|o| self.expr(&o.object)).collect();
        if objects
            .iter()
            .all(|t| allocation_space(self.space_of(t)).is_none())
        {
            self.host_allocate(a, &objects, span);
            return;
        }
        self.unit.runtime = true;
        let option = |name: &str| {
            a.options
                .iter()
                .find(|o| o.keyword.as_ref().is_some_and(|k| k.text == name))
        };
        let stat = option("stat").map(|o| self.slice(o.value.span).to_owned());
        let source = option("source").or(option("mold"));
        let copies = option("source").is_some();
        let mut options = String::new();
        for name in ["stat", "errmsg", "stream", "pinned"] {
            if let Some(o) = option(name) {
                options.push_str(&format!(", {name}={}", self.value_text(&o.value)));
            }
        }
        let device = objects
            .iter()
            .find(|t| allocation_space(self.space_of(t)).is_some());
        if let (Some(s), Some(t), true) = (source, device, copies) {
            let text = self.repeated_text(t);
            let source = self.expr(&s.value);
            self.hold_source(&source, t, &text);
        }
        let mut statements: Vec<String> = Vec::new();
        let mut host: Vec<String> = Vec::new();
        let mut aligned: Vec<String> = Vec::new();
        for (object, t) in a.objects.iter().zip(&objects) {
            let name = self.repeated_text(t);
            let Some(space) = allocation_space(self.space_of(t)) else {
                host.push(self.with_edits(object.span, |p| p.allocate_object(object)));
                if let Some(alignment) = option("align") {
                    aligned.extend(self.aligned(t, &alignment.value));
                }
                continue;
            };
            let bounds = if is_generic_type(&t.ty) {
                self.allocation_bounds(object, source)
            } else {
                self.repeated(|p| p.allocation_bounds(object, source))
            };
            let (around, name) = self.plain_root(t, name);
            let mut text = self.allocate_text(&name, &t.ty, &bounds, space, &options);
            if let (Some(s), true) = (source, copies) {
                text.push_str(&self.copy_source(&name, space, &s.value));
            } else {
                text.push_str(&self.default_text(&name, &t.ty, &bounds, space));
            }
            if let Some(stat) = &stat {
                if !is_generic_type(&t.ty) && !self.is_pointer(t) {
                    let errmsg = option("errmsg").map_or("", |o| self.slice(o.value.span));
                    let errmsg = if errmsg.is_empty() {
                        ""
                    } else {
                        &format!(", {errmsg}")
                    };
                    text.insert_str(
                        0,
                        &format!("if ({CUF}may_allocate({ASSOCIATED}({name}), {stat}{errmsg})) "),
                    );
                }
                // What follows the allocation is done if that succeeded.
                if let Some((first, rest)) = text.split_once("; ") {
                    text = format!("{first}\nif ({stat} == 0) then\n  {rest}\nend if");
                }
            }
            if is_generic_type(&t.ty) && self.is_pointer(t) {
                // Whatever it points to, or does not yet, is left alone.
                text.insert_str(0, &format!("nullify({name}); "));
            }
            if let Some(ReservedNames { before, after }) = around {
                let inner = text.replace('\n', "\n  ");
                text = format!("{before}\n  {inner}\n{after}");
            }
            statements.push(text);
        }
        if !host.is_empty() {
            let mut text = format!("allocate({}", host.join(", "));
            for o in &a.options {
                let word = o.keyword.as_ref().map_or("", |k| k.text.as_str());
                if !matches!(word, "pinned" | "stream" | "align") {
                    text.push_str(&format!(", {}", join_lines(self.slice(o.span))));
                }
            }
            text.push(')');
            if !aligned.is_empty() {
                match &stat {
                    Some(stat) => {
                        let lines = aligned.join("\n  ");
                        text.push_str(&format!("\nif ({stat} == 0) then\n  {lines}\nend if"));
                    }
                    None => text.push_str(&format!("\n{}", aligned.join("\n"))),
                }
            }
            statements.insert(0, text);
        }
        if let Some(stat) = stat {
            after_success(&mut statements, &stat);
        }
        let separator = format!("\n{}", self.indent_at(span.start));
        let lines: Vec<&str> = statements.iter().flat_map(|s| s.lines()).collect();
        self.edits
            .replace(Rule::Allocation, span, lines.join(&separator));
    }

    /// The name by which an allocation names its object, and the lines around it. gfortran 12 passes the descriptor of a pointer
    /// that is an optional dummy, or a component of one, without its rank while it is not associated (measured): a component is named
    /// through an ASSOCIATE, an array through a pointer of its own.
    pub(in crate::translation::host) fn plain_root(
        &mut self,
        e: &TExpr,
        text: String,
    ) -> (Option<ReservedNames>, String) {
        let Some((root, v)) = e.root().and_then(|r| Some((r, self.model.variable(r)?))) else {
            return (None, text);
        };
        if !v.attrs.has(VarAttrs::OPTIONAL) {
            return (None, text);
        }
        if matches!(e.kind, TExprKind::Variable(_)) {
            if e.rank <= 0 || matches!(v.ty, Type::Character(CharacterLength::Other)) {
                return (None, text);
            }
            let name = names::derived(&self.model[root].name);
            let ty = match &e.ty {
                Type::Real(2) => self.half_type(),
                ty => self.local_type(ty),
            };
            let contiguous = if self.became_pointer(e) {
                ", contiguous"
            } else {
                ""
            };
            let colons = vec![":"; e.rank as usize].join(",");
            let around = ReservedNames {
                before: format!(
                    "block\n  {ty}, pointer{contiguous} :: {name}({colons})\n  {name} => {text}"
                ),
                after: format!("  {text} => {name}\nend block"),
            };
            return (Some(around), name);
        }
        let end = text.find(['%', '(', ' ']).unwrap_or(text.len());
        let (root, path) = text.split_at(end);
        let name = names::derived(root);
        let around = ReservedNames {
            before: format!("associate ({name} => {root})"),
            after: "end associate".to_owned(),
        };
        (Some(around), name + path)
    }

    /// ALLOCATE of host data only: device operands in bounds and SOURCE= are copied.
    fn host_allocate(&mut self, a: &Allocate, objects: &[TExpr], span: Span) {
        if let Some(TypeSpecKind::Intrinsic { len: Some(len), .. }) =
            a.type_spec.as_ref().map(|t| &t.kind)
            && let CharLen::Expr(length) = &**len
        {
            let t = self.expr(length);
            self.value(&t);
        }
        let source = a
            .options
            .iter()
            .find(|o| o.keyword.as_ref().is_some_and(|k| k.text == "source"));
        if source.is_some_and(|s| self.allocate_owner(a, objects, s, span)) {
            return;
        }
        let copies = source.is_some_and(|s| self.is_device(&self.expr(&s.value)));
        for o in &a.objects {
            if copies {
                self.repeated(|p| p.allocate_object(o));
            } else {
                self.allocate_object(o);
            }
        }
        for o in &a.options {
            let word = o.keyword.as_ref().map_or("", |k| k.text.as_str());
            let t = self.expr(&o.value);
            match word {
                "align" => self.host_alignment(a, objects, o, span),
                // Guide 3.3.3: what the host allocates is not page-locked.
                "pinned" => {
                    self.remove_from_list(o.span, false);
                    let to = self.value_text(&o.value);
                    let at = self.indent_at(span.start);
                    self.edits
                        .insert(Rule::Allocation, span.end, format!("\n{at}{to} = .false."));
                }
                "source" if self.is_device(&t) => {
                    if let Some(k) = &o.keyword {
                        self.edits.replace(Rule::Allocation, k.span, "mold");
                    }
                    self.unit.runtime = true;
                    let from = self.repeated_text(&t);
                    self.repeated(|p| p.subscripts(&t));
                    for t in objects {
                        let to = self.repeated_text(t);
                        let data = self.data_of(&t.ty);
                        self.edits.insert(
                            Rule::Allocation,
                            span.end,
                            format!(
                                "\n{}call {CUF}d2h({to}{data}, {from}{data})",
                                self.indent_at(span.start)
                            ),
                        );
                    }
                }
                "mold" => self.subscripts(&t),
                "source" => self.value(&t),
                _ => self.subscripts(&t),
            }
        }
    }

    /// ALIGN= of nvfortran in an ALLOCATE of host data only.
    fn host_alignment(&mut self, a: &Allocate, objects: &[TExpr], option: &Arg, span: Span) {
        self.remove_from_list(option.span, false);
        let indent = self.indent_at(span.start);
        let stat = (a.options.iter())
            .find(|o| o.keyword.as_ref().is_some_and(|k| k.text == "stat"))
            .map(|o| self.slice(o.value.span).to_owned());
        let lines = objects.iter().flat_map(|t| self.aligned(t, &option.value));
        let mut lines: Vec<String> = lines.collect();
        if let Some(stat) = stat {
            lines.iter_mut().for_each(|l| l.insert_str(0, "  "));
            lines.insert(0, format!("if ({stat} == 0) then"));
            lines.push("end if".to_owned());
        }
        let text: String = lines.iter().map(|l| format!("\n{indent}{l}")).collect();
        self.edits.insert(Rule::Allocation, span.end, text);
    }

    /// Statements that move new host data, of which nothing has the address yet, to memory with an alignment. No Fortran procedure can
    /// do that with a descriptor, whose first part is the address with gfortran and LLVM flang.
    fn aligned(&mut self, object: &TExpr, alignment: &Expr) -> Vec<String> {
        self.unit.runtime = true;
        let name = self.repeated_text(object);
        let alignment = self.value_text(alignment);
        let attribute = match self.is_pointer(object) {
            true => "pointer",
            false => "allocatable",
        };
        let ty = match &object.ty {
            Type::Character(_) if self.model.has_attribute(object, VarAttrs::DEFERRED_LENGTH) => {
                "character(len=:)".to_owned()
            }
            Type::Real(2) => self.half_type(),
            ty => self.owner_type_text(ty),
        };
        let (shape, count) = match object.rank.max(0) as usize {
            0 => (String::new(), String::new()),
            n => (
                format!("({})", vec![":"; n].join(",")),
                format!("*{SIZE}({name}, kind=8)"),
            ),
        };
        let lines = [
            "block".to_owned(),
            "  interface".to_owned(),
            "    subroutine cuf_rt_realign(object, bytes, alignment)".to_owned(),
            "      import".to_owned(),
            format!("      {ty}, {attribute} :: object{shape}"),
            "      integer(8), value :: bytes, alignment".to_owned(),
            "    end subroutine".to_owned(),
            "  end interface".to_owned(),
            format!(
                "  call cuf_rt_realign({name}, {STORAGE_SIZE}({name})/8_8{count}, {INT}({alignment}, 8))"
            ),
            "end block".to_owned(),
        ];
        lines.into()
    }

    fn copy_source(&mut self, name: &str, space: &str, source: &Expr) -> String {
        let t = self.expr(source);
        let once = self.repeated_value(source);
        if space.is_empty() {
            let (routine, text) = if self.is_device(&t) {
                (D2D, self.designator_text(source))
            } else {
                (H2D, self.value_text(source))
            };
            let named = once.is_some() || t.is_designator();
            let text = once.unwrap_or(text);
            let at = self.address_argument(&t, "src_at");
            if !at.is_empty() && self.is_device(&t) {
                let data = self.data_of(&t.ty);
                return format!("; call {routine}({name}{data}, {text}{data}{at})");
            }
            let computed = (!named).then_some(t.rank);
            format!(
                "; {}",
                self.copy_text(routine, name, &t.ty, (&text, computed))
            )
        } else {
            let text = once.unwrap_or_else(|| self.value_text(source));
            format!("; {name} = {text}")
        }
    }

    fn allocation_bounds(&mut self, o: &AllocateObject, source: Option<&Arg>) -> BoundsText {
        if let Some(spec) = &o.bounds {
            return self.bounds_text(&spec.dims, None);
        }
        let Some(s) = source else {
            return BoundsText::default();
        };
        let t = self.expr(&s.value);
        if t.rank <= 0 {
            return BoundsText::default();
        }
        let text = match self.repeated_value(&s.value) {
            Some(text) => text,
            None if t.is_designator() => self.designator_text(&s.value),
            None => self.value_text(&s.value),
        };
        let designator = t.is_designator();
        let each = |f: &str| {
            (1..=t.rank)
                .map(|d| format!("{f}({text}, {d})"))
                .collect::<Vec<_>>()
        };
        if designator {
            BoundsText {
                upper: each(UBOUND),
                lower: each(LBOUND),
                wide: false,
            }
        } else {
            BoundsText {
                upper: each(SIZE),
                lower: Vec::new(),
                wide: false,
            }
        }
    }

    /// Explicit bounds as text, device operands copied. `declared`: they are those of a declaration of this scope.
    pub(in crate::translation::host) fn bounds_text(
        &mut self,
        dims: &[DimSpec],
        declared: Option<ScopeId>,
    ) -> BoundsText {
        let mut b = BoundsText::default();
        let mut lower = Vec::new();
        let mut kinds: Vec<Type> = Vec::new();
        for d in dims {
            let DimSpec::Explicit { lower: lo, upper } = d else {
                continue;
            };
            kinds.push(self.expr(upper).ty);
            b.upper.push(self.bound_text(upper, declared));
            match lo {
                Some(e) => {
                    kinds.push(self.expr(e).ty);
                    lower.push(self.bound_text(e, declared));
                }
                None => lower.push("1".to_owned()),
            }
        }
        b.wide = kinds
            .iter()
            .any(|k| *k != Type::Integer(4) && *k != Type::Unknown);
        if lower.iter().any(|l| l != "1") {
            b.lower = lower;
        }
        b
    }

    fn bound_text(&mut self, bound: &Expr, declared: Option<ScopeId>) -> String {
        let t = self.expr(bound);
        self.with_edits(bound.span, |p| {
            declared.into_iter().for_each(|s| p.shapes_in(&t, s));
            let again = p.repeats;
            p.subscript(&t, again);
        })
    }

    pub(in crate::translation::host) fn deallocate(
        &mut self,
        objects: &[Expr],
        options: &[Arg],
        span: Span,
    ) {
        let typed: Vec<TExpr> = objects.iter().map(|o| self.expr(o)).collect();
        if typed
            .iter()
            .all(|t| allocation_space(self.space_of(t)).is_none())
        {
            for t in &typed {
                let text = self.repeated_text(t);
                self.repeated(|p| p.subscripts(t));
                let finish = self.finish_deallocated(t, &text);
                let indent = self.indent_at(span.start);
                let text: String = finish.iter().map(|l| format!("{l}\n{indent}")).collect();
                if !text.is_empty() {
                    self.edits.insert(Rule::Allocation, span.start, text);
                }
            }
            return;
        }
        self.unit.runtime = true;
        let stat = options
            .iter()
            .find(|o| o.keyword.as_ref().is_some_and(|k| k.text == "stat"));
        let stat = stat.map(|o| self.slice(o.value.span).to_owned());
        let options_text: String = options
            .iter()
            .map(|o| format!(", {}", self.slice(o.span)))
            .collect();
        let mut host = Vec::new();
        let mut before = Vec::new();
        let mut statements = Vec::new();
        for t in &typed {
            let name = self.repeated_text(t);
            before.extend(self.finish_deallocated(t, &name));
            if allocation_space(self.space_of(t)).is_none() {
                host.push(name);
            } else if is_generic_type(&t.ty) {
                statements.push(format!("call {CUF}deallocate({name}{options_text})"));
            } else {
                let free = format!("call {CUF}dealloc({CUF}loc({name}){options_text})");
                statements.push(match &stat {
                    Some(stat) => format!("{free}; if ({stat} == 0) nullify({name})"),
                    None => format!("{free}; nullify({name})"),
                });
            }
        }
        if !host.is_empty() {
            statements.insert(0, format!("deallocate({}{options_text})", host.join(", ")));
        }
        if let Some(stat) = stat {
            after_success(&mut statements, &stat);
        }
        before.extend(statements);
        let separator = format!("\n{}", self.indent_at(span.start));
        self.edits
            .replace(Rule::Allocation, span, before.join(&separator));
    }

    /// What has to be done before the host's DEALLOCATE of an object.
    fn finish_deallocated(&mut self, object: &TExpr, text: &str) -> Vec<String> {
        if self.is_device(object) {
            return Vec::new();
        }
        let inquiry = if self.is_pointer(object) || self.became_pointer(object) {
            ASSOCIATED
        } else {
            ALLOCATED
        };
        let lines = self.finish(text, &object.ty, object.rank, Some(inquiry));
        self.unit.runtime |= !lines.is_empty();
        lines
    }
}

/// The status of the first failure counts: what follows it is not done.
fn after_success(statements: &mut [String], stat: &str) {
    for s in statements.iter_mut().skip(1) {
        *s = if s.contains('\n') {
            format!("if ({stat} == 0) then\n{s}\nend if")
        } else if s.contains("; ") || s.starts_with("if (") {
            format!("if ({stat} == 0) then; {s}; end if")
        } else {
            format!("if ({stat} == 0) {s}")
        };
    }
}
