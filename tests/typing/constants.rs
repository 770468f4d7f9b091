//! Random constant expressions of all intrinsic functions: their values are, bit for bit, those that gfortran gives them.
//!
//! `CONSTANTS_SEED` is the seed of the first program (1), `CONSTANTS_PROGRAMS` their number (1).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::Command;

use cuf2cu::sema::model::{Constant, FileId, SymbolKind};

/// Constants of a program.
const COUNT: usize = 300;

const PRELUDE: &str = "
  type pt
    integer :: k = 7
    real(8) :: v(2) = [0.5d0, 2d0]
    character(3) :: c = 'xyz'
  end type
  type(pt), parameter :: one = pt(3, [1.5d0, -2d0], 'ab')
  type(pt), parameter :: pts(4) = [pt(4), pt(-5, v=[3d0, 0.1d0]), one, pt(c='b', k=12)]
  integer, parameter :: ia(4) = [3, -7, 12, 5], im(2, 3) = reshape([4, 1, -6, 2, 9, 0], [2, 3])
  integer(8), parameter :: ib(0:3) = [3_8, 123456789012_8, -4_8, 7_8]
  real, parameter :: ra(4) = [1.5, -0.1, 3.0, 0.7]
  real(8), parameter :: rb(4) = [0.3d0, -2.5d0, 1.1d0, 4d0], rm(2, 2) = reshape([0.1d0, 0.2d0, -0.3d0, 0.4d0], [2, 2])
  logical, parameter :: la(4) = [.true., .false., .true., .true.]
  character(3), parameter :: sa(4) = ['abc', ' de', 'f  ', 'gha']
";

#[derive(Clone, Copy, PartialEq)]
enum Ty {
    I(u8),
    R(u8),
    C(u8),
    L,
    S,
}
use Ty::*;

struct Generator(u64);

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn one_of<'a>(&mut self, all: &'a str) -> &'a str {
        let words: Vec<&str> = all.split(' ').collect();
        words[self.below(words.len())]
    }

    fn integer(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    fn literal(&mut self, ty: Ty) -> String {
        match ty {
            I(k) => {
                let v = match self.below(6) {
                    0 => self.integer(-100, 100),
                    1 if k > 2 => self.integer(-70000, 70000),
                    _ => self.integer(-9, 9),
                };
                format!("({v}_{k})")
            }
            R(k) => {
                let digits = self.integer(-4000, 4000) as f64 / [8.0, 1000.0, 7.0][self.below(3)];
                format!("({digits}_{k})")
            }
            C(k) => format!("cmplx({}, {}, {k})", self.literal(R(k)), self.literal(R(8))),
            L => self.one_of(".true. .false. la(2) la(3)").to_owned(),
            S => ["'a b'", "' zab'", "'q'", "one%c", "pts(4)%c", "sa(2)", "''"][self.below(7)]
                .to_owned(),
        }
    }

    fn leaf(&mut self, ty: Ty) -> String {
        match (ty, self.below(3)) {
            (I(4), 0) => self
                .one_of("ia(2) ia(4) im(2,3) pts(2)%k one%k size(im,2) sum(pts%k) kind(1d0)")
                .to_owned(),
            (I(8), 0) => self
                .one_of("ib(0) ib(1) ib(3) sizeof(1.0) huge(1_8)")
                .to_owned(),
            (R(4), 0) => self
                .one_of("ra(1) ra(2) tiny(1.0) epsilon(1.0) huge(1.0)")
                .to_owned(),
            (R(8), 0) => self
                .one_of("rb(2) rm(2,1) pts(2)%v(2) sum(pts%v(1)) epsilon(1d0)")
                .to_owned(),
            _ => self.literal(ty),
        }
    }

    /// An array of four elements.
    fn array(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 {
            return match ty {
                I(4) => self
                    .one_of("ia pts%k im(1,[1,3,2,2]) ia(4:1:-1)")
                    .to_owned(),
                I(8) => "ib".to_owned(),
                R(4) => "ra".to_owned(),
                R(8) => self
                    .one_of("rb pts%v(2) rb([4,4,1,2]) reshape(rm,[4])")
                    .to_owned(),
                L => "la".to_owned(),
                S => self.one_of("sa pts%c").to_owned(),
                _ => format!("[{0}, {1}, {0}, {1}]", self.literal(ty), self.literal(ty)),
            };
        }
        let d = depth - 1;
        let n = self.integer(-5, 5);
        match self.below(10) {
            0 => format!("cshift({}, {n})", self.array(ty, d)),
            1 if ty != S => format!("eoshift({}, {n}, {})", self.array(ty, d), self.leaf(ty)),
            2 => format!(
                "merge({}, {}, {})",
                self.array(ty, d),
                self.array(ty, d),
                self.array(L, d)
            ),
            3 if ty != S => format!("unpack({}, la, {})", self.array(ty, d), self.array(ty, d)),
            4 => format!("pack({0}, .true., {0})", self.array(ty, d)),
            5 if ty == I(4) => format!("[(i * {}, i = 1, 4)]", self.leaf(ty)),
            6 if ty == I(4) => self
                .one_of("matmul(im(:,:2),im(:,2:))(1,1) maxloc(im)")
                .replace(
                    "matmul(im(:,:2),im(:,2:))(1,1)",
                    "reshape(matmul(im(:,:2),im(:,2:)),[4])",
                )
                .replace("maxloc(im)", "[maxloc(im), minloc(im)]"),
            7 => format!("reshape({}, [4], order=[1])", self.array(ty, d)),
            8 if matches!(ty, I(_) | R(_) | C(_)) => {
                let op = self.one_of("+ - *");
                format!("({} {op} {})", self.array(ty, d), self.expr(ty, d))
            }
            _ if ty != S => format!(
                "[{}, {}, {}, {}]",
                self.expr(ty, d),
                self.leaf(ty),
                self.leaf(ty),
                self.leaf(ty)
            ),
            _ => self.array(ty, 0),
        }
    }

    fn expr(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        let d = depth - 1;
        if self.below(8) == 0 && ty != S {
            return format!(
                "merge({}, {}, {})",
                self.expr(ty, d),
                self.expr(ty, d),
                self.expr(L, d)
            );
        }
        match ty {
            I(k) => self.integer_expr(k, d),
            R(k) => self.real_expr(k, d),
            C(k) => self.complex_expr(k, d),
            L => self.logical_expr(d),
            S => self.text_expr(d),
        }
    }

    fn integer_expr(&mut self, k: u8, d: usize) -> String {
        let ty = I(k);
        let bits = i64::from(k) * 8;
        let (n, other) = (self.integer(0, bits - 1), [4, 8][self.below(2)]);
        match self.below(19) {
            0..=2 => {
                let op = self.one_of("+ - *");
                format!("({} {op} {})", self.expr(ty, d), self.expr(ty, d))
            }
            3 => {
                let f = self.one_of("mod modulo sign dim max min iand ior ieor");
                format!("{f}({}, {})", self.expr(ty, d), self.expr(ty, d))
            }
            4 => format!("{}({})", self.one_of("abs not"), self.expr(ty, d)),
            5 => format!("({} / {})", self.expr(ty, d), self.literal(ty)),
            6 => {
                let f = self.one_of("ishft ishftc ibset ibclr shiftl shiftr shifta");
                format!("{f}({}, {n})", self.expr(ty, d))
            }
            7 => {
                let f = self.one_of("popcnt poppar leadz trailz");
                format!("int({f}({}), {k})", self.expr(I(other), d))
            }
            8 => format!("{}({n}, {k})", self.one_of("maskl maskr")),
            9 => {
                let f = self.one_of("dshiftl dshiftr");
                format!("{f}({}, {}, {n})", self.expr(ty, d), self.expr(ty, d))
            }
            10 => format!(
                "merge_bits({}, {}, {})",
                self.expr(ty, d),
                self.expr(ty, d),
                self.expr(ty, d)
            ),
            11 => format!(
                "ibits({}, {n}, {})",
                self.expr(ty, d),
                self.integer(0, bits - n)
            ),
            12 => {
                let f = self.one_of("nint int floor ceiling");
                format!("{f}({}, {k})", self.expr(R(other), d))
            }
            13 => format!("int(exponent({}), {k})", self.expr(R(other), d)),
            14 => {
                let f = self.one_of("index scan verify");
                let back = self.one_of(".true. .false.");
                format!("{f}({}, {}, {back}, {k})", self.expr(S, d), self.expr(S, 0))
            }
            15 => {
                let f = self.one_of("sum product maxval minval iall iany iparity");
                let mask = self.array(L, 0);
                format!("{f}({}, mask={mask})", self.array(ty, d))
            }
            16 => {
                let f = self.one_of("maxloc minloc");
                let of = [I(4), R(8), S][self.below(3)];
                let back = self.one_of(".true. .false.");
                format!("{f}({}, dim=1, kind={k}, back={back})", self.array(of, d))
            }
            17 => match self.below(6) {
                0 => format!(
                    "int(dot_product({}, {}), {k})",
                    self.array(ty, d),
                    self.array(I(4), d)
                ),
                1 => format!("count({}, kind={k})", self.array(L, d)),
                2 => format!(
                    "findloc({}, {}, dim=1, kind={k})",
                    self.array(I(4), d),
                    self.leaf(I(4))
                ),
                3 => format!(
                    "int(iachar({}(1:1)), {k})",
                    self.one_of("sa(1) one%c sa(2)")
                ),
                4 => format!("int(storage_size({}), {k})", self.one_of("one 1d0 sa la")),
                _ => format!("int(sum(maxval(im, dim={})), {k})", self.integer(1, 2)),
            },
            _ => match k {
                4 => format!("transfer({}, 0)", self.expr(R(4), d)),
                8 => format!("transfer({}, 0_8)", self.expr(R(8), d)),
                _ => format!(
                    "int({} ** {}, {k})",
                    self.integer(-3, 3),
                    self.integer(0, 5)
                ),
            },
        }
    }

    fn real_expr(&mut self, k: u8, d: usize) -> String {
        let ty = R(k);
        let small = format!("({}_{k})", self.integer(-3999, 3999) as f64 / 1000.0);
        match self.below(17) {
            0..=2 => {
                let op = self.one_of("+ - * /");
                format!("({} {op} {})", self.expr(ty, d), self.expr(ty, d))
            }
            3 => {
                let f = self.one_of("mod modulo sign dim max min hypot atan2 nearest");
                format!("{f}({}, {})", self.expr(ty, d), self.expr(ty, d))
            }
            4 => {
                let f = self.one_of(
                    "abs aint anint fraction spacing rrspacing sin cos tan atan tanh asinh erf",
                );
                format!("{f}({})", self.expr(ty, d))
            }
            5 => {
                let f = self.one_of("exp sinh cosh erfc erfc_scaled bessel_j0 bessel_j1");
                format!("{f}({small})")
            }
            6 => {
                let f = self.one_of("sqrt log log10 acosh log_gamma");
                format!("{f}(abs({}) + 1)", self.expr(ty, d))
            }
            7 => format!("{}({small} / 4)", self.one_of("asin acos atanh")),
            8 => format!("({} ** {})", self.expr(ty, d), self.integer(-4, 7)),
            9 => format!("((abs({}) + 0.25_{k}) ** {small})", self.expr(ty, d)),
            10 => {
                let f = self.one_of("scale set_exponent");
                format!("{f}({}, {})", self.expr(ty, d), self.integer(-20, 20))
            }
            11 => match self.below(4) {
                0 => format!("gamma({small} * 3 + 0.3_{k})"),
                1 => format!(
                    "bessel_{}n({}, abs({small}) + 0.2_{k})",
                    self.one_of("j y"),
                    self.integer(0, 5)
                ),
                2 => format!(
                    "bessel_{}(abs({small}) * 3 + 0.1_{k})",
                    self.one_of("y0 y1")
                ),
                _ => format!("norm2({})", self.array(ty, 1)),
            },
            12 => format!("{}({})", self.one_of("abs aimag real"), self.expr(C(k), d)),
            13 => {
                let f = self.one_of("sum product maxval minval");
                format!("{f}({})", self.array(ty, d))
            }
            14 => format!("dot_product({}, {})", self.array(ty, d), self.array(ty, d)),
            15 => {
                let of = [I(8), R(8), R(4)][self.below(3)];
                format!("real({}, {k})", self.expr(of, d))
            }
            _ => match k {
                4 => format!(
                    "sum(matmul(real(rm), reshape({}, [2, 2])))",
                    self.array(ty, d)
                ),
                _ => format!(
                    "sum(matmul(rm, transpose(reshape({}, [2, 2]))))",
                    self.array(ty, d)
                ),
            },
        }
    }

    fn complex_expr(&mut self, k: u8, d: usize) -> String {
        let ty = C(k);
        match self.below(7) {
            0..=2 => {
                let op = self.one_of("+ - * /");
                format!("({} {op} {})", self.expr(ty, d), self.expr(ty, d))
            }
            3 => format!("({} ** {})", self.literal(ty), self.integer(-3, 5)),
            4 => format!("conjg({})", self.expr(ty, d)),
            5 => {
                let f = self.one_of("sqrt log");
                format!("{f}({})", self.expr(ty, d))
            }
            _ => {
                let f = self.one_of("exp sin cos tan sinh cosh tanh");
                format!("{f}({} / 1000)", self.literal(ty))
            }
        }
    }

    fn logical_expr(&mut self, d: usize) -> String {
        match self.below(8) {
            0 => {
                let op = self.one_of("< <= > >= == /=");
                let of = [I(4), I(8), R(4), R(8), S][self.below(5)];
                format!("({} {op} {})", self.expr(of, d), self.expr(of, d))
            }
            1 => {
                let op = self.one_of(".and. .or. .eqv. .neqv.");
                format!("({} {op} {})", self.expr(L, d), self.expr(L, d))
            }
            2 => format!("(.not. {})", self.expr(L, d)),
            3 => format!("{}({})", self.one_of("any all parity"), self.array(L, d)),
            4 => format!("btest({}, {})", self.expr(I(4), d), self.integer(0, 31)),
            5 => {
                let f = self.one_of("bge bgt ble blt");
                format!("{f}({}, {})", self.expr(I(4), d), self.expr(I(8), d))
            }
            6 => {
                let f = self.one_of("lge lgt lle llt");
                format!("{f}({}, {})", self.expr(S, d), self.expr(S, d))
            }
            _ => self.leaf(L),
        }
    }

    fn text_expr(&mut self, d: usize) -> String {
        match self.below(7) {
            0 => format!("({} // {})", self.expr(S, d), self.expr(S, d)),
            1 => format!(
                "{}({})",
                self.one_of("trim adjustl adjustr"),
                self.expr(S, d)
            ),
            2 => format!("repeat({}, {})", self.expr(S, d), self.integer(0, 3)),
            3 => format!("{}({})", self.one_of("achar char"), self.integer(33, 126)),
            4 => format!(
                "{}({}, {}, {})",
                self.one_of("max min"),
                self.expr(S, d),
                self.expr(S, d),
                self.leaf(S)
            ),
            5 => format!(
                "{}({}:{})",
                self.one_of("one%c pts(4)%c sa(2)"),
                self.integer(1, 2),
                self.integer(1, 3)
            ),
            _ => format!("{}(sa)", self.one_of("maxval minval")),
        }
    }

    fn declaration(&mut self, n: usize) -> String {
        let ty = [
            I(4),
            I(4),
            I(8),
            I(2),
            I(1),
            R(4),
            R(8),
            R(4),
            R(8),
            C(4),
            C(8),
            L,
            S,
        ][self.below(13)];
        let name = match ty {
            I(k) => format!("integer({k})"),
            R(k) => format!("real({k})"),
            C(k) => format!("complex({k})"),
            L => "logical".to_owned(),
            S => "character(*)".to_owned(),
        };
        let plain = matches!(ty, I(1 | 2) | C(_) | S);
        match self.below(4) {
            0 if !plain => format!("{name}, parameter :: c{n}(4) = {}", self.array(ty, 2)),
            _ => format!("{name}, parameter :: c{n} = {}", self.expr(ty, 3)),
        }
    }
}

/// The bytes of a constant, as TRANSFER has them.
fn bytes(c: &Constant, out: &mut Vec<u8>) {
    fn real(v: f64, kind: u8, out: &mut Vec<u8>) {
        match kind {
            4 => out.extend((v as f32).to_bits().to_le_bytes()),
            _ => out.extend(v.to_bits().to_le_bytes()),
        }
    }
    match c {
        Constant::Integer(v, k) => out.extend(&v.to_le_bytes()[..usize::from(*k)]),
        Constant::Real(v, k) => real(*v, *k, out),
        Constant::Complex(re, im, k) => {
            real(*re, *k, out);
            real(*im, *k, out);
        }
        Constant::Logical(v, k) => {
            out.push(u8::from(*v));
            out.extend(vec![0; usize::from(*k) - 1]);
        }
        Constant::Character(s) => out.extend(s.as_bytes()),
        Constant::Array(items, _) | Constant::Structure(_, items) => {
            items.iter().for_each(|i| bytes(i, out));
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn program(declarations: &BTreeMap<usize, String>) -> String {
    let mut text = format!("program p\n  implicit none\n  integer :: i{PRELUDE}");
    for d in declarations.values() {
        let _ = writeln!(text, "  {d}");
    }
    for (n, d) in declarations {
        // Nothing is printed of no bytes.
        let of = if d.starts_with("character") {
            format!("c{n} // '.'")
        } else {
            format!("c{n}")
        };
        let _ = writeln!(
            text,
            "  print '(i0,1x,*(z2.2))', {n}, transfer({of}, [1_1])"
        );
    }
    text + "end program\n"
}

/// The values that gfortran gives to those constants that it takes.
fn gfortran(folder: &std::path::Path, all: &BTreeMap<usize, String>) -> BTreeMap<usize, String> {
    let run = |declarations: &BTreeMap<usize, String>, more: &[&str]| {
        std::fs::write(folder.join("p.f90"), program(declarations)).expect("written");
        let flags = ["-O0", "-w", "-ffree-line-length-none", "-fmax-errors=0"];
        let out = Command::new("gfortran")
            .current_dir(folder)
            .args(flags)
            .args(more)
            .arg("p.f90")
            .output();
        out.expect("gfortran")
    };
    let mut declarations = all.clone();
    // A refusal may hide others.
    loop {
        let out = run(&declarations, &["-o", "p"]);
        if out.status.success() {
            break;
        }
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        let text = program(&declarations);
        let lines: Vec<&str> = text.lines().collect();
        let mut wrong = BTreeSet::new();
        for place in said.lines().filter_map(|l| l.strip_prefix("p.f90:")) {
            let line = place
                .split(':')
                .next()
                .and_then(|n| n.parse::<usize>().ok());
            let name = lines
                .get(line.unwrap_or(0).wrapping_sub(1))
                .and_then(|l| l.split(":: c").nth(1));
            let number = name.map(|n| {
                let digits = n.chars().take_while(char::is_ascii_digit);
                digits.collect::<String>()
            });
            wrong.extend(number.and_then(|n| n.parse::<usize>().ok()));
        }
        if wrong.is_empty() {
            // It gives up on some; which, halves tell.
            let Some(middle) = declarations.keys().nth(declarations.len() / 2).copied() else {
                return BTreeMap::new();
            };
            if declarations.len() == 1 {
                return BTreeMap::new();
            }
            let later = declarations.split_off(&middle);
            let mut values = gfortran(folder, &declarations);
            values.extend(gfortran(folder, &later));
            return values;
        }
        declarations.retain(|n, _| !wrong.contains(n));
    }
    let out = Command::new(folder.join("p")).output().expect("runs");
    assert!(out.status.success());
    let text = String::from_utf8_lossy(&out.stdout).to_lowercase();
    let pairs = text.lines().filter_map(|l| l.trim().split_once(' '));
    pairs
        .map(|(n, v)| (n.parse().expect("a number"), v.trim().to_owned()))
        .collect()
}

#[test]
fn random_constants_have_gfortrans_values() {
    let number =
        |name: &str, or: u64| std::env::var(name).map_or(or, |v| v.parse().expect("a number"));
    let first = number("CONSTANTS_SEED", 1);
    let folder = tempfile::tempdir().expect("a folder");
    let (mut wrong, mut open, mut compared) = (Vec::new(), Vec::new(), 0);
    for seed in first..first + number("CONSTANTS_PROGRAMS", 1) {
        let mut generator = Generator(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let all: BTreeMap<usize, String> =
            (0..COUNT).map(|n| (n, generator.declaration(n))).collect();
        let expected = gfortran(folder.path(), &all);
        let text = program(&all);
        let (_, tree, model, _) = super::analysed(&text);
        let scope = model
            .scope_at(FileId(0), tree.units[0].span.start + 20)
            .expect("scope");
        for (n, wanted) in &expected {
            let symbol = model.lookup(scope, &format!("c{n}")).expect("declared");
            let SymbolKind::Parameter(p) = &model[symbol].kind else {
                panic!("c{n} is no constant");
            };
            let Some(value) = &p.value else {
                open.push(format!("{seed}: {}", all[n]));
                continue;
            };
            let mut found = Vec::new();
            bytes(value, &mut found);
            if all[n].starts_with("character") {
                found.push(b'.');
            }
            compared += 1;
            if hexadecimal(&found) != *wanted {
                wrong.push(format!(
                    "{seed}: {}\n    is {}, gfortran has {wanted}",
                    all[n],
                    hexadecimal(&found)
                ));
            }
        }
    }
    println!(
        "{compared} values compared, {} open\n{}",
        open.len(),
        open.join("\n")
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        open.len() * 25 <= compared,
        "without value:\n{}",
        open.join("\n")
    );
    assert!(compared * 2 >= COUNT, "{compared}");
}
