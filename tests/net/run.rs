//! Makes programs valid, translates them and compiles what comes out.
//!
//! Random statements may be no Fortran, or be refused by cuf2cu. What gfortran reports in the plain program, which has no GPU
//! attributes, and what cuf2cu reports is taken away, statement by statement, until both accept the rest. Then the compilers must, too.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use cuf2cu::driver::{BuildOptions, Package, Project, Target, Toolchain, build};
use cuf2cu::translate::TranslateOptions;

use crate::batches::{self, Failure, output};
use crate::layout::{self, Line};
use crate::program::{MODES, Program};
use crate::suite;
use crate::tree::{self, Side};

const SUPPORT: &str = include_str!("cudafor.f90");
const SYNTAX_FLAGS: [&str; 6] = [
    "-fsyntax-only",
    "-fno-range-check",
    "-ffree-line-length-none",
    "-w",
    "-fmax-errors=0",
    "-O0",
];
const PLAIN_FLAGS: [&str; 4] = ["-c", "-ffree-line-length-none", "-w", "-O0"];
/// Programs at which gfortran 12 breaks off with an internal error, without GPU attributes too. In a batch each would cost a bisection.
const CRASHES: [u64; 3] = [4, 10, 4026];
/// Rounds of taking statements away.
const ROUNDS: usize = 40;

/// What happened with a number of programs.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Programs that were compiled.
    pub run: usize,
    /// Of these, those from which cuf2cu refused nothing.
    pub untouched: usize,
    pub nvcc: usize,
    /// Lines of CUDA Fortran compiled.
    pub lines: usize,
    /// Statements that gfortran and cuf2cu refused, and of cuf2cu the messages by code.
    pub no_fortran: usize,
    pub dropped: BTreeMap<String, usize>,
    pub failures: Vec<Failure>,
    /// A whole unit is refused.
    pub refused: Vec<Failure>,
    /// gfortran breaks off at the plain program, or refuses whole units of it.
    pub broken: Vec<Failure>,
}

impl Results {
    pub fn add(&mut self, other: Results) {
        self.run += other.run;
        self.untouched += other.untouched;
        self.nvcc += other.nvcc;
        self.lines += other.lines;
        self.no_fortran += other.no_fortran;
        for (code, count) in other.dropped {
            *self.dropped.entry(code).or_default() += count;
        }
        self.failures.extend(other.failures);
        self.refused.extend(other.refused);
        self.broken.extend(other.broken);
    }
}

/// A program that gfortran and cuf2cu accept, with what they took away.
struct Settled {
    program: Program,
    no_fortran: usize,
    dropped: BTreeMap<String, usize>,
}

pub struct Runner {
    cpu: (Toolchain, BuildOptions),
    cuda: Option<(Toolchain, BuildOptions)>,
}

/// The options of a mode, for translation and for `target`.
fn given(mode: usize, target: Target) -> (TranslateOptions, BuildOptions) {
    let flags: Vec<String> = MODES[mode].iter().map(|f| (*f).to_owned()).collect();
    cuf2cu::cli::options_of(&flags, target).unwrap_or_else(|e| panic!("{flags:?}: {e}"))
}

impl Runner {
    /// `nvcc`: compile for the cuda target, too.
    pub fn new(nvcc: bool) -> Result<Runner, String> {
        let (toolchain, mut options) = batches::compilers("0")?;
        options.fflags.push("-w".to_owned());
        let cuda = match nvcc {
            true => Some(cuda()?),
            false => None,
        };
        Ok(Runner {
            cpu: (toolchain, options),
            cuda,
        })
    }

    /// Compiles programs; `nvcc`: for both targets.
    pub fn run(&self, programs: &[Program], folder: &Path, nvcc: bool) -> Results {
        let mut results = Results::default();
        let mut kept = Vec::new();
        for program in programs {
            match self.settle(program, folder) {
                Ok(settled) => {
                    results.untouched += usize::from(settled.dropped.is_empty());
                    results.no_fortran += settled.no_fortran;
                    for (code, count) in settled.dropped {
                        *results.dropped.entry(code).or_default() += count;
                    }
                    match self.crash(&settled.program, folder) {
                        Some(failure) => results.broken.push(failure),
                        None => kept.push(settled.program),
                    }
                }
                Err(failure) if failure.step == "refused" => results.refused.push(failure),
                Err(failure) if failure.step == "reference" => results.broken.push(failure),
                Err(failure) => results.failures.push(failure),
            }
        }
        results.add(self.compile(&kept, folder, nvcc));
        results
    }

    /// Compiles settled programs together; where that fails in parts, until the program is found.
    pub fn compile(&self, programs: &[Program], folder: &Path, nvcc: bool) -> Results {
        let mut results = Results::default();
        let mut kept = programs.to_vec();
        while !kept.is_empty() {
            // The files of a program that fails stay where they are.
            let place = match &kept[..] {
                [one] => folder.join(one.seed.to_string()),
                _ => folder.join("all"),
            };
            let (step, detail) = match self.attempt(&kept, &place, nvcc) {
                Ok(lines) => {
                    results.run += kept.len();
                    results.lines += lines;
                    results.nvcc += if nvcc { kept.len() } else { 0 };
                    break;
                }
                Err(failed) => failed,
            };
            if let [one] = &kept[..] {
                let seed = one.seed;
                let failure = match self.reference(one, folder, &PLAIN_FLAGS) {
                    Ok(()) => Failure { seed, step, detail },
                    Err(detail) => Failure {
                        seed,
                        step: "reference",
                        detail,
                    },
                };
                let list = if failure.step == "reference" {
                    &mut results.broken
                } else {
                    &mut results.failures
                };
                list.push(failure);
                break;
            }
            let named = named(&detail, &kept);
            if named.is_empty() || named.len() == kept.len() {
                let (a, b) = kept.split_at(kept.len() / 2);
                results.add(self.compile(a, folder, nvcc));
                results.add(self.compile(b, folder, nvcc));
                break;
            }
            for index in named.into_iter().rev() {
                let program = kept.remove(index);
                results.add(self.compile(&[program], folder, nvcc));
            }
        }
        results
    }

    /// The internal error of gfortran at a program that is known for it.
    fn crash(&self, program: &Program, folder: &Path) -> Option<Failure> {
        let known = CRASHES.contains(&program.seed);
        let detail = known.then(|| self.reference(program, folder, &PLAIN_FLAGS).err())??;
        detail
            .contains("internal compiler error")
            .then_some(Failure {
                seed: program.seed,
                step: "reference",
                detail,
            })
    }

    /// Takes away what gfortran and cuf2cu refuse.
    fn settle(&self, program: &Program, folder: &Path) -> Result<Settled, Failure> {
        let mut settled = Settled {
            program: program.clone(),
            no_fortran: 0,
            dropped: BTreeMap::new(),
        };
        let seed = program.seed;
        let failure = |step, detail: String| Failure { seed, step, detail };
        for _ in 0..ROUNDS {
            let program = &settled.program;
            let (nodes, step, detail) = match self.reference(program, folder, &SYNTAX_FLAGS) {
                Err(text) => {
                    let nodes = refused_by_gfortran(program, &text);
                    settled.no_fortran += nodes.len();
                    (nodes, "reference", text)
                }
                Ok(()) => match translate(std::slice::from_ref(program)) {
                    Ok(_) => return Ok(settled),
                    Err(messages) => {
                        let files = layout::print(program, Side::Device);
                        let mut nodes = BTreeSet::new();
                        let mut all = String::new();
                        for (path, line, message) in messages {
                            // Writing to a string cannot fail.
                            let _ = writeln!(all, "{}:{line}: {message}", path.display());
                            let code = message.split(':').next().unwrap_or_default();
                            *settled.dropped.entry(code.to_owned()).or_default() += 1;
                            if code == "CUF0902" || code == "CUF0901" || code == "CUF0900" {
                                return Err(failure("internal", all));
                            }
                            let file =
                                (0..files.len()).find(|f| path.ends_with(layout::name(*f, seed)));
                            let at =
                                file.and_then(|f| files[f].get((line as usize).checked_sub(1)?));
                            nodes.extend(at.map(|l| l.node.clone()));
                        }
                        (nodes, "refused", all)
                    }
                },
            };
            // A program unit that is refused as a whole follows from what is refused in it.
            let nodes: BTreeSet<Vec<usize>> = nodes.into_iter().filter(|n| n.len() > 1).collect();
            if nodes.is_empty() {
                return Err(failure(step, detail));
            }
            settled.program = without_all(program, &nodes);
        }
        Err(failure(
            "refused",
            format!("not settled after {ROUNDS} rounds"),
        ))
    }

    /// Lets gfortran read the program without GPU attributes.
    fn reference(&self, program: &Program, folder: &Path, flags: &[&str]) -> Result<(), String> {
        let place = folder.join("plain");
        fs::create_dir_all(&place).map_err(|e| e.to_string())?;
        let files = layout::print(program, Side::Plain);
        let text: String = files
            .iter()
            .flatten()
            .map(|l| format!("{}\n", l.text))
            .collect();
        fs::write(place.join("plain.f90"), format!("{SUPPORT}{text}"))
            .map_err(|e| e.to_string())?;
        let mut command = self.cpu.0.fortran.command();
        command.current_dir(&place).args(flags).arg("plain.f90");
        output(&mut command)
    }

    /// Translates and compiles; the lines compiled.
    fn attempt(
        &self,
        programs: &[Program],
        folder: &Path,
        nvcc: bool,
    ) -> Result<usize, (&'static str, String)> {
        let _ = fs::remove_dir_all(folder);
        let io = |e: std::io::Error| ("write", e.to_string());
        fs::create_dir_all(folder).map_err(io)?;
        let sources = sources(programs);
        for (name, lines) in &sources {
            fs::write(folder.join(name), text(lines)).map_err(io)?;
        }
        let package = translate(programs).map_err(|messages| {
            let line = |(path, line, text): &batches::Message| {
                format!("{}:{line}: error: {text}\n", path.display())
            };
            ("together", messages.iter().map(line).collect())
        })?;
        let out = folder.join("out");
        package
            .write(&out, true)
            .map_err(|e| ("write", e.to_string()))?;
        if std::env::var_os("NET_TRANSLATE").is_some() {
            return Ok(0);
        }
        let mode = programs.first().map_or(0, |p| p.mode);
        compile(&package, &out, &folder.join("obj"), &self.cpu, mode).map_err(|e| ("cpu", e))?;
        if let (true, Some(cuda)) = (nvcc, &self.cuda) {
            compile(&package, &out, &folder.join("obj-cuda"), cuda, mode)
                .map_err(|e| ("cuda", e))?;
        }
        Ok(sources.values().map(|lines| lines.len()).sum())
    }

    /// Whether the program is valid and fails as before.
    fn fails(&self, program: &Program, failure: &Failure, folder: &Path) -> bool {
        if failure.step != "internal"
            && (self.reference(program, folder, &SYNTAX_FLAGS).is_err()
                || translate(std::slice::from_ref(program)).is_err())
        {
            return false;
        }
        let nvcc = failure.step == "cuda";
        let found = match failure.step {
            "internal" => self.run(std::slice::from_ref(program), folder, false),
            _ => self.compile(std::slice::from_ref(program), folder, nvcc),
        };
        found
            .failures
            .iter()
            .any(|f| f.step == failure.step && kind(&f.detail) == kind(&failure.detail))
    }

    /// The program without what the failure does not need.
    pub fn reduce(&self, program: &Program, failure: &Failure, folder: &Path) -> Program {
        let mut best = match self.settle(program, folder) {
            Ok(settled) => settled.program,
            Err(_) => program.clone(),
        };
        for _ in 0..3 {
            let before = size(&best);
            for unit in (0..best.units.len()).rev() {
                self.smaller(&mut best, vec![unit], failure, folder);
            }
            if size(&best) == before {
                break;
            }
        }
        best
    }

    /// Takes away the node, or what can be of its body.
    fn smaller(&self, best: &mut Program, node: Vec<usize>, failure: &Failure, folder: &Path) {
        if let Some(without) = layout::without(best, &node)
            && self.fails(&without, failure, folder)
        {
            *best = without;
            return;
        }
        let count = layout::body(best, &node).map_or(0, <[_]>::len);
        for half in [2, 4] {
            let length = count.div_ceil(half);
            if length < 2 {
                break;
            }
            for part in (0..half).rev() {
                let now = layout::body(best, &node).map_or(0, <[_]>::len);
                let all: BTreeSet<Vec<usize>> = (part * length..now.min((part + 1) * length))
                    .map(|n| [&node[..], &[n]].concat())
                    .collect();
                let without = without_all(best, &all);
                if !all.is_empty() && self.fails(&without, failure, folder) {
                    *best = without;
                }
            }
        }
        let count = layout::body(best, &node).map_or(0, <[_]>::len);
        for n in (0..count).rev() {
            self.smaller(best, [&node[..], &[n]].concat(), failure, folder);
        }
    }
}

fn size(program: &Program) -> usize {
    program
        .units
        .iter()
        .map(|u| tree::size(std::slice::from_ref(&u.node)))
        .sum()
}

/// nvcc, with the least work that still runs all its phases.
fn cuda() -> Result<(Toolchain, BuildOptions), String> {
    let toolchain = Toolchain::find(Target::Cuda, false).map_err(|e| e.to_string())?;
    let mut options = BuildOptions::new(Target::Cuda);
    options.jobs = 1;
    options.optimise = "0".to_owned();
    options.arch = Some("sm_90".to_owned());
    options.nvccflags = ["-Xcicc", "-O1", "-Xptxas", "-O0"]
        .map(str::to_owned)
        .to_vec();
    options.fflags = vec!["-w".to_owned()];
    options.cache = suite::build_folder().join("cache");
    let all = BuildOptions {
        jobs: suite::cores(),
        ..options.clone()
    };
    build::build_runtime(&toolchain, &all, Default::default()).map_err(|e| e.to_string())?;
    Ok((toolchain, options))
}

fn compile(
    package: &Package,
    source: &Path,
    objects: &Path,
    with: &(Toolchain, BuildOptions),
    mode: usize,
) -> Result<(), String> {
    let (toolchain, options) = with;
    let (_, given) = given(mode, options.target);
    let options = BuildOptions {
        openmp: given.openmp,
        checks: given.checks,
        fflags: [&options.fflags[..], &given.fflags].concat(),
        ..options.clone()
    };
    let project = Project {
        plan: &package.plan,
        source,
        build: objects,
    };
    let bar = indicatif::ProgressBar::hidden();
    build::build(project, toolchain, &options, &bar)
        .map(|_| ())
        .map_err(|e| e.to_string())
}

/// The files of a batch.
pub fn sources(programs: &[Program]) -> BTreeMap<String, Vec<Line>> {
    let mut files: BTreeMap<String, Vec<Line>> = BTreeMap::new();
    for program in programs {
        for (file, lines) in layout::print(program, Side::Device).into_iter().enumerate() {
            files
                .entry(layout::name(file, program.seed))
                .or_default()
                .extend(lines);
        }
    }
    let mut main = vec!["program net".to_owned()];
    main.extend(
        programs
            .iter()
            .map(|p| format!("  use w{0}, only: run{0}", p.seed)),
    );
    main.extend(programs.iter().map(|p| format!("  call run{}()", p.seed)));
    main.push("end program".to_owned());
    let line = |text| Line {
        text,
        node: Vec::new(),
    };
    files.insert(
        "net_main.cuf".to_owned(),
        main.into_iter().map(line).collect(),
    );
    files.retain(|_, lines| !lines.is_empty());
    files
}

fn text(lines: &[Line]) -> String {
    lines.iter().map(|l| format!("{}\n", l.text)).collect()
}

fn translate(programs: &[Program]) -> Result<Package, Vec<batches::Message>> {
    let all: Vec<(String, String)> = sources(programs)
        .into_iter()
        .map(|(name, lines)| (name, text(&lines)))
        .collect();
    let mode = programs.first().map_or(0, |p| p.mode);
    let files = all
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()));
    batches::translate_with(files, &given(mode, Target::Cpu).0)
}

/// The nodes that gfortran reports errors about.
fn refused_by_gfortran(program: &Program, text: &str) -> BTreeSet<Vec<usize>> {
    let lines: Vec<Line> = layout::print(program, Side::Plain)
        .into_iter()
        .flatten()
        .collect();
    let before = SUPPORT.lines().count();
    let mut place = None;
    let mut nodes = BTreeSet::new();
    let mut fatal = BTreeSet::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("plain.f90:") {
            place = rest.split(':').next().and_then(|n| n.parse::<usize>().ok());
        } else if line.starts_with("Error:") || line.starts_with("Fatal Error:") {
            let at = place.and_then(|n| lines.get(n.checked_sub(before + 1)?));
            let list = if line.starts_with("Error:") {
                &mut nodes
            } else {
                &mut fatal
            };
            list.extend(at.map(|l| l.node.clone()));
        }
    }
    if nodes.is_empty() { fatal } else { nodes }
}

/// The program without the nodes.
fn without_all(program: &Program, nodes: &BTreeSet<Vec<usize>>) -> Program {
    let mut smaller = program.clone();
    let mut gone: Option<&Vec<usize>> = None;
    let mut chosen: Vec<&Vec<usize>> = Vec::new();
    for node in nodes {
        if gone.is_none_or(|g| !node.starts_with(g)) {
            chosen.push(node);
            gone = Some(node);
        }
    }
    for node in chosen.into_iter().rev() {
        if let Some(found) = layout::without(&smaller, node) {
            smaller = found;
        }
    }
    smaller
}

/// The programs that messages are about, by their places.
fn named(text: &str, programs: &[Program]) -> BTreeSet<usize> {
    let mut ends: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for (n, program) in programs.iter().enumerate() {
        for (file, lines) in layout::print(program, Side::Device).iter().enumerate() {
            let all = ends.entry(layout::name(file, program.seed)).or_default();
            let before = all.last().map_or(0, |(_, end)| *end);
            all.push((n, before + lines.len()));
        }
    }
    let mut found = BTreeSet::new();
    for line in text.lines() {
        for (name, ends) in &ends {
            let Some(at) = line.find(&format!("{name}:")) else {
                continue;
            };
            let number = line[at + name.len() + 1..]
                .split(|c: char| !c.is_ascii_digit())
                .next();
            let number = number.and_then(|n| n.parse::<usize>().ok());
            found.extend(
                number
                    .and_then(|l| ends.iter().find(|(_, end)| l <= *end))
                    .map(|(n, _)| *n),
            );
        }
    }
    found
}

/// What kind of error a message is, without names and places.
pub fn kind(detail: &str) -> String {
    let marks = ["internal compiler error", "Error: ", "error: ", "CUF090"];
    let line = detail
        .lines()
        .find_map(|l| marks.iter().find_map(|m| l.find(m).map(|at| &l[at..])));
    let line = line.or(detail.lines().next()).unwrap_or_default();
    let mut out = String::new();
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '‘' => quoted = true,
            '’' => quoted = false,
            '\'' | '"' | '`' => quoted = !quoted,
            _ if quoted || c.is_ascii_digit() => {}
            _ => out.push(c),
        }
    }
    out
}
