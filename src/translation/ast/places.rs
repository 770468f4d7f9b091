//! The statements and names of a file by their place: for findings, which are places.

use super::*;

/// What stands where in a file.
#[derive(Debug, Default)]
pub struct Index<'a> {
    /// In order; no two overlap. Of constructs the opening and closing statements.
    statements: Vec<Span>,
    /// The names of expressions and types, in order. Components and keywords are none.
    names: Vec<&'a Name>,
}

impl<'a> Index<'a> {
    /// Reads the tree of a file.
    pub fn new(tree: &'a File) -> Index<'a> {
        let statements = statements(tree);
        let mut names = Mentions::of(tree).names;
        names.sort_by_key(|n| n.span.start);
        Index { statements, names }
    }

    /// The statement that holds an offset.
    pub fn statement(&self, at: u32) -> Option<Span> {
        let after = self.statements.partition_point(|s| s.start <= at);
        let found = self.statements.get(after.checked_sub(1)?)?;
        (at <= found.end).then_some(*found)
    }

    /// The names that begin inside a span.
    pub fn names(&self, span: Span) -> &[&'a Name] {
        let from = self.names.partition_point(|n| n.span.start < span.start);
        let to = self.names.partition_point(|n| n.span.start < span.end);
        self.names.get(from..to).unwrap_or_default()
    }
}

/// The statements of a file, each once and in order.
pub fn statements(tree: &File) -> Vec<Span> {
    let mut out = Vec::new();
    tree.units.iter().for_each(|u| unit(u, &mut out));
    out.sort_by_key(|s| (s.start, s.end));
    out.dedup();
    out
}

fn unit(u: &ProgramUnit, out: &mut Vec<Span>) {
    if u.header.start < u.header.end {
        out.push(u.header);
    }
    declarations(&u.spec, out);
    block(&u.body, out);
    out.extend(u.contains);
    u.procedures.iter().for_each(|p| unit(p, out));
    out.push(u.end);
}

fn declarations(spec: &[Decl], out: &mut Vec<Span>) {
    for d in spec {
        match &d.kind {
            DeclKind::DerivedType(t) => {
                out.push(t.header);
                out.extend(t.components.iter().map(|c| match c {
                    Component::Data(d) => d.span,
                    Component::Procedure { span, .. } => *span,
                }));
                out.extend(&t.plain);
                out.extend(t.contains);
                out.extend(t.bindings.iter().map(Binding::statement));
                out.push(t.end);
            }
            DeclKind::Interface(i) => {
                out.push(i.header);
                out.extend(&i.lists);
                i.bodies.iter().for_each(|b| unit(b, out));
                out.push(i.end);
            }
            _ => out.push(d.span),
        }
    }
}

fn block(stmts: &[Stmt], out: &mut Vec<Span>) {
    for s in stmts {
        statement(s, out);
    }
}

fn statement(s: &Stmt, out: &mut Vec<Span>) {
    match &s.kind {
        StmtKind::If {
            branches,
            else_block,
            end,
        } => {
            for b in branches {
                out.push(b.header);
                block(&b.body, out);
            }
            if let Some(e) = else_block {
                out.push(e.header);
                block(&e.body, out);
            }
            out.push(*end);
        }
        StmtKind::Do(d) => {
            // Of a DO CONCURRENT with several indices each is a loop with the same statements.
            if out.last() != Some(&d.header) {
                out.push(d.header);
            }
            block(&d.body, out);
            // The last statement may end the loop, with its label or without; or be the label of the END DO.
            match out.last().copied() {
                Some(last) if d.end.start <= last.start && last.end == d.end.end => {}
                Some(last) if d.end.start <= last.start && last.end <= d.end.end => {
                    out.pop();
                    out.push(d.end);
                }
                _ => out.push(d.end),
            }
        }
        StmtKind::Select(sel) => {
            out.push(sel.header);
            for c in &sel.cases {
                out.push(c.header);
                block(&c.body, out);
            }
            out.push(sel.end);
        }
        StmtKind::Where {
            branches,
            end: Some(end),
        } => {
            for b in branches {
                out.push(b.header);
                block(&b.body, out);
            }
            out.push(*end);
        }
        StmtKind::Forall {
            header,
            body,
            end: Some(end),
        } => {
            out.push(header.span);
            block(body, out);
            out.push(*end);
        }
        StmtKind::Associate {
            header, body, end, ..
        }
        | StmtKind::OtherBlock { header, body, end } => {
            out.push(*header);
            block(body, out);
            out.push(*end);
        }
        StmtKind::Block {
            spec,
            body,
            header,
            end,
        } => {
            out.push(*header);
            declarations(spec, out);
            block(body, out);
            out.push(*end);
        }
        StmtKind::CufKernel(k) => {
            out.push(k.directive);
            if let Some(b) = &k.body {
                statement(b, out);
            }
        }
        _ => out.push(s.span),
    }
}

/// What the units of a file mention, wherever it stands.
#[derive(Debug, Default)]
pub struct Mentions<'a> {
    /// The names of expressions and types. Components and keywords are not among them.
    pub names: Vec<&'a Name>,
    pub types: Vec<&'a TypeSpec>,
    /// References, and parts of structures.
    pub parts: Vec<&'a Expr>,
    pub declarations: Vec<&'a Decl>,
}

impl<'a> Mentions<'a> {
    /// Reads the tree of a file.
    pub fn of(tree: &'a File) -> Mentions<'a> {
        let mut out = Mentions::default();
        tree.units.iter().for_each(|u| unit_names(u, &mut out));
        out
    }

    /// Reads a program unit, with the procedures in it.
    pub fn of_unit(unit: &'a ProgramUnit) -> Mentions<'a> {
        let mut out = Mentions::default();
        unit_names(unit, &mut out);
        out
    }

    /// Reads statements.
    pub fn of_statements(all: &'a [Stmt]) -> Mentions<'a> {
        let mut out = Mentions::default();
        all.iter().for_each(|s| stmt_names(s, &mut out));
        out
    }
}

fn unit_names<'a>(u: &'a ProgramUnit, out: &mut Mentions<'a>) {
    let mut add = |e: &'a Expr| names(e, out);
    u.prefix.launch_bounds.iter().for_each(&mut add);
    u.prefix.cluster_dims.iter().for_each(&mut add);
    if let Some(t) = &u.prefix.result_type {
        type_names(t, out);
    }
    u.spec.iter().for_each(|d| decl_names(d, out));
    u.body.iter().for_each(|s| stmt_names(s, out));
    u.procedures.iter().for_each(|p| unit_names(p, out));
}

/// The names in an expression, those of kinds included.
pub fn names_of(e: &Expr) -> Vec<&Name> {
    let mut out = Mentions::default();
    names(e, &mut out);
    out.names
}

fn names<'a>(e: &'a Expr, out: &mut Mentions<'a>) {
    match &e.kind {
        ExprKind::Name(n) => out.names.push(n),
        ExprKind::Integer { kind: Some(k), .. }
        | ExprKind::Real { kind: Some(k), .. }
        | ExprKind::Logical { kind: Some(k), .. } => {
            if let KindSuffix::Name(n) = &**k {
                out.names.push(n);
            }
        }
        ExprKind::ArrayConstructor {
            type_spec: Some(t), ..
        } => type_names(t, out),
        ExprKind::Component { .. } | ExprKind::Ref { .. } => out.parts.push(e),
        _ => {}
    }
    e.for_each_child(&mut |c| names(c, out));
}

fn type_names<'a>(t: &'a TypeSpec, out: &mut Mentions<'a>) {
    out.names.extend(type_name(t));
    out.types.push(t);
    t.expressions().into_iter().for_each(|e| names(e, out));
}

fn decl_names<'a>(d: &'a Decl, out: &mut Mentions<'a>) {
    out.declarations.push(d);
    match &d.kind {
        DeclKind::Type(t) => declaration_names(t, out),
        DeclKind::Attributes { entities, .. } => out.names.extend(entities.iter().map(|e| &e.name)),
        DeclKind::Parameter(values) => out.names.extend(values.iter().map(|(n, _)| n)),
        DeclKind::DerivedType(t) => t.components.iter().for_each(|c| {
            if let Component::Data(d) = c {
                declaration_names(d, out);
            }
        }),
        DeclKind::Interface(i) => i.bodies.iter().for_each(|b| unit_names(b, out)),
        DeclKind::Common(blocks) => {
            let entities = blocks.iter().flat_map(|(_, e)| e);
            out.names.extend(entities.map(|e| &e.name));
        }
        DeclKind::Equivalence(sets) => sets.iter().flatten().for_each(|e| names(e, out)),
        DeclKind::Namelist(groups) => out.names.extend(groups.iter().flat_map(|(_, names)| names)),
        DeclKind::CrayPointer(pairs) => {
            pairs
                .iter()
                .for_each(|(p, e)| out.names.extend([p, &e.name]));
        }
        _ => {}
    }
    d.expressions().into_iter().for_each(|e| names(e, out));
}

fn type_name(t: &TypeSpec) -> Option<&Name> {
    match &t.kind {
        TypeSpecKind::Derived { name, .. } => Some(name),
        TypeSpecKind::Class { name, .. } => name.as_ref(),
        _ => None,
    }
}

/// The names that a declaration has outside of expressions.
fn declaration_names<'a>(d: &'a TypeDecl, out: &mut Mentions<'a>) {
    out.names.extend(type_name(&d.spec));
    out.types.push(&d.spec);
    out.names.extend(d.entities.iter().map(|e| &e.name));
}

fn arg_names<'a>(args: &'a [Arg], out: &mut Mentions<'a>) {
    args.iter().for_each(|a| names(&a.value, out));
}

/// The names in a statement itself, not in the statements inside it, but for those of a CUF loop.
pub fn own_names(s: &Stmt) -> Vec<&Name> {
    let mut out = Mentions::default();
    own_mentions(s, &mut out);
    out.names
}

fn stmt_names<'a>(s: &'a Stmt, out: &mut Mentions<'a>) {
    own_mentions(s, out);
    for b in s.blocks() {
        b.iter().for_each(|s| stmt_names(s, out));
    }
}

fn own_mentions<'a>(s: &'a Stmt, out: &mut Mentions<'a>) {
    s.expressions().into_iter().for_each(|e| names(e, out));
    match &s.kind {
        StmtKind::Call(c) => {
            names(&c.callee, out);
            c.launch.iter().for_each(|l| arg_names(&l.args, out));
            arg_names(&c.args, out);
        }
        StmtKind::Do(d) => {
            if let DoControl::Counted { var, .. } = &d.control {
                out.names.push(var);
            }
        }
        StmtKind::Select(sel) => {
            for c in &sel.cases {
                match &c.guard {
                    CaseGuard::Values(v) => v.iter().for_each(|e| names(e, out)),
                    CaseGuard::TypeIs(t) => type_names(t, out),
                    CaseGuard::ClassIs(n) => out.names.push(n),
                    CaseGuard::Rank(e) => names(e, out),
                    CaseGuard::Default => {}
                }
            }
        }
        StmtKind::Block { spec, .. } => spec.iter().for_each(|d| decl_names(d, out)),
        StmtKind::AssignLabel { var, .. } | StmtKind::AssignedGoto { var, .. } => {
            out.names.push(var)
        }
        StmtKind::Return(Some(e)) => names(e, out),
        StmtKind::Allocate(a) => {
            a.type_spec.iter().for_each(|t| type_names(t, out));
            for o in &a.objects {
                names(&o.object, out);
                let bounds = o.bounds.iter().flat_map(ArraySpec::expressions);
                bounds.for_each(|e| names(e, out));
            }
            arg_names(&a.options, out);
        }
        StmtKind::Deallocate { objects, options } => {
            objects.iter().for_each(|e| names(e, out));
            arg_names(options, out);
        }
        StmtKind::Nullify(objects) => objects.iter().for_each(|e| names(e, out)),
        StmtKind::Write { control, .. } | StmtKind::Io { control, .. } => arg_names(control, out),
        StmtKind::Read { control, items } => {
            arg_names(control, out);
            items.iter().for_each(|e| names(e, out));
        }
        StmtKind::CufKernel(k) => {
            cuf_names(k, out);
            k.body.iter().for_each(|s| stmt_names(s, out));
        }
        StmtKind::Decl(d) => decl_names(d, out),
        _ => {}
    }
}

fn cuf_names<'a>(k: &'a CufKernel, out: &mut Mentions<'a>) {
    k.depth.iter().for_each(|e| names(e, out));
    if let Some(l) = &k.launch {
        let all = l.grid.iter().chain(&l.block).chain(&l.bytes);
        all.chain(&l.stream).for_each(|e| names(e, out));
    }
    let reduced = k.reductions.iter().flat_map(|r| &r.variables);
    reduced.for_each(|e| names(e, out));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_and_names_are_found_by_place() {
        let text =
            "program p\n  real(wp) :: x(n)\n  if (a(i)%b > 1) &\n    call s(c)\nend program\n";
        let (tree, errors) = crate::syntax::parse(text);
        assert!(errors.is_empty());
        let index = Index::new(&tree);
        let at = |w: &str| text.find(w).unwrap() as u32;
        let whole = index.statement(at("call")).unwrap();
        assert_eq!(whole.start, at("if ("));
        let names = |span: Span| -> Vec<&str> {
            index.names(span).iter().map(|n| n.text.as_str()).collect()
        };
        assert_eq!(names(whole), ["a", "i", "s", "c"]);
        assert_eq!(names(index.statement(at("wp")).unwrap()), ["wp", "x", "n"]);
    }
}
