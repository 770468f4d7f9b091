//! Options of nvfortran and gfortran that people have in their makefiles, as options of this program.
//!
//! What changes the meaning of a program is understood or refused by name; docs/flags.md has the list.

use std::ffi::{OsStr, OsString};

/// What an option of another compiler is here.
enum Meaning {
    /// These options, separated by blanks; none where nothing has to be done.
    Same(String),
    /// The same, and the option's argument is the next word, which goes with it.
    WithArgument,
    /// It would change the meaning of the program in a way that is not followed.
    Refused(String),
    /// It looks like an option of theirs.
    Unknown,
    /// No option of those compilers.
    Own,
}

/// The arguments with the options of other compilers replaced; what follows `--` is the program's.
///
/// # Errors
/// An option of other compilers that changes what programs mean and is not understood.
pub fn translate(arguments: impl IntoIterator<Item = OsString>) -> Result<Vec<OsString>, String> {
    let mut arguments = arguments.into_iter();
    let mut out: Vec<OsString> = arguments.next().into_iter().collect();
    let mut check = false;
    while let Some(a) = arguments.next() {
        if a == "--" {
            out.push(a);
            out.extend(arguments);
            break;
        }
        check |= out.len() == 1 && a == "check";
        if let Some((_, earlier)) = TAKE_BACK.iter().find(|(name, _)| a == *name) {
            out.retain(|o| !earlier.iter().any(|e| o == e));
            continue;
        }
        // What follows is for that compiler as it stands.
        if a == "--nvccflags" {
            out.push(a);
            out.extend(arguments.next());
            continue;
        }
        let of_fortran = match (a.to_str(), a == "--fflags") {
            (_, true) => arguments.next(),
            (text, _) => text
                .and_then(|t| t.strip_prefix("--fflags="))
                .map(OsString::from),
        };
        if let Some(flags) = of_fortran {
            fortran_flags(&mut out, flags)?;
            continue;
        }
        if let Some(list) = a.to_str().and_then(|a| a.strip_prefix("-Wp,")) {
            preprocessor(&mut out, list)?;
            continue;
        }
        let words = match meaning(&a) {
            Meaning::Own => {
                match a.to_str().filter(|w| is_level(w)) {
                    Some(level) => push(&mut out, level),
                    None => out.push(a),
                }
                continue;
            }
            Meaning::Unknown => return Err(format!("{}: {UNKNOWN}", a.to_string_lossy())),
            Meaning::Refused(why) => return Err(format!("{}: {why}", a.to_string_lossy())),
            Meaning::WithArgument => {
                arguments.next();
                continue;
            }
            Meaning::Same(words) => words,
        };
        // A check compiles nothing.
        let compiles = |w: &&str| {
            COMPILERS.iter().any(|o| w.split('=').next() == Some(*o))
                || ["-O", "-l"].iter().any(|o| w.starts_with(o))
        };
        for word in words.split_ascii_whitespace() {
            if !(check && compiles(&word)) {
                push(&mut out, word);
            }
        }
    }
    Ok(out)
}

/// Flags for the Fortran compiler. Macros among them are macros of the program: device code follows them.
fn fortran_flags(out: &mut Vec<OsString>, flags: OsString) -> Result<(), String> {
    let is_macro = |w: &str| ["-D", "-U", "-Wp,"].iter().any(|o| w.starts_with(o));
    let Some(text) = flags
        .to_str()
        .filter(|t| t.split_whitespace().any(is_macro))
    else {
        out.extend(["--fflags".into(), flags]);
        return Ok(());
    };
    let mut rest = Vec::new();
    let mut words = text.split_whitespace();
    while let Some(w) = words.next() {
        match w.strip_prefix("-Wp,") {
            Some(list) => preprocessor(out, list)?,
            None if matches!(w, "-D" | "-U") => {
                let name = words.next();
                let name =
                    name.ok_or_else(|| format!("--fflags: {w} needs the name of a macro"))?;
                out.push(format!("{w}{name}").into());
            }
            None if is_macro(w) => out.push(w.into()),
            None => rest.push(w),
        }
    }
    if !rest.is_empty() {
        out.push(format!("--fflags={}", rest.join(" ")).into());
    }
    Ok(())
}

/// The list of `-Wp,`: options for the preprocessor.
fn preprocessor(out: &mut Vec<OsString>, list: &str) -> Result<(), String> {
    let mut words = list.split(',');
    while let Some(w) = words.next() {
        let is_whole = ["-D", "-U", "-I"].iter().any(|o| w.starts_with(o));
        let word = match (is_whole, w.len()) {
            (true, 2) => words.next().map(|name| format!("{w}{name}")),
            (true, _) => Some(w.to_owned()),
            (false, _) => None,
        };
        out.push(word.ok_or_else(|| {
            format!("-Wp,{list}: of options for the preprocessor -D, -U and -I are followed; give macros with -D")
        })?.into());
    }
    Ok(())
}

const UNKNOWN: &str = "unsupported nvfortran option; see docs/flags.md for the supported ones";

/// Whether it is an option of those compilers that is followed, has no effect here, or is refused.
pub fn is_known(word: &str) -> bool {
    !matches!(meaning(OsStr::new(word)), Meaning::Own | Meaning::Unknown)
}

/// The options that are known by their whole name.
#[cfg(test)]
pub fn names() -> impl Iterator<Item = &'static str> {
    let same = SAME.iter().map(|(name, _)| *name);
    let refused = REFUSED.iter().map(|(name, _)| *name);
    let take_back = TAKE_BACK.iter().map(|(name, _)| *name);
    same.chain(refused)
        .chain(WITHOUT_EFFECT.iter().copied())
        .chain(take_back)
}

/// Adds an option, which replaces an earlier one that it contradicts or repeats: with other compilers the last one counts.
fn push(out: &mut Vec<OsString>, word: &str) {
    let option = word.split('=').next().unwrap_or(word);
    let once = ["--mem", "--arch", "--default-real", "--fmad", "--columns"];
    if once.contains(&option) {
        let same = |o: &OsString| {
            let text = o.to_str().unwrap_or_default();
            text.split('=').next() == Some(option) && text.contains('=')
        };
        out.retain(|o| !same(o));
    } else if is_level(word) {
        out.retain(|o| !o.to_str().is_some_and(is_level));
    } else if let Some((_, other)) = FORMS.iter().find(|(form, _)| *form == word) {
        out.retain(|o| o != word && o != other);
    } else if !word.contains('=') {
        out.retain(|o| o != word);
    }
    out.push(word.into());
}

/// `-O2` and the like, of which the last one counts.
fn is_level(word: &str) -> bool {
    let level = word.strip_prefix("-O");
    level.is_some_and(|l| matches!(l, "0" | "1" | "2" | "3" | "s" | "fast"))
}

/// The source forms, each with the other.
const FORMS: [(&str, &str); 2] = [("--fixed", "--free"), ("--free", "--fixed")];

/// Options that take back an earlier one, whose last form counts.
const TAKE_BACK: &[(&str, &[&str])] = &[
    ("-Mnobackslash", &["--no-escapes"]),
    ("-fbackslash", &["--no-escapes"]),
    ("-Mnoextend", &["--extend"]),
    ("-Mnopreprocess", &["--cpp"]),
    ("-nocpp", &["--cpp"]),
    ("-Mnodlines", &["--dlines"]),
    ("-fd-lines-as-comments", &["--dlines"]),
    ("-nomp", &["--openmp"]),
    ("-noacc", &["--acc"]),
    ("-fno-openacc", &["--acc"]),
    ("-fno-openmp", &["--openmp"]),
    ("-Mnobounds", &["--fflags=-fcheck=bounds", "--check-bounds"]),
    ("-Mnochkptr", &["--fflags=-fcheck=pointer"]),
    ("-Mnorecursive", &["--fflags=-frecursive"]),
    ("-Mnor8", &["--default-real=8"]),
];

/// Options that commands without a build do not have.
const COMPILERS: [&str; 6] = [
    "--fflags",
    "--nvccflags",
    "--arch",
    "--fmad",
    "--check-bounds",
    "--mpi",
];

fn meaning(argument: &OsStr) -> Meaning {
    let Some(a) = argument.to_str() else {
        return Meaning::Own;
    };
    let same = |s: &str| Meaning::Same(s.to_owned());
    if let Some((_, own)) = SAME.iter().find(|(name, _)| *name == a) {
        return same(own);
    }
    if let Some((_, why)) = REFUSED.iter().find(|(name, _)| *name == a) {
        return Meaning::Refused((*why).to_owned());
    }
    if matches!(a, "-tp" | "-module") {
        return Meaning::WithArgument;
    }
    if TAKE_BACK.iter().any(|(name, _)| a == *name) {
        return same("");
    }
    if WITHOUT_EFFECT
        .iter()
        .any(|name| a == *name || name.ends_with('=') && a.starts_with(name))
    {
        return same("");
    }
    if let Some(list) = ["-gpu=", "-cuda=", "-Mcuda="]
        .iter()
        .find_map(|p| a.strip_prefix(p))
    {
        return gpu(list);
    }
    if let Some(list) = a.strip_prefix("-cudalib=").or(a.strip_prefix("-Mcudalib=")) {
        return libraries(list);
    }
    if let Some(length) = a.strip_prefix("-ffixed-line-length-") {
        let columns = if length == "none" { "0" } else { length };
        return Meaning::Same(format!("--columns={columns}"));
    }
    if let Some(list) = a.strip_prefix("-Ktrap=") {
        return traps(list);
    }
    if let Some(list) = a.strip_prefix("-mp=") {
        return openmp(list);
    }
    if a.starts_with("-stdpar=") {
        return Meaning::Refused(ON_HOST.to_owned());
    }
    if a.starts_with("-ffree-line-length-") {
        return same("");
    }
    if a.starts_with("-f") && a.len() > 2 || a.starts_with("-std=") || a.starts_with("-Wl,") {
        return Meaning::Same(format!("--fflags={a}"));
    }
    if a.starts_with("-M") || a.starts_with("-K") || a.starts_with("-acc") {
        return Meaning::Unknown;
    }
    Meaning::Own
}

/// Options with one meaning here.
const SAME: &[(&str, &str)] = &[
    ("-Mextend", "--extend"),
    ("-Mfixed", "--fixed"),
    ("-Mnofree", "--fixed"),
    ("-Mnofreeform", "--fixed"),
    ("-ffixed-form", "--fixed"),
    ("-Mfree", "--free"),
    ("-Mfreeform", "--free"),
    ("-ffree-form", "--free"),
    ("-Mpreprocess", "--cpp"),
    ("-cpp", "--cpp"),
    ("-acc", "--acc"),
    ("-acc=gpu", "--acc"),
    // Separate memory, whatever executes the threads.
    ("-acc=multicore", "--acc"),
    ("-acc=host", "--acc"),
    ("-fopenacc", "--acc"),
    ("-mp", "--openmp"),
    ("-mp=multicore", "--openmp"),
    ("-fopenmp", "--openmp"),
    ("-fd-lines-as-code", "--dlines"),
    ("-Mdlines", "--dlines"),
    ("-Mbackslash", "--no-escapes"),
    ("-fno-backslash", "--no-escapes"),
    ("-r8", "--default-real=8"),
    ("-O4", "-O3"),
    ("-Og", "-O1"),
    ("-C", "--fflags=-fcheck=bounds --check-bounds"),
    ("-Mbounds", "--fflags=-fcheck=bounds --check-bounds"),
    ("-Mchkptr", "--fflags=-fcheck=pointer"),
    ("-Mrecursive", "--fflags=-frecursive"),
    ("-Mbyteswapio", "--fflags=-fconvert=swap"),
    ("-byteswapio", "--fflags=-fconvert=swap"),
    ("-mcmodel=medium", "--fflags=-mcmodel=medium"),
    ("-g", "--fflags=-g"),
    ("-gopt", "--fflags=-g"),
    ("-pg", "--fflags=-pg"),
];

/// What is always so here, what only speeds up, warns or tells, and what lets a compiler be less exact.
const WITHOUT_EFFECT: &[&str] = &[
    "-cuda",
    "-Mcuda",
    "-gpu",
    "-i4",
    "-Mi4",
    "-Mnor8intrinsics",
    "-Mallocatable=03",
    "-Mallocatable=95",
    "-Mnodefaultunit",
    "-Mnosave",
    "-Mnounixlogical",
    "-Mnoupcase",
    "-Mnosecond_underscore",
    "-Mdclchk",
    "-Mnodclchk",
    "-Mstandard",
    "-Mnostandard",
    "-Minfo",
    "-Minfo=",
    "-Mneginfo",
    "-Mneginfo=",
    "-Minform=",
    "-Mlist",
    "-Mkeepasm",
    "-Mnomain",
    "-Mchkstk",
    "-Mnochkstk",
    "-Mlarge_arrays",
    "-Mnolarge_arrays",
    "-Mnoiomutex",
    "-Mtraceback",
    "-traceback",
    "-silent",
    "-w",
    "-fast",
    "-fastsse",
    "-Mvect",
    "-Mvect=",
    "-Mnovect",
    "-Munroll",
    "-Munroll=",
    "-Mnounroll",
    "-Minline",
    "-Minline=",
    "-Mautoinline",
    "-Mnoautoinline",
    "-Mipa=",
    "-Mnoipa",
    "-Mcache_align",
    "-Mdalign",
    "-Mprefetch",
    "-Mnoprefetch",
    "-Mlre",
    "-Mnolre",
    "-Mpre",
    "-Mnoframe",
    "-Mframe",
    "-Mstack_arrays",
    "-Mnostack_arrays",
    "-Mfma",
    "-Mnofma",
    "-Mfprelaxed",
    "-Mfprelaxed=",
    "-Mnofprelaxed",
    "-Mflushz",
    "-Mnoflushz",
    "-Mdaz",
    "-Mnodaz",
    "-Kieee",
    "-Knoieee",
    "-tp=",
    "-march=",
    "-mtune=",
    "-mcpu=",
];

const KINDS: &str =
    "the kinds of the program's variables would not be followed: give the declarations a kind";

const ON_HOST: &str = "DO CONCURRENT runs on the host";

const LONG: &str = "default integers and logicals would have 8 bytes, but those of CUDA's interfaces (dim3, device numbers, counts and status codes, the libraries' sizes) keep 4 and are reached without conversion: write integer(8) where a range needs it, or compile files without CUDA Fortran apart";

/// Options that change the meaning of programs in ways that are not followed, with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("-i8", LONG),
    ("-i2", KINDS),
    ("-Mi8", LONG),
    ("-r4", KINDS),
    (
        "-Mr8",
        "write -r8, which gives the intrinsic functions REAL and CMPLX the kind, too",
    ),
    (
        "-Mr8intrinsics",
        "write -r8, which gives variables and constants the kind, too",
    ),
    (
        "-Mdefaultunit",
        "units 5 and 6 are what * means, as with gfortran",
    ),
    (
        "-Msave",
        "local data of procedures would be kept between calls, device data, too: give what has to be kept the SAVE attribute",
    ),
    (
        "-Munixlogical",
        "a logical is true if it is .true., as in the standard",
    ),
    (
        "-Mupcase",
        "Fortran names do not depend on upper and lower case",
    ),
    ("-Msecond_underscore", "external names are gfortran's"),
    ("-stdpar", ON_HOST),
    (
        "-Mnodalign",
        "components of structures are aligned as in C, on both sides of a launch",
    ),
    ("-Mcpp", "it would only preprocess"),
];

/// The suboptions of `-mp=`.
fn openmp(list: &str) -> Meaning {
    for sub in list.split(',') {
        match sub {
            "multicore" | "align" | "noalign" | "bind" | "nobind" | "numa" | "nonuma"
            | "autopar" | "noautopar" | "ompt" | "noompt" | "allcores" => {}
            "gpu" => {
                return Meaning::Refused(
                    "TARGET regions run on the host: write -mp for that".to_owned(),
                );
            }
            _ => return Meaning::Unknown,
        }
    }
    Meaning::Same("--openmp".to_owned())
}

/// The suboptions of `-gpu=` and `-Mcuda=`.
fn gpu(list: &str) -> Meaning {
    let mut out: Vec<String> = Vec::new();
    let mut oldest: Option<u32> = None;
    for sub in list.split(',').filter(|s| !s.is_empty()) {
        let number = |prefix: &str| sub.strip_prefix(prefix).and_then(|n| n.parse::<u32>().ok());
        if let Some(n) = number("cc") {
            oldest = Some(oldest.map_or(n, |o| o.min(n)));
            continue;
        }
        let own = match sub {
            "ccnative" => "--arch=native".to_owned(),
            "managed" | "mem:managed" | "mem:managed:managedalloc" => "--mem=managed".to_owned(),
            "unified" | "mem:unified" | "mem:unified:nomanagedalloc" => "--mem=unified".to_owned(),
            "nomanaged" | "nounified" | "mem:separate" => "--mem=separate".to_owned(),
            "fastmath" => "--nvccflags=--use_fast_math".to_owned(),
            "flushz" => "--nvccflags=--ftz=true".to_owned(),
            "fma" => "--fmad=on".to_owned(),
            "nofma" => "--fmad=off".to_owned(),
            "lineinfo" => "--nvccflags=-lineinfo".to_owned(),
            "debug" => "--nvccflags=-G".to_owned(),
            "ptxinfo" => "--nvccflags=-Xptxas=-v".to_owned(),
            "pinned"
            | "mem:separate:pinnedalloc"
            | "noflushz"
            | "nolineinfo"
            | "nodebug"
            | "rdc"
            | "nordc"
            | "keep"
            | "keepptx"
            | "keepbin"
            | "keepgpu"
            | "ccall"
            | "ccall-major"
            | "unroll"
            | "nounroll"
            | "loadcache:L1"
            | "loadcache:L2"
            | "charstring"
            | "madconst"
            | "llvm"
            | "nollvm"
            | "L1"
            | "noL1"
            | "deepcopy"
            | "nodeepcopy"
            | "tripcount:host" => continue,
            "nvlamath" => {
                return Meaning::Refused(
                    "LAPACK calls with device arrays are not supported: call cuSOLVER (module cusolverDn); -cudalib=nvlamath links a LAPACK of the host".to_owned(),
                );
            }
            _ => match number("maxregcount:") {
                Some(n) => format!("--nvccflags=-maxrregcount={n}"),
                // The toolkit is the one that is found.
                None if is_toolkit(sub) => continue,
                None => {
                    return Meaning::Refused(format!(
                        "the suboption {sub} is not known here; docs/flags.md has those that are"
                    ));
                }
            },
        };
        out.push(own);
    }
    // Code for the oldest of them runs on all.
    out.extend(oldest.map(|n| format!("--arch=sm_{n}")));
    Meaning::Same(out.join(" "))
}

/// `cuda12.4`, `12.4`: a version of the toolkit.
fn is_toolkit(sub: &str) -> bool {
    let version = sub.strip_prefix("cuda").unwrap_or(sub);
    !version.is_empty()
        && version
            .split('.')
            .all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Exceptions of the host that stop the program.
fn traps(list: &str) -> Meaning {
    let mut traps = Vec::new();
    for name in list.split(',') {
        traps.push(match name {
            "none" => continue,
            "fp" => "invalid,zero,overflow",
            "inv" => "invalid",
            "divz" => "zero",
            "ovf" => "overflow",
            "unf" => "underflow",
            "denorm" => "denormal",
            "inexact" => "inexact",
            _ => return Meaning::Unknown,
        });
    }
    match traps.is_empty() {
        true => Meaning::Same(String::new()),
        false => Meaning::Same(format!("--fflags=-ffpe-trap={}", traps.join(","))),
    }
}

fn libraries(list: &str) -> Meaning {
    let mut out = Vec::new();
    for library in list.split(',').filter(|s| !s.is_empty()) {
        out.push(match library {
            "cublas" | "cufft" | "cufftw" | "curand" | "cusolver" | "cusparse" | "cutensor"
            | "nccl" | "cudnn" => format!("-l{library}"),
            // It passes on to another BLAS what it does not do itself.
            "nvblas" => "-lnvblas -lblas".to_owned(),
            "cublaslt" | "cublasLt" => "-lcublasLt".to_owned(),
            "cublasmp" => "-lcublasMp".to_owned(),
            "cufftmp" => "-lcufftMp".to_owned(),
            "cusolvermp" => "-lcusolverMp".to_owned(),
            "nvshmem" => "-lnvshmem_host".to_owned(),
            // Its functions are in headers.
            "nvtx" | "nvtx3" => "-lnvToolsExt".to_owned(),
            // A LAPACK that calls cuSOLVER: only nvfortran comes with it.
            "nvlamath" | "nvlamath_cuda" => "-llapack".to_owned(),
            // The runtime of CUDA, which every program has.
            "cudart" | "cuda" => continue,
            _ => {
                return Meaning::Refused(format!(
                    "the library {library} is not known here: name it with -l{library}"
                ));
            }
        });
    }
    Meaning::Same(out.join(" "))
}

/// The option gives types without a kind another kind, which the translation does not know of.
pub fn changes_kinds(flag: &str) -> bool {
    ["-fdefault-", "-freal-", "-finteger-4-integer-8"]
        .iter()
        .any(|f| flag.starts_with(f))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(given: &str) -> Result<Vec<OsString>, String> {
        translate(given.split(' ').map(OsString::from))
    }

    fn check(given: &str, expected: &str) {
        let expected: Vec<OsString> = expected.split(' ').map(OsString::from).collect();
        assert_eq!(translated(given), Ok(expected), "{given}");
    }

    #[test]
    fn options_of_other_compilers() {
        check(
            "x run -Mextend -Mnoextend -Mfixed -Mfree a.f",
            "x run --free a.f",
        );
        check(
            "x run -Mbackslash -C -Mnobackslash -Mnobounds -mp=multicore,bind -Mdalign a",
            "x run --openmp a",
        );
        check(
            "x build -cudalib=nvtx,cublas,nvblas,cusolvermp,cudart a",
            "x build -lnvToolsExt -lcublas -lnvblas -lblas -lcusolverMp a",
        );
        check("x run -Mextend a.f", "x run --extend a.f");
        check("x check -std=legacy -Mfixed a", "x check --fixed a");
        check("x build -std=legacy a", "x build --fflags=-std=legacy a");
        check("x a -ffixed-line-length-none o", "x a --columns=0 o");
        check("x run a.f -- -Mextend", "x run a.f -- -Mextend");
        check(
            "x run -D -ffree-line-length-80 check -fdec",
            "x run -D check --fflags=-fdec",
        );
        check(
            "x build -Wp,-DA,-D,B=2,-UC,-Ih --fflags=-O3 a",
            "x build -DA -DB=2 -UC -Ih --fflags -O3 a",
        );
        check(
            "x run -cuda -gpu=cc90,cc80,mem:managed,lineinfo,maxregcount:64,cuda12.4 -fast -tp host a",
            "x run --mem=managed --nvccflags=-lineinfo --nvccflags=-maxrregcount=64 --arch=sm_80 a",
        );
        check(
            "x run --mem=managed -mp -gpu=mem:unified -mp a",
            "x run --mem=unified --openmp a",
        );
        check("x run -O3 -O0 -O4 a", "x run -O3 a");
        check("x check -gpu=cc90,unified a", "x check --mem=unified a");
        check(
            "x a -Mbackslash -r8 -i4 -O4 o",
            "x a --no-escapes --default-real=8 -O3 o",
        );
    }

    /// Device code follows them.
    #[test]
    fn macros_in_flags_for_the_fortran_compiler_are_the_programs() {
        let flags = ["x", "build", "--fflags=-g -DA -U B -Wp,-DC=2", "a"];
        let flags = translate(flags.map(OsString::from));
        let expected = ["x", "build", "-DA", "-UB", "-DC=2", "--fflags=-g", "a"];
        assert_eq!(flags, Ok(expected.map(OsString::from).to_vec()));
        assert!(translated("x build -Wp,-P a").is_err());
        assert!(translated("x build -Wp,-D a").is_err());
    }

    #[test]
    fn what_changes_meaning_and_is_not_followed_is_refused_by_name() {
        for flag in [
            "-i8",
            "-r4",
            "-Msave",
            "-Mdefaultunit",
            "-Munixlogical",
            "-gpu=zeroinit",
            "-Mcuda=emu",
            "-Mwhatever",
            "-cudalib=other",
            "-stdpar",
            "-mp=gpu",
        ] {
            let refused = translated(&format!("x run {flag} a.cuf"));
            assert!(refused.is_err_and(|e| e.starts_with(flag)), "{flag}");
        }
    }
}
