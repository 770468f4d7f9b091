//! What CUDA Fortran adds to the Fortran grammar (guide 2 and 3), as rules in tree-sitter's JSON form.

use serde_json::{Value, json};

#[path = "overlay_fortran.rs"]
mod fortran;

/// Lays the overlay over the base grammar. Fails if the base has not the rules that the overlay builds on.
pub fn apply(grammar: &mut Value) -> Result<(), String> {
    grammar["name"] = json!("cuda_fortran");
    let conflicts = grammar["conflicts"]
        .as_array_mut()
        .ok_or("base grammar: no conflicts")?;
    conflicts.push(json!(["procedure_attributes", "variable_attributes"]));
    conflicts.push(json!(["implied_do_loop_expression", "cuf_dims"]));
    conflicts.push(json!(["complex_literal", "cuf_dims", "_expression"]));
    conflicts.push(json!(["cuf_kernel_do_directive"]));
    for rule in ["blank_common", "variable_group", "common_statement"] {
        conflicts.push(json!([rule]));
    }

    // attributes(global), attributes(host, device): any word, so that a wrong one can be named in a diagnostic.
    for rule in ["procedure_attributes", "variable_attributes"] {
        set(
            grammar,
            rule,
            prec(
                1,
                seq(vec![
                    kw("attributes"),
                    lit("("),
                    comma1(sym("identifier")),
                    lit(")"),
                ]),
            ),
        )?;
    }
    // Qualifiers of kernels beside attributes(...): guide 2.4, 3.1.
    add(
        grammar,
        "launch_qualifier",
        prec(
            1,
            seq(vec![
                field(
                    "name",
                    choice(vec![firm_kw("launch_bounds"), firm_kw("cluster_dims")]),
                ),
                field("arguments", sym("argument_list")),
            ]),
        ),
    );
    append(
        grammar,
        "_callable_interface_qualifers",
        sym("launch_qualifier"),
    )?;

    for word in ["unified", "grid_constant"] {
        append(grammar, "_standalone_type_qualifier", kw(word))?;
    }
    for word in [
        "managed",
        "pinned",
        "unified",
        "grid_constant",
        "attributes",
        "host",
    ] {
        append(grammar, "identifier", kw(word))?;
    }

    // Alternate returns among the dummies.
    set(
        grammar,
        "parameters",
        seq(vec![
            lit("("),
            comma1(choice(vec![sym("identifier"), sym("assumed_size")])),
            lit(")"),
        ]),
    )?;

    // Chevrons: <<<*, n>>>, <<<g, b, stream=s>>>
    set(
        grammar,
        "cuda_kernel_argument_list",
        seq(vec![
            lit("<<<"),
            comma1(choice(vec![
                sym("assumed_size"),
                sym("_expression"),
                sym("keyword_argument"),
            ])),
            lit(">>>"),
        ]),
    )?;

    // !$cuf kernel do (n) <<<grid, block, bytes, stream>>> reduce(op: list): a flat statement before its loop.
    append(grammar, "_statements", sym("cuf_kernel_do_directive"))?;
    add(
        grammar,
        "cuf_kernel_do_directive",
        seq(vec![
            sym("_cuf_kernel"),
            kw("do"),
            opt(seq(vec![
                lit("("),
                opt(field("depth", sym("_expression"))),
                lit(")"),
            ])),
            opt(field("launch", sym("cuf_launch_configuration"))),
            repeat(seq(vec![
                opt(lit(",")),
                field(
                    "clause",
                    choice(vec![sym("cuf_reduce_clause"), sym("cuf_mapping_clause")]),
                ),
            ])),
        ]),
    );
    add(
        grammar,
        "_cuf_kernel",
        token(2, "![$][cC][uU][fF][ \\t]+[kK][eE][rR][nN][eE][lL]"),
    );
    // Any other word after the sentinel: a node of its own, so that the mistake can be named.
    append(grammar, "_statements", sym("cuf_unknown_directive"))?;
    add(
        grammar,
        "cuf_unknown_directive",
        token(1, "![$][cC][uU][fF][^\\r\\n]*"),
    );
    let dimension = || choice(vec![sym("assumed_size"), sym("_expression")]);
    add(
        grammar,
        "cuf_launch_configuration",
        seq(vec![
            lit("<<<"),
            comma1(choice(vec![
                sym("cuf_dims"),
                dimension(),
                sym("keyword_argument"),
            ])),
            lit(">>>"),
        ]),
    );
    // Dynamic precedence: (32, 8) is also a complex literal.
    add(
        grammar,
        "cuf_dims",
        prec_dynamic(
            10,
            choice(vec![
                seq(vec![
                    lit("("),
                    dimension(),
                    json!({"type": "REPEAT1", "content": seq(vec![lit(","), dimension()])}),
                    lit(")"),
                ]),
                seq(vec![lit("("), sym("assumed_size"), lit(")")]),
            ]),
        ),
    );
    let operators = vec![
        lit("+"),
        lit("*"),
        kw("max"),
        kw("min"),
        kw("iand"),
        kw("ior"),
        kw("ieor"),
        kw(".and."),
        kw(".or."),
        kw(".eqv."),
        kw(".neqv."),
    ];
    add(
        grammar,
        "cuf_reduce_clause",
        seq(vec![
            choice(vec![kw("reduce"), kw("reduction")]),
            lit("("),
            field("operator", choice(operators)),
            lit(":"),
            comma1(field("variable", sym("_expression"))),
            lit(")"),
        ]),
    );
    // Directives of device code that OpenACC is translated into: flat statements before what they govern.
    for directive in [
        "cuf_loop_directive",
        "cuf_atomic_directive",
        "cuf_end_atomic",
    ] {
        append(grammar, "_statements", sym(directive))?;
    }
    add(
        grammar,
        "_cuf_loop",
        token(2, "![$][cC][uU][fF][ \\t]+[lL][oO][oO][pP]"),
    );
    add(
        grammar,
        "cuf_loop_directive",
        seq(vec![
            sym("_cuf_loop"),
            field("level", choice(vec![kw("seq"), kw("worker"), kw("vector")])),
            opt(seq(vec![
                lit("("),
                field("depth", sym("_expression")),
                lit(")"),
            ])),
            repeat(seq(vec![
                opt(lit(",")),
                field(
                    "clause",
                    choice(vec![sym("cuf_reduce_clause"), sym("cuf_mapping_clause")]),
                ),
            ])),
        ]),
    );
    add(
        grammar,
        "cuf_atomic_directive",
        token(
            2,
            "![$][cC][uU][fF][ \\t]+[aA][tT][oO][mM][iI][cC]([ \\t]+[a-zA-Z]+)?",
        ),
    );
    add(
        grammar,
        "cuf_end_atomic",
        token(
            2,
            "![$][cC][uU][fF][ \\t]+[eE][nN][dD][ \\t]+[aA][tT][oO][mM][iI][cC]",
        ),
    );
    // Of directives that OpenACC is translated into.
    add(
        grammar,
        "cuf_mapping_clause",
        seq(vec![
            field(
                "word",
                choice(vec![
                    kw("present"),
                    kw("private"),
                    kw("firstprivate"),
                    kw("gang"),
                ]),
            ),
            opt(seq(vec![
                lit("("),
                comma1(field("variable", sym("_expression"))),
                lit(")"),
            ])),
        ]),
    );
    fortran::apply(grammar)
}

fn rules(grammar: &mut Value) -> Result<&mut serde_json::Map<String, Value>, String> {
    grammar["rules"]
        .as_object_mut()
        .ok_or_else(|| "base grammar: no rules".to_owned())
}

/// Adds a rule that the base does not have.
fn add(grammar: &mut Value, name: &str, rule: Value) {
    grammar["rules"][name] = rule;
}

/// Replaces a rule of the base.
fn set(grammar: &mut Value, name: &str, rule: Value) -> Result<(), String> {
    let old = rules(grammar)?
        .get_mut(name)
        .ok_or_else(|| format!("base grammar: no rule {name}"))?;
    *old = rule;
    Ok(())
}

/// Appends an alternative to the first CHOICE inside a rule of the base.
fn append(grammar: &mut Value, name: &str, alternative: Value) -> Result<(), String> {
    let rule = rules(grammar)?
        .get_mut(name)
        .ok_or_else(|| format!("base grammar: no rule {name}"))?;
    let mut at = rule;
    loop {
        if at["type"] == "CHOICE" {
            let members = at["members"]
                .as_array_mut()
                .ok_or("base grammar: a choice without members")?;
            members.push(alternative);
            return Ok(());
        }
        at = at
            .get_mut("content")
            .ok_or_else(|| format!("base grammar: no choice in rule {name}"))?;
    }
}

/// A keyword in any case, shown in the tree by its lower-case spelling.
fn kw(word: &str) -> Value {
    json!({"type": "ALIAS", "content": letters(word), "named": false, "value": word})
}

/// A keyword that is no identifier where both could stand (new rules stand after `identifier`, which would win).
fn firm_kw(word: &str) -> Value {
    let content = json!({"type": "TOKEN", "content": prec(1, letters(word))});
    json!({"type": "ALIAS", "content": content, "named": false, "value": word})
}

/// A pattern for a word in any case.
fn letters(word: &str) -> Value {
    let mut value = String::new();
    for c in word.chars() {
        match c {
            'a'..='z' => value.push_str(&format!("[{c}{}]", c.to_ascii_uppercase())),
            '.' => value.push_str("\\."),
            _ => value.push(c),
        }
    }
    pattern(&value)
}

fn pattern(value: &str) -> Value {
    json!({"type": "PATTERN", "value": value})
}

fn token(precedence: i32, regex: &str) -> Value {
    json!({"type": "TOKEN", "content": prec(precedence, pattern(regex))})
}

fn lit(value: &str) -> Value {
    json!({"type": "STRING", "value": value})
}

fn sym(name: &str) -> Value {
    json!({"type": "SYMBOL", "name": name})
}

fn seq(members: Vec<Value>) -> Value {
    json!({"type": "SEQ", "members": members})
}

fn choice(members: Vec<Value>) -> Value {
    json!({"type": "CHOICE", "members": members})
}

fn opt(rule: Value) -> Value {
    choice(vec![rule, json!({"type": "BLANK"})])
}

fn repeat(rule: Value) -> Value {
    json!({"type": "REPEAT", "content": rule})
}

fn field(name: &str, rule: Value) -> Value {
    json!({"type": "FIELD", "name": name, "content": rule})
}

fn prec(value: i32, rule: Value) -> Value {
    json!({"type": "PREC", "value": value, "content": rule})
}

fn prec_right(value: i32, rule: Value) -> Value {
    json!({"type": "PREC_RIGHT", "value": value, "content": rule})
}

fn prec_dynamic(value: i32, rule: Value) -> Value {
    json!({"type": "PREC_DYNAMIC", "value": value, "content": rule})
}

fn alias(name: &str, rule: Value) -> Value {
    json!({"type": "ALIAS", "content": rule, "named": true, "value": name})
}

fn comma1(rule: Value) -> Value {
    seq(vec![rule.clone(), repeat(seq(vec![lit(","), rule]))])
}
