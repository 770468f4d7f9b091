//! Random programs: host objects of every form, assigned to and from device data.

use crate::places::{Kind, Place};
use crate::random::Random;
use crate::scenes;

/// Which of the two programs is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Device,
    Plain,
}

/// A procedure with statements, and what calls it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Its dummy argument and what declares it, or a local variable.
    pub dummy: bool,
    pub declarations: Vec<String>,
    /// Constructs around the statements.
    pub open: Vec<String>,
    pub statements: Vec<String>,
    pub close: Vec<String>,
    /// Prints the object.
    pub look: Vec<String>,
    /// Declares and sets the actual argument.
    pub outer: Vec<String>,
    pub set: Vec<String>,
    pub actual: String,
    /// Prints it after the call.
    pub after: Vec<String>,
}

/// One program: a module with a procedure `run`.
#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    pub scenes: Vec<Scene>,
}

pub fn generate(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let count = 2 + random.below(2);
    let scenes = (0..count).map(|_| scenes::scene(&mut random)).collect();
    Program { seed, scenes }
}

/// The variables in device memory of every scene, and plain copies of them on the host.
const DEVICE: &str = "    integer, device :: di(4), si
    integer(8), device :: dk(4), sk
    real, device :: d4(4), s4
    real(8), device :: d8(4), s8
    complex, device :: dy(4), sy
    complex(8), device :: dz(4), sz
    logical, device :: dl(4), sl
    character(5), device :: dc(4), sc
    type(pt), device :: dt(4), st
    real(8), device, allocatable :: da(:)
    integer :: hi(4)
    integer(8) :: hk(4)
    real :: h4(4)
    real(8) :: h8(4)
    complex :: hy(4)
    complex(8) :: hz(4)
    logical :: hl(4)
    character(5) :: hc(4)
    type(pt) :: ht(4)
    integer :: i
    di = [11, 12, 13, 14]; si = 15
    dk = [21_8, 22_8, 23_8, 24_8]; sk = 25
    d4 = [1.5, 2.5, 3.5, 4.5]; s4 = 5.5
    d8 = [6.5d0, 7.5d0, 8.5d0, 9.5d0]; s8 = 10.5d0
    dy = [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0)]; sy = (9.0, 10.0)
    dz = [(1.5d0, 2.5d0), (3.5d0, 4.5d0), (5.5d0, 6.5d0), (7.5d0, 8.5d0)]; sz = (9.5d0, 0.5d0)
    dl = [.true., .false., .true., .true.]; sl = .false.
    dc = ['abcde', 'fghij', 'klmno', 'pqrst']; sc = 'uvwxy'
    do i = 1, 4
      ht(i)%id = 30 + i; ht(i)%x = i + 0.25; ht(i)%c = 'DEV'
    end do
    dt = ht; st = ht(2)
";

impl Program {
    pub fn print(&self, side: Side) -> String {
        let mut lines = vec![format!("module case_{}", self.seed)];
        lines.push("  use transfers_support".to_owned());
        lines.push("  implicit none\ncontains".to_owned());
        for (n, s) in self.scenes.iter().enumerate() {
            let dummy = if s.dummy { "o" } else { "" };
            lines.push(format!("  subroutine work_{n}({dummy})"));
            lines.extend(s.declarations.iter().map(|l| format!("    {l}")));
            lines.push(DEVICE.trim_end().to_owned());
            let body = [&s.open, &s.statements, &s.close, &s.look];
            lines.extend(body.into_iter().flatten().map(|l| format!("    {l}")));
            lines.push("  end subroutine".to_owned());
        }
        lines.push("  subroutine run()".to_owned());
        for n in 0..self.scenes.len() {
            lines.push(format!("    call scene_{n}()"));
        }
        lines.push("  end subroutine".to_owned());
        for (n, s) in self.scenes.iter().enumerate() {
            lines.push(format!("  subroutine scene_{n}()"));
            let head = s.outer.iter().chain(&s.set);
            lines.extend(head.map(|l| format!("    {l}")));
            lines.push(format!("    print '(a)', 'SCENE {n}'"));
            lines.push(format!("    call work_{n}({})", s.actual));
            lines.extend(s.after.iter().map(|l| format!("    {l}")));
            lines.push("  end subroutine".to_owned());
        }
        lines.push("end module\n".to_owned());
        marked(&lines.join("\n"), side)
    }
}

/// The text without the attribute for the plain program.
pub fn marked(text: &str, side: Side) -> String {
    match side {
        Side::Device => text.to_owned(),
        Side::Plain => text.replace(", device", ""),
    }
}

/// A section of an array of `count` elements: its text, and the number of its elements (0: an element).
pub fn section(random: &mut Random, count: usize, vectors: bool) -> (String, usize) {
    if count == 3 {
        return random.pick(&[
            (":".to_owned(), 3),
            ("2:".to_owned(), 2),
            ("3:1:-1".to_owned(), 3),
            ("2".to_owned(), 0),
        ]);
    }
    let mut choices = vec![
        (":".to_owned(), 4),
        ("2:3".to_owned(), 2),
        ("2:".to_owned(), 3),
        (":3".to_owned(), 3),
        ("4:1:-1".to_owned(), 4),
        ("1:4:2".to_owned(), 2),
        ("::2".to_owned(), 2),
        ("3:2".to_owned(), 0xff),
        ("3".to_owned(), 0),
    ];
    if vectors {
        choices.push(("[3, 1]".to_owned(), 2));
        choices.push(("[2, 4, 1]".to_owned(), 3));
    }
    random.pick(&choices)
}

/// A statement between a place of the host and device data.
pub fn statement(random: &mut Random, place: &Place, number: usize) -> Vec<String> {
    let names: &[(&str, &str)] = match place.kind {
        Kind::Number => &[
            ("di", "si"),
            ("dk", "sk"),
            ("d4", "s4"),
            ("d8", "s8"),
            ("d8", "s8"),
        ],
        Kind::Complex => &[("dy", "sy"), ("dz", "sz")],
        Kind::Logical => &[("dl", "sl")],
        Kind::Text => &[("dc", "sc")],
        Kind::Structure => &[("dt", "st")],
    };
    let (array, scalar) = random.pick(names);
    let text = &place.text;
    let empty = place.count == 0xff;
    let device = match place.count {
        0 if random.chance(50) => format!("{array}({})", random.between(1, 4)),
        0 => scalar.to_owned(),
        0xff => format!("{array}(3:2)"),
        4 => random.pick(&[
            array.to_owned(),
            format!("{array}(:)"),
            format!("{array}(4:1:-1)"),
        ]),
        3 => random.pick(&[format!("{array}(2:4)"), format!("{array}(3:1:-1)")]),
        _ => random.pick(&[
            format!("{array}(2:3)"),
            format!("{array}(1:4:2)"),
            format!("{array}(4:3:-1)"),
        ]),
    };
    let show = |name: &str| {
        let host = format!("h{}", &name[1..]);
        match name {
            "dt" => vec![
                format!("{host} = {name}"),
                format!("print '(a,4i6,4f9.3,4a4)', 'dev {number}', {host}%id, {host}%x, {host}%c"),
            ],
            _ => vec![
                format!("{host} = {name}"),
                format!("print *, 'dev {number}', {host}"),
            ],
        }
    };
    let mut lines = Vec::new();
    let number_place = place.kind == Kind::Number;
    match random.below(10) {
        // To the device.
        0..=3 => {
            lines.push(format!("{device} = {text}"));
            if !device.starts_with('s') {
                lines.extend(show(array));
            } else {
                lines.push(format!("{array}(1) = {scalar}"));
                lines.extend(show(array));
            }
        }
        4 if number_place && !empty && place.count > 0 => {
            lines.push(format!("da = {text}"));
            lines.push("print *, 'size', size(da)".to_owned());
            lines.push(format!("d8(:{}) = da", place.count));
            lines.extend(show("d8"));
        }
        5 if number_place => {
            lines.push(format!("{device} = {text} + 1"));
            lines.push(format!("if (size({array}) > 0) {array}(1) = {array}(2)"));
            lines.extend(show(array));
        }
        6 if place.writable && place.count > 0 => lines.push(format!("{text} = {scalar}")),
        7 if place.writable && number_place => lines.push(format!("{text} = {device} + 1")),
        8 if place.writable => lines.push(format!("if (i > 0) {text} = {device}")),
        _ if place.writable => lines.push(format!("{text} = {device}")),
        _ => {
            lines.push(format!("{device} = {text}"));
            lines.extend(show(array));
        }
    }
    lines
}
