//! Types with FINAL procedures, in a procedure of their own. gfortran 12 does not finalise function results nor what is assigned to: the
//! plain program has no FINAL procedures and calls them where F2018 7.5.6.3 says. Their order is open: count and sum are compared.

use crate::random::Random;
use crate::tree::{Node, block, either, guarded, line};

/// What stands in the plain program alone.
fn plain(text: &str) -> Node {
    line(either("", text))
}

/// The two types, `fa` and `fb`.
struct Finals {
    /// `fb` extends `fa`; else it has a component of that type.
    extends: bool,
    /// The component is allocatable.
    allocatable: bool,
    /// `fb` has a FINAL procedure itself.
    own: bool,
    /// What the procedure's variables are.
    of: &'static str,
}

/// Types, and procedures of which the first is `finals(k)`.
pub fn finals(r: &mut Random) -> (Vec<Node>, Vec<Node>) {
    let f = Finals {
        extends: r.chance(50),
        allocatable: r.chance(50),
        own: r.chance(60),
        of: r.pick(&["fa", "fb", "fb"]),
    };
    let mut procedures = vec![f.body(r)];
    for name in ["fa", "fb"] {
        procedures.extend(f.procedures(name));
    }
    if f.extends {
        let case = |t: &str| {
            let call = plain(&format!("call finish_{t}(x)"));
            block(either("", &format!("type is ({t})")), vec![call], "")
        };
        procedures.push(block(
            either("", "subroutine finish_class(x)"),
            vec![
                plain("class(fa), intent(in) :: x"),
                block(
                    either("", "select type (x)"),
                    vec![case("fa"), case("fb")],
                    either("", "end select"),
                ),
            ],
            either("", "end subroutine"),
        ));
    }
    (f.types(r), procedures)
}

impl Finals {
    fn has_final(&self, name: &str) -> bool {
        name == "fa" || self.own
    }

    fn types(&self, r: &mut Random) -> Vec<Node> {
        let space = r.pick(&["{D}", "{M}", "{P}"]);
        let with = |mut body: Vec<Node>, name: &str| {
            if self.has_final(name) {
                body.push(line(either("contains", "")));
                body.push(line(either(&format!("final :: end_{name}"), "")));
            }
            body
        };
        let data = |name: &str| line(format!("integer{space}, allocatable :: {name}(:)"));
        let fa = vec![line("integer :: n = 1"), data("d")];
        let mut fb = vec![line("integer :: m = 2"), data("e")];
        let head = if self.extends {
            "type, extends(fa) :: fb"
        } else {
            let word = if self.allocatable {
                ", allocatable"
            } else {
                ""
            };
            fb.insert(1, line(format!("type(fa){word} :: q")));
            "type :: fb"
        };
        vec![
            block("type :: fa", with(fa, "fa"), "end type"),
            block(head, with(fb, "fb"), "end type"),
        ]
    }

    /// `end_<t>`, `finish_<t>`, `mk_<t>`, `out_<t>`, `drop_<t>`, `key_<t>`.
    fn procedures(&self, t: &str) -> Vec<Node> {
        let number = if t == "fa" { "n" } else { "m" };
        let log = format!(
            "call finalised({}, x%{number})",
            t.len() + usize::from(t == "fb")
        );
        let mut finish = vec![plain(&format!("type({t}), intent(in) :: x"))];
        let mut make = vec![
            line("integer, intent(in) :: k"),
            line(format!("type({t}) :: r")),
            line(format!("r%{number} = k")),
        ];
        if self.has_final(t) {
            finish.push(plain(&log));
        }
        let deeper = match (t, self.extends, self.allocatable) {
            ("fa", ..) => None,
            (_, true, _) => Some(("fa", false)),
            (_, _, allocatable) => Some(("q", allocatable)),
        };
        if let Some((part, allocatable)) = deeper {
            let guard = if allocatable {
                format!("if (allocated(x%{part})) ")
            } else {
                String::new()
            };
            finish.push(plain(&format!("{guard}call finish_fa(x%{part})")));
            if allocatable {
                make.push(line(format!("if (mod(k, 2) == 0) allocate(r%{part})")));
                make.push(line(format!("if (mod(k, 2) == 0) r%{part}%n = k + 100")));
            } else {
                make.push(line(format!("r%{part}%n = k + 100")));
                make.push(line(format!("allocate(r%{part}%d(k))")));
            }
        }
        let data = if t == "fa" { "d" } else { "e" };
        make.push(line(format!("allocate(r%{data}(k + 1))")));
        make.push(line(format!("r%{data} = k")));
        let dummy = |intent: &str| line(format!("type({t}), intent({intent}) :: x"));
        let mut all = vec![block(
            either("", &format!("impure elemental subroutine finish_{t}(x)")),
            finish,
            either("", "end subroutine"),
        )];
        if self.has_final(t) {
            all.push(block(
                either(&format!("impure elemental subroutine end_{t}(x)"), ""),
                vec![
                    line(either(&format!("type({t}), intent(inout) :: x"), "")),
                    line(either(&log, "")),
                ],
                either("end subroutine", ""),
            ));
        }
        all.push(block(
            format!("function mk_{t}(k) result(r)"),
            make,
            "end function",
        ));
        all.push(block(
            format!("subroutine out_{t}(x, k)"),
            vec![
                dummy("out"),
                line("integer, intent(in) :: k"),
                line(format!("x%{number} = k")),
            ],
            "end subroutine",
        ));
        all.push(block(
            format!("subroutine drop_{t}(x)"),
            vec![line(format!("type({t}), allocatable, intent(out) :: x"))],
            "end subroutine",
        ));
        all.push(block(
            format!("function look_{t}(x) result(r)"),
            vec![
                dummy("in"),
                line("integer :: r"),
                line(format!("r = x%{number}")),
            ],
            "end function",
        ));
        all
    }

    fn body(&self, r: &mut Random) -> Node {
        let t = self.of;
        let number = if t == "fa" { "n" } else { "m" };
        let mut body = vec![
            line("integer, intent(in) :: k"),
            line(format!("type({t}) :: a, b, w(2)")),
            line(format!("type({t}), allocatable :: c, e")),
            line("class(fa), allocatable :: p"),
            line(format!("b%{number} = 7")),
        ];
        for _ in 0..r.between(5, 10) {
            body.extend(self.statement(r));
            body.push(line("call put_final()"));
            if r.chance(12) {
                let mut early = self.ends();
                early.push(line("return"));
                body.extend(guarded(&[format!("k == {}", r.between(0, 3))], early));
            }
        }
        for x in ["a", "b", "w(1)", "w(2)"] {
            body.push(line(format!("call put(look_{t}({x}))")));
        }
        body.extend(self.ends());
        block("subroutine finals(k)", body, "end subroutine")
    }

    /// The end of the variables.
    fn ends(&self) -> Vec<Node> {
        let t = self.of;
        let mut all: Vec<Node> = ["a", "b", "w"]
            .iter()
            .map(|x| plain(&format!("call finish_{t}({x})")))
            .collect();
        for x in ["c", "e"] {
            all.push(plain(&format!("if (allocated({x})) call finish_{t}({x})")));
        }
        all.push(plain(&format!(
            "if (allocated(p)) call {}(p)",
            self.class()
        )));
        all
    }

    fn class(&self) -> &'static str {
        if self.extends {
            "finish_class"
        } else {
            "finish_fa"
        }
    }

    fn statement(&self, r: &mut Random) -> Vec<Node> {
        let t = self.of;
        let k = r.between(1, 9);
        let finish = |x: &str| plain(&format!("call finish_{t}({x})"));
        let finish_if = |x: &str| plain(&format!("if (allocated({x})) call finish_{t}({x})"));
        let class = self.class();
        let made = format!("mk_{t}({k})");
        let a = r.pick(&["a", "b", "w(1)", "w(2)"]);
        let c = r.pick(&["c", "e"]);
        let held = [c.to_owned()].map(|c| format!("allocated({c})"));
        let in_family = t == "fa" || self.extends;
        match r.below(14) {
            0 => {
                let from = r.pick(&["a", "b", "w(1)", "w(2)"]);
                vec![finish(a), line(format!("{a} = {from}"))]
            }
            1 | 2 => vec![finish(a), line(format!("{a} = {made}")), finish(a)],
            3 => vec![finish_if(c), line(format!("{c} = {made}")), finish(c)],
            4 => vec![finish_if(c), line(format!("{c} = {a}"))],
            5 => guarded(&held, vec![finish(c), line(format!("deallocate({c})"))]),
            6 => vec![finish(a), line(format!("call out_{t}({a}, {k})"))],
            7 => vec![finish_if(c), line(format!("call drop_{t}({c})"))],
            8 => vec![finish_if("e"), line("call move_alloc(c, e)")],
            9 => vec![
                block(
                    either("", "block"),
                    vec![
                        plain(&format!("type({t}) :: h")),
                        plain(&format!("h = {made}")),
                        finish("h"),
                    ],
                    either("", "end block"),
                ),
                line(format!("call put(look_{t}({made}))")),
            ],
            10 => match r.below(3) {
                0 => vec![finish("w"), line("w = b")],
                1 => vec![finish("w"), line("w = w(2:1:-1)")],
                _ => guarded(&held, vec![finish("w"), line(format!("w = {c}"))]),
            },
            11 => {
                let dynamic = if self.extends {
                    r.pick(&["fa", "fb"])
                } else {
                    "fa"
                };
                let end = vec![plain(&format!("call {class}(p)")), line("deallocate(p)")];
                let mut nodes = guarded(&["allocated(p)".to_owned()], end);
                nodes.push(line(format!("allocate(p, source=mk_{dynamic}({k}))")));
                nodes.push(plain(&format!("call {class}(p)")));
                nodes
            }
            12 if in_family => {
                let end = vec![plain(&format!("call {class}(p)")), plain("deallocate(p)")];
                let end = block(
                    either("", "if (allocated(p)) then"),
                    end,
                    either("", "end if"),
                );
                vec![
                    end,
                    line(either(
                        &format!("p = {a}"),
                        &format!("allocate(p, source={a})"),
                    )),
                ]
            }
            _ => {
                let inner = format!("inner{}", r.between(100, 9999));
                let leave = r.pick(&[format!("exit {inner}"), "call put(5)".to_owned()]);
                let mut inside = vec![
                    line(format!("type({t}) :: l")),
                    line(format!("type({t}), allocatable :: m")),
                    finish("l"),
                    line(format!("l = {a}")),
                    line(format!("m = {made}")),
                    finish("m"),
                ];
                let mut left = vec![finish("l"), finish("m")];
                left.push(line(leave.clone()));
                if leave.starts_with("exit") {
                    inside.extend(guarded(&[format!("k == {}", r.between(0, 3))], left));
                }
                inside.push(line("call put_final()"));
                inside.extend([finish("l"), finish("m")]);
                vec![block(
                    format!("{inner}: block"),
                    inside,
                    format!("end block {inner}"),
                )]
            }
        }
    }
}
