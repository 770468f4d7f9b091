//! Random statements that refer to functions whose results have device components, in all places where the result ends with the
//! statement or the construct.

use crate::places::{Variable, What};
use crate::program::{Generator, Scope};
use crate::tree::{Node, block, line};
use crate::types::{Form, family};

impl Generator {
    /// A reference of a function that needs no variable, and its type.
    fn reference(&mut self) -> (usize, String) {
        let t = self.r.below(self.types.len());
        let name = self.types[t].name.clone();
        let how = self.r.pick(&["make", "make", "fresh"]);
        (t, format!("{how}_{name}({})", self.r.between(1, 9)))
    }

    /// An integer that depends on a function result.
    fn key(&mut self) -> String {
        let (t, text) = self.reference();
        format!("key_{}({text})", self.types[t].name)
    }

    fn label(&mut self) -> usize {
        1000 + self.number()
    }

    /// A statement of any kind that refers to such functions.
    pub fn temporary(&mut self, scope: &Scope) -> Vec<Node> {
        let key = self.key();
        let other = self.key();
        let count = "integer :: c";
        let nodes = match self.r.below(13) {
            0 => self.branches(|l| format!("if (mod({key}, 3) - 1) {}, {}, {}", l[0], l[1], l[2])),
            1 => self.branches(|l| format!("go to ({}, {}), mod({key}, 4)", l[0], l[1])),
            2 => {
                let (t, value) = self.reference();
                let name = self.types[t].name.clone();
                self.branches(|l| format!("call alternate_{name}({value}, *{}, *{})", l[0], l[1]))
            }
            3 => {
                let head = match self.r.chance(50) {
                    true => format!("do while (c < mod({key}, 4))"),
                    false => format!("loop: do while (c < mod({key}, 4) .and. {other} > c)"),
                };
                let end = if head.starts_with("loop") {
                    "end do loop"
                } else {
                    "end do"
                };
                let body = vec![line("c = c + 1"), line("call put(c)")];
                vec![line(count), line("c = 0"), block(head, body, end)]
            }
            4 => {
                let case =
                    |head: &str, k: i64| block(head, vec![line(format!("call put({k})"))], "");
                let cases = vec![
                    case("case (0)", 1),
                    case("case (1)", 2),
                    case("case default", 3),
                ];
                vec![block(
                    format!("select case (mod({key}, 3))"),
                    cases,
                    "end select",
                )]
            }
            5 => {
                let way = self.r.pick(&["exit", "cycle", "exit once", "call put(9)"]);
                let body = vec![line(format!("if (c == 1) {way}")), line("call put(c)")];
                let head = format!("do c = mod({key}, 2), mod({other}, 3) + 1");
                let inside = block(head, body, "end do");
                let once = block("once: do", vec![inside, line("exit")], "end do once");
                vec![line(count), once]
            }
            6 => {
                let third = self.key();
                let (mark, name) = self.r.pick(&[("", ""), ("chain: ", " chain")]);
                vec![
                    block(
                        format!("{mark}if ({key} > 40) then"),
                        vec![line("call put(1)")],
                        "",
                    ),
                    block(
                        format!("else if ({other} > 30) then{name}"),
                        vec![line("call put(2)")],
                        "",
                    ),
                    block(
                        format!("else if ({third} > 20) then{name}"),
                        vec![line("call put(3)")],
                        "",
                    ),
                    block(
                        format!("else{name}"),
                        vec![line("call put(4)")],
                        format!("end if{name}"),
                    ),
                ]
            }
            7 => {
                let label = self.label();
                vec![
                    line("character(12) :: text"),
                    line(count),
                    line(format!("write (text, '(i10)', err={label}) {key}")),
                    line(format!("{label} read (text, *) c")),
                    line("call put(c)"),
                ]
            }
            8 => {
                let label = self.label();
                let text = self.r.pick(&["7", "7 8", ""]);
                vec![
                    line("integer :: w(0:3)"),
                    line("character(12) :: text"),
                    line(format!("text = '{text}'")),
                    line("w = 0"),
                    line(format!(
                        "read (text, *, end={label}, err={label}) w(mod({key}, 3))"
                    )),
                    line(format!("{label} call put(w)")),
                ]
            }
            9 => vec![
                line("integer :: w(4)"),
                line("w = [3, 1, 4, 2]"),
                line(format!("where (w > mod({key}, 4)) w = 0")),
                line("call put(w)"),
            ],
            10 => vec![line(format!(
                "if ({key} > 20 .and. mod({other}, 2) == 0) call put({key})"
            ))],
            11 => {
                let space = self.r.pick(&["{D}", "{M}", "{P}", ""]);
                vec![
                    line(format!("integer{space}, allocatable :: w(:)")),
                    line("integer, allocatable :: h(:)"),
                    line(format!("allocate(w(0:mod({key}, 4)))")),
                    line(format!("w = {other}")),
                    line("h = w"),
                    line("call put(h)"),
                ]
            }
            _ => return self.selector(scope),
        };
        vec![block("block", nodes, "end block")]
    }

    /// A statement that goes to one of three labels, or on.
    fn branches(&mut self, statement: impl FnOnce(&[usize]) -> String) -> Vec<Node> {
        let labels: Vec<usize> = (0..4).map(|_| self.label()).collect();
        let mut nodes = vec![line(statement(&labels))];
        nodes.push(line("call put(0)"));
        for (k, label) in labels[..3].iter().enumerate() {
            nodes.push(line(format!("{label} call put({})", k + 1)));
            nodes.push(line(format!("if (mod({k}, 2) == 0) go to {}", labels[3])));
        }
        nodes.push(line(format!("{} continue", labels[3])));
        nodes
    }

    /// A function result as the selector of ASSOCIATE or SELECT TYPE, which is left early. gfortran 12 frees such results while they are
    /// used: the plain program has a variable.
    fn selector(&mut self, scope: &Scope) -> Vec<Node> {
        let (mut t, mut value) = self.reference();
        let polymorphic = self.r.chance(40);
        let mut word = "type";
        if polymorphic {
            value = format!("class_{}({})", self.types[t].name, self.r.between(1, 9));
            word = "class";
        }
        let held = format!("h{}", self.number());
        let name = format!("a{}", self.number());
        let index = format!("i{}", self.number());
        let declared = self.types[t].name.clone();
        if polymorphic {
            let family = family(&self.types, t);
            t = self.r.pick(&family);
        }
        let mut inner = Scope {
            nesting: scope.nesting + 1,
            ..scope.clone()
        };
        inner.variables.push(Variable {
            name: name.clone(),
            what: What::Structure(t, false, Form::Plain),
            writable: false,
            optional: false,
        });
        let count = self.r.between(1, 2);
        let mut body = self.statements(&inner, count);
        body.push(line(format!("call show_{}({name})", self.types[t].name)));
        let label = self.label();
        let way = self.r.pick(&[
            "exit".to_owned(),
            "cycle".to_owned(),
            "exit around".to_owned(),
            format!("go to {label}"),
            "call put(6)".to_owned(),
        ]);
        body.push(line(format!("if ({index} == 2) {way}")));
        let last = self.statements(&inner, 1);
        body.extend(last);
        // gfortran 12 frees memory without a value where a function with allocatable components is the selector of ASSOCIATE.
        let family = family(&self.types, t).into_iter();
        let owner = family.filter(|_| polymorphic).find(|x| self.owns(*x));
        let owner = owner.unwrap_or(t);
        let selector = self.either(owner, &value, &held);
        let construct = if polymorphic {
            let case = block(format!("type is ({})", self.types[t].name), body, "");
            block(
                format!("around: select type ({name} => {selector})"),
                vec![case],
                "end select around",
            )
        } else {
            block(
                format!("around: associate ({name} => {selector})"),
                body,
                "end associate around",
            )
        };
        let (declaration, set) = if polymorphic {
            (
                format!("{word}({declared}), allocatable :: {held}"),
                format!("allocate({held}, source={value})"),
            )
        } else {
            (
                format!("{word}({declared}) :: {held}"),
                format!("{held} = {value}"),
            )
        };
        let (declaration, set) = (
            self.either(owner, "", &declaration),
            self.either(owner, "", &set),
        );
        let around = block(format!("do {index} = 1, 3"), vec![construct], "end do");
        vec![block(
            "block",
            vec![
                line(declaration),
                line(format!("integer :: {index}")),
                line(set),
                around,
                line(format!("{label} continue")),
            ],
            "end block",
        )]
    }

    /// A CLASS(*) variable.
    pub fn unlimited(&mut self) -> Vec<Node> {
        let (t, value) = self.reference();
        let name = &self.types[t].name;
        let case = block(
            format!("type is ({name})"),
            vec![line(format!("call show_{name}(u)"))],
            "",
        );
        let mut nodes = vec![
            line("class(*), allocatable :: u"),
            line(format!("allocate(u, source={value})")),
            block("select type (u)", vec![case], "end select"),
        ];
        if self.r.chance(50) {
            nodes.push(line("deallocate(u)"));
        }
        vec![block("block", nodes, "end block")]
    }
}
