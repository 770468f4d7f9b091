//! What nvfortran takes in host code and gfortran does not, or means otherwise: forms of IMPORT, values whose type and kind are
//! ignored, `int_ptr_kind()`, texts of different lengths in array constructors, texts for procedures of C's.

use crate::ast::{Arg, CharLen, DeclKind, Intent, ProgramUnit, Span, TypeSpecKind};
use crate::host::context::HostRewriter;
use crate::host::context::names::{CUF, INT, REAL};
use crate::host::context::rules::Values;
use crate::host::declaration::specifics::takes_any;
use crate::intrinsics::{Bits, Choice, Intrinsic, Kinds, Numeric};
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::expression::typer::ragged_length;
use crate::sema::model::*;
use crate::source::statements::{Reader, is_word, statements};

impl HostRewriter<'_> {
    /// `open(1, name='x')` of DEC's compilers and nvfortran: FILE (F2018 R1205).
    pub(in crate::translation::host) fn file_names(&mut self, control: &[Arg]) {
        let keywords = control.iter().filter_map(|a| a.keyword.as_ref());
        for k in keywords.filter(|k| k.text == "name") {
            self.edits.replace(Rule::Dialect, k.span, "file");
        }
    }

    /// A bound or the step of an implied DO: nvfortran takes reals, and gfortran does not (F2018 C784).
    pub(in crate::translation::host) fn implied_bound(&mut self, e: &TExpr) {
        self.value(e);
        if matches!(e.ty, Type::Real(_)) {
            self.edits
                .insert(Rule::Dialect, e.span.start, format!("{INT}("));
            self.edits.insert(Rule::Dialect, e.span.end, ")");
            self.unit.runtime = true;
        }
    }

    /// An actual argument for a VALUE dummy of another type or kind (`ignore_tkr`) of C's: addresses and integers become what the dummy is.
    /// A library of CUDA gets values of its own kind by reference, too. True if the argument has been dealt with.
    pub(in crate::translation::host) fn converted_actual(
        &mut self,
        a: &TExpr,
        dummy: SymbolId,
        v: &Variable,
    ) -> bool {
        let ignores = [VarAttrs::IGNORE_TYPE, VarAttrs::IGNORE_KIND];
        let library = || {
            let read = v.intent == Some(Intent::In) && v.space == Space::Host;
            read && matches!(v.ty, Type::Integer(_))
                && self.model.is_foreign(self.model[dummy].scope)
        };
        if !ignores.iter().any(|i| v.attrs.has(*i)) || !v.attrs.has(VarAttrs::VALUE) && !library() {
            return false;
        }
        let name = |ty: &Type| match ty {
            Type::Derived(t) => self.model[*t].name.as_str(),
            _ => "",
        };
        let head = match (name(&v.ty), name(&a.ty), &v.ty, &a.ty) {
            ("c_ptr", actual, ..) if actual != "c_ptr" => format!("{CUF}address("),
            ("c_funptr", actual, ..) if actual != "c_funptr" => {
                format!("{}(", self.own_address_function("c_funloc"))
            }
            (_, _, Type::Integer(8), Type::Integer(4)) if self.holds_stream_number(a, dummy) => {
                format!("{CUF}stream(")
            }
            (_, _, Type::Integer(to), Type::Integer(from)) if to != from => format!("{INT}("),
            // A constant of a module that is not here.
            (_, _, Type::Integer(_), Type::Unknown) if a.rank == 0 => format!("{INT}("),
            _ => return false,
        };
        let tail = match v.ty {
            Type::Integer(to) if !head.ends_with("stream(") => format!(", {to})"),
            _ => ")".to_owned(),
        };
        self.unit.runtime = true;
        self.subscripts(a);
        self.edits.insert(Rule::Dialect, a.span.start, head);
        let data = self.data_of(&a.ty);
        self.edits.insert(Rule::Dialect, a.span.end, data + &tail);
        true
    }

    /// An argument for the stream of a library that can be the number of a stream, of which the library knows only the handle.
    fn holds_stream_number(&self, a: &TExpr, dummy: SymbolId) -> bool {
        let stream = self.model[dummy].name.as_str() == "stream";
        stream && a.value.is_none() && self.model.is_foreign(self.model[dummy].scope)
    }

    /// An argument of another kind than the result, or an integer where the result is real, which gfortran refuses: it is converted, as in
    /// device code. True if the argument has been dealt with.
    pub(in crate::translation::host) fn kind_of_result(
        &mut self,
        (reference, intrinsic): (&TExpr, Intrinsic),
        position: usize,
        a: &TExpr,
    ) -> bool {
        use Intrinsic::{Bits as B, Choice as C, Numeric as N};
        let uniform = match intrinsic {
            N(Numeric::Sign) | C(Choice::Merge) => position == 1,
            N(Numeric::Atan2 | Numeric::Atan2d | Numeric::Hypot)
            | B(Bits::And | Bits::Or | Bits::Xor | Bits::MergeBits)
            | B(Bits::Iand | Bits::Ior | Bits::Ieor) => true,
            _ => false,
        };
        let promoted = matches!(
            intrinsic,
            N(Numeric::Mod | Numeric::Modulo | Numeric::Dim | Numeric::Atan2 | Numeric::Hypot)
                | C(Choice::Max | Choice::Min)
        );
        let (head, kind) = match (&reference.ty, &a.ty) {
            (Type::Integer(to), Type::Integer(from)) if uniform && to != from => (INT, to),
            (Type::Real(to), Type::Real(from)) if uniform && to != from && *from > 2 && *to > 2 => {
                (REAL, to)
            }
            (Type::Real(to), Type::Integer(_)) if promoted && *to > 2 => (REAL, to),
            _ => return false,
        };
        self.unit.runtime |= self.taken.hides_intrinsics();
        let start = a.span.start;
        self.edits.insert(Rule::Dialect, start, format!("{head}("));
        self.value(a);
        let tail = format!(", {kind})");
        self.edits.insert(Rule::Dialect, a.span.end, tail);
        true
    }

    /// An array for a scalar dummy that ignores the rank (`ignore_tkr (r)`): its first element, which gfortran takes. True if the argument has
    /// been dealt with.
    pub(in crate::translation::host) fn rank_ignored(
        &mut self,
        a: &TExpr,
        dummy: SymbolId,
        v: &Variable,
    ) -> bool {
        let scalar = v.dims.is_empty() && v.attrs.has(VarAttrs::IGNORE_RANK);
        let by_address = !v.attrs.has(VarAttrs::VALUE) && v.ty != Type::AssumedType;
        let foreign = || self.model.is_foreign(self.model[dummy].scope);
        if !scalar || !by_address || a.rank <= 0 || takes_any(v) || foreign() {
            return false;
        }
        let text = self.slice(a.span).to_owned();
        if !matches!(a.kind, TExprKind::Variable(_)) {
            let message =
                format!("`{text}` is passed to a scalar dummy argument that ignores the rank");
            self.finding("CUF0465", a.span, message);
            self.help("pass the first element".to_owned());
            return true;
        }
        let bounds: Vec<String> = (1..=a.rank)
            .map(|d| format!("lbound({text}, {d})"))
            .collect();
        let element = format!("({})", bounds.join(", "));
        self.edits.insert(Rule::Argument, a.span.end, element);
        true
    }

    /// A letter for an option of a library (`'T'` for CUBLAS_OP_T). True if the argument has been dealt with.
    pub(in crate::translation::host) fn option_letter(&mut self, a: &TExpr, v: &Variable) -> bool {
        let (Some(option), Type::Character(length)) = (v.option, &a.ty) else {
            return false;
        };
        let number = match &a.value {
            Some(Constant::Character(text)) => option.number(text).map(|n| n.to_string()),
            _ => None,
        };
        let text = number.unwrap_or_else(|| {
            let value = self.with_edits(a.span, |p| p.value(a));
            option.of_letter(&match length {
                CharacterLength::Constant(1) => value,
                // The first of its characters.
                _ => format!("transfer({value}, 'N')"),
            })
        });
        self.edits.replace(Rule::Dialect, a.span, text);
        true
    }

    /// An address of C's type.
    pub(in crate::translation::host) fn is_address(&self, e: &TExpr) -> bool {
        let Type::Derived(t) = e.ty else { return false };
        matches!(self.model[t].name.as_str(), "c_ptr" | "c_devptr")
    }

    /// An operand of a comparison of addresses, which nvfortran's modules define and standard Fortran does not.
    pub(in crate::translation::host) fn address_as_integer(&mut self, e: &TExpr) {
        self.unit.runtime = true;
        self.edits
            .insert(Rule::Dialect, e.span.start, format!("{CUF}bits("));
        self.value(e);
        self.edits.insert(Rule::Dialect, e.span.end, ")");
    }

    /// A character for a VALUE dummy: gfortran 12 passes a byte of its address but for constants and variables of one length, where a
    /// function gives the character. True if the argument has been dealt with.
    pub(in crate::translation::host) fn letter(&mut self, a: &TExpr, v: &Variable) -> bool {
        let text = matches!(v.ty, Type::Character(_)) && matches!(a.ty, Type::Character(_));
        let passed = text && v.attrs.has(VarAttrs::VALUE) && !v.attrs.has(VarAttrs::OPTIONAL);
        if !passed || a.rank != 0 || self.is_static_text(a) {
            return false;
        }
        let value = self.with_edits(a.span, |p| p.value(a));
        self.edits
            .replace(Rule::Dialect, a.span, format!("{CUF}letter({value})"));
        self.unit.runtime = true;
        true
    }

    /// A text of the host that gfortran 12 passes by value as it should.
    fn is_static_text(&self, a: &TExpr) -> bool {
        let fixed = |attrs: VarAttrs, ty: &Type| {
            let moves = [VarAttrs::ALLOCATABLE, VarAttrs::POINTER];
            matches!(ty, Type::Character(CharacterLength::Constant(_)))
                && !moves.iter().any(|m| attrs.has(*m))
        };
        match &a.kind {
            TExprKind::Constant { .. } => true,
            TExprKind::Variable(s) => self
                .model
                .variable(*s)
                .is_some_and(|v| self.is_own(*s) && fixed(v.attrs, &v.ty)),
            TExprKind::Index { base, .. } => self.is_static_text(base),
            TExprKind::Component { base, .. } => {
                let field = self.model.component(a);
                field.is_some_and(|f| f.space == Space::Host && fixed(f.attrs, &f.ty))
                    && matches!(base.kind, TExprKind::Variable(v) if self.is_own(v))
            }
            _ => false,
        }
    }

    /// A variable of the host that is not reached by an address.
    fn is_own(&self, variable: SymbolId) -> bool {
        self.model.variable(variable).is_some_and(|v| {
            let by_address = v.dummy.is_some() || v.is_result;
            v.space == Space::Host && (!by_address || v.attrs.has(VarAttrs::VALUE))
        })
    }

    /// C_LOC or C_FUNLOC by a name of the generated code's own.
    fn own_address_function(&mut self, name: &str) -> String {
        let own = format!("{CUF}{name}");
        self.unit
            .extra_uses
            .insert(format!("use iso_c_binding, only: {own} => {name}"));
        own
    }

    /// A reference of C_LOC or C_FUNLOC, whose result gfortran 12 does not know where they come through a module of the program.
    pub(in crate::translation::host) fn address_function(
        &mut self,
        reference: &TExpr,
        function: &str,
    ) {
        let written = self.slice(reference.span);
        let end = written.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let end = reference.span.start + end.unwrap_or(written.len()) as u32;
        let name = Span {
            end,
            ..reference.span
        };
        let local = self.slice(name).to_ascii_lowercase();
        let mut scope = Some(self.scope);
        let uses = loop {
            let Some(s) = scope else { return };
            if self.model.lookup_used(s, &local).is_some() {
                break &self.model[s].uses;
            }
            scope = self.model[s].parent;
        };
        // The first module that has it counts.
        let external = self.model.files.get(self.file.0 as usize);
        let through = uses.iter().find(|m| {
            let own = self.model.modules.get(m.as_str());
            let module = own.or_else(|| external?.modules_used.get(m.as_str()));
            module.is_some_and(|m| self.model.export(*m, function).is_some())
        });
        if through.is_some_and(|m| !matches!(m.as_str(), "iso_c_binding" | "cudafor")) {
            let own = self.own_address_function(function);
            self.edits.replace(Rule::Dialect, name, own);
        }
    }

    /// Texts of different lengths and numbers of different types in an array constructor get a type, as gfortran wants it.
    pub(in crate::translation::host) fn one_type(&mut self, e: &TExpr, items: &[TExpr]) {
        let Some(first) = items.first() else { return };
        let ty = match (ragged_length(items), mixed_numbers(items)) {
            (Some(length), _) => format!("character({length})"),
            (None, Some(Ok(ty))) => self.model.type_name(ty),
            _ => return,
        };
        let head = self.slice(Span {
            start: e.span.start,
            end: first.span.start,
        });
        if head.contains("::") {
            return;
        }
        let bracket = if head.starts_with('[') { 1 } else { 2 };
        self.edits
            .insert(Rule::Dialect, e.span.start + bracket, format!("{ty} :: "));
    }

    /// The same of the array constructors in a constant.
    pub(in crate::translation::host) fn constructor_types(&mut self, constant: &TExpr) {
        let mut found = Vec::new();
        constant.walk(&mut |e| {
            if let TExprKind::ArrayConstructor { items } = &e.kind {
                found.push((e, items));
            }
        });
        for (e, items) in found {
            self.one_type(e, items);
        }
    }

    /// The argument of C_LOC is a target in standard Fortran (18.2.3.6); nvfortran takes any variable.
    pub(in crate::translation::host) fn located(&mut self, data: &TExpr) {
        let Some(root) = data.root().filter(|_| data.is_designator()) else {
            return;
        };
        let plain = self.model.variable(root).is_some_and(|v| {
            v.space == Space::Host
                && ![
                    VarAttrs::TARGET,
                    VarAttrs::POINTER,
                    VarAttrs::IN_EQUIVALENCE,
                ]
                .iter()
                .any(|a| v.attrs.has(*a))
        });
        let info = &self.model[root];
        let decl = self
            .model
            .variable(root)
            .map_or(Span::default(), |v| v.decl);
        // A target dummy of an external procedure would need an explicit interface.
        let dummy = self.model.variable(root).is_some_and(|v| v.dummy.is_some());
        let external = dummy && self.model[info.scope].parent.is_none();
        let here = self.model[info.scope].file == self.file && decl.end > decl.start && !external;
        if plain && here {
            self.flows.located.insert(root);
        }
    }

    /// Texts of assumed length in the interface of a C function: nvfortran passes the address of the characters, gfortran that of a
    /// descriptor (F2018 18.3.6). Those of one character take any text by its address (15.5.2.4, 15.5.2.11).
    pub(in crate::translation::host) fn texts_of_c(&mut self, body: &ProgramUnit, scope: ScopeId) {
        if self.is_fortran(body, scope) {
            return;
        }
        for d in &body.spec {
            let DeclKind::Type(t) = &d.kind else { continue };
            let TypeSpecKind::Intrinsic { len, .. } = &t.spec.kind else {
                continue;
            };
            let assumed = |len: Option<&CharLen>| matches!(len, Some(CharLen::Assumed));
            if !t.spec.is_character() {
                continue;
            }
            for e in &t.entities {
                let own = e.len.as_deref();
                let symbol = self.model[scope].names.get(e.name.text.as_str());
                let Some(v) = symbol.and_then(|s| self.model.variable(*s)) else {
                    continue;
                };
                let described = |d: &Dim| matches!(d, Dim::Colon { .. } | Dim::AssumedRank);
                if !assumed(own.or(len.as_deref()))
                    || v.dummy.is_none()
                    || v.space != Space::Host
                    || v.dims.iter().any(described)
                {
                    continue;
                }
                let start = e.dims.as_ref().map_or(e.name.span.end, |d| d.span.end);
                self.edits
                    .replace(Rule::Dialect, Span { start, ..e.span }, "*1");
            }
        }
    }

    /// The program has the procedure of an interface body with BIND(C) in Fortran.
    fn is_fortran(&self, body: &ProgramUnit, scope: ScopeId) -> bool {
        let model = self.model;
        let own = model[scope].symbol.and_then(|s| model.procedure(s));
        let own = own.filter(|p| p.body.is_some());
        let Some(label) = own.and_then(|p| p.bind_name.as_deref()) else {
            return body.bind.is_none();
        };
        let written = |s: &SymbolId| {
            let body = model.procedure(*s).and_then(|p| p.body);
            body.is_some_and(|b| model[b].kind != ScopeKind::InterfaceBody)
        };
        model.labelled(label).iter().any(written)
    }
}

/// The text with every `int_ptr_kind()` as the number that it is.
pub(in crate::translation::host) fn pointer_kinds(text: String) -> String {
    let name = Intrinsic::Kinds(Kinds::IntPtrKind).name().as_bytes();
    let mut found: Vec<Span> = Vec::new();
    if !text
        .as_bytes()
        .windows(name.len())
        .any(|w| w.eq_ignore_ascii_case(name))
    {
        return text;
    }
    statements(text.as_bytes(), &mut |view| {
        let mut r = Reader { view, at: 0 };
        while let Some(b) = r.peek() {
            if b == b'\'' || b == b'"' {
                r.string(b);
                continue;
            }
            if !is_word(b) {
                r.at += 1;
                continue;
            }
            let start = r.at;
            let word = r.word();
            let open = r.at;
            if word.as_bytes() == name && r.peek() == Some(b'(') && r.group().is_some() {
                let close = view[open..r.at].iter().rposition(|b| b.0 == b')');
                let end = open + close.unwrap_or(0);
                found.push(Span {
                    start: view[start].1 as u32,
                    end: view[end].1 as u32 + 1,
                });
            }
        }
    });
    let mut out = text;
    for s in found.into_iter().rev() {
        out.replace_range(s.start as usize..s.end as usize, "8");
    }
    out
}
