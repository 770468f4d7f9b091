//! Types with parameters that have device components, as a type of its own for each set of values: gfortran keeps no such types apart, and
//! neither does the rest of cuf2cu. The text is rewritten before anything else reads it, in rounds: a type may stand in another one.

mod last;

use std::collections::{BTreeMap, BTreeSet};

use super::parsed::Parsed;
use crate::ast::places::Mentions;
use crate::ast::{
    Arg, AttrKind, BinaryOp, Component, DeclKind, DerivedTypeDef, Entity, Expr, ExprKind, Init,
    Name, ProgramUnit, Span, UnaryOp,
};
use crate::sema::model::dialect::Dialect;
use crate::sema::model::{FileId, Model, ScopeId, TypeId};
use crate::sema::{self, Input};
use crate::source::Rewrite;
use crate::syntax;

/// Types that stand in each other take a round each.
const ROUNDS: usize = 24;
/// Types that one program may get.
const MOST: usize = 256;
/// Longest name of Fortran.
const NAME: usize = 63;

/// How the program is read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub paths: &'a [String],
    pub dialect: Dialect,
    /// Files are compiled one by one: only what a module names itself is known to all.
    pub separate: bool,
}

/// Values of the parameters of a type; a star where the length is another's.
type Values = Vec<Option<i64>>;

/// Gives each set of values of the parameters a type of its own. Types that nothing can be said of stay.
pub(super) fn specialise(files: &mut [Parsed], reading: Reading<'_>) {
    let mut device = false;
    let mut parameters = false;
    for unit in files.iter().flat_map(|p| &p.tree.units) {
        each_type(unit, &mut |t| {
            parameters |= attributes(t).any(is_parameter);
            device |= attributes(t).any(|a| matches!(a, AttrKind::Cuda(_)));
        });
    }
    if !device || !parameters {
        return;
    }
    let mut state = State::default();
    // What cannot be told of a type is found on the way: then all begins anew without it.
    for _ in 0..ROUNDS {
        let before: Vec<Parsed> = files.iter().map(again).collect();
        match state.run(files, reading) {
            Ok(()) => return,
            Err(key) => {
                for (old, now) in before.into_iter().zip(files.iter_mut()) {
                    *now = old;
                }
                let left = std::mem::take(&mut state.left);
                state = State {
                    left,
                    ..State::default()
                };
                state.left.insert(key);
            }
        }
    }
}

fn again(p: &Parsed) -> Parsed {
    Parsed {
        source: p.source.clone(),
        tree: p.tree.clone(),
        errors: p.errors.clone(),
        lines: p.lines,
    }
}

fn is_parameter(a: &AttrKind) -> bool {
    matches!(a, AttrKind::Kind | AttrKind::Len)
}

fn attributes(t: &DerivedTypeDef) -> impl Iterator<Item = &AttrKind> {
    let data = t.components.iter().filter_map(|c| match c {
        Component::Data(d) => Some(d),
        Component::Procedure { .. } => None,
    });
    data.flat_map(|d| d.attrs.iter().map(|a| &a.kind))
}

/// The types of a unit and of those inside it, without those of BLOCKs.
fn each_type<'a>(unit: &'a ProgramUnit, f: &mut impl FnMut(&'a DerivedTypeDef)) {
    for d in &unit.spec {
        if let DeclKind::DerivedType(t) = &d.kind {
            f(t);
        }
    }
    unit.procedures.iter().for_each(|p| each_type(p, f));
}

/// What is known from one round to the next. Types are known by file and names of their scope and themselves, which no round changes.
#[derive(Default)]
struct State {
    /// The names of the types for sets of values.
    made: BTreeMap<(String, Vec<i64>), String>,
    /// All values that the program uses.
    used: BTreeSet<(String, Vec<i64>)>,
    /// The values that a type with a star was taken to have.
    assumed: Vec<(String, Values, Vec<i64>)>,
    /// Values that became those of a definition without any.
    chosen: BTreeMap<String, Vec<i64>>,
    /// Types that stay as they are.
    left: BTreeSet<String>,
}

impl State {
    /// Rewrites the program; the key of a type that has to stay, if there is one.
    fn run(&mut self, files: &mut [Parsed], reading: Reading<'_>) -> Result<(), String> {
        for _ in 0..ROUNDS {
            let rewrites = self.round(files, reading, false)?;
            if rewrites.iter().all(Vec::is_empty) {
                let last = self.round(files, reading, true)?;
                apply(files, last);
                return Ok(());
            }
            apply(files, rewrites);
        }
        // A type in itself with other values.
        self.made
            .keys()
            .next_back()
            .map_or(Ok(()), |(key, _)| Err(key.clone()))
    }

    fn round(
        &mut self,
        files: &[Parsed],
        reading: Reading<'_>,
        last: bool,
    ) -> Result<Vec<Vec<Rewrite>>, String> {
        let inputs: Vec<Input<'_>> = files
            .iter()
            .zip(reading.paths)
            .map(|(p, path)| Input {
                path,
                text: &p.source.text,
                ast: &p.tree,
                library: false,
            })
            .collect();
        let (model, _) = sema::analyze(&inputs, reading.dialect);
        let mentions: Vec<Mentions<'_>> = files.iter().map(|p| Mentions::of(&p.tree)).collect();
        let mut round = Round {
            files,
            reading,
            state: self,
            defs: definitions(&model, &mentions),
            model: &model,
            mentions: &mentions,
            out: vec![Vec::new(); files.len()],
            todo: Vec::new(),
        };
        round.leave();
        match last {
            true => round.finish()?,
            false => round.types()?,
        }
        Ok(round.out)
    }
}

/// The files with their rewrites, parsed again.
pub(super) fn apply(files: &mut [Parsed], rewrites: Vec<Vec<Rewrite>>) {
    for (p, mut all) in files.iter_mut().zip(rewrites) {
        if all.is_empty() {
            continue;
        }
        all.sort_by_key(|r| (r.span.start, r.span.end));
        let mut end = 0;
        all.retain(|r| {
            let keeps = r.span.start >= end;
            end = if keeps { r.span.end } else { end };
            keeps
        });
        p.source = p.source.rewritten(&all);
        let (mut tree, errors) = syntax::parse(&p.source.text);
        tree.mark_structures(&p.source.structure_types);
        p.tree = tree;
        p.errors = errors;
    }
}

/// A parameter of a type itself.
#[derive(Clone, Copy)]
struct Parameter<'a> {
    entity: &'a Entity,
    default: Option<&'a Expr>,
}

/// The definition of a type that takes part: it has parameters, of its own or of its parent.
#[derive(Clone)]
struct Def<'a> {
    file: usize,
    def: &'a DerivedTypeDef,
    scope: ScopeId,
    key: String,
    own: Vec<Parameter<'a>>,
}

fn definitions<'a>(model: &Model, mentions: &[Mentions<'a>]) -> BTreeMap<TypeId, Def<'a>> {
    let mut all = BTreeMap::new();
    for (file, m) in mentions.iter().enumerate() {
        for d in &m.declarations {
            let DeclKind::DerivedType(def) = &d.kind else {
                continue;
            };
            let Some(scope) = model.scope_at(FileId(file as u32), def.header.start) else {
                continue;
            };
            let Some(t) = model.lookup_type(scope, &def.name.text) else {
                continue;
            };
            let mut own = Vec::new();
            for c in &def.components {
                if let Component::Data(d) = c
                    && d.attrs.iter().any(|a| is_parameter(&a.kind))
                {
                    own.extend(d.entities.iter().map(|entity| Parameter {
                        entity,
                        default: match entity.init.as_deref() {
                            Some(Init::Value(x)) => Some(x),
                            _ => None,
                        },
                    }));
                }
            }
            let key = format!("{file}:{}:{}", model[model[t].scope].name, def.name.text);
            let def = Def {
                file,
                def,
                scope,
                key,
                own,
            };
            all.insert(t, def);
        }
    }
    let parameterized: BTreeSet<TypeId> = all
        .keys()
        .copied()
        .filter(|t| model.has_parameters(*t))
        .collect();
    all.retain(|t, _| parameterized.contains(t));
    all
}

struct Round<'r, 'a> {
    files: &'a [Parsed],
    reading: Reading<'a>,
    state: &'r mut State,
    model: &'r Model,
    mentions: &'r [Mentions<'a>],
    defs: BTreeMap<TypeId, Def<'a>>,
    out: Vec<Vec<Rewrite>>,
    /// Types of this round whose definitions have to be written.
    todo: Vec<(TypeId, Vec<i64>, String)>,
}

impl<'a> Round<'_, 'a> {
    /// Takes away the types that stay, and those that extend them.
    fn leave(&mut self) {
        let left = &self.state.left;
        let all = std::mem::take(&mut self.defs);
        let mut stays: BTreeSet<TypeId> = BTreeSet::new();
        stays.extend(
            all.iter()
                .filter(|(_, d)| left.contains(&d.key))
                .map(|(t, _)| *t),
        );
        let model = self.model;
        let stays = |t: &TypeId| {
            let mut at = Some(*t);
            (0..64).any(|_| {
                let found = at.is_some_and(|t| stays.contains(&t));
                at = at.and_then(|t| model[t].parent);
                found
            })
        };
        self.defs = all.into_iter().filter(|(t, _)| !stays(t)).collect();
    }

    /// The parameters in the order of the values, with the type that declares each.
    fn parameters(&self, t: TypeId) -> Vec<(TypeId, Parameter<'a>)> {
        let mut chain = vec![t];
        while let Some(p) = chain.last().and_then(|t| self.model[*t].parent)
            && chain.len() < 64
        {
            chain.push(p);
        }
        let defs = chain
            .iter()
            .rev()
            .filter_map(|t| Some((*t, self.defs.get(t)?)));
        defs.flat_map(|(t, d)| d.own.iter().map(move |p| (t, *p)))
            .collect()
    }

    /// The values that the definition itself has.
    fn defaults(&self, t: TypeId) -> BTreeMap<String, i64> {
        let mut known = BTreeMap::new();
        let chosen = self.state.chosen.get(&self.key(t));
        for (n, (of, p)) in self.parameters(t).into_iter().enumerate() {
            let scope = self.defs.get(&of).map(|d| d.scope);
            let value = p.default.zip(scope);
            let chosen = || chosen?.get(n).copied();
            let value = value.and_then(|(x, s)| self.evaluate(x, s, &known));
            if let Some(v) = value.or_else(chosen) {
                known.insert(p.entity.name.text.to_string(), v);
            }
        }
        known
    }

    fn evaluate(&self, e: &Expr, scope: ScopeId, known: &BTreeMap<String, i64>) -> Option<i64> {
        match &e.kind {
            ExprKind::Name(n) if known.contains_key(n.text.as_str()) => {
                known.get(n.text.as_str()).copied()
            }
            ExprKind::Paren(x) => self.evaluate(x, scope, known),
            ExprKind::Unary { op, operand } if !known.is_empty() => {
                let x = self.evaluate(operand, scope, known)?;
                match op {
                    UnaryOp::Plus => Some(x),
                    UnaryOp::Minus => x.checked_neg(),
                    UnaryOp::Not => None,
                }
            }
            ExprKind::Binary { op, lhs, rhs } if !known.is_empty() => {
                let a = self.evaluate(lhs, scope, known)?;
                let b = self.evaluate(rhs, scope, known)?;
                match op {
                    BinaryOp::Add => a.checked_add(b),
                    BinaryOp::Sub => a.checked_sub(b),
                    BinaryOp::Mul => a.checked_mul(b),
                    BinaryOp::Div => a.checked_div(b),
                    _ => None,
                }
            }
            _ => self.model.const_int(scope, e),
        }
    }

    /// The type that a name means, if it takes part.
    fn type_of(&self, file: usize, name: &Name) -> Option<TypeId> {
        let scope = self.model.scope_at(FileId(file as u32), name.span.start)?;
        let t = self.model.lookup_type(scope, &name.text)?;
        self.defs.contains_key(&t).then_some(t)
    }

    /// The values of the parameters that stand inside a definition.
    fn around(&self, file: usize, at: u32) -> BTreeMap<String, i64> {
        let inside =
            |d: &Def<'_>| d.file == file && d.def.header.start <= at && at < d.def.end.start;
        let found = self.defs.iter().find(|(_, d)| inside(d));
        found.map_or_else(BTreeMap::new, |(t, _)| self.defaults(*t))
    }

    /// In the definition of a type whose values are not known yet.
    fn is_in_unknown(&self, file: usize, at: u32) -> bool {
        let inside =
            |d: &Def<'_>| d.file == file && d.def.header.start <= at && at < d.def.end.start;
        let complete = |t: &TypeId| self.defaults(*t).len() == self.parameters(*t).len();
        self.defs.iter().any(|(t, d)| inside(d) && !complete(t))
    }

    /// Values of the parameters by what stands in parentheses; an error if they are not known.
    fn values(&self, t: TypeId, file: usize, args: &[Arg]) -> Result<Values, String> {
        let key = || self.defs.get(&t).map(|d| d.key.clone()).unwrap_or_default();
        let parameters = self.parameters(t);
        let defaults = self.defaults(t);
        let mut values: Vec<Option<Option<i64>>> = vec![None; parameters.len()];
        for (n, a) in args.iter().enumerate() {
            let at = match &a.keyword {
                Some(k) => parameters
                    .iter()
                    .position(|(_, p)| p.entity.name.text == k.text),
                None => Some(n),
            };
            let slot = at.and_then(|n| values.get_mut(n)).ok_or_else(key)?;
            *slot = Some(match &a.value.kind {
                ExprKind::Star { .. } => None,
                _ => {
                    let at = a.value.span.start;
                    let scope = self.model.scope_at(FileId(file as u32), at);
                    let known = self.around(file, at);
                    let value = scope.and_then(|s| self.evaluate(&a.value, s, &known));
                    Some(value.ok_or_else(key)?)
                }
            });
        }
        let mut out = Vec::new();
        for (value, (_, p)) in values.into_iter().zip(parameters) {
            match value {
                Some(v) => out.push(v),
                None => out.push(Some(
                    *defaults.get(p.entity.name.text.as_str()).ok_or_else(key)?,
                )),
            }
        }
        Ok(out)
    }

    /// Names the types of all specifiers with values, and writes the definitions that they need.
    fn types(&mut self) -> Result<(), String> {
        let mut open = Vec::new();
        for (file, m) in self.mentions.iter().enumerate() {
            for spec in &m.types {
                let Some((name, params)) = spec.derived() else {
                    continue;
                };
                self.mentioned(file, name, params, &mut open)?;
            }
            for e in &m.parts {
                // A structure constructor with values of parameters.
                if let ExprKind::Ref { base, .. } = &e.kind
                    && let ExprKind::Ref { base, args } = &base.kind
                    && let ExprKind::Name(name) = &base.kind
                {
                    self.mentioned(file, name, args, &mut open)?;
                }
            }
        }
        for (file, name, args, t, values) in open {
            let values = self.only_values(t, &values)?;
            self.respelled(file, name, args, t, &values)?;
        }
        while let Some((t, values, name)) = self.todo.pop() {
            self.define(t, &values, &name)?;
        }
        if self.out.iter().all(Vec::is_empty) {
            // What nobody uses has any values.
            for d in self.defs.values() {
                for p in d.own.iter().filter(|p| p.default.is_none()) {
                    let end = p.entity.span.end;
                    let rewrite = Rewrite::new(Span { start: end, end }, " = 4".to_owned());
                    self.out[d.file].push(rewrite);
                }
            }
        }
        Ok(())
    }

    #[allow(clippy::type_complexity)]
    fn mentioned(
        &mut self,
        file: usize,
        name: &'a Name,
        args: &'a [Arg],
        open: &mut Vec<(usize, &'a Name, &'a [Arg], TypeId, Values)>,
    ) -> Result<(), String> {
        let Some(t) = self.type_of(file, name) else {
            return Ok(());
        };
        if !args.is_empty() && self.is_in_unknown(file, name.span.start) {
            return Ok(());
        }
        if args.is_empty() {
            // A star stands for nothing here.
            let values = self.values(t, file, args)?;
            let key = self.key(t);
            self.state
                .used
                .insert((key, values.into_iter().flatten().collect()));
            return Ok(());
        }
        let values = self.values(t, file, args)?;
        match values.iter().copied().collect::<Option<Vec<i64>>>() {
            Some(values) => self.respelled(file, name, args, t, &values),
            None => {
                open.push((file, name, args, t, values));
                Ok(())
            }
        }
    }

    /// The only values that the program has where some are another's.
    fn only_values(&mut self, t: TypeId, wanted: &Values) -> Result<Vec<i64>, String> {
        let key = self.key(t);
        let fits = |v: &Vec<i64>| fits(v, wanted);
        let all: Vec<Vec<i64>> = (self.state.used.iter())
            .filter(|(k, v)| *k == key && fits(v))
            .map(|(_, v)| v.clone())
            .collect();
        match &all[..] {
            [one] if !self.reading.separate => {
                let assumed = (key, wanted.clone(), one.clone());
                self.state.assumed.push(assumed);
                Ok(one.clone())
            }
            _ => Err(key),
        }
    }

    fn key(&self, t: TypeId) -> String {
        self.defs.get(&t).map(|d| d.key.clone()).unwrap_or_default()
    }

    /// Writes the name of the type for the values where the type with its values stands.
    fn respelled(
        &mut self,
        file: usize,
        name: &Name,
        args: &[Arg],
        t: TypeId,
        values: &[i64],
    ) -> Result<(), String> {
        let key = self.key(t);
        let new = self.name_for(file, t, values)?;
        let text = &*self.files[file].source.text;
        let after = args.last().map_or(name.span.end, |a| a.span.end);
        let close = text.get(after as usize..).and_then(|rest| rest.find(')'));
        let end = after + close.ok_or(key)? as u32 + 1;
        let start = match new.is_some() {
            true => name.span.start,
            false => name.span.end,
        };
        let rewrite = Rewrite::new(Span { start, end }, new.unwrap_or_default());
        self.out[file].push(rewrite);
        Ok(())
    }

    /// The name of the type for values, written in a file; none for those that the definition itself has.
    fn name_for(
        &mut self,
        file: usize,
        t: TypeId,
        values: &[i64],
    ) -> Result<Option<String>, String> {
        let key = self.key(t);
        let Some(def) = self.defs.get(&t).cloned() else {
            return Err(key);
        };
        let parameters = self.parameters(t);
        let defaults = self.defaults(t);
        let name = |p: &Parameter<'_>| p.entity.name.text.to_string();
        self.state.used.insert((key.clone(), values.to_vec()));
        let default: Option<Vec<i64>> = parameters
            .iter()
            .map(|(_, p)| defaults.get(&name(p)).copied())
            .collect();
        if default.as_deref() == Some(values) {
            return Ok(None);
        }
        if default.is_none()
            && def.own.len() == values.len()
            && !self.state.chosen.contains_key(&key)
        {
            for (p, v) in def
                .own
                .iter()
                .zip(values)
                .filter(|(p, _)| p.default.is_none())
            {
                let end = p.entity.span.end;
                let rewrite = Rewrite::new(Span { start: end, end }, format!(" = {v}"));
                self.out[def.file].push(rewrite);
            }
            self.state.chosen.insert(key.clone(), values.to_vec());
            if self.defaults(t).len() == values.len() {
                return self.name_for(file, t, values);
            }
        }
        let id = (key.clone(), values.to_vec());
        if let Some(made) = self.state.made.get(&id) {
            return Ok(Some(made.clone()));
        }
        // What another file names, the module's own file does not know when it is compiled by itself.
        let known = !self.reading.separate || file == def.file;
        if !known || def.def.contains.is_some() || self.state.made.len() >= MOST {
            return Err(key);
        }
        let mut new = self.slice(def.file, def.def.name.span).to_owned();
        for v in values {
            new.push('_');
            new.push_str(&v.to_string().replace('-', "m"));
        }
        while self.is_taken(&new) {
            new.push('_');
        }
        if new.len() > NAME {
            return Err(key);
        }
        self.state.made.insert(id, new.clone());
        self.todo.push((t, values.to_vec(), new.clone()));
        Ok(Some(new))
    }

    fn is_taken(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let made = |n: &String| n.to_ascii_lowercase() == name;
        let mut texts = self
            .files
            .iter()
            .map(|p| p.source.text.to_ascii_lowercase());
        self.state.made.values().any(made) || texts.any(|t| t.contains(&name))
    }

    fn slice(&self, file: usize, span: Span) -> &'a str {
        let text = &*self.files[file].source.text;
        text.get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    /// Writes the definition of a type with other values behind the one with its own.
    fn define(&mut self, t: TypeId, values: &[i64], name: &str) -> Result<(), String> {
        let Some(Def {
            file,
            def,
            key,
            own,
            ..
        }) = self.defs.get(&t).cloned()
        else {
            return Ok(());
        };
        let mut parts = vec![(def.name.span, name.to_owned())];
        let inherited = self.parameters(t).len() - own.len();
        for (p, v) in own.iter().zip(&values[inherited..]) {
            parts.push((
                p.entity.span,
                format!("{} = {v}", self.slice(file, p.entity.name.span)),
            ));
        }
        for a in &def.attrs {
            let parent = self.model[t].parent.filter(|p| self.defs.contains_key(p));
            if let (AttrKind::Extends(n), Some(parent)) = (&a.kind, parent)
                && let Some(new) = self.name_for(file, parent, &values[..inherited])?
            {
                parts.push((n.span, new));
            }
        }
        let end = self.slice(file, def.end).to_ascii_lowercase();
        if let Some(at) = end.rfind(def.name.text.as_str()) {
            let start = def.end.start + at as u32;
            let span = Span {
                start,
                end: start + def.name.text.len() as u32,
            };
            parts.push((span, name.to_owned()));
        }
        parts.sort_by_key(|(span, _)| span.start);
        let source = &self.files[file].source;
        let copied = |text: &str| {
            let mut out = String::new();
            let mut at = def.header.start;
            let piece =
                |from: u32, to: u32| text.get(from as usize..to as usize).unwrap_or_default();
            for (span, new) in &parts {
                out.push_str(piece(at, span.start));
                out.push_str(new);
                at = span.end;
            }
            out.push_str(piece(at, def.end.end));
            let line = piece(0, def.header.start);
            let indent = line
                .get(line.rfind('\n').map_or(0, |n| n + 1)..)
                .unwrap_or_default();
            let indent = if indent.trim().is_empty() { indent } else { "" };
            format!("\n{indent}{out}")
        };
        let rewrite = Rewrite {
            span: Span {
                start: def.end.end,
                end: def.end.end,
            },
            text: copied(&source.text),
            host: copied(source.host()),
        };
        if def.end.end <= def.header.start {
            return Err(key);
        }
        self.out[file].push(rewrite);
        self.show(t, name);
        Ok(())
    }

    /// Makes a new type known wherever the one that it is of has been named.
    fn show(&mut self, t: TypeId, name: &str) {
        for (file, m) in self.mentions.iter().enumerate() {
            let mut ends = Vec::new();
            for d in &m.declarations {
                let Some(scope) = self.model.scope_at(FileId(file as u32), d.span.start) else {
                    continue;
                };
                let is_it = |n: &Name| self.model.lookup_type(scope, &n.text) == Some(t);
                match &d.kind {
                    DeclKind::Use(u) if u.only => {
                        let items = u.items.iter().filter(|i| is_it(&i.local));
                        ends.extend(
                            items.map(|i| i.original.as_ref().unwrap_or(&i.local).span.end),
                        );
                    }
                    DeclKind::Import { names, .. } => {
                        ends.extend(names.iter().filter(|n| is_it(n)).map(|n| n.span.end));
                    }
                    DeclKind::Attributes { attrs, entities } => {
                        let access =
                            |a: &AttrKind| matches!(a, AttrKind::Public | AttrKind::Private);
                        if attrs.iter().any(|a| access(&a.kind)) {
                            let named = entities.iter().filter(|e| is_it(&e.name));
                            ends.extend(named.map(|e| e.name.span.end));
                        }
                    }
                    _ => {}
                }
            }
            for end in ends {
                let span = Span { start: end, end };
                let text = format!(", &\n    {name}");
                self.out[file].push(Rewrite::new(span, text));
            }
        }
    }
}

fn fits(values: &[i64], wanted: &Values) -> bool {
    values
        .iter()
        .zip(wanted)
        .all(|(v, w)| w.is_none_or(|w| w == *v))
}
