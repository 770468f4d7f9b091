//! The forms that a host object has: dummies of every form, polymorphic objects, parameterised types, characters, kinds.

use crate::places::{Kind, Place};
use crate::program::{Scene, section, statement};
use crate::random::Random;

pub fn scene(random: &mut Random) -> Scene {
    match random.below(10) {
        0..=3 => structures(random),
        4..=5 => parameterized(random),
        6..=7 => kinds(random),
        _ => characters(random),
    }
}

fn lines(text: &[&str]) -> Vec<String> {
    text.iter().map(|l| (*l).to_owned()).collect()
}

fn statements(random: &mut Random, mut place: impl FnMut(&mut Random) -> Place) -> Vec<String> {
    let count = 2 + random.below(5);
    (0..count)
        .flat_map(|n| {
            let place = place(random);
            statement(random, &place, n)
        })
        .collect()
}

/// How a structure argument is declared: the dummy, whether it is polymorphic, the actual.
struct Form {
    dummy: &'static str,
    class: bool,
    unlimited: bool,
    outer: &'static str,
}

const FORMS: [Form; 10] = [
    Form {
        dummy: "class(pt) :: o(:)",
        class: true,
        unlimited: false,
        outer: "",
    },
    Form {
        dummy: "class(pt) :: o(4)",
        class: true,
        unlimited: false,
        outer: "",
    },
    Form {
        dummy: "class(pt), allocatable :: o(:)",
        class: true,
        unlimited: false,
        outer: "class(pt), allocatable :: o(:)",
    },
    Form {
        dummy: "class(pt), pointer :: o(:)",
        class: true,
        unlimited: false,
        outer: "class(pt), pointer :: o(:)",
    },
    Form {
        dummy: "type(pt) :: o(:)",
        class: false,
        unlimited: false,
        outer: "type(pt) :: o(4)",
    },
    Form {
        dummy: "type(pt) :: o(4)",
        class: false,
        unlimited: false,
        outer: "type(pt) :: o(4)",
    },
    Form {
        dummy: "type(pt), pointer :: o(:)",
        class: false,
        unlimited: false,
        outer: "type(pt), pointer :: o(:)",
    },
    Form {
        dummy: "type(pt), allocatable :: o(:)",
        class: false,
        unlimited: false,
        outer: "type(pt), allocatable :: o(:)",
    },
    Form {
        dummy: "class(*) :: o(:)",
        class: true,
        unlimited: true,
        outer: "",
    },
    Form {
        dummy: "type(holder) :: o",
        class: true,
        unlimited: false,
        outer: "type(holder) :: o",
    },
];

fn structures(random: &mut Random) -> Scene {
    let index = random.below(FORMS.len());
    let form = &FORMS[index];
    let extended = form.class && random.chance(70);
    let dynamic = if extended { "pt2" } else { "pt" };
    let mut outer = match form.outer {
        "" => vec![format!("type({dynamic}) :: o(4)")],
        text => vec![text.to_owned()],
    };
    outer.push("integer :: i".to_owned());
    let holder = form.dummy.starts_with("type(holder)");
    let base = match holder {
        true => random.pick(&["o%ca", "o%cp", "o%in"]),
        false => "o",
    };
    let mut set = Vec::new();
    let allocated = |name: &str| match form.class {
        true => format!("allocate({dynamic} :: {name}(4))"),
        false => format!("allocate({name}(4))"),
    };
    if holder {
        set.extend([allocated("o%ca"), allocated("o%cp")]);
        set.extend(["o%ca", "o%cp", "o%in"].map(|n| format!("call fill({n})")));
    } else {
        if form.outer.contains("allocatable") || form.outer.contains("pointer") {
            set.push(allocated("o"));
        }
        set.push("call fill(o)".to_owned());
    }
    let polymorphic = form.class && base != "o%in";
    // What the statements see: the name, and whether its type has the components of pt2 and is its own.
    let (mut name, mut own, mut pt2) = (base.to_owned(), !polymorphic, false);
    let (mut open, mut close) = (Vec::new(), Vec::new());
    if polymorphic && (form.unlimited || random.chance(50)) {
        let guard = match random.below(4) {
            0 => "class is (pt2)",
            1 => "type is (pt2)",
            2 => "type is (pt)",
            _ if form.unlimited => "class is (pt)",
            _ => "class default",
        };
        pt2 = guard.contains("pt2");
        own = guard == "type is (pt)";
        open.extend([format!("select type (g => {base})"), guard.to_owned()]);
        close.push("end select".to_owned());
        name = "g".to_owned();
    }
    let mut count = 4;
    let mut component = None;
    match random.below(6) {
        0 => {
            open.push(format!("associate (q => {name})"));
            name = "q".to_owned();
        }
        // gfortran 12 takes the bounds of the dummy for those of the section, or breaks off.
        1 if !polymorphic => {
            open.push(format!("associate (q => {name}(2:4))"));
            (name, count) = ("q".to_owned(), 3);
        }
        2 => {
            open.push(format!("associate (q => {name}%x)"));
            component = Some(Kind::Number);
            name = "q".to_owned();
        }
        _ => {}
    }
    if open.last().is_some_and(|l| l.starts_with("associate")) {
        close.insert(0, "end associate".to_owned());
    }
    let body = statements(random, |random| match component {
        Some(kind) => {
            let (text, n) = section(random, count, true);
            let mut place = match random.chance(30) {
                true => Place::new(name.clone(), kind, count),
                false => Place::new(format!("{name}({text})"), kind, n),
            };
            // gfortran 12 breaks off at assignments to it.
            place.writable = !polymorphic;
            place
        }
        None => structure_place(random, &name, count, own, pt2),
    });
    let show = match (form.unlimited, holder) {
        (true, _) => vec!["call look_any(o)".to_owned()],
        (_, true) => ["o%ca", "o%cp", "o%in"]
            .map(|n| format!("call look({n})"))
            .to_vec(),
        _ => vec!["call look(o)".to_owned()],
    };
    let after = match holder {
        true => show.clone(),
        false => vec!["call look(o)".to_owned()],
    };
    Scene {
        dummy: true,
        declarations: vec![form.dummy.to_owned()],
        open,
        statements: body,
        close,
        look: show,
        outer,
        set,
        actual: "o".to_owned(),
        after,
    }
}

fn structure_place(random: &mut Random, name: &str, count: usize, own: bool, pt2: bool) -> Place {
    let (text, n) = section(random, count, true);
    let whole = random.chance(25);
    let (of, n) = match whole {
        true => (name.to_owned(), count),
        false => (format!("{name}({text})"), n),
    };
    let mut components = vec![
        ("%id", Kind::Number),
        ("%x", Kind::Number),
        ("%a(2)", Kind::Number),
        ("%c", Kind::Text),
        ("%c(1:2)", Kind::Text),
        ("%z", Kind::Complex),
        ("%z%im", Kind::Number),
        ("%l", Kind::Logical),
        ("%q", Kind::Number),
    ];
    if pt2 {
        components.extend([
            ("%w(2)", Kind::Number),
            ("%k", Kind::Number),
            ("%pt%x", Kind::Number),
        ]);
    }
    if random.chance(20) && !pt2 {
        let mut place = Place::new(of, Kind::Structure, n);
        place.writable = own;
        return place;
    }
    if n == 0 && random.chance(50) {
        // An array component of one element.
        let (text, n) = section(random, 3, false);
        return match random.chance(30) {
            true => Place::new(format!("{of}%a"), Kind::Number, 3),
            false => Place::new(format!("{of}%a({text})"), Kind::Number, n),
        };
    }
    let (component, kind) = random.pick(&components);
    Place::new(format!("{of}{component}"), kind, n)
}

fn parameterized(random: &mut Random) -> Scene {
    let array = random.chance(30);
    let local = random.chance(30);
    let kind = random.pick(&[4, 8]);
    let (dummy, outer) = match (array, random.below(3)) {
        (true, 0) => (
            format!("type(mat({kind},4)) :: o(4)"),
            format!("type(mat({kind},4)) :: o(4)"),
        ),
        (true, _) => (
            format!("type(mat({kind},4)) :: o(4)"),
            format!("type(mat({kind},4)) :: o(4)"),
        ),
        (_, 0) => (
            format!("type(mat({kind},4)) :: o"),
            format!("type(mat({kind},4)) :: o"),
        ),
        _ => (
            format!("type(mat({kind},*)) :: o"),
            format!("type(mat({kind},4)) :: o"),
        ),
    };
    let fill = match array {
        true => lines(&[
            "do i = 1, 4",
            "  o(i)%s = i; o(i)%f = [i, i + 1, i + 2, i + 3]; o(i)%g = i; o(i)%v = [i, i + 2, i + 4, i + 6]; o(i)%q = i",
            "end do",
        ]),
        false => lines(&[
            "o%s = 1.5; o%f = [1, 2, 3, 4]; o%v = [5, 6, 7, 8]; o%q = 3; o%g = 4; o%q(2, :) = [5, 6, 7, 8]",
        ]),
    };
    let look = match array {
        true => lines(&[
            "do i = 1, 4",
            "  print *, 'pdt', o(i)%s, o(i)%f(1), o(i)%f(4), o(i)%v(1), o(i)%v(2), o(i)%v(4), o(i)%g(3), o(i)%q(2, 3), o(i)%q(3, 2)",
            "end do",
        ]),
        false => lines(&[
            "print *, 'pdt', o%s, o%f(1), o%f(2), o%f(4)",
            "do i = 1, 4",
            "  print *, 'pdt', o%v(i), o%g(i), o%q(i, 1), o%q(i, 2), o%q(i, 3), o%q(i, 4)",
            "end do",
        ]),
    };
    let body = statements(random, |random| {
        let (text, n) = section(random, 4, false);
        if array {
            let one = random.between(1, 4);
            let (element, element_n) = section(random, 4, true);
            return random.pick(&[
                Place::new(format!("o({element})%s"), Kind::Number, element_n),
                Place::new("o%s".to_owned(), Kind::Number, 4),
                Place::new(format!("o%f({one})"), Kind::Number, 4),
                Place::new(format!("o({one})%v"), Kind::Number, 4),
                Place::new(format!("o({one})%v({text})"), Kind::Number, n),
                Place::new(format!("o({one})%q({text}, {one})"), Kind::Number, n),
                Place::new(format!("o({one})%f({text})"), Kind::Number, n),
            ]);
        }
        let one = random.between(1, 4);
        random.pick(&[
            Place::new("o%v".to_owned(), Kind::Number, 4),
            Place::new(format!("o%v({text})"), Kind::Number, n),
            Place::new("o%s".to_owned(), Kind::Number, 0),
            Place::new("o%f".to_owned(), Kind::Number, 4),
            Place::new("o%g".to_owned(), Kind::Number, 4),
            Place::new(format!("o%g({text})"), Kind::Number, n),
            Place::new(format!("o%q({one}, {text})"), Kind::Number, n),
            Place::new(format!("o%q({text}, {one})"), Kind::Number, n),
            Place::new(format!("o%q(:, {one})"), Kind::Number, 4),
        ])
    });
    if local {
        return Scene {
            dummy: false,
            declarations: vec![outer],
            open: fill,
            statements: body,
            close: Vec::new(),
            look,
            outer: Vec::new(),
            set: Vec::new(),
            actual: String::new(),
            after: Vec::new(),
        };
    }
    Scene {
        dummy: true,
        declarations: vec![dummy],
        open: Vec::new(),
        statements: body,
        close: Vec::new(),
        look: look.clone(),
        outer: vec![outer, "integer :: i".to_owned()],
        set: fill,
        actual: "o".to_owned(),
        after: look,
    }
}

/// Type, the values, and between which types they are converted.
const KINDS: [(&str, Kind); 16] = [
    ("integer(1)", Kind::Number),
    ("integer(2)", Kind::Number),
    ("integer(4)", Kind::Number),
    ("integer(8)", Kind::Number),
    ("integer(16)", Kind::Number),
    ("real(4)", Kind::Number),
    ("real(8)", Kind::Number),
    ("real(10)", Kind::Number),
    ("real(16)", Kind::Number),
    ("complex(4)", Kind::Complex),
    ("complex(8)", Kind::Complex),
    ("complex(10)", Kind::Complex),
    ("complex(16)", Kind::Complex),
    ("logical(1)", Kind::Logical),
    ("logical(4)", Kind::Logical),
    ("logical(8)", Kind::Logical),
];

fn kinds(random: &mut Random) -> Scene {
    let (ty, kind) = random.pick(&KINDS);
    let values = match kind {
        Kind::Logical => "[.true., .false., .true., .false.]",
        _ => "[1, 2, 3, 4]",
    };
    let (dummy, outer, set): (String, Vec<String>, Vec<String>) = match random.below(8) {
        0 => (
            format!("{ty} :: o(:)"),
            vec![format!("{ty} :: o(4)")],
            Vec::new(),
        ),
        1 => (
            format!("{ty} :: o(4)"),
            vec![format!("{ty} :: o(4)")],
            Vec::new(),
        ),
        2 => (
            format!("{ty} :: o(2:)"),
            vec![format!("{ty} :: o(4)")],
            Vec::new(),
        ),
        3 => (
            format!("{ty}, allocatable :: o(:)"),
            vec![format!("{ty}, allocatable :: o(:)")],
            lines(&["allocate(o(4))"]),
        ),
        4 => (
            format!("{ty}, pointer :: o(:)"),
            vec![format!("{ty}, pointer :: o(:)")],
            lines(&["allocate(o(4))"]),
        ),
        5 => (
            format!("{ty}, pointer :: o(:)"),
            vec![
                format!("{ty}, pointer :: o(:)"),
                format!("{ty}, target :: u(8)"),
            ],
            lines(&["u = o_none", "o => u(1:8:2)"]),
        ),
        6 => (
            format!("{ty}, pointer :: o(:)"),
            vec![
                format!("{ty}, pointer :: o(:)"),
                format!(
                    "type part\n      integer(1) :: before\n      {ty} :: x\n      integer(4) :: behind(3)\n    end type"
                ),
                "type(part), target :: u(4)".to_owned(),
            ],
            lines(&["o => u%x"]),
        ),
        _ => (
            "class(*) :: o(:)".to_owned(),
            vec![format!("{ty} :: o(4)")],
            Vec::new(),
        ),
    };
    let moved = dummy.contains("o(2:)");
    let set: Vec<String> = set.into_iter().filter(|l| !l.contains("o_none")).collect();
    let (mut open, mut close, mut name) = (Vec::new(), Vec::new(), "o");
    if dummy.starts_with("class(*)") {
        open.extend(["select type (o)".to_owned(), format!("type is ({ty})")]);
        close.push("end select".to_owned());
    }
    // gfortran 12 forgets the distance of the elements of a pointer that is associated.
    if !moved && !dummy.contains("pointer") && random.chance(20) {
        open.push("associate (q => o)".to_owned());
        close.insert(0, "end associate".to_owned());
        name = "q";
    }
    let body = statements(random, |random| {
        let (text, n) = section(random, 4, !moved);
        match moved || random.chance(30) {
            true => Place::new(name.to_owned(), kind, 4),
            false => Place::new(format!("{name}({text})"), kind, n),
        }
    });
    let mut set = set;
    set.push(format!("o = {values}"));
    let look = match kind {
        Kind::Complex => "print '(a,8f9.3)', 'o', cmplx(o, kind=8)",
        Kind::Logical => "print '(a,4l3)', 'o', o",
        _ => "print '(a,4f9.3)', 'o', real(o, 8)",
    };
    Scene {
        dummy: true,
        declarations: vec![dummy],
        open,
        statements: body,
        close,
        look: Vec::new(),
        outer,
        set,
        actual: "o".to_owned(),
        after: lines(&[look]),
    }
}

fn characters(random: &mut Random) -> Scene {
    let length = 3 + random.below(7);
    let (dummy, outer, set): (&str, String, Vec<String>) = match random.below(7) {
        0 => ("character(*) :: o(:)", format!("character({length}) :: o(4)"), Vec::new()),
        1 => ("character(*) :: o(4)", format!("character({length}) :: o(4)"), Vec::new()),
        2 => (
            "character(:), allocatable :: o(:)",
            "character(:), allocatable :: o(:)".to_owned(),
            vec![format!("allocate(character({length}) :: o(4))")],
        ),
        3 => (
            "character(:), pointer :: o(:)",
            "character(:), pointer :: o(:)".to_owned(),
            vec![format!("allocate(character({length}) :: o(4))")],
        ),
        4 => ("class(*) :: o(:)", format!("character({length}) :: o(4)"), Vec::new()),
        5 => (
            "character(5), pointer :: o(:)",
            "character(5), pointer :: o(:)\n    type part\n      integer(1) :: before\n      character(5) :: x\n      character(2) :: behind\n    end type\n    type(part), target :: u(4)".to_owned(),
            lines(&["o => u%x"]),
        ),
        _ => ("character(5) :: o(:)", "character(5) :: o(4)".to_owned(), Vec::new()),
    };
    let unlimited = dummy.starts_with("class");
    let (mut open, mut close) = (Vec::new(), Vec::new());
    if unlimited {
        open = lines(&["select type (o)", "type is (character(*))"]);
        close = lines(&["end select"]);
    }
    let body = statements(random, |random| {
        let (text, n) = section(random, 4, true);
        // gfortran 12 addresses parts of such an array wrongly.
        if unlimited || random.chance(25) {
            return Place::new("o".to_owned(), Kind::Text, 4);
        }
        match random.chance(25) {
            true => Place::new(format!("o({text})(2:3)"), Kind::Text, n),
            false => Place::new(format!("o({text})"), Kind::Text, n),
        }
    });
    let mut set = set;
    set.push(
        "o(1) = 'ABCDEFGHI'; o(2) = 'JKLMNOPQR'; o(3) = 'STUVWXYZ'; o(4) = '123456789'".to_owned(),
    );
    Scene {
        dummy: true,
        declarations: vec![dummy.to_owned()],
        open,
        statements: body,
        close,
        look: Vec::new(),
        outer: vec![outer, "integer :: i".to_owned()],
        set,
        actual: "o".to_owned(),
        after: lines(&["do i = 1, 4", "  print '(3a)', 'o [', o(i), ']'", "end do"]),
    }
}
