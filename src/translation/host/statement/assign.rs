//! Assignment: transfers between host and device (guide 3.4).

use crate::abi::ReturnKind;
use crate::ast::{Expr, Span};
use crate::host::context::memory::{allocation_space, is_generic_type};
use crate::host::context::names::{
    ALLOCATED, ASSOCIATED, CUF, D2D, D2H, H2D, LBOUND, LEN, SHAPE, SIZE, STORAGE_SIZE, UBOUND,
    VALUE,
};
use crate::host::context::rules::Values;
use crate::host::context::{HostRewriter, Within};
use crate::host::statement::alloc::ReservedNames;
use crate::host::temporaries::copy_in::has_vector_subscript;
use crate::host::temporaries::described::{Fault, Sample};
use crate::intrinsics::ResultRank;
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::dialect::MemoryMode;
use crate::sema::model::*;

impl HostRewriter<'_> {
    pub(in crate::translation::host) fn assignment(
        &mut self,
        lhs: &Expr,
        rhs: &Expr,
        statement: Span,
    ) {
        let l = self.expr(lhs);
        let r = self.expr(rhs);
        let gap = Span {
            start: lhs.span.end,
            end: rhs.span.start,
        };
        if let Some(p) = self.model.defined_assignment(self.scope, &l, &r) {
            self.defined_assignment(p, l, r, gap);
            return;
        }
        if l.ty == Type::Real(2) || r.ty == Type::Real(2) {
            self.uses_halves();
        }
        if self.model.is_c_address(&l.ty) && matches!(r.ty, Type::Character(..)) {
            self.unit
                .extra_uses
                .insert("use cuf_symbol_assignment".to_owned());
        }
        if self.owner_assignment(&l, &r, statement) {
            return;
        }
        if self.operation_statement(&l, &r, statement) {
            return;
        }
        if self.number_to_unlimited(&l, &r) {
            return;
        }
        self.full_descriptor(&l, &r);
        let source = r.unparenthesised();
        let from_device = self.is_device(source) || self.managed_copy(&l, source) == Some(D2H);
        if self.within == Within::Ordinary
            && from_device
            && !self.is_device(&l)
            && self.assign_undescribed(&l, &r)
        {
            return;
        }
        if self.within == Within::Ordinary && self.reallocating_assignment(&l, &r, statement) {
            return;
        }
        if self.is_device(&l) && self.within != Within::Ordinary {
            let name = self.slice(l.span);
            self.finding(
                "CUF0394",
                l.span,
                format!("device variable `{name}` cannot be assigned in this host construct\nnote: `where`, `forall`, and `do concurrent` run on the host\nhelp: use a CUF loop, or assign the whole array"),
            );
        } else if self.is_device(&l) && has_vector_subscript(&l) {
            self.index_on_host(&l, true);
            self.assigned_value(&r, &l.ty);
        } else if self.is_device(&l) {
            let copied = self.is_device(source) && !has_vector_subscript(source);
            let routine = if copied { D2D } else { H2D };
            self.transfer(routine, &l, gap, &r);
        } else if self.is_device(source)
            && !has_vector_subscript(source)
            && self.within == Within::Ordinary
            && !has_vector_subscript(&l)
        {
            self.transfer(D2H, &l, gap, &r);
        } else if let Some(routine) = self.managed_copy(&l, source) {
            self.transfer(routine, &l, gap, &r);
        } else if self.takes_library_memory(&l, &r) {
            self.subscripts(&l);
            self.edits.insert(Rule::Transfer, r.span.start, "(");
            self.assigned_value(&r, &l.ty);
            self.edits.insert(Rule::Transfer, r.span.end, ")");
        } else {
            self.subscripts(&l);
            self.assigned_value(&r, &l.ty);
        }
    }

    /// gfortran lets its library allocate the result of a transformational function that is assigned to an allocatable, which then
    /// has the library's memory. Of an expression in parentheses the program allocates it, in the memory mode's memory.
    fn takes_library_memory(&self, l: &TExpr, r: &TExpr) -> bool {
        let TExprKind::Intrinsic { intrinsic, .. } = &r.kind else {
            return false;
        };
        self.model.dialect.memory == MemoryMode::Managed
            && r.rank > 0
            && intrinsic.entry().rank != ResultRank::Elemental
            && self.model.has_attribute(l, VarAttrs::ALLOCATABLE)
    }

    /// An assignment between a whole managed variable and another variable or a constant is a copy in stream order, after
    /// the kernels before it; sections and expressions are the host's, as they stand (guide 3.4.1).
    fn managed_copy(&self, l: &TExpr, r: &TExpr) -> Option<&'static str> {
        let has = |space: Option<Space>| matches!(space, Some(Space::Managed | Space::Unified));
        let result = |e: &TExpr| has(self.model.result_space(e));
        let managed = |e: &TExpr| has(self.model.space(e)) || result(e);
        let whole = |e: &TExpr| match &e.kind {
            TExprKind::Variable(_) => managed(e),
            TExprKind::Component { base, .. } => {
                base.rank == 0 && has(self.model.component(e).map(|f| f.space))
            }
            _ => result(e),
        };
        let copied = |t: &Type| {
            matches!(
                t,
                Type::Integer(_) | Type::Real(_) | Type::Complex(_) | Type::Logical(_)
            )
        };
        let simple = r.is_designator() || r.value.is_some() || result(r);
        if self.within != Within::Ordinary
            || !simple
            || !(whole(l) || whole(r))
            || !copied(&l.ty)
            || !(copied(&r.ty) || r.ty == Type::Boz)
            || has_vector_subscript(l)
            || has_vector_subscript(r)
        {
            return None;
        }
        Some(match (managed(l), managed(r)) {
            (true, true) => D2D,
            (true, false) => H2D,
            (false, _) => D2H,
        })
    }

    /// `lhs = rhs` becomes `call routine(lhs, rhs)`.
    fn transfer(&mut self, routine: &str, l: &TExpr, gap: Span, r: &TExpr) {
        self.unit.runtime = true;
        self.edits
            .insert(Rule::Transfer, l.span.start, format!("call {routine}("));
        let to_at = self.address_argument(l, "dst_at");
        let from_at = self.address_argument(r, "src_at");
        if self.descriptor_fault(l) == Some(Fault::Text) {
            self.index_text(l, true);
        }
        self.as_data(l);
        match to_at.is_empty() {
            true => self.subscripts(l),
            false => self.repeated(|p| p.subscripts(l)),
        }
        self.edits.replace(Rule::Transfer, gap, ", ");
        match r.ty {
            Type::Boz => self.value_as(r, &l.ty),
            _ if self.is_address_reference(r.unparenthesised()) => self.address_value(l, r),
            _ if self.held_data(r) => {}
            _ if self.descriptor_fault(r) == Some(Fault::Layout) => {
                let to = self.repeated_text(l);
                let name = self.declared_source(r, l, &to);
                let data = self.data_of(&l.ty);
                self.edits
                    .replace(Rule::HostTemporary, r.span, name + &data);
            }
            _ => {
                let data = self.data_of(&r.ty);
                if !data.is_empty() {
                    self.edits
                        .insert(Rule::Transfer, r.unparenthesised().span.end, data);
                }
                match from_at.is_empty() {
                    true => self.source(r),
                    false => self.repeated(|p| p.source(r)),
                }
            }
        }
        self.edits
            .insert(Rule::Transfer, r.span.end, format!("{to_at}{from_at})"));
    }

    /// A reference of a function whose result is an address: gfortran 12 passes it wrongly to an any-type dummy (measured: a null pointer
    /// arrives), as an array of one element rightly.
    pub(in crate::translation::host) fn is_address_reference(&self, e: &TExpr) -> bool {
        let call = matches!(
            e.kind,
            TExprKind::Runtime { .. } | TExprKind::Call { .. } | TExprKind::BoundCall { .. }
        );
        let address = |t: &TypeId| {
            matches!(
                self.model[*t].name.as_str(),
                "c_ptr" | "c_devptr" | "c_funptr"
            )
        };
        call && e.rank == 0 && matches!(&e.ty, Type::Derived(t) if address(t))
    }

    fn address_value(&mut self, l: &TExpr, r: &TExpr) {
        if l.rank != 0 {
            let message = "address returned by a function is assigned to a device array\nhelp: assign it to a host variable first";
            return self.finding("CUF0382", r.span, message.to_owned());
        }
        self.edits.insert(Rule::Transfer, r.span.start, "[");
        self.value(r);
        self.edits.insert(Rule::Transfer, r.span.end, "]");
    }

    /// The name of a copy of a host object that gfortran describes wrongly, of the type of what it is assigned to.
    fn declared_source(&mut self, r: &TExpr, l: &TExpr, to: &str) -> String {
        let sample = Sample {
            ty: &l.ty,
            text: to,
            any_length: self.defers_length(l),
        };
        self.hold_declared(r, &sample).unwrap_or_default()
    }

    /// The same as text, for a procedure of the runtime. `sample`: what it becomes a value of.
    pub(in crate::translation::host) fn source_text(
        &mut self,
        r: &TExpr,
        sample: &Sample<'_>,
    ) -> String {
        if self.descriptor_fault(r) == Some(Fault::Layout) {
            return self.hold_declared(r, sample).unwrap_or_default();
        }
        match self.gathered_source(r.unparenthesised()) {
            Some(name) => name,
            None => self.with_edits(r.span, |p| p.source(r)),
        }
    }

    /// The right side of a transfer.
    fn source(&mut self, r: &TExpr) {
        let inner = r.unparenthesised();
        if self.is_device(inner) {
            self.without_parentheses(r, inner);
            if has_vector_subscript(inner) {
                // gfortran 12 makes no descriptor of it; of an expression it does.
                self.edits.insert(Rule::Transfer, inner.span.start, "(");
                self.index_on_host(inner, false);
                self.edits.insert(Rule::Transfer, inner.span.end, ")");
                return;
            }
            self.whole_base(inner);
            self.subscripts(inner);
        } else if has_vector_subscript(r) && r.is_designator() {
            // gfortran 12 makes no descriptor of it; of an expression it does.
            self.edits.insert(Rule::Transfer, r.span.start, "(");
            self.value(r);
            self.edits.insert(Rule::Transfer, r.span.end, ")");
        } else {
            if self.descriptor_fault(r) == Some(Fault::Text) {
                self.index_text(r.unparenthesised(), false);
            }
            if r.is_designator() {
                self.whole_base(r);
            }
            self.value(r);
        }
    }

    /// Assignment to a whole allocatable that the compiler does not (re)allocate itself, as intrinsic assignment has to
    /// (F2018 10.2.1.3): one that became a pointer, or one of the host that gets device data.
    pub(in crate::translation::host) fn reallocating_assignment(
        &mut self,
        l: &TExpr,
        r: &TExpr,
        statement: Span,
    ) -> bool {
        let source = r.unparenthesised();
        let Some(space) = self.whole_allocatable(l) else {
            return false;
        };
        let compilers_own = self.is_compilers_own(l, space, source);
        // A scalar on the right gives an array no shape: the array has to be allocated.
        if compilers_own || r.rank != l.rank || r.ty == Type::Boz || self.has_shape_of(source, l) {
            return false;
        }
        self.unit.runtime = true;
        if allocation_space(space).is_none() && l.rank == 0 && self.defers_length(l) {
            // The compiler gives it the length of the host copy.
            self.subscripts(l);
            self.value(r);
            return true;
        }
        let to = self.repeated_text(l);
        let sample = Sample {
            ty: &l.ty,
            text: &to,
            any_length: self.defers_length(l),
        };
        let at = self.address_argument(r, "src_at");
        let from = self.repeated(|p| p.source_text(r, &sample));
        let bounds = if self.may_start_elsewhere(r) {
            format!("{LBOUND}({from})")
        } else {
            String::new()
        };
        let memory = allocation_space(space).unwrap_or_default();
        let (around, to) = self.plain_root(l, to);
        let text = matches!(l.ty, Type::Character(_));
        let mut lines = if (is_generic_type(&l.ty) && !text || l.ty == Type::Real(2))
            && !self.may_lie_apart(source)
        {
            let mut options = String::new();
            if !bounds.is_empty() {
                options.push_str(&format!(", {bounds}"));
            }
            if !memory.is_empty() {
                options.push_str(&format!(", space={memory}"));
            }
            vec![format!("call {CUF}assign({to}, {from}{options})")]
        } else {
            self.reallocate_any(l, r, (&to, &from, &at), space, !bounds.is_empty())
        };
        if let Some(ReservedNames { before, after }) = around {
            lines.insert(0, before);
            lines.push(after);
        }
        let lines: Vec<_> = lines.iter().flat_map(|l| l.lines()).collect();
        let lines: Vec<_> = lines
            .into_iter()
            .map(crate::host::context::edit::wrap_line)
            .collect();
        let indent = self.indent_at(statement.start);
        self.edits.replace(
            Rule::Transfer,
            statement,
            lines.join(&format!("\n{indent}")),
        );
        true
    }

    /// The compiler (re)allocates the target as intrinsic assignment has to.
    pub(in crate::translation::host) fn compiler_reallocates(
        &mut self,
        l: &TExpr,
        r: &TExpr,
    ) -> bool {
        let source = r.unparenthesised();
        self.whole_allocatable(l).is_some_and(|space| {
            self.is_compilers_own(l, space, source) && !self.has_shape_of(source, l)
        })
    }

    fn is_compilers_own(&mut self, l: &TExpr, space: Space, source: &TExpr) -> bool {
        allocation_space(space).is_none()
            && !self.is_device(source)
            && self.managed_copy(l, source).is_none()
    }

    /// The same for types that the runtime's generic procedure does not know.
    fn reallocate_any(
        &mut self,
        l: &TExpr,
        r: &TExpr,
        (to, from, from_at): (&str, &str, &str),
        space: Space,
        bounds: bool,
    ) -> Vec<String> {
        let rank = l.rank.max(0) as usize;
        let device_source = self.is_device(r.unparenthesised());
        // An expression is computed once, and what is assigned may be part of the old value.
        let data = self.data_of(&l.ty);
        let computed = (rank > 0 || !data.is_empty()) && !r.is_designator();
        let shares = rank > 0 && !computed && self.may_be_part(r.unparenthesised(), l);
        let value = if computed || shares { VALUE } else { from };
        let each =
            |f: &str| -> Vec<String> { (1..=rank).map(|d| format!("{f}({value}, {d})")).collect() };
        let Some(at) = allocation_space(space) else {
            let shape: Vec<String> = if rank == 0 {
                Vec::new()
            } else if bounds {
                let both = each(LBOUND).into_iter().zip(each(UBOUND));
                both.map(|(l, u)| format!("{l}:{u}")).collect()
            } else {
                each(SIZE)
            };
            let shape = match &shape[..] {
                [] => String::new(),
                dims => format!("({})", dims.join(", ")),
            };
            let (other, length) = match self.defers_length(l) {
                true => (
                    format!(
                        "(.not. {CUF}conforms({to}, {value}) .or. {LEN}({to}) /= {LEN}({value}))"
                    ),
                    format!("character({LEN}({value})) :: "),
                ),
                false => (
                    format!(".not. {CUF}conforms({to}{data}, {value}{data})"),
                    String::new(),
                ),
            };
            return vec![
                format!("if ({ALLOCATED}({to}) .and. {other}) deallocate({to})"),
                format!("if (.not. {ALLOCATED}({to})) allocate({length}{to}{shape})"),
                format!("call {CUF}d2h({to}{data}, {value}{data}{from_at})"),
            ];
        };
        let in_space = match at {
            "" => String::new(),
            at => format!(", space={at}"),
        };
        let memory =
            |count: &str| format!("{CUF}malloc({STORAGE_SIZE}({to})/8_8{count}{in_space})");
        let mut allocate = vec![match rank {
            0 => format!("  call {CUF}associate({}, {to})", memory("")),
            _ => {
                let memory = memory(&format!("*{SIZE}({value})"));
                format!("  call {CUF}associate({memory}, {to}, {SHAPE}({value}))")
            }
        }];
        if bounds {
            let lows = each(LBOUND)
                .iter()
                .map(|l| format!("{l}:"))
                .collect::<Vec<_>>();
            allocate.push(format!("  {to}({}) => {to}", lows.join(", ")));
        }
        let copy = match (at, device_source) {
            ("", true) => format!("call {CUF}d2d({to}{data}, {value}{data}{from_at})"),
            ("", false) => format!("call {CUF}h2d({to}{data}, {value}{data}{from_at})"),
            (_, true) => format!("call {CUF}d2h({to}{data}, {value}{data}{from_at})"),
            (_, false) => format!("{to} = {value}"),
        };
        if shares {
            let name = self.local_type(&l.ty);
            let colons = vec![":"; rank].join(",");
            let mut lines = vec![
                "block".to_owned(),
                format!("  {name}, pointer :: {CUF}old({colons}), {CUF}value({colons})"),
                format!("  {CUF}old => {to}"),
                format!("  {CUF}value => {from}"),
            ];
            lines.extend(allocate);
            lines.push(format!("  {copy}"));
            lines.push(format!(
                "  if ({ASSOCIATED}({CUF}old)) call {CUF}free({CUF}loc({CUF}old))"
            ));
            lines.push("end block".to_owned());
            return lines;
        }
        let mut lines = vec![format!(
            "if (.not. {CUF}fits({to}{data}, {value}{data})) then"
        )];
        lines.extend(allocate);
        lines.push("end if".to_owned());
        lines.push(copy);
        if computed {
            for l in &mut lines {
                l.insert_str(0, "  ");
            }
            let (open, close) = self.named_value(&l.ty, r.rank, from);
            let (first, rest) = open.split_once("; ").unwrap_or((&open, ""));
            let rest = rest.split("; ").filter(|l| !l.is_empty());
            let head = [first.to_owned()].into_iter();
            lines.splice(0..0, head.chain(rest.map(|l| format!("  {l}"))));
            lines.push(close.to_owned());
        }
        lines
    }

    /// What is assigned may lie in the old memory of the target, a whole allocatable: it is a part of it, or an address leads there.
    fn may_be_part(&self, r: &TExpr, target: &TExpr) -> bool {
        if r.root().is_none() || r.root() != target.root() {
            return false;
        }
        let text = self.slice(target.span);
        let mut part = false;
        r.walk(&mut |e| part |= self.slice(e.span).eq_ignore_ascii_case(text));
        let whole = match &r.kind {
            TExprKind::Index { base, .. } => base,
            _ => r,
        };
        let apart = self
            .model
            .declared(whole)
            .is_some_and(|d| d.space == Space::Host && !d.attrs.has(VarAttrs::POINTER));
        part || !apart
    }

    fn defers_length(&self, l: &TExpr) -> bool {
        self.model.has_attribute(l, VarAttrs::DEFERRED_LENGTH)
    }

    /// The value is computed element by element from the whole target, among others: it is allocated and keeps its shape.
    fn has_shape_of(&self, e: &TExpr, target: &TExpr) -> bool {
        let same = |e: &TExpr| {
            self.slice(e.span)
                .eq_ignore_ascii_case(self.slice(target.span))
        };
        match &e.kind {
            TExprKind::Paren(inner) | TExprKind::Unary { operand: inner, .. } => {
                self.has_shape_of(inner, target)
            }
            TExprKind::Binary { lhs, rhs, .. } => {
                self.has_shape_of(lhs, target) || self.has_shape_of(rhs, target)
            }
            TExprKind::Variable(_) | TExprKind::Component { .. } => same(e),
            _ => false,
        }
    }

    /// A whole array whose lower bounds need not be 1: those that the target of an assignment gets when it is allocated.
    fn may_start_elsewhere(&self, r: &TExpr) -> bool {
        let (attrs, dims) = match &r.kind {
            TExprKind::Variable(s) => match &self.model[*s].kind {
                SymbolKind::Variable(v) => (v.attrs, &v.dims),
                _ => return r.rank > 0,
            },
            TExprKind::Component { base, .. } if base.rank == 0 => match self.model.component(r) {
                Some(f) => (f.attrs, &f.dims),
                None => return false,
            },
            _ => return false,
        };
        let deferred = attrs.is_dynamic();
        dims.iter().any(|d| match d {
            Dim::Colon { lower } => deferred || lower.is_some(),
            Dim::Explicit { lower, .. } | Dim::AssumedSize { lower } => lower.is_some(),
            Dim::AssumedRank => true,
        })
    }

    /// An assignment that the user's subroutine does. It stays as it is unless standard Fortran would take another
    /// subroutine for it, or would copy device data.
    fn defined_assignment(&mut self, procedure: SymbolId, l: TExpr, r: TExpr, gap: Span) {
        let whole = Span {
            start: l.span.start,
            end: r.span.end,
        };
        let sides = [Some(l), Some(r)];
        self.follow(Some(procedure), &sides);
        if self.name_bound_operation(procedure, &sides, whole, true) {
            return;
        }
        let [Some(l), Some(r)] = sides else { return };
        let generic = self.model.lookup(self.scope, "assignment(=)");
        let left_generic =
            generic.is_some_and(|g| self.ambiguous_specifics(g).contains(&procedure));
        let by_name = left_generic || (generic.is_some() && self.is_device(&r));
        let (start, end) = (l.span.start, r.span.end);
        if by_name && self.within != Within::Ordinary {
            let name = self.model[procedure].spelling.clone();
            let message = format!(
                "subroutine `{name}` of a defined assignment with device data cannot be called in a `where`, `forall` or `do concurrent` construct"
            );
            return self.finding("CUF0394", whole, message);
        }
        // The subroutine gets the value, not the variable (F2018 15.4.3.4.3).
        let value = by_name && r.is_designator() && !self.is_device(&r);
        if by_name {
            let name = self.specific_name(procedure);
            self.edits
                .insert(Rule::Transfer, start, format!("call {name}("));
        }
        if by_name {
            self.edits
                .replace(Rule::Transfer, gap, if value { ", (" } else { ", " });
        }
        let dummies = self.dummies(procedure);
        self.actuals(&[Some(l), Some(r)], &dummies);
        if by_name {
            self.edits
                .insert(Rule::Transfer, end, if value { "))" } else { ")" });
        }
    }

    /// A statement that is a call of a launcher.
    pub(in crate::translation::host) fn operation_statement(
        &mut self,
        l: &TExpr,
        r: &TExpr,
        statement: Span,
    ) -> bool {
        let Some((signature, o)) = self.operation(statement) else {
            return false;
        };
        let (signature, o) = (signature.clone(), o.clone());
        let call = self.operation_call(&signature, &o);
        if let ReturnKind::Done = o.gives {
            // The launcher does not allocate: the host's way does.
            let indent = self.indent_at(statement.start);
            let own = std::mem::take(&mut self.edits);
            let compilers = self.compiler_reallocates(l, r);
            if compilers {
                self.subscripts(l);
                self.value(r);
            } else if !self.reallocating_assignment(l, r, statement) {
                // The value has the target's shape.
                self.edits = own;
                let message = "the sides of an assignment differ in shape";
                self.edits.replace(
                    Rule::HostArrayOperation,
                    statement,
                    format!("if (.not. {call}) error stop '{message}'"),
                );
                return true;
            }
            let host = std::mem::replace(&mut self.edits, own);
            let host = host.apply(self.text, statement);
            let host: Vec<String> = host.lines().map(|l| format!("  {l}")).collect();
            let text = format!(
                "if (.not. {call}) then\n{indent}{}\n{indent}end if",
                host.join("\n").trim_end()
            );
            self.edits
                .replace(Rule::HostArrayOperation, statement, text);
            return true;
        }
        self.edits
            .replace(Rule::HostArrayOperation, statement, format!("call {call}"));
        true
    }
}
