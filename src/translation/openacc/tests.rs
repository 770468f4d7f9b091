use super::read::read_text;
use super::*;
use crate::sema::model::FileId;
use crate::source::{self, Options};
use crate::syntax;

fn read_whole(text: &str) -> Vec<Directive> {
    let (directives, findings) = read_text(text, FileId(0));
    assert!(findings.is_empty(), "{text}: {findings:?}");
    directives
}

/// A directive as the words of its parts.
fn summary(text: &str, d: &Directive) -> String {
    let item = |i: &Item| {
        let modifier = i.modifier.as_ref().map(|m| format!("{}=", m.text));
        let at = i.span.start as usize..i.span.end as usize;
        format!("{}{}", modifier.unwrap_or_default(), &text[at])
    };
    let list = |items: &[Item]| items.iter().map(item).collect::<Vec<_>>().join("; ");
    let mut out = d.kind.name().to_owned();
    if !d.arguments.is_empty() {
        out += &format!("<{}>", list(&d.arguments));
    }
    for c in &d.clauses {
        let modifier = c.modifier.as_ref().map(|m| format!("{}: ", m.text));
        out += &format!(
            " {}{}{}",
            c.kind.name(),
            modifier.map_or(String::new(), |m| format!("[{m}]")),
            if c.has_list {
                format!("({})", list(&c.items))
            } else {
                String::new()
            }
        );
    }
    out
}

fn check(line: &str, expected: &str) {
    let all = read_whole(line);
    let found: Vec<String> = all.iter().map(|d| summary(line, d)).collect();
    assert_eq!(found.join(" | "), expected, "{line}");
    for d in &all {
        assert!(
            line[d.span.start as usize..]
                .to_ascii_lowercase()
                .starts_with("!$acc")
        );
    }
}

#[test]
fn directives_and_clauses() {
    check(
        "!$acc data copy(a(1:n)) async(q)\n",
        "data copy(a(1:n)) async(q)",
    );
    check(
        "!$ACC ENTERDATA PCopyIn(a, b(:, 2))\n",
        "enter data copyin(a; b(:, 2))",
    );
    check(
        "  !$acc parallel loop gang(num: 3, static: *) vector_length ( 32 ) if(f(x) > 3)\n",
        "parallel loop gang(num=3; static=*) vector_length(32) if(f(x) > 3)",
    );
    check(
        "!$acc parallel loop reduction(+:s,t) reduction(.and. : l), private(x)\n",
        "parallel loop reduction[+: ](s; t) reduction[.and.: ](l) private(x)",
    );
    check(
        "!$acc wait(devnum: 0: queues: 1, 2) async\n",
        "wait<devnum=0; queues=1; 2> async",
    );
    check("!$acc wait\n", "wait");
    check("!$acc wait(1) if(.true.)\n", "wait<1> if(.true.)");
    check(
        "!$acc loop collapse(force: 2) tile(*, 4)\n",
        "loop collapse[force: ](2) tile(*; 4)",
    );
    check(
        "!$acc kernels default(present) copyin(readonly: t%x(i)%v) copyout(zero:b)\n",
        "kernels default(present) copyin[readonly: ](t%x(i)%v) copyout[zero: ](b)",
    );
    check(
        "!$acc routine(f) seq nohost bind('g')\n",
        "routine<f> seq nohost bind('g')",
    );
    check("!$acc routine vector bind(g)\n", "routine vector bind(g)");
    check(
        "!$acc cache(readonly: a(i:i+1))\n",
        "cache<readonly=a(i:i+1)>",
    );
    check(
        "!$acc declare create(/blk/, x) link(y) device_resident(z)\n",
        "declare create(/blk/; x) link(y) device_resident(z)",
    );
    check(
        "!$acc atomic\n!$acc atomic capture\n!$acc endatomic\n",
        "atomic | atomic capture | end atomic",
    );
    check(
        "!$acc update self(a) device(b(1:n:2)) host(c) if_present wait(1, 2) async(3)\n",
        "update host(a) device(b(1:n:2)) host(c) if_present wait(1; 2) async(3)",
    );
    check(
        "!$acc parallel self(x > 1)\n!$acc end parallel loop\n",
        "parallel self(x > 1) | end parallel loop",
    );
    check(
        "!$acc host_data use_device(a) if_present\n!$acc endhost_data\n",
        "host_data use_device(a) if_present | end host_data",
    );
    check(
        "!$acc init device_type(nvidia) device_num(1)\n",
        "init device_type(nvidia) device_num(1)",
    );
    check(
        "!$acc set default_async(2)\n!$acc shutdown\n",
        "set default_async(2) | shutdown",
    );
    check(
        "!$acc exit data delete(a) detach(p%x) finalize\n",
        "exit data delete(a) detach(p%x) finalize",
    );
    check(
        "!$acc serial no_create(a) deviceptr(p) attach(q) firstprivate(s) present(c)\n",
        "serial no_create(a) deviceptr(p) attach(q) firstprivate(s) present(c)",
    );
    check(
        "!$acc kernels loop independent auto worker(4) vector(length: 2*n) num_workers(2)\n",
        "kernels loop independent auto worker(4) vector(length=2*n) num_workers(2)",
    );
    check(
        "!$acc parallel wait wait(1) present_or_create(a),create(b)\n",
        "parallel wait wait(1) create(a) create(b)",
    );
}

#[test]
fn device_types() {
    check(
        "!$acc loop gang device_type(nvidia) vector device_type(host) seq\n",
        "loop gang vector",
    );
    check(
        "!$acc parallel num_gangs(1) device_type(*) num_gangs(2) dtype(nvidia, host) num_gangs(3)\n",
        "parallel num_gangs(3)",
    );
}

#[test]
fn lines() {
    check(
        "x = 1\n  !$acc parallel loop & ! comment, a(1)\n!$acc& copy(a(1:n), & \n! more\n\n   !$acc   b) &\n!$acc private(c, &\n!$acc & d)\ny = 2 !$acc data\n",
        "parallel loop copy(a(1:n); b) private(c; d)",
    );
    check(
        "!$acc data copy(a(1: &\n!$acc n), b)\n",
        "data copy(a(1: &\n!$acc n); b)",
    );
    check(
        "!$acc data &\n!$acc & create &\n!$acc & (a)\n",
        "data create(a)",
    );
    check("!$acc &\n!$acc wait(1)\n", "wait<1>");
    check("!$acc & ! here\n!$acc& & \n!$acc&wait(1)\n", "wait<1>");
    check("!$accx data\n!$ acc data\n", "");
    check("c = 'a&\n!$acc data\n&b'\n", "data");
}

#[test]
fn fixed_form() {
    let text = "      subroutine s(a)\nc$acc data copy(a(1:3),\n*$acc+     b) async\n!$ACC1 wait(2)\n      x = 1\n      end\n";
    let source = source::load(
        "a.f".as_ref(),
        text.as_bytes(),
        &Options::default(),
        &|_| None,
    )
    .unwrap();
    let (all, findings) = read(&source, FileId(0));
    assert!(findings.is_empty(), "{findings:?}");
    let found: Vec<String> = all.iter().map(|d| summary(&source.text, d)).collect();
    assert_eq!(found, ["data copy(a(1:3); b) async wait(2)"]);
    assert_eq!(source.position(all[0].span.start).line, 2);
}

fn wrong(text: &str, words: &[&str]) {
    let (_, findings) = read_text(text, FileId(0));
    let found: Vec<&str> = findings.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(found.len(), words.len(), "{text}: {found:?}");
    for (f, w) in found.iter().zip(words) {
        assert!(f.contains(w), "{text}: {f}");
    }
}

#[test]
fn mistakes() {
    wrong(
        "!$acc paralel loop copy(a)\n",
        &["did you mean `parallel loop`"],
    );
    wrong("!$acc foo bar\n", &["`foo` is not an OpenACC directive"]);
    wrong("!$acc loop colapse(2)\n", &["did you mean `collapse`"]);
    wrong("!$acc data copy(a\n", &["not closed"]);
    wrong(
        "!$acc data copy(a +) \nx = 1\n!$acc data copy(b)\n",
        &["`a +` is not an expression"],
    );
    wrong("!$acc data copy(a,,b)\n", &["empty item"]);
    wrong("!$acc\n", &["without a directive"]);
    wrong("!$acc data &\nx = 1\n", &["not continued"]);
    wrong("!$acc & copy(x)\n", &["continuation line"]);
    wrong("!$acc loop reduction(s)\n", &["without an operator"]);
    wrong("!$acc loop = 3\n", &["`= 3` is not a clause"]);
}

fn tree(text: &str) -> (String, Vec<String>) {
    let (file, errors) = syntax::parse(text);
    assert!(errors.is_empty());
    let directives = read_whole(text);
    let (units, findings) = regions(FileId(0), &file, &directives);
    fn shown(r: &Region<'_>, text: &str) -> String {
        let body = match r.body {
            Body::None => String::new(),
            Body::Loop(s) => {
                let line = text[s.span.start as usize..]
                    .lines()
                    .next()
                    .unwrap_or_default();
                format!(" {{{line}}}")
            }
            Body::Statements(all) => format!(" {}", all.len()),
        };
        let inside: Vec<String> = r.children.iter().map(|c| shown(c, text)).collect();
        let inside = match inside.is_empty() {
            true => String::new(),
            false => format!(" [{}]", inside.join(", ")),
        };
        let end = if r.end.is_some() { " end" } else { "" };
        format!("{}{body}{inside}{end}", r.directive.kind.name())
    }
    let out = units.iter().map(|u| {
        let all: Vec<String> = u.regions.iter().map(|r| shown(r, text)).collect();
        format!("{}: {}", u.unit.name.text, all.join(", "))
    });
    let messages = findings
        .iter()
        .map(|f| f.message.lines().next().unwrap_or_default().to_owned());
    (out.collect::<Vec<_>>().join("\n"), messages.collect())
}

#[test]
fn tree_of_regions() {
    let text = "
module m
  real :: x(3)
  !$acc declare create(x)
contains
  subroutine s(a, n)
    integer :: n
    real :: a(n)
    interface
      subroutine f(z)
        !$acc routine seq
        real :: z
      end subroutine
    end interface
    !$acc routine(g)
    integer :: i
    !$acc data copy(a)
    if (n > 1) then
      !$acc parallel loop
      do i = 1, n
        !$acc atomic
        a(1) = a(1) + 1
      end do
      !$acc end parallel
    else
      !$acc wait
    end if
    !$acc kernels
    !$acc loop
    do 10 i = 1, n
      !$acc loop seq
      do 10 j = 1, n
10    a(i) = 1
    !$acc end kernels
    !$acc enddata
    !$acc parallel
    block
      a(1) = 2
    end block
    a(2) = 3
    !$acc atomic capture
    k = a(1)
    a(1) = a(1) + 1
    !$acc end atomic
  end subroutine
end module
";
    let (found, messages) = tree(text);
    assert_eq!(messages, Vec::<String>::new());
    assert_eq!(
        found,
        "m: declare\n\
         s: routine, data 2 [parallel loop {do i = 1, n} [atomic 1] end, wait, kernels 1 [loop {do 10 i = 1, n} [loop {do 10 j = 1, n}]] end] end, parallel 1, atomic capture 2 end\n\
         f: routine"
    );
}

#[test]
fn wrong_places() {
    let text = "
!$acc routine(f)
subroutine s(a, n)
  !$acc data copy(a)
  !$acc parallel loop
  x = 1
  if (n > 1) then
    !$acc end data
  end if
  x = 1 + &
  !$acc wait
  2
  !$acc end kernels
end subroutine
";
    let (found, messages) = tree(text);
    assert_eq!(found, "s: parallel loop");
    assert_eq!(
        messages,
        [
            "directive `routine` is outside of program units",
            "construct `data` is not closed",
            "directive `parallel loop` is not followed by a `do` loop",
            "`end data` does not close an open construct",
            "directive `wait` is inside a statement",
            "`end kernels` does not close an open construct",
        ]
    );
}

/// Where something is wrong, nothing is said of what stands for device data.
#[test]
fn texts_without_constructs() {
    let text = "\
subroutine s(a, n)
  real :: a(n)
  !$acc data copy(a)
  !$acc host_data use_device(a)
  call k<<<1, 1>>>(a)
  !$acc end host_data
  !$acc parallel loop
  do i = 1, n
    a(i) = 1
  end do
  !$acc end data
end subroutine
";
    let (file, errors) = syntax::parse(text);
    assert!(errors.is_empty());
    let directives = read_whole(text);
    let (units, _) = regions(FileId(0), &file, &directives);
    let gone: Vec<&str> = without_constructs(text, &units)
        .iter()
        .filter_map(|r| {
            text[r.span.start as usize..r.span.end as usize]
                .lines()
                .next()
        })
        .collect();
    assert_eq!(
        gone,
        ["!$acc host_data use_device(a)", "!$acc parallel loop"]
    );
}
