//! Executable constructs.

use super::builder::Builder;
use super::tree::Node;
use crate::ast::*;

impl Builder<'_> {
    pub(super) fn if_statement(&mut self, node: Node<'_>) -> StmtKind {
        let tokens = Self::tokens(node);
        let Some(at) = tokens
            .iter()
            .position(|t| t.kind() == "parenthesized_expression")
        else {
            return StmtKind::Other;
        };
        let cond = self.inner(tokens[at]);
        if !tokens.iter().any(|t| t.kind() == "then") {
            let Some(stmt) = tokens.get(at + 1) else {
                return StmtKind::Other;
            };
            if stmt.kind() == "if_statement" {
                self.error(
                    Self::span(*stmt),
                    "action of an `if` statement cannot be another `if` statement\nnote: Fortran 2018, 11.1.8.4\nhelp: write `if (...) then`, the statement, and `end if`",
                );
                return StmtKind::Other;
            }
            return StmtKind::LogicalIf {
                cond,
                stmt: Box::new(self.stmt(*stmt)),
            };
        }
        let start = tokens
            .iter()
            .find(|t| t.kind() != "block_label_start_expression")
            .map_or(node.start_byte(), |t| t.start_byte());
        let mut branches = Vec::new();
        let mut else_block = None;
        let mut end = Span {
            start: node.end_byte() as u32,
            end: node.end_byte() as u32,
        };
        let mut body = Vec::new();
        let mut header_end = tokens[at].end_byte();
        let mut trailing_label = None;
        let children: Vec<Node<'_>> = tokens[at + 1..].to_vec();
        for (i, c) in children.iter().enumerate() {
            match c.kind() {
                "then" => header_end = c.end_byte(),
                "block_label" => header_end = c.end_byte(),
                "elseif_clause" | "else_clause" | "end_if_statement" => {
                    if c.kind() == "end_if_statement" {
                        end = Self::statement_span(*c);
                        // A label on END IF is a target: keep it as a CONTINUE at the end of the last block.
                        if let Some(l) = i
                            .checked_sub(1)
                            .and_then(|k| children.get(k))
                            .filter(|l| l.kind() == "statement_label")
                        {
                            trailing_label = Some(*l);
                        }
                    }
                }
                _ if c.is_named() => body.push(*c),
                _ => {}
            }
        }
        let before_end: Vec<Node<'_>> = body
            .into_iter()
            .filter(|n| Some(*n) != trailing_label)
            .collect();
        let first_body = self.block(&before_end);
        let header = Span {
            start: start as u32,
            end: header_end as u32,
        };
        branches.push(IfBranch {
            cond,
            header,
            body: first_body,
        });
        for c in children {
            match c.kind() {
                "elseif_clause" => {
                    let t = Self::tokens(c);
                    let cond = t
                        .iter()
                        .find(|x| x.kind() == "parenthesized_expression")
                        .map(|x| self.inner(*x));
                    let (header, body) = self.clause(c);
                    if let Some(cond) = cond {
                        branches.push(IfBranch { cond, header, body });
                    }
                }
                "else_clause" => {
                    let (header, body) = self.clause(c);
                    else_block = Some(ElseBlock { header, body });
                }
                _ => {}
            }
        }
        if let Some(l) = trailing_label {
            let target = Stmt {
                kind: StmtKind::Continue,
                span: Self::span(l),
                label: self.text(l).trim().parse().ok().map(|value| Label {
                    value,
                    span: Self::span(l),
                }),
                name: None,
                directive: None,
            };
            match (&mut else_block, branches.last_mut()) {
                (Some(e), _) => e.body.push(target),
                (None, Some(b)) => b.body.push(target),
                _ => {}
            }
        }
        StmtKind::If {
            branches,
            else_block,
            end,
        }
    }

    /// Header and statements of ELSE IF, ELSE, ELSEWHERE, CASE.
    fn clause(&mut self, node: Node<'_>) -> (Span, Block) {
        let mut header_end = node.start_byte();
        let mut body = Vec::new();
        for t in Self::tokens(node) {
            let is_header = !t.is_named()
                || matches!(
                    t.kind(),
                    "parenthesized_expression"
                        | "block_label"
                        | "case_value_range_list"
                        | "default"
                        | "intrinsic_type"
                        | "call_expression"
                        | "assumed_size"
                )
                || (t.kind() == "identifier" && body.is_empty());
            if is_header && body.is_empty() && t.kind() != ";" {
                header_end = t.end_byte();
            } else if t.is_named() {
                body.push(t);
            }
        }
        let header = Span {
            start: node.start_byte() as u32,
            end: header_end as u32,
        };
        (header, self.block(&body))
    }

    /// Header, statements and end of a construct whose statements are its named children, except those of the given kinds.
    pub(super) fn construct_body(
        &mut self,
        node: Node<'_>,
        header_kinds: &[&str],
    ) -> (Span, Block, Span) {
        let mut start = None;
        let mut header_end = node.start_byte();
        let mut body = Vec::new();
        let mut end = Span {
            start: node.end_byte() as u32,
            end: node.end_byte() as u32,
        };
        for t in Self::tokens(node) {
            let k = t.kind();
            if k == "block_label_start_expression" {
                continue;
            }
            start = start.or(Some(t.start_byte()));
            if k.starts_with("end_") {
                end = Self::statement_span(t);
            } else if body.is_empty() && k != ";" && (!t.is_named() || header_kinds.contains(&k)) {
                header_end = t.end_byte();
            } else if t.is_named() {
                body.push(t);
            }
        }
        let header = Span {
            start: start.unwrap_or(node.start_byte()) as u32,
            end: header_end as u32,
        };
        (header, self.block(&body), end)
    }

    pub(super) fn where_statement(&mut self, node: Node<'_>) -> StmtKind {
        let tokens = Self::tokens(node);
        let Some(mask_node) = tokens
            .iter()
            .find(|t| t.kind() == "parenthesized_expression")
        else {
            return StmtKind::Other;
        };
        let mask = Some(self.inner(*mask_node));
        let block_end = tokens
            .iter()
            .find(|t| t.kind() == "end_where_statement")
            .map(|t| Self::statement_span(*t));
        let mut body = Vec::new();
        for t in tokens
            .iter()
            .filter(|t| t.is_named() && t.start_byte() >= mask_node.end_byte())
        {
            if !matches!(t.kind(), "elsewhere_clause" | "end_where_statement") {
                body.push(*t);
            }
        }
        let start = tokens
            .iter()
            .find(|t| t.kind() != "block_label_start_expression")
            .map_or(node.start_byte(), |t| t.start_byte());
        let header = Span {
            start: start as u32,
            end: mask_node.end_byte() as u32,
        };
        let mut branches = vec![WhereBranch {
            mask,
            header,
            body: self.block(&body),
        }];
        for t in tokens.iter().filter(|t| t.kind() == "elsewhere_clause") {
            let mask = Self::first(*t, "parenthesized_expression").map(|m| self.inner(m));
            let (header, body) = self.clause(*t);
            branches.push(WhereBranch { mask, header, body });
        }
        StmtKind::Where {
            branches,
            end: block_end,
        }
    }

    pub(super) fn forall(&mut self, node: Node<'_>) -> StmtKind {
        let tokens = Self::tokens(node);
        let mut indices = Vec::new();
        let mut mask = None;
        let mut body = Vec::new();
        let mut end = None;
        let mut header_end = node.start_byte();
        let mut in_header = true;
        for t in &tokens {
            match t.kind() {
                "triplet_spec" => {
                    let c = Self::children(*t);
                    if let [v, from, to, rest @ ..] = c.as_slice() {
                        let var = self.name(*v);
                        let (from, to) = (self.expr(*from), self.expr(*to));
                        indices.push((var, from, to, rest.first().map(|s| self.expr(*s))));
                    }
                }
                ")" if in_header => {
                    header_end = t.end_byte();
                    in_header = false;
                }
                "end_forall_statement" => end = Some(Self::statement_span(*t)),
                "block_label_start_expression" => {}
                _ if t.is_named() && in_header => mask = Some(self.expr(*t)),
                _ if t.is_named() => body.push(*t),
                _ => {}
            }
        }
        let start = tokens
            .iter()
            .find(|t| t.kind() != "block_label_start_expression")
            .map_or(node.start_byte(), |t| t.start_byte());
        let span = Span {
            start: start as u32,
            end: header_end as u32,
        };
        let header = LoopHeader {
            type_spec: None,
            indices,
            mask,
            local: Vec::new(),
            reductions: Vec::new(),
            span,
        };
        StmtKind::Forall {
            header: Box::new(header),
            body: self.block(&body),
            end,
        }
    }

    pub(super) fn select(&mut self, node: Node<'_>, kind: SelectKind) -> StmtKind {
        let Some(selector_node) = Self::first(node, "selector") else {
            return StmtKind::Other;
        };
        let mut associate = None;
        let selector = match Self::children(selector_node).first() {
            Some(c) if c.kind() == "pointer_association_statement" => {
                match Self::children(*c).as_slice() {
                    [n, e, ..] => {
                        associate = Some(self.name(*n));
                        self.expr(*e)
                    }
                    _ => return StmtKind::Other,
                }
            }
            Some(c) => self.expr(*c),
            None => return StmtKind::Other,
        };
        let mut cases = Vec::new();
        let mut end = Span {
            start: node.end_byte() as u32,
            end: node.end_byte() as u32,
        };
        for c in Self::children(node) {
            match c.kind() {
                "case_statement" | "rank_statement" | "type_statement" => {
                    let guard = self.guard(c);
                    let (header, body) = self.clause(c);
                    cases.push(Case {
                        guard,
                        header,
                        body,
                    });
                }
                "end_select_statement" => end = Self::statement_span(c),
                _ => {}
            }
        }
        let start = Self::tokens(node)
            .iter()
            .find(|t| t.kind() != "block_label_start_expression")
            .map_or(node.start_byte(), |t| t.start_byte());
        let header = Span {
            start: start as u32,
            end: selector_node.end_byte() as u32,
        };
        StmtKind::Select(Box::new(Select {
            kind,
            selector,
            associate,
            cases,
            header,
            end,
        }))
    }

    fn guard(&mut self, node: Node<'_>) -> CaseGuard {
        if let Some(t) = node.child_by_field_name("type") {
            let is_class = self.lower(node).starts_with("class");
            return if is_class && t.kind() == "identifier" {
                CaseGuard::ClassIs(self.name(t))
            } else {
                CaseGuard::TypeIs(self.type_spec(t))
            };
        }
        if let Some(list) = Self::first(node, "case_value_range_list") {
            let mut values: Vec<Expr> = Self::children(list)
                .into_iter()
                .map(|v| self.expr(v))
                .collect();
            if node.kind() == "rank_statement"
                && let Some(v) = values.pop()
            {
                return CaseGuard::Rank(v);
            }
            return CaseGuard::Values(values);
        }
        if let Some(star) = Self::first(node, "assumed_size") {
            return CaseGuard::Rank(self.expr(star));
        }
        CaseGuard::Default
    }

    pub(super) fn do_loop(&mut self, node: Node<'_>) -> StmtKind {
        let Some(head) = Self::first(node, "do_statement") else {
            return StmtKind::Other;
        };
        let label: Option<u32> = head
            .child_by_field_name("do_label")
            .and_then(|l| self.text(l).trim().parse().ok());
        let mut control = DoControl::Forever;
        for c in Self::children(head) {
            match c.kind() {
                "loop_control_expression" => {
                    if let Some((var, from, to, step)) = self.loop_control(c) {
                        control = DoControl::Counted {
                            var,
                            from,
                            to,
                            step,
                        };
                    }
                }
                "while_statement" => {
                    if let Some(p) = Self::first(c, "parenthesized_expression") {
                        control = DoControl::While(self.inner(p));
                    }
                }
                "concurrent_statement" => {
                    if let Some(h) = Self::first(c, "concurrent_header") {
                        let mut header = self.concurrent_header(h);
                        header.local = self.iteration_locals(c);
                        header.reductions = self.concurrent_reductions(c);
                        control = DoControl::Concurrent(header);
                    }
                }
                _ => {}
            }
        }
        let mut body = Vec::new();
        let mut end = Span {
            start: node.end_byte() as u32,
            end: node.end_byte() as u32,
        };
        let mut last = None;
        for c in Self::children(node) {
            match c.kind() {
                "do_statement" | "block_label_start_expression" => {}
                "end_do_loop_statement" => {
                    end = Self::statement_span(c);
                    last = Some(c);
                }
                "end_do_label_loop_statement" => {
                    end = Self::statement_span(c);
                    last = Some(c);
                }
                _ => body.push(c),
            }
        }
        // A label before END DO is the target of a jump to the end of the iteration.
        let mut end_label = None;
        if last.is_some_and(|l| l.kind() == "end_do_loop_statement")
            && body.last().is_some_and(|b| b.kind() == "statement_label")
        {
            end_label = body.pop();
        }
        let mut stmts = self.block(&body);
        if let Some(l) = end_label {
            stmts.push(self.label_target(l));
        }
        if let Some(l) = last.filter(|l| l.kind() == "end_do_label_loop_statement") {
            let parts = Self::children(l);
            let label_node = parts.iter().find(|c| c.kind() == "statement_label");
            match (
                label_node,
                parts.iter().find(|c| {
                    !matches!(
                        c.kind(),
                        "statement_label" | "do_label_virtual" | "block_label"
                    )
                }),
            ) {
                (Some(n), Some(s)) => {
                    let mut stmt = self.stmt(*s);
                    // Where several loops end here, the scanner gave the label's text to the inner ones.
                    let mut span = Self::span(*n);
                    if span.start == span.end
                        && let Some(l) = label
                    {
                        span.start = span.start.saturating_sub(l.to_string().len() as u32);
                    }
                    let value = self.text(*n).trim().parse().ok().or(label);
                    stmt.label = value.map(|value| Label { value, span });
                    stmts.push(stmt);
                }
                (Some(n), None) => stmts.push(self.label_target(*n)),
                _ => {}
            }
        }
        if let Some(l) = label {
            share_terminal(&mut stmts, l);
        }
        StmtKind::Do(Box::new(Do {
            control,
            header: Self::statement_span(head),
            body: stmts,
            end,
            label,
        }))
    }

    /// The LOCAL and LOCAL_INIT clauses of DO CONCURRENT; the others change nothing where iterations run in order.
    fn iteration_locals(&mut self, statement: Node<'_>) -> Vec<(Name, bool)> {
        let mut local = Vec::new();
        for clause in Self::children(statement) {
            if clause.kind() != "concurrent_locality" {
                continue;
            }
            let word = self.text(clause).split('(').next().unwrap_or_default();
            let initial = match word.trim().to_ascii_lowercase().as_str() {
                "local" => false,
                "local_init" => true,
                _ => continue,
            };
            for n in Self::children(clause) {
                if n.kind() == "identifier" {
                    local.push((self.name(n), initial));
                }
            }
        }
        local
    }

    /// The REDUCE clauses of DO CONCURRENT.
    fn concurrent_reductions(&mut self, statement: Node<'_>) -> Vec<ReduceClause> {
        let mut out = Vec::new();
        for clause in Self::children(statement) {
            let parts = Self::children(clause);
            let op = parts.iter().find(|c| c.kind() == "binary_op");
            if clause.kind() != "concurrent_locality" {
                continue;
            }
            if let Some(op) = op {
                let names = parts.iter().filter(|c| c.kind() == "identifier");
                out.push(ReduceClause {
                    op: self.name(*op),
                    variables: names.map(|n| self.expr(*n)).collect(),
                    span: Self::span(clause),
                });
            }
        }
        out
    }

    fn concurrent_header(&mut self, node: Node<'_>) -> LoopHeader {
        let mut h = LoopHeader {
            type_spec: None,
            indices: Vec::new(),
            mask: None,
            local: Vec::new(),
            reductions: Vec::new(),
            span: Self::span(node),
        };
        for c in Self::children(node) {
            match c.kind() {
                "intrinsic_type" => h.type_spec = Some(self.type_spec(c)),
                "concurrent_control" => {
                    let part = |b: &mut Self, f: &str| c.child_by_field_name(f).map(|n| b.expr(n));
                    if let (Some(v), Some(from), Some(to)) = (
                        Self::first(c, "identifier"),
                        part(self, "initial"),
                        part(self, "final"),
                    ) {
                        let step = part(self, "step");
                        h.indices.push((self.name(v), from, to, step));
                    }
                }
                "concurrent_mask" => h.mask = Self::children(c).first().map(|m| self.expr(*m)),
                _ => h.mask = Some(self.expr(c)),
            }
        }
        h
    }

    pub(super) fn block_construct(&mut self, node: Node<'_>) -> StmtKind {
        let mut nodes = Vec::new();
        let mut header = Span {
            start: node.start_byte() as u32,
            end: node.start_byte() as u32,
        };
        let mut end = Span {
            start: node.end_byte() as u32,
            end: node.end_byte() as u32,
        };
        for t in Self::tokens(node) {
            match t.kind() {
                "block_label_start_expression" => {}
                "end_block_construct_statement" => end = Self::statement_span(t),
                _ if t.is_named() => nodes.push(t),
                "block" => header = Self::span(t),
                _ => {}
            }
        }
        let (spec, body) = self.parts(&nodes);
        StmtKind::Block {
            spec,
            body,
            header,
            end,
        }
    }

    pub(super) fn associate(&mut self, node: Node<'_>) -> StmtKind {
        let mut items = Vec::new();
        if let Some(list) = Self::first(node, "association_list") {
            for a in Self::children(list) {
                if let (Some(n), Some(s)) = (
                    a.child_by_field_name("name"),
                    a.child_by_field_name("selector"),
                ) {
                    let name = self.name(n);
                    items.push((name, self.expr(s)));
                }
            }
        }
        let (header, body, end) = self.construct_body(node, &["association_list"]);
        StmtKind::Associate {
            items,
            header,
            body,
            end,
        }
    }
}

/// Loops that end on one labelled statement: it belongs to the innermost of them.
fn share_terminal(stmts: &mut Vec<Stmt>, label: u32) {
    let [.., inner, terminal] = stmts.as_mut_slice() else {
        return;
    };
    let StmtKind::Do(d) = &mut inner.kind else {
        return;
    };
    if d.label != Some(label) || terminal.label.map(|l| l.value) != Some(label) {
        return;
    }
    d.end = terminal.span;
    inner.span.end = terminal.span.end;
    if let Some(t) = stmts.pop()
        && let Some(Stmt {
            kind: StmtKind::Do(d),
            ..
        }) = stmts.last_mut()
    {
        d.body.push(t);
        share_terminal(&mut d.body, label);
    }
}
