//! Features that are more than a statement: generic procedures, operators, functions with results in device memory, dummies of
//! any rank, textures, shared memory of the launch, remapped pointers, structure constructors.

use crate::model::{Base, Form, Place, Space, Variable, declared};
use crate::program::{Generator, Scope};
use crate::tree::{Node, block, either, line};

impl Generator {
    /// One of the features, used in the scope.
    pub fn special(&mut self, scope: &mut Scope) -> Option<Vec<Node>> {
        match self.r.below(17) {
            0 => self.generic(scope),
            1 => self.result_of_function(scope),
            2 => self.any_rank(scope),
            3 => self.remapped(scope),
            4 => self.constructed(scope),
            5 => self.shared_of_launch(scope),
            6 => self.structure_value(scope),
            7 => self.events(),
            8 => self.reduction(scope),
            9 => self.addresses(scope),
            10 => self.deferred_text(scope),
            11 => self.external(scope),
            12 => self.namelist(scope),
            13 => self.pointer_function(scope),
            14 => self.kernel_by_generic(scope),
            15 => self.labels(scope),
            _ => self.optional_chain(scope),
        }
    }

    fn arrays(&mut self, scope: &Scope, space: Space) -> Option<Place> {
        self.place(scope, |p| {
            p.rank > 0 && p.space == space && p.definable && !p.class && !p.is_assumed_size()
        })
    }

    /// A generic over memory, type or rank.
    fn generic(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let name = self.name("g");
        let first = self.arrays(scope, Space::Device)?;
        let other = self.place(scope, |p| {
            p.space == Space::Host && p.definable && !p.class && !p.is_assumed_size()
        })?;
        let mut names = Vec::new();
        for p in [&first, &other] {
            let specific = format!("{name}_{}", self.number());
            let word = declared(p.base, &self.types, false, &mut self.r);
            let bounds = crate::model::colons(p.rank);
            let body = vec![
                line(format!("{word}{} :: x{bounds}", p.space.mark())),
                line("integer, optional :: k"),
                line("print *, size([1, 2]), present(k), storage_size(x)".to_string()),
            ];
            self.callees.push(block(
                format!("subroutine {specific}(x, k)"),
                body,
                "end subroutine",
            ));
            names.push(specific);
        }
        let text = format!("procedure {}", names.join(", "));
        let text = if self.r.chance(50) {
            format!("module {text}")
        } else {
            text
        };
        self.interfaces.push(block(
            format!("interface {name}"),
            vec![line(text)],
            "end interface",
        ));
        let second = if self.r.chance(50) { ", n" } else { "" };
        Some(vec![
            line(format!("call {name}({}{second})", first.text)),
            line(format!("call {name}({})", other.text)),
        ])
    }

    fn kernel_by_generic(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let name = self.name("gk");
        let first = self.arrays(scope, Space::Device)?;
        let second = self.arrays(scope, Space::Device)?;
        let mut names = Vec::new();
        for p in [&first, &second] {
            let specific = format!("{name}_{}", self.number());
            let word = declared(p.base, &self.types, false, &mut self.r);
            let body = vec![
                line("integer, value :: n"),
                line(format!("{word} :: x{}", crate::model::colons(p.rank))),
            ];
            let mark = either("attributes(global) ", "");
            self.callees.push(block(
                format!("{mark}subroutine {specific}(x, n)"),
                body,
                "end subroutine",
            ));
            names.push(specific);
        }
        self.interfaces.push(block(
            format!("interface {name}"),
            vec![line(format!("module procedure {}", names.join(", ")))],
            "end interface",
        ));
        let configuration = either("<<<1, 4>>>", "");
        Some(vec![
            line(format!("call {name}{configuration}({}, n)", first.text)),
            line(format!("call {name}{configuration}({}, n=4)", second.text)),
        ])
    }

    /// A function whose result is device data.
    fn result_of_function(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let p = self.place(scope, |p| {
            p.rank == 1 && p.base.is_number() && p.definable && !p.is_assumed_size()
        })?;
        let name = self.name("fr");
        let word = declared(p.base, &self.types, false, &mut self.r);
        let space = self.r.pick(&[Space::Device, Space::Managed, Space::Host]);
        let (attribute, bounds) = self.r.pick(&[
            ("", "(n)"),
            (", allocatable", "(:)"),
            (", pointer", "(:)"),
            ("", "(2)"),
        ]);
        let mut body = vec![
            line("integer, intent(in) :: n"),
            line(format!("{word}{}{attribute} :: r{bounds}", space.mark())),
        ];
        if !attribute.is_empty() {
            body.push(line("allocate(r(n))"));
        }
        body.push(line(format!("r = {}", p.base.constant())));
        let head = self
            .r
            .pick(&["function", "recursive function", "impure function"]);
        self.callees.push(block(
            format!("{head} {name}(n) result(r)"),
            body,
            "end function",
        ));
        let text = p.text;
        Some(vec![line(match self.r.below(5) {
            0 => format!("{text} = {name}(2) + 1"),
            1 => format!("print *, {name}(2)"),
            2 => format!("if (size({name}(2)) > 1) {text} = {name}(2)"),
            3 => format!("{text} = {name}(2) + {name}(n)"),
            _ => format!("{text} = {name}(2)"),
        })])
    }

    /// A dummy of any rank, and SELECT RANK.
    fn any_rank(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let p = self.place(scope, |p| {
            p.whole && !p.class && p.definable && !p.is_assumed_size() && p.space != Space::Pinned
        })?;
        let name = self.name("ar");
        let word = declared(p.base, &self.types, false, &mut self.r);
        let mut cases = Vec::new();
        for rank in 0..3 {
            cases.push(line(format!("rank ({rank})")));
            let x = Variable {
                definable: true,
                ..Variable::new(
                    "x",
                    p.base,
                    if rank == 0 {
                        Form::Scalar
                    } else {
                        Form::AssumedShape(rank)
                    },
                    p.space,
                )
            };
            let mut inner = Scope {
                variables: vec![x.clone(), x],
                nesting: 2,
                returns: true,
            };
            cases.extend(self.statement(&mut inner));
        }
        cases.push(line("rank default"));
        cases.push(line("continue"));
        let body = vec![
            line(format!("{word}{} :: x(..)", p.space.mark())),
            line("integer, intent(in) :: n"),
            line("integer :: i, j, istat"),
            line("character(80) :: text"),
            line(either("type(dim3) :: grid_, block_", "")),
            line("integer(kind=cuda_stream_kind) :: stream_"),
            line("i = 1; stream_ = 0"),
            line("print *, rank(x)"),
            block("select rank (x)", cases, "end select"),
        ];
        self.callees.push(block(
            format!("subroutine {name}(x, n)"),
            body,
            "end subroutine",
        ));
        Some(vec![line(format!("call {name}({}, n)", p.text))])
    }

    /// Pointers with bounds of their own.
    fn remapped(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let p = self.place(scope, |p| {
            p.is_pointer() && p.rank > 0 && p.definable && !p.class
        })?;
        let t = self.place(scope, |t| {
            t.target && t.base == p.base && t.space == p.space && t.rank > 0 && !t.class
        })?;
        let text = match (p.rank == t.rank, p.rank) {
            (true, 1) if self.r.chance(50) => format!("{}(0:) => {}", p.text, t.text),
            (true, 2) => format!("{}(0:, -1:) => {}", p.text, t.text),
            (_, 1) => format!("{}(1:2) => {}", p.text, t.text),
            (_, 2) if t.rank == 1 => format!("{}(1:2, 1:1) => {}", p.text, t.text),
            _ => return None,
        };
        Some(vec![
            line(text),
            line(format!(
                "print *, lbound({0}), associated({0}, {1})",
                p.text, t.text
            )),
        ])
    }

    /// A structure constructor.
    fn constructed(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let p = self.place(scope, |p| {
            matches!(p.base, Base::Derived(_)) && p.definable && p.rank == 0 && !p.class
        })?;
        let Base::Derived(t) = p.base else {
            return None;
        };
        let d = self.types[t].clone();
        let mut words = Vec::new();
        for c in &d.components {
            let value = match (&c.form, c.base) {
                (Form::Allocatable(_), _) => "null()".to_owned(),
                (Form::Pointer(_), _) => "null()".to_owned(),
                (_, Base::Derived(inner)) => {
                    let v = self.place(scope, |v| {
                        v.base == Base::Derived(inner) && v.rank == 0 && v.space.on_host()
                    })?;
                    v.text
                }
                _ => c.base.constant().to_owned(),
            };
            words.push(if self.r.chance(40) {
                format!("{}={value}", c.name)
            } else {
                value
            });
        }
        let words: Vec<String> = d
            .components
            .iter()
            .zip(words)
            .map(|(c, w)| {
                if w.contains('=') {
                    w
                } else {
                    format!("{}={w}", c.name)
                }
            })
            .collect();
        let made = format!("{}({})", d.used, words.join(", "));
        Some(vec![line(match self.r.below(3) {
            0 => format!("{} = {made}", p.text),
            1 => format!("print *, storage_size({made})"),
            _ => format!("{} = {made}", p.text),
        })])
    }

    /// Shared memory whose size is given at the launch, and a texture or a warp function.
    fn shared_of_launch(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let p = self.place(scope, |p| {
            p.rank == 1
                && p.space == Space::Device
                && p.base.is_ordered()
                && p.definable
                && !p.is_assumed_size()
        })?;
        let name = self.name("ks");
        let word = declared(p.base, &self.types, false, &mut self.r);
        let bounds = self.r.pick(&["*", "n", "blockdim%x"]);
        let index = either("threadidx%x", "1");
        let body = vec![
            line("integer, value :: n"),
            line(format!("{word} :: x(n)")),
            line(format!(
                "{word}{} :: {}",
                either(", shared", ""),
                either(&format!("s({bounds})"), "s(4)")
            )),
            line("integer :: i"),
            line(format!("i = {index}")),
            line("s(i) = x(i)"),
            line(either("call syncthreads()", "")),
            line(self.r.pick(&[
                "x(i) = s(1)".to_owned(),
                "if (i > 1) x(i) = s(i - 1)".to_owned(),
                "x(i) = s(n)".to_owned(),
            ])),
        ];
        self.callees.push(block(
            format!(
                "{}subroutine {name}(x, n)",
                either("attributes(global) ", "")
            ),
            body,
            "end subroutine",
        ));
        let configuration = self.r.pick(&[
            "<<<1, 4, 64>>>",
            "<<<1, n, n*8>>>",
            "<<<1, 4, sizeof(1.0d0)*n>>>",
        ]);
        Some(vec![line(format!(
            "call {name}{}({}, n)",
            either(configuration, ""),
            p.text
        ))])
    }

    /// A structure given to a kernel by value, and by reference.
    fn structure_value(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let types = self.types.clone();
        let plain = |p: &Place| {
            matches!(p.base, Base::Derived(t) if types[t].plain) && p.rank == 0 && !p.class
        };
        let p = self.place(scope, |p| plain(p) && p.space == Space::Host)?;
        let Base::Derived(t) = p.base else {
            return None;
        };
        let name = self.name("kv");
        let d = &types[t];
        let c = d.components.iter().find(|c| c.base.is_number());
        let set = c.map_or("continue".to_owned(), |c| format!("y%{0} = x%{0}", c.name));
        let body = vec![
            line(format!("type({}), value :: x", d.name)),
            line(format!("type({}) :: y", d.name)),
            line(set),
            line("y = x"),
        ];
        self.callees.push(block(
            format!("{}subroutine {name}(x)", either("attributes(global) ", "")),
            body,
            "end subroutine",
        ));
        Some(vec![line(format!(
            "call {name}{}({})",
            either("<<<1, 1>>>", ""),
            p.text
        ))])
    }

    /// Streams and events.
    fn events(&mut self) -> Option<Vec<Node>> {
        let n = self.number();
        let nodes = vec![
            line(either(&format!("type(cudaevent) :: ev{n}"), "")),
            line(either(
                &format!("integer(kind=cuda_stream_kind) :: st{n}"),
                "",
            )),
            line(either("real :: ms", "")),
            line(either(&format!("istat = cudastreamcreate(st{n})"), "")),
            line(either(&format!("istat = cudaeventcreate(ev{n})"), "")),
            line(either(
                &format!("istat = cudaeventrecord(ev{n}, st{n})"),
                "",
            )),
            line(either(
                &format!("istat = cudaeventelapsedtime(ms, ev{n}, ev{n})"),
                "",
            )),
            line(either(
                self.r.pick(&[
                    "istat = cudadevicesynchronize()",
                    "print *, cudagetlasterror()",
                    "print *, cudageterrorstring(cudagetlasterror())",
                    "if (cudastreamsynchronize(stream_) /= cudasuccess) stop 1",
                ]),
                "",
            )),
        ];
        Some(vec![block("block", nodes, "end block")])
    }

    /// A loop with a reduction.
    fn reduction(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let s = self.place(scope, |p| {
            p.rank == 0
                && p.whole
                && p.base.is_ordered()
                && p.definable
                && p.space == Space::Host
                && !p.is_allocatable()
                && !p.is_pointer()
        })?;
        let a = self.place(scope, |p| {
            p.rank == 1 && p.whole && p.base == s.base && p.space.on_device()
        })?;
        let (s, a) = (s.text, a.text);
        let text = self.r.pick(&[
            format!("{s} = {s} + {a}(i)"),
            format!("{s} = max({s}, {a}(i))"),
            format!("if ({a}(i) > {s}) {s} = {a}(i)"),
        ]);
        let directive = self.r.pick(&[
            "!$cuf kernel do <<<*, *>>>",
            "!$cuf kernel do(1) <<<*, 64, stream=stream_>>>",
        ]);
        Some(vec![block(
            format!("{directive}\ndo i = 1, 2"),
            vec![line(text)],
            "end do",
        )])
    }

    /// Addresses as C has them.
    fn addresses(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let p = self.place(scope, |p| {
            p.whole
                && p.target
                && !matches!(p.base, Base::Derived(_) | Base::Character(_))
                && !p.class
                && p.space != Space::Constant
        })?;
        let n = self.number();
        let f = if p.space == Space::Device {
            either("c_devloc", "c_loc")
        } else {
            "c_loc".to_owned()
        };
        let kind = if p.space == Space::Device {
            either("c_devptr", "c_ptr")
        } else {
            "c_ptr".to_owned()
        };
        let nodes = vec![
            line("use iso_c_binding"),
            line(format!("type({kind}) :: ad{n}")),
            line(format!("ad{n} = {f}({})", p.text)),
        ];
        Some(vec![block("block", nodes, "end block")])
    }

    /// Texts of a length that is given later.
    fn deferred_text(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let p = self.place(scope, |p| {
            matches!(p.base, Base::Character(_)) && p.rank == 0
        })?;
        let n = self.number();
        let nodes = vec![
            line(format!("character(:), allocatable :: tx{n}")),
            line(format!("character(n) :: ty{n}")),
            line(format!("tx{n} = {}", p.text)),
            line(format!("allocate(character(3) :: tx{n}x(2))")),
            line(format!("ty{n} = {} // 'x'", p.text)),
            line(format!(
                "print *, len(tx{n}), trim({}), index({}, 'x')",
                p.text, p.text
            )),
        ];
        Some(vec![block(
            "block",
            nodes
                .into_iter()
                .filter(|l| !matches!(l, Node::Line(t) if t.contains("x(2))")))
                .collect(),
            "end block",
        )])
    }

    /// An external procedure with an interface body.
    fn external(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let p = self.place(scope, |p| {
            p.whole
                && !matches!(p.base, Base::Derived(_))
                && p.definable
                && !p.is_assumed_size()
                && p.space != Space::Constant
        })?;
        let number = self.number();
        let name = format!("x{}_{number}", self.seed);
        let word = declared(p.base, &self.types, false, &mut self.r);
        let bounds = match p.rank {
            0 => String::new(),
            1 => self.r.pick(&["(n)", "(*)", "(:)", "(0:n)"]).to_owned(),
            rank => crate::model::colons(rank),
        };
        let space = match p.space {
            Space::Pinned => Space::Host,
            other => other,
        };
        let mut head = vec![
            line("integer, intent(in) :: n"),
            line(format!("{word}{} :: x{bounds}", space.mark())),
        ];
        let interface = block(
            format!("subroutine {name}(x, n)"),
            head.clone(),
            "end subroutine",
        );
        head.insert(0, line("use cudafor"));
        head.push(line("print *, n"));
        self.outside.push(block(
            format!("subroutine {name}(x, n)"),
            head,
            "end subroutine",
        ));
        let inside = vec![
            block("interface", vec![interface], "end interface"),
            line(format!("call {name}({}, n)", p.text)),
        ];
        Some(vec![block("block", inside, "end block")])
    }

    fn namelist(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let p = self.place(scope, |p| {
            p.base.is_number() && p.rank < 2 && !p.is_assumed_size()
        })?;
        let n = self.number();
        let nodes = vec![
            line(format!("integer :: na{n}, nb{n}(4)")),
            line(format!("namelist /list{n}/ na{n}, nb{n}")),
            line(format!("data na{n} /1/, nb{n} /4*2/")),
            line(format!("nb{n} = {}", p.text)),
            line(format!("write(*, nml=list{n})")),
        ];
        Some(vec![block("block", nodes.into_iter().filter(|l| !matches!(l, Node::Line(t) if t.starts_with("namelist") || t.contains("nml="))).collect(), "end block")])
    }

    /// A procedure pointer and a procedure as an argument.
    fn pointer_function(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let p = self.arrays(scope, Space::Device)?;
        let name = self.name("pp");
        let word = declared(p.base, &self.types, false, &mut self.r);
        let body = vec![
            line(format!(
                "{word}{} :: x{}",
                p.space.mark(),
                crate::model::colons(p.rank)
            )),
            line("print *, size(x)"),
        ];
        self.callees.push(block(
            format!("subroutine {name}(x)"),
            body,
            "end subroutine",
        ));
        let q = format!("q{}", self.number());
        let nodes = vec![
            line(format!("procedure({name}), pointer :: {q}")),
            line(format!("{q} => {name}")),
            line(format!("call {q}({})", p.text)),
        ];
        Some(vec![block("block", nodes, "end block")])
    }

    /// Labels, GO TO, named constructs.
    fn labels(&mut self, scope: &mut Scope) -> Option<Vec<Node>> {
        if scope.nesting >= 2 {
            return None;
        }
        let n = self.number();
        scope.nesting += 1;
        let mut body = self.statement(scope);
        body.extend(self.statement(scope));
        scope.nesting -= 1;
        body.push(line(self.r.pick(&[
            format!("if (n > 2) exit loop{n}"),
            format!("if (n > 2) cycle loop{n}"),
        ])));
        Some(vec![block(
            format!("loop{n}: do j = 1, 2"),
            body,
            format!("end do loop{n}"),
        )])
    }

    /// Optional dummies that are passed on, to a kernel in the end.
    fn optional_chain(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let p = self.place(scope, |p| {
            p.rank == 1
                && p.space == Space::Device
                && p.base.is_number()
                && p.definable
                && !p.is_assumed_size()
        })?;
        let (k, a, b) = (self.name("ok"), self.name("oa"), self.name("ob"));
        let word = declared(p.base, &self.types, false, &mut self.r);
        let mark = either("attributes(global) ", "");
        let device = Space::Device.mark();
        self.callees.push(block(
            format!("{mark}subroutine {k}(x, y)"),
            vec![
                line(format!("{word}{device} :: x(:)")),
                line(format!("{word}{device}, optional :: y(:)")),
                line("if (present(y)) x(1) = y(1)"),
            ],
            "end subroutine",
        ));
        let dummies = vec![
            line(format!("{word}{device} :: x(:)")),
            line(format!("{word}{device}, optional :: y(:)")),
        ];
        let launch = format!("call {k}{}(x, y)", either("<<<1, 1>>>", ""));
        let with = |last: String| [dummies.clone(), vec![line(last)]].concat();
        self.callees.push(block(
            format!("subroutine {b}(x, y)"),
            with(launch),
            "end subroutine",
        ));
        self.callees.push(block(
            format!("subroutine {a}(x, y)"),
            with(format!("call {b}(x, y)")),
            "end subroutine",
        ));
        Some(vec![
            line(format!("call {a}({})", p.text)),
            line(format!("call {a}({0}, {0})", p.text)),
        ])
    }
}
