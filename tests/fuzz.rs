//! Mutated sources through the whole pipeline: no panic, no stack overflow, no more than a second of processor time a 100 KB.
//!
//! The mutations are drawn from a seed, so that a failure can be repeated. Variables: FUZZ_BYTES (bytes of mutated text in
//! all), FUZZ_SEED, FUZZ_FILE (runs that file only), FUZZ_CORPUS (a folder whose programs are mutated and spliced, too),
//! FUZZ_DEPTH, FUZZ_CASE (the cases of nesting whose name holds it), FUZZ_VERBOSE. The text under test lies in the folder of the test's temporary files while it
//! is analysed, and stays there after a failure.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use cuf2cu::driver::pool;
use cuf2cu::pipeline::{self, Action, Environment, PipelineOptions, SourceFile};
use cuf2cu::source;

#[path = "random/numbers.rs"]
mod numbers;

use numbers::Random;

/// What the ordinary test run takes.
const DEFAULT_BYTES: usize = 300_000;

/// A small file may take this long on a loaded machine.
const FLOOR: Duration = Duration::from_secs(1);

/// What the permitted time is multiplied with: the requirement is for an optimised build.
const SLOWNESS: u32 = if cfg!(debug_assertions) { 8 } else { 1 };

/// Beyond this multiple of the permitted time the program is ended instead of waited for.
const HANG: u32 = 10;

/// One text under test.
struct Case {
    name: String,
    extension: &'static str,
    text: Vec<u8>,
}

fn corpus() -> Vec<(&'static str, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("tests/conformance"), root.join("samples")];
    folders.extend(std::env::var_os("FUZZ_CORPUS").map(PathBuf::from));
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_symlink() {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let extensions = ["cuf", "CUF", "f90", "F90", "f", "F"];
    let known = |p: &PathBuf| {
        let of = p.extension()?.to_str()?;
        let extension = extensions.iter().find(|e| **e == of)?;
        Some((*extension, fs::read(p).unwrap()))
    };
    paths.iter().filter_map(known).collect()
}

/// Words and constants that lead to seldom visited places.
const TOKENS: &[&str] = &[
    "(",
    ")",
    "(/",
    "/)",
    "[",
    "]",
    ",",
    "::",
    ":",
    "=",
    "=>",
    "%",
    "&",
    "&\n",
    ";",
    "\n",
    "!",
    "'",
    "\"",
    "*",
    "**",
    "//",
    "<<<",
    ">>>",
    "<<<*,*>>>",
    "!$cuf kernel do <<<*,*>>>\n",
    "!@cuf ",
    "\n#if 0\n",
    "\n#endif\n",
    "\n#define N(a) a##a\n",
    "end\n",
    "end do\n",
    "end if\n",
    "end subroutine\n",
    "contains\n",
    "block\n",
    "associate(a=>b)\n",
    "\nuse cudafor\n",
    "attributes(global) ",
    "attributes(device) ",
    ", device",
    ", shared",
    ", managed",
    ", allocatable",
    ", pointer",
    "integer",
    "real(8)",
    "real(kind=",
    "type(",
    "class(*)",
    "complex",
    "character(len=*)",
    "parameter",
    "dimension(",
    "9223372036854775807",
    "-9223372036854775808",
    "170141183460469231731687303715884105728",
    "2**40",
    "2**127",
    "1e400",
    "10**18",
    "-1",
    "0",
    "1/0",
    "mod(1,0)",
    "huge(1_8)",
    "selected_real_kind(1000)",
    "z'ffffffffffffffffffffffff'",
    "(i,i=1,1000000000000)",
    "reshape([1],[1000000,1000000])",
    "spread(1,1,2**40)",
    "repeat('x',2**40)",
    "ishft(1,200)",
    "threadidx%x",
    "syncthreads()",
    "atomicadd(",
    "sum(",
    "maxloc(",
    "shape(",
    "size(",
    "transfer(",
    "merge(",
    "kind(",
    "x(:)",
    "x(::0)",
    "x(1:2:-1)",
    "..",
    "(..)",
    "é",
    "\u{a0}",
    "\u{2028}",
    "\t",
    "\r",
    "\r\n",
    "\u{feff}",
];

fn mutate(random: &mut Random, corpus: &[(&'static str, Vec<u8>)]) -> Case {
    let (extension, base) = random.pick(corpus);
    let mut text = base.clone();
    // Some cases are long, so that what is not linear shows.
    for _ in 0..if random.below(20) == 0 {
        random.below(40)
    } else {
        0
    } {
        text.extend_from_slice(&random.pick(corpus).1);
    }
    for _ in 0..=random.below(6) {
        let at = random.below(text.len());
        match random.below(8) {
            0 => {
                for _ in 0..=random.below(8) {
                    let at = random.below(text.len());
                    if let Some(byte) = text.get_mut(at) {
                        *byte ^= 1 << random.below(8);
                    }
                }
            }
            1 => text.truncate(at),
            2 => {
                let other = &random.pick(corpus).1;
                let start = random.below(other.len());
                let end = (start + random.below(2000)).min(other.len());
                let gone = (at + random.below(200)).min(text.len());
                text.splice(at..gone, other[start..end].iter().copied());
            }
            3 | 4 => {
                let token = random.pick(TOKENS);
                text.splice(at..at, token.bytes());
            }
            5 => swap_words(random, &mut text),
            6 => {
                let token = random.pick(TOKENS);
                if let Some((start, end)) = word_at(&text, at) {
                    text.splice(start..end, token.bytes());
                }
            }
            _ => {
                let end = (at + random.below(300)).min(text.len());
                let piece: Vec<u8> = text[at..end].to_vec();
                if random.below(2) == 0 {
                    text.drain(at..end);
                } else {
                    let times = random.below(50);
                    text.splice(at..at, piece.repeat(times));
                }
            }
        }
    }
    // A zero byte ends the analysis at once.
    text.iter_mut().filter(|b| **b == 0).for_each(|b| *b = b' ');
    Case {
        name: String::new(),
        extension,
        text,
    }
}

/// The word around or after `at`.
fn word_at(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let start = at + text.get(at..)?.iter().position(is_word)?;
    let length = text[start..]
        .iter()
        .position(|b| !is_word(b))
        .unwrap_or(text.len() - start);
    Some((start, start + length))
}

fn swap_words(random: &mut Random, text: &mut Vec<u8>) {
    let first = random.below(text.len());
    let second = random.below(text.len());
    let (Some(a), Some(b)) = (
        word_at(text, first.min(second)),
        word_at(text, first.max(second)),
    ) else {
        return;
    };
    if a.1 <= b.0 {
        let (one, two) = (text[a.0..a.1].to_vec(), text[b.0..b.1].to_vec());
        text.splice(b.0..b.1, one);
        text.splice(a.0..a.1, two);
    }
}

/// Texts whose nesting or size is `n`.
fn deep(n: usize) -> Vec<Case> {
    let program = |body: String| format!("program p\n  implicit none\n{body}end program p\n");
    let kernel = |body: String| {
        format!(
            "module m\ncontains\nattributes(global) subroutine k(x, n)\nreal :: x(*)\ninteger, value :: n\ninteger :: i\n{body}end subroutine\nend module\n"
        )
    };
    let around = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    let list = |f: &dyn Fn(usize) -> String| (0..n).map(f).collect::<String>();
    let parenthesised = format!("  x(1) = {}\n", around("(", "1", ")"));
    let cases = vec![
        ("parentheses", program(format!("  real :: x(1)\n{parenthesised}"))),
        ("parentheses in a kernel", kernel(parenthesised)),
        ("open parentheses", program(format!("  x = {}\n", "(".repeat(n)))),
        ("closed parentheses", program(format!("  x = {}\n", ")".repeat(n)))),
        ("parameter", program(format!("  integer, parameter :: n = {}\n", around("(", "1", ")")))),
        ("array constructors", program(format!("  integer, parameter :: n(*) = {}\n", around("[", "1", "]")))),
        ("implied do", program(format!("  integer, parameter :: n(*) = [{}]\n", around("(", "1", ", i=1,2)")))),
        ("signs", program(format!("  i = {}1\n", "- ".repeat(n)))),
        ("nots", program(format!("  l = {}.true.\n", ".not. ".repeat(n)))),
        ("powers", program(format!("  i = {}1\n", "2**".repeat(n)))),
        ("sums", program(format!("  integer, parameter :: i = {}1\n", "1+".repeat(n)))),
        ("sums in a kernel", kernel(format!("  x(1) = {}1\n", "n+".repeat(n)))),
        ("concatenations", program(format!("  s = {}'a'\n", "'a'//".repeat(n)))),
        ("calls", program(format!("  x = {}\n", around("abs(", "1.0", ")")))),
        ("calls in a kernel", kernel(format!("  x(1) = {}\n", around("abs(", "1.0", ")")))),
        ("subscripts", kernel(format!("  x(1) = {}\n", around("x(", "1", ")")))),
        ("components", program(format!("  x = a{}\n", "%b".repeat(n)))),
        ("if", program(around("if (.true.) then\n", "", "end if\n"))),
        ("if in a kernel", kernel(around("if (n > 1) then\n", "", "end if\n"))),
        ("open if", program("if (.true.) then\n".repeat(n))),
        ("else if", program(format!("if (i==0) then\n{}end if\n", "else if (i==1) then\n".repeat(n)))),
        ("do", program(around("do i = 1, 2\n", "", "end do\n"))),
        ("do in a kernel", kernel(around("do i = 1, 2\n", "", "end do\n"))),
        ("do with a common label", program(format!("{}10 continue\n", "do 10 i = 1, 2\n".repeat(n)))),
        ("block", program(around("block\n", "", "end block\n"))),
        ("associate", program(around("associate (a => b)\n", "", "end associate\n"))),
        ("select case", program(around("select case (i)\ncase (1)\n", "", "end select\n"))),
        ("where", program(around("where (a > 1)\n", "", "end where\n"))),
        ("end", "end\n".repeat(n)),
        ("interface", program(around("interface\nsubroutine s\n", "", "end subroutine\nend interface\n"))),
        ("subroutine in subroutine", around("subroutine s\ncontains\n", "", "end subroutine\n")),
        ("cuf directives", program("!$cuf kernel do <<<*,*>>>\n".repeat(n))),
        ("cuf loops", program("!$cuf kernel do <<<*,*>>>\ndo i = 1, 10\nend do\n".repeat(n / 10))),
        ("continuation lines", program(format!("  i = 1 {}\n", "&\n  + 1 ".repeat(n)))),
        ("empty continuation lines", program(format!("  i = 1 {}+ 1\n", "&\n".repeat(n)))),
        ("one line", program(format!("  {}\n", "i = i + 1; ".repeat(n)))),
        ("line in a kernel", kernel("  x(n) = x(n) + 1\n".repeat(n / 4))),
        ("arguments", program(format!("  call s({}1)\n", "1,".repeat(n)))),
        ("names", program(format!("  integer :: {}b\n", list(&|i| format!("a{i}, "))))),
        ("declarations", program(list(&|i| format!("  integer :: a{i}\n")))),
        ("device declarations", program(list(&|i| format!("  integer, device :: a{i}\n")))),
        ("uses", program("  use cudafor\n".repeat(n / 10))),
        ("module procedures", format!("module m\ncontains\n{}end module\n", list(&|i| format!("subroutine s{i}\nend subroutine\n")))),
        ("kernels", format!("module m\ncontains\n{}end module\n", (0..n / 10).map(|i| format!("attributes(global) subroutine s{i}\nend subroutine\n")).collect::<String>())),
        ("types", format!("module m\n{}end module\n", list(&|i| format!("type t{}\ntype(t{i}) :: x\nend type\n", i + 1)))),
        ("type extensions", format!("module m\ntype t0\nend type\n{}contains\nsubroutine s(x)\ntype(t{n}) :: x\nx%y = 1\nend subroutine\nend module\n", list(&|i| format!("type, extends(t{i}) :: t{}\nend type\n", i + 1)))),
        ("type of itself", "module m\ntype t\ntype(t) :: x\nend type\ntype(t), device :: a\ntype(t), parameter :: b = t(b)\nend module\n".into()),
        ("types of each other", "module m\ntype, extends(u) :: t\nend type\ntype, extends(t) :: u\nend type\ntype(t), device :: a\ncontains\nattributes(global) subroutine k(x)\ntype(u) :: x\nx%y = x%z\nend subroutine\nend module\n".into()),
        ("parameters of each other", program("  integer, parameter :: a = b, b = c, c = a\n  integer(a), parameter :: d = d\n  real(kind(e)), parameter :: e = 1\n".into())),
        ("parameter chain", program(format!("  integer, parameter :: a0 = 1\n{}", list(&|i| format!("  integer, parameter :: a{} = a{i}\n", i + 1))))),
        ("parameter chain backwards", program(list(&|i| format!("  integer, parameter :: a{i} = a{}\n", i + 1)))),
        ("doubling parameters", program(format!("  integer, parameter :: a0(2) = [1, 2]\n{}", (0..60).map(|i| format!("  integer, parameter :: a{}(*) = [a{i}, a{i}]\n", i + 1)).collect::<String>()))),
        ("doubling strings", program(format!("  character(*), parameter :: a0 = 'xx'\n{}", (0..60).map(|i| format!("  character(*), parameter :: a{} = a{i} // a{i}\n", i + 1)).collect::<String>()))),
        ("huge constants", program("  integer, parameter :: a(2**40) = 1\n  integer(8), parameter :: b(10_8**12, 10_8**12) = 0\n  integer, parameter :: c(*) = [(i, i = 1, 1000000000000)]\n  integer, parameter :: d = sum([(((i, i = 1, 100000), j = 1, 100000), k = 1, 100000)])\n  integer, parameter :: e = 2**(-2147483648), f = 7**1000000000, g = 3_8**huge(1_8)\n  integer, parameter :: h = ishft(1, huge(1)), o = shiftl(1, -1), q = mod(-huge(1)-1, -1), r = (-huge(1_8)-1)/(-1)\n  character(*), parameter :: s = repeat('x', 2**30)\n  integer, parameter :: t(*) = reshape([1], [100000, 100000], pad=[1])\n  integer, parameter :: u = selected_int_kind(huge(1)), v = bit_size(1_99), w = 1_huge\n  real, device :: x(huge(1_8), huge(1_8)), y(-huge(1_8):huge(1_8))\n  x = 1\n  y(1) = y(huge(1_8)+1)\n".into())),
        ("huge shapes", kernel("  real, shared :: s(2_8**40, 2_8**40)\n  integer, parameter :: b = -2_8**63\n  real :: l(b:2_8**62)\n  s(1,1) = l(1)\n  x(b - 1) = x(huge(1_8) + 1)\n  do i = b, huge(1_8), b\n x(i) = 1\n end do\n".into())),
        ("uses in a circle", "module a\nuse b\nend module\nmodule b\nuse c\nend module\nmodule c\nuse a\nuse c\nend module\nsubmodule (d) d\nend submodule\nsubmodule (e) f\nend submodule\nsubmodule (f) e\nend submodule\nprogram p\nuse p\nuse a\nend program\n".into()),
        ("generic in a circle", "module m\ninterface a\nprocedure b\nend interface\ninterface b\nprocedure a\nend interface\ncontains\nsubroutine s\ncall a(1)\nx = b(a(b(1)))\nend subroutine\nend module\n".into()),
        ("associate of itself", program("  associate (a => b, b => a)\n  associate (a => a(1:a))\n a = a\n end associate\n end associate\n".into())),
        ("statement functions", program("  f(x) = g(x)\n  g(x) = f(x)\n  y = f(g(f(1.0)))\n".into())),
        ("common and equivalence", program("  common /a/ b, b, a\n  equivalence (a, b), (b, a), (b, b(99999999999999))\n".into())),
        ("quotes", program(format!("  x = {}\n", "'\"".repeat(n)))),
        ("string", program(format!("  s = '{}'\n", "é''".repeat(n)))),
        ("comments", "! é\n".repeat(n)),
        ("blank lines", format!("{}end\n", "\n".repeat(n))),
        ("semicolons", format!("{}end\n", ";".repeat(n))),
        ("ampersands", "&".repeat(n)),
        ("labels", program(list(&|i| format!("{} continue\n", i + 1)))),
        ("go to", kernel(list(&|i| format!("go to {}\n{} continue\n", (i * 7) % (n / 10) + 1, i + 1)).lines().take(n / 5).map(|l| format!("{l}\n")).collect::<String>())),
        ("format", program(format!("10 format({})\n", around("(", "i5", ")")))),
        ("data", program(format!("  integer :: a(10)\n  data {} / 1000000000*1 /\n", around("(", "a(i)", ", i=1,2)")))),
        ("number", program(format!("  i = {}\n  x = 1.{}e{}_8\n", "9".repeat(n), "1".repeat(n), "9".repeat(n)))),
        ("name", program(format!("  {} = 1\n", "a".repeat(n)))),
    ];
    let mut all: Vec<Case> = cases
        .into_iter()
        .map(|(name, text)| Case {
            name: name.to_owned(),
            extension: "cuf",
            text: text.into_bytes(),
        })
        .collect();
    let preprocessed = [
        ("conditionals", around("#if 1\n", "end\n", "#endif\n")),
        ("open conditionals", "#if 1\n".repeat(n)),
        ("condition", format!("#if {}\nend\n#endif\n", around("(", "1", ")"))),
        ("negation", format!("#if {}1\nend\n#endif\n", "!".repeat(n))),
        ("macro of itself", "#define A A A\n#define B C C\n#define C B B\n#define F(x) F(F(x)) x x\nA\nB\nF(F(F(1)))\nend\n".into()),
        ("doubling macros", format!("{}x = A60\nend\n", (0..60).map(|i| format!("#define A{} A{i} A{i}\n", i + 1)).collect::<String>())),
        ("macro calls", format!("#define F(x) (x)\nx = {}\nend\n", around("F(", "1", ")"))),
        ("macro arguments", format!("#define F(x) x\nx = F({})\nend\n", "1,".repeat(n))),
        ("definitions", format!("{}end\n", list(&|i| format!("#define A{i} {i}\n")))),
        ("include of itself", "#include \"case.CUF\"\ninclude 'case.CUF'\nend\n".into()),
    ];
    all.extend(preprocessed.into_iter().map(|(name, text)| Case {
        name: name.to_owned(),
        extension: "CUF",
        text: text.into_bytes(),
    }));
    let fixed = [
        (
            "fixed continuation",
            format!("      i = 1\n{}      end\n", "     &+1\n".repeat(n)),
        ),
        (
            "fixed do",
            format!(
                "{}   10 continue\n      end\n",
                "      do 10 i=1,2\n".repeat(n)
            ),
        ),
        (
            "fixed line",
            format!("      i = {}\n      end\n", "1 + ".repeat(n)),
        ),
    ];
    all.extend(fixed.into_iter().map(|(name, text)| Case {
        name: name.to_owned(),
        extension: "f",
        text: text.into_bytes(),
    }));
    all
}

fn run(case: &Case, goal: Action) {
    let path = PathBuf::from(format!("case.{}", case.extension));
    let files = vec![SourceFile {
        path: path.clone(),
        relative: path.clone(),
        bytes: case.text.clone(),
    }];
    let include = |p: &Path| (p == path).then(|| case.text.clone());
    let manner = PipelineOptions {
        goal,
        dialect: Default::default(),
        leave_memory: false,
        show_ir: true,
        keep_loops: false,
        line_directives: false,
        checked: false,
        separate: false,
        expand_macros: false,
        source_map: false,
        wider_libraries: false,
        facts: false,
        wrap: pipeline::Wrap::default(),
        step: None,
    };
    pool::with_threads(1, || {
        pipeline::run(
            files,
            Vec::new(),
            &source::Options::default(),
            &include,
            Environment::default(),
            manner,
        )
    });
}

/// Processor time of this process, to 10 ms; None where the system does not tell.
fn cpu_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks()? + ticks()?) * 10))
}

/// The processor time since a moment, for what else the machine does must not count; the time of the clock where there is none.
fn spent_since(start: Instant, cpu: Option<Duration>) -> Duration {
    match (cpu, cpu_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => start.elapsed(),
    }
}

/// Runs a case with both goals, with a watch on its time; gives the time over the permitted time.
fn examine(case: &Case) -> Result<f64, String> {
    let limit = SLOWNESS * FLOOR.max(Duration::from_secs_f64(case.text.len() as f64 / 100_000.0));
    let id = std::process::id();
    let name = format!("fuzz-{id}-{}.{}", case.name, case.extension).replace(' ', "-");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, &case.text).unwrap();
    let (done, finished) = mpsc::channel::<()>();
    let name = format!("{} ({})", case.name, path.display());
    let watch = std::thread::spawn(move || {
        let (start, cpu) = (Instant::now(), cpu_time());
        while finished.recv_timeout(Duration::from_secs(1)) == Err(mpsc::RecvTimeoutError::Timeout)
        {
            if spent_since(start, cpu) > limit * HANG {
                eprintln!("hang: {name}");
                std::process::exit(101);
            }
        }
    });
    let mut slowest = Duration::ZERO;
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        for goal in [Action::Check, Action::Translate] {
            let (start, cpu) = (Instant::now(), cpu_time());
            run(case, goal);
            let spent = spent_since(start, cpu);
            slowest = slowest.max(spent);
        }
    }));
    drop(done);
    let _ = watch.join();
    let kept = |what: &str| {
        format!(
            "{}: {what}: {} bytes, {}",
            case.name,
            case.text.len(),
            path.display()
        )
    };
    if outcome.is_err() {
        return Err(kept("panic"));
    }
    let ratio = slowest.as_secs_f64() / limit.as_secs_f64();
    if ratio > 1.0 {
        return Err(kept(&format!("{:.1} times the permitted time", ratio)));
    }
    fs::remove_file(&path).unwrap();
    Ok(ratio)
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn report(cases: impl Iterator<Item = Case>) {
    // The processor time is that of all threads: one test at a time.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let verbose = std::env::var_os("FUZZ_VERBOSE").is_some();
    let start = Instant::now();
    let (mut count, mut bytes, mut worst) = (0, 0, (0.0, String::new()));
    let mut failures = Vec::new();
    for case in cases {
        count += 1;
        bytes += case.text.len();
        if verbose {
            eprint!("{} {} ", case.name, case.text.len());
        }
        let result = examine(&case);
        if verbose {
            eprintln!("{result:?}");
        }
        match result {
            Ok(ratio) if ratio > worst.0 => worst = (ratio, case.name),
            Ok(_) => {}
            Err(failure) => failures.push(failure),
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!(
        "{count} sources, {bytes} bytes, twice each, {seconds:.0} s; slowest at {:.2} of the permitted time: {}; {} failures",
        worst.0,
        worst.1,
        failures.len()
    );
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn mutated_sources() {
    if let Some(path) = std::env::var_os("FUZZ_FILE") {
        let text = fs::read(path).unwrap();
        return report(std::iter::once(Case {
            name: "given file".into(),
            extension: "CUF",
            text,
        }));
    }
    let total = variable("FUZZ_BYTES").map_or(DEFAULT_BYTES, |n| n as usize);
    let seed = variable("FUZZ_SEED").unwrap_or(1);
    let corpus = corpus();
    let mut bytes = 0;
    let mut number = 0;
    report(std::iter::from_fn(|| {
        if bytes >= total {
            return None;
        }
        number += 1;
        // A generator a case: case 17 of seed 1 is the same in a long run and in a short one.
        let mut case = mutate(
            &mut Random::new(seed.wrapping_mul(1 << 32).wrapping_add(number)),
            &corpus,
        );
        case.name = format!("seed {seed} case {number}");
        bytes += case.text.len();
        Some(case)
    }));
}

/// With FUZZ_DEPTH=100000 as deep as it gets; the ordinary run is content with less.
#[test]
fn deep_nesting() {
    let depth = variable("FUZZ_DEPTH").map_or(5_000, |n| n as usize);
    let wanted = std::env::var("FUZZ_CASE").unwrap_or_default();
    report(deep(depth).into_iter().filter(|c| c.name.contains(&wanted)));
}

/// Tokens of `n` bytes, whole and unfinished, each kind in a program of its own.
fn long_tokens(n: usize) -> Vec<Case> {
    let of = |unit: &str| unit.repeat(n / unit.len());
    let statements = [
        ("character constant", format!("print *, '{}'", of("a"))),
        ("unfinished constant", format!("print *, '{}", of("a"))),
        ("unfinished words", format!("print *, \"{}", of("word "))),
        (
            "unfinished with underscores",
            format!("print *, '{}", of("a_")),
        ),
        (
            "unfinished over lines",
            format!("print *, 'a{}", of("&\n  &a")),
        ),
        ("quotation marks", format!("print *, '{}", of("''"))),
        ("backslashes", format!("print *, '{}", of("\\\\'"))),
        ("constants without an end", of("print *, 'a\n")),
        ("kind of a constant", format!("print *, {}_'a'", of("k"))),
        ("digits", format!("i = {}", of("1"))),
        ("digits after a point", format!("r = 1.{}", of("1"))),
        ("exponent", format!("r = 1e{}", of("1"))),
        ("name", format!("i = {}", of("a"))),
        ("bits", format!("i = int(z'{}')", of("f"))),
        ("unfinished bits", format!("i = z'{}", of("f"))),
        ("Hollerith", format!("i = {n}h{}", of("f"))),
        (
            "short Hollerith",
            format!("i = {n}h{}", of("f").split_at(n / 2).0),
        ),
        ("points", format!("i = {}", of("."))),
        ("operators", format!("i = a{}", of(".x."))),
        ("unfinished operator", format!("i = a .{}", of("x"))),
        ("components", format!("i = a{}", of("%a"))),
        ("signs", format!("i = {}1", of("-"))),
        ("comparisons", format!("i = a {} b", of("<"))),
        ("semicolons", format!("{}i = 1", of(";"))),
        ("comment", format!("! {}", of("a"))),
        ("directive", format!("!$cuf {}", of("a"))),
        ("blanks", format!("{}i = 1", of(" "))),
        ("empty lines", format!("{}i = 1", of("\n"))),
        ("continued", format!("i = 1{}", of(" &\n  + 1"))),
        ("comments between", format!("i = &\n{}  1", of("! a\n"))),
        ("format", format!("10 format({}", of("1x,"))),
        ("label", format!("{} continue", of("1"))),
        ("macro", format!("#define A {}\ni = 1", of("x"))),
        (
            "macro over lines",
            format!("#define A {}1\ni = 1", of("x\\\n")),
        ),
        ("condition", format!("#if {}1\ni = 1\n#endif", of("!"))),
        ("strange characters", of("@")),
        ("letters of others", of("é")),
    ];
    let case = |(name, statement): (&str, String)| Case {
        name: name.to_owned(),
        extension: "CUF",
        text: format!("program p\n  integer :: i\n{statement}\nend program\n").into_bytes(),
    };
    statements.into_iter().map(case).collect()
}

/// No kind of token takes time that grows faster than its length.
#[test]
fn tokens_of_any_length() {
    let length = variable("FUZZ_LENGTH").map_or(100_000, |n| n as usize);
    let wanted = std::env::var("FUZZ_CASE").unwrap_or_default();
    report((long_tokens(length).into_iter()).filter(|c| c.name.contains(&wanted)));
}
