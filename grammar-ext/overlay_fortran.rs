//! What the base grammar gets wrong or lacks in standard Fortran and in the extensions that gfortran and nvfortran share.

use serde_json::{Value, json};

use super::{
    add, alias, append, choice, comma1, field, kw, lit, opt, pattern, prec, prec_dynamic,
    prec_right, rules, seq, set, sym,
};

/// Precedences of the base that the replaced rules need.
const UNARY: i32 = 55;
/// Above exponentiation, below references: a defined unary operator binds tightest (F2018 10.1.2.2).
const DEFINED_UNARY: i32 = 75;

pub(super) fn apply(grammar: &mut Value) -> Result<(), String> {
    operators(grammar)?;
    type_specifiers(grammar)?;
    arguments(grammar)?;
    declarations(grammar)?;
    statements(grammar)
}

fn operators(grammar: &mut Value) -> Result<(), String> {
    // a**b**c is a**(b**c), F2018 10.1.3.
    let members = rules(grammar)?
        .get_mut("math_expression")
        .and_then(|r| r["members"].as_array_mut())
        .ok_or("base grammar: math_expression is no choice")?;
    let power = members
        .iter_mut()
        .find(|m| {
            m["content"]["members"]
                .as_array()
                .is_some_and(|parts| parts.iter().any(|p| p["content"] == lit("**")))
        })
        .ok_or("base grammar: no ** in math_expression")?;
    power["type"] = json!("PREC_RIGHT");
    // a//b//c is (a//b)//c, F2018 10.1.2.6; long chains nest to the left, where nothing recurses.
    rules(grammar)?
        .get_mut("concatenation_expression")
        .filter(|r| r["type"] == "PREC_RIGHT")
        .ok_or("base grammar: concatenation_expression has another shape")?["type"] =
        json!("PREC_LEFT");

    let unary = |precedence, operator| {
        prec_right(
            precedence,
            seq(vec![
                field("operator", operator),
                field("argument", sym("_expression")),
            ]),
        )
    };
    set(
        grammar,
        "unary_expression",
        choice(vec![
            unary(UNARY, choice(vec![lit("-"), lit("+")])),
            unary(DEFINED_UNARY, sym("user_defined_operator")),
        ]),
    )?;
    // The values of DATA: with the fields of other unary expressions.
    set(
        grammar,
        "_signed_literal",
        prec_right(
            UNARY,
            seq(vec![
                field("operator", choice(vec![lit("-"), lit("+")])),
                field("argument", sym("number_literal")),
            ]),
        ),
    )
}

/// Type names without TYPE(...): array constructors, ALLOCATE, TYPE IS.
fn type_specifiers(grammar: &mut Value) -> Result<(), String> {
    // Dynamic precedence: real(8) is the intrinsic type, not a type with a parameter.
    let with_parameters = || prec_dynamic(-5, sym("call_expression"));
    set(
        grammar,
        "_type_spec",
        seq(vec![
            choice(vec![
                sym("intrinsic_type"),
                sym("derived_type"),
                sym("identifier"),
                with_parameters(),
            ]),
            lit("::"),
        ]),
    )?;
    for word in ["logical", "complex", "integer"] {
        append(grammar, "identifier", kw(word))?;
    }
    edit(grammar, "allocate_statement", &|v| {
        is_choice_of(v, &["intrinsic_type", "identifier"])
            .then(|| choice(vec![v.clone(), with_parameters()]))
    })?;
    edit(grammar, "type_statement", &|v| {
        is_choice_of(v, &["intrinsic_type", "identifier"])
            .then(|| choice(vec![v.clone(), with_parameters()]))
    })
}

fn arguments(grammar: &mut Value) -> Result<(), String> {
    // call s(a, *100)
    append(grammar, "_argument_item", sym("alternate_return"))?;
    add(
        grammar,
        "alternate_return",
        seq(vec![lit("*"), sym("statement_label_reference")]),
    );
    // %val(x), %ref(x), %loc(x)
    append(grammar, "_expression", sym("argument_list_function"))?;
    add(
        grammar,
        "argument_list_function",
        seq(vec![
            lit("%"),
            field("name", choice(vec![kw("val"), kw("ref"), kw("loc")])),
            field("arguments", sym("argument_list")),
        ]),
    );
    // open(-1, ...)
    append(grammar, "_io_expressions", sym("unary_expression"))
}

fn declarations(grammar: &mut Value) -> Result<(), String> {
    // character s*5, s*(n), s*(*), s*(:)
    set(
        grammar,
        "character_length",
        seq(vec![
            lit("*"),
            choice(vec![
                pattern("\\d+"),
                seq(vec![
                    lit("("),
                    choice(vec![sym("assumed_size"), sym("assumed_shape")]),
                    lit(")"),
                ]),
                sym("parenthesized_expression"),
            ]),
        ]),
    )?;
    let generic_alias = seq(vec![
        alias("local_name", sym("operator")),
        lit("=>"),
        sym("operator"),
    ]);
    set(
        grammar,
        "use_alias",
        choice(vec![
            seq(vec![
                alias("local_name", sym("identifier")),
                lit("=>"),
                sym("identifier"),
            ]),
            generic_alias,
        ]),
    )?;
    // common // a, b; a comma before the next group is allowed.
    let members = || comma1(sym("_variable_declarator"));
    let slashes = || choice(vec![lit("//"), seq(vec![lit("/"), lit("/")])]);
    add(grammar, "blank_common", seq(vec![slashes(), members()]));
    let group = choice(vec![sym("variable_group"), sym("blank_common")]);
    set(
        grammar,
        "common_statement",
        seq(vec![
            kw("common"),
            choice(vec![group.clone(), members()]),
            super::repeat(seq(vec![opt(lit(",")), group])),
        ]),
    )?;
    set(
        grammar,
        "namelist_statement",
        seq(vec![
            kw("namelist"),
            sym("variable_group"),
            super::repeat(seq(vec![opt(lit(",")), sym("variable_group")])),
        ]),
    )?;
    set(
        grammar,
        "final_statement",
        seq(vec![
            kw("final"),
            opt(lit("::")),
            comma1(field("declarator", sym("_method_name"))),
        ]),
    )?;
    // The statement: CODIMENSION :: a[*], b(3)[2, *]
    edit(grammar, "_standalone_type_qualifier", &|v| {
        (v["value"] == "coarray_size" && v["named"] == true).then(|| opt(v.clone()))
    })?;
    // Components of named constants among the values of DATA.
    edit(grammar, "data_value", &|v| {
        let literal = v["type"] == "CHOICE"
            && v["members"]
                .as_array()
                .is_some_and(|m| m.contains(&sym("number_literal")));
        literal.then(|| choice(vec![v.clone(), sym("derived_type_member_expression")]))
    })?;
    // PRIVATE before the bindings, in any case.
    edit(grammar, "derived_type_procedures", &|v| {
        (v["value"] == "private_statement" && v["named"] == true)
            .then(|| alias("private_statement", kw("private")))
    })
}

fn statements(grammar: &mut Value) -> Result<(), String> {
    // A reference is no statement: it would hide RANK (3), STOP (n) and misspelled statements.
    let statements = rules(grammar)?
        .get_mut("_statements")
        .and_then(|r| r["members"].as_array_mut())
        .ok_or("base grammar: _statements is no choice")?;
    statements.retain(|m| *m != sym("call_expression"));
    // Assigned GO TO without a list.
    append(
        grammar,
        "keyword_statement",
        seq(vec![
            choice(vec![seq(vec![kw("go"), kw("to")]), kw("goto")]),
            sym("identifier"),
        ]),
    )?;
    // Any logical expression as the mask of FORALL.
    set(
        grammar,
        "_forall_control_expression",
        seq(vec![
            kw("forall"),
            lit("("),
            comma1(sym("triplet_spec")),
            opt(seq(vec![lit(","), sym("_expression")])),
            lit(")"),
        ]),
    )?;
    // A comma after the control list (extension).
    set(
        grammar,
        "_parameterized_read_statement",
        prec(
            1,
            seq(vec![
                kw("read"),
                sym("_io_arguments"),
                opt(lit(",")),
                opt(sym("input_item_list")),
            ]),
        ),
    )?;
    // FORMAT()
    edit(grammar, "format_statement", &|v| {
        (v["value"] == "transfer_items").then(|| opt(v.clone()))
    })?;
    // PARAMETER without parentheses (DEC).
    let list = || comma1(sym("parameter_assignment"));
    set(
        grammar,
        "parameter_statement",
        prec(
            1,
            choice(vec![
                seq(vec![kw("parameter"), lit("("), list(), lit(")")]),
                seq(vec![kw("parameter"), list()]),
            ]),
        ),
    )?;
    // DATA and NAMELIST among the executable statements (obsolescent).
    append(grammar, "_statements", sym("data_statement"))?;
    append(grammar, "_statements", sym("namelist_statement"))?;
    // A label on the END statement of these constructs.
    for (rule, end) in [
        ("block_construct", "end_block_construct_statement"),
        ("associate_statement", "end_associate_statement"),
        ("_block_where_statement", "end_where_statement"),
    ] {
        edit(grammar, rule, &|v| {
            (*v == sym(end)).then(|| seq(vec![opt(sym("statement_label")), sym(end)]))
        })?;
    }
    Ok(())
}

fn is_choice_of(value: &Value, names: &[&str]) -> bool {
    value["type"] == "CHOICE"
        && value["members"].as_array().is_some_and(|m| {
            m.len() == names.len() && m.iter().zip(names).all(|(v, n)| *v == sym(n))
        })
}

/// Replaces the outermost parts of a rule of the base for which `change` gives something.
fn edit(
    grammar: &mut Value,
    name: &str,
    change: &dyn Fn(&Value) -> Option<Value>,
) -> Result<(), String> {
    fn walk(value: &mut Value, change: &dyn Fn(&Value) -> Option<Value>) -> usize {
        if let Some(new) = change(value) {
            *value = new;
            return 1;
        }
        let mut count = 0;
        if let Some(content) = value.get_mut("content") {
            count += walk(content, change);
        }
        if let Some(members) = value.get_mut("members").and_then(Value::as_array_mut) {
            count += members.iter_mut().map(|m| walk(m, change)).sum::<usize>();
        }
        count
    }
    let rule = rules(grammar)?
        .get_mut(name)
        .ok_or_else(|| format!("base grammar: no rule {name}"))?;
    match walk(rule, change) {
        0 => Err(format!("base grammar: rule {name} has another shape")),
        _ => Ok(()),
    }
}
