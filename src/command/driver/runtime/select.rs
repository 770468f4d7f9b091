//! Which runtime files a program gets: those that its text mentions, as a linker takes from a library what is undefined.
//!
//! Nothing is listed by hand: what a file needs are its `#include` lines and USE statements, what it offers are its declarations. A name that
//! several headers offer is taken from those that the others build upon. Where a name of the runtime is not found, or code that
//! was not translated may use any of them, the program gets the whole library.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::LazyLock;

use super::cpp::{self, Directive, Include, Names};
use super::{FILES, RuntimeFile, fortran, fortran_units};
use crate::driver::plan::Language;
use crate::driver::toolchain::Target;
use crate::driver::{libraries, own_cuda};
use crate::translate::{FileKind, MemoryMode, OutputFile};

/// The files that only gather headers: of a program's they have the lines for those that it needs.
const GATHERING: [&str; 2] = ["cuf.cuh", "host/runtime.cpp"];

/// What generated C++ needs without naming it: the execution model (`__global__`), and what the runtime defines for its headers.
const BASE: [&str; 3] = [
    "device/execution.hpp",
    "host/device.hpp",
    "host/symbols.hpp",
];

/// Headers that declare what the runtime defines, with the files of the definitions. `BASE` has the others.
const DEFINED: [(&str, &str); 2] = [
    ("device/acc.hpp", "host/acc_api.hpp"),
    ("device/present.hpp", "host/acc_launch.hpp"),
];

/// What is only for programs that are watched.
const WATCHES: &str = "host/watch.cpp";

/// What a program is made of, as far as it decides what it needs of the runtime.
#[derive(Debug, Default)]
pub struct Uses {
    modules: Vec<String>,
    /// Words of all sources but C++, in lower case.
    words: BTreeSet<String>,
    /// Names of the device code.
    names: Names,
    /// Headers that device code includes by itself.
    headers: Vec<String>,
    /// There is generated device code.
    has_device: bool,
    /// Fortran text was not read.
    any_fortran: bool,
    /// Device code was not generated here.
    any_device: bool,
    /// The user's files include CUDA's headers, for which there are others on the cpu target.
    cuda_headers: bool,
    memory: MemoryMode,
    /// Something asks for profiles or records: the files that make them.
    pub watched: bool,
    /// The program is built with checks at run time: the headers that make them.
    pub checked: bool,
    /// Modules of libraries.
    libraries: Vec<&'static str>,
}

impl Uses {
    /// What the files of a translation and the user's own C, C++ and CUDA sources (path and contents) use.
    pub fn of(files: &[OutputFile], natives: &[(PathBuf, Vec<u8>)], memory: MemoryMode) -> Uses {
        let mut uses = Uses {
            memory,
            libraries: (libraries::emulated(files).iter())
                .map(|l| l.module.as_str())
                .collect(),
            ..Uses::default()
        };
        for file in files {
            let text = String::from_utf8_lossy(&file.contents);
            match &file.kind {
                FileKind::HostFortran { .. } | FileKind::Shims { .. } | FileKind::Included => {
                    uses.add_fortran(&text);
                }
                FileKind::DeviceSource | FileKind::DeviceHeader => uses.add_device(&text),
                FileKind::SourceLines => {}
            }
            uses.modules.extend_from_slice(file.kind.uses());
        }
        if uses.libraries.len() == files.len() {
            // Modules for code that is not here.
            uses.any_fortran = true;
            uses.modules.push("cudafor".to_owned());
        }
        for (path, contents) in natives {
            let text = String::from_utf8_lossy(contents);
            uses.any_device |= Language::of_native(path) == Some(Language::Cuda)
                || cpp::includes(&text)
                    .iter()
                    .any(|i| i.path.ends_with(".cuh"));
            uses.cuda_headers |=
                Language::of_native(path) == Some(Language::Cuda) || own_cuda::calls_runtime(&text);
            uses.words.extend(fortran::words(&text));
        }
        uses
    }

    fn add_fortran(&mut self, text: &str) {
        self.any_fortran |= text
            .lines()
            .any(|l| l.trim_start().to_ascii_lowercase().starts_with("include"));
        self.words.extend(fortran::words_of_program(text));
    }

    fn add_device(&mut self, text: &str) {
        self.has_device = true;
        let Names { cuf, global, .. } = cpp::mentions(text);
        self.names.cuf.extend(cuf);
        self.names.global.extend(global);
        self.headers
            .extend(cpp::includes(text).into_iter().map(|i| i.path));
    }
}

/// The runtime files for a program, for these targets.
pub fn select(uses: &Uses, targets: &[Target]) -> Vec<RuntimeFile> {
    let mut words = uses.words.clone();
    let mut modules = fortran_units(&FILES, &uses.modules);
    // A file's text is part of what decides upon the modules that it uses.
    for file in modules.iter_mut().rev() {
        if !uses.any_fortran {
            file.text = Cow::Owned(fortran::reduced(&file.text, &words));
        }
        words.extend(fortran::words(&file.text));
    }
    let library = &*LIBRARY;
    let mut needed = BTreeSet::new();
    for &target in targets {
        needed.extend(library.needed(uses, &words, target));
    }
    let headers = FILES.iter().filter(|f| !f.is_fortran());
    let mut files: Vec<RuntimeFile> = headers
        .filter(|f| needed.contains(f.name.as_str()))
        .cloned()
        .collect();
    for file in &mut files {
        if GATHERING.contains(&file.name.as_str()) {
            file.text = Cow::Owned(gathered(file, &needed));
        }
    }
    files.append(&mut modules);
    files
}

/// The C++ files by what they offer and include.
struct Library {
    offers: BTreeMap<&'static str, Names>,
    includes: BTreeMap<&'static str, Vec<Include>>,
    /// Every file with those that it includes, directly or not, for any target.
    below: BTreeMap<&'static str, BTreeSet<String>>,
}

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let files = || FILES.iter().filter(|f| !f.is_fortran());
    let name = |f: &'static RuntimeFile| f.name.as_str();
    let mut library = Library {
        offers: files().map(|f| (name(f), cpp::offers(&f.text))).collect(),
        includes: files().map(|f| (name(f), resolved(f))).collect(),
        below: BTreeMap::new(),
    };
    let both = [Target::Cuda, Target::Cpu];
    library.below = files()
        .map(|f| {
            let below = library.closure([name(f)], &both);
            (name(f), below.into_iter().map(str::to_owned).collect())
        })
        .collect();
    library
});

impl Library {
    /// The files that a program needs for a target.
    fn needed(&self, uses: &Uses, words: &BTreeSet<String>, target: Target) -> BTreeSet<&str> {
        let units = FILES
            .iter()
            .filter(|f| !f.is_fortran() && f.is_unit(target, uses.memory))
            .filter(|f| f.is_of(&uses.libraries))
            .filter(|f| uses.watched || f.name != WATCHES)
            .map(|f| f.name.as_str());
        let mut roots: BTreeSet<&str> = units.chain(BASE).collect();
        if uses.has_device || uses.any_device {
            roots.insert("cuf.cuh");
        }
        if uses.cuda_headers && target == Target::Cpu {
            let headers = self.offers.keys().copied();
            roots.extend(headers.filter(|name| name.starts_with(own_cuda::HEADERS)));
        }
        let available = self.available(target);
        let mut all = uses.any_device;
        for name in &uses.names.cuf {
            let mut homes = self.homes(name, &available, |o| &o.cuf);
            if homes.is_empty() {
                homes = self.homes(name, &available, |o| &o.spaces);
            }
            all |= homes.is_empty();
            roots.extend(homes);
        }
        for name in uses.names.global.iter().chain(words) {
            roots.extend(self.homes(name, &available, |o| &o.global));
        }
        let included = |h: &String| self.offers.get_key_value(h.as_str()).map(|(name, _)| *name);
        roots.extend(uses.headers.iter().filter_map(included));
        let whole = |name: &str| match name {
            "cuf.cuh" => all,
            _ => !GATHERING.contains(&name),
        };
        let found = self.closure_where(roots.clone(), &[target], uses.checked, whole);
        roots.extend(definitions_for(&found));
        self.closure_where(roots, &[target], uses.checked, whole)
    }

    /// Files that exist for a target: what the sources gather, and the headers of the device library that stand beside.
    fn available(&self, target: Target) -> BTreeSet<&str> {
        let gathered = self.closure(GATHERING, &[Target::Cuda, Target::Cpu]);
        let beside = self
            .offers
            .keys()
            .filter(|n| n.starts_with("device/") && !gathered.contains(*n));
        self.closure(GATHERING.into_iter().chain(beside.copied()), &[target])
    }

    /// Where a name comes from: of the files that offer it those that build upon no other of them.
    fn homes(
        &self,
        name: &str,
        available: &BTreeSet<&str>,
        space: impl Fn(&Names) -> &BTreeSet<String>,
    ) -> Vec<&'static str> {
        let offering: Vec<&'static str> = self
            .offers
            .iter()
            .filter(|(file, names)| {
                available.contains(*file) && (space(names).contains(name) || names.pastes(name))
            })
            .map(|(file, _)| *file)
            .collect();
        let builds =
            |upper: &str, lower: &str| self.below.get(upper).is_some_and(|b| b.contains(lower));
        let home = |file: &&'static str| {
            !offering
                .iter()
                .any(|o| o != file && builds(file, o) && !builds(o, file))
        };
        offering.iter().filter(|f| home(f)).copied().collect()
    }

    fn closure<'a>(
        &'a self,
        roots: impl IntoIterator<Item = &'a str>,
        targets: &[Target],
    ) -> BTreeSet<&'a str> {
        self.closure_where(roots, targets, false, |_| true)
    }

    /// The roots and all that they include for one of the targets, with the headers of checks or without; `whole` says of which files the
    /// `#include` lines count.
    fn closure_where<'a>(
        &'a self,
        roots: impl IntoIterator<Item = &'a str>,
        targets: &[Target],
        checked: bool,
        whole: impl Fn(&str) -> bool,
    ) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&str> = roots.into_iter().collect();
        while let Some(file) = open.pop() {
            if !found.insert(file) || !whole(file) {
                continue;
            }
            let includes = self.includes.get(file).into_iter().flatten();
            open.extend(
                includes
                    .filter(|i| checked || !i.checks)
                    .filter(|i| targets.iter().any(|t| i.serves(*t)))
                    .map(|i| i.path.as_str()),
            );
        }
        found
    }
}

/// The files that define what these headers declare.
fn definitions_for(headers: &BTreeSet<&str>) -> impl Iterator<Item = &'static str> {
    let declared = |(header, _): &&(&str, &str)| headers.contains(header);
    DEFINED.iter().filter(declared).map(|(_, file)| *file)
}

/// The includes of a file by the names of the files.
fn resolved(file: &RuntimeFile) -> Vec<Include> {
    let mut includes = cpp::includes(&file.text);
    for include in &mut includes {
        include.path = path_from(&file.name, &include.path);
    }
    includes
}

/// The name of the file that `file` includes as `path`.
fn path_from(file: &str, path: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// A gathering file without the lines for headers that are not there, and without conditions that nothing depends on.
fn gathered(file: &RuntimeFile, needed: &BTreeSet<&str>) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in file.text.lines() {
        match cpp::directive(line) {
            Some(Directive::Include(path))
                if !needed.contains(path_from(&file.name, path).as_str()) => {}
            Some(Directive::EndIf) => {
                let open = lines
                    .iter()
                    .rposition(|l| matches!(cpp::directive(l), Some(Directive::If(_))));
                let inside = open.map_or(&[][..], |o| &lines[o + 1..]);
                match open {
                    Some(open) if inside.iter().all(|l| is_else(l)) => lines.truncate(open),
                    _ => lines.push(line),
                }
            }
            _ => lines.push(line),
        }
    }
    lines.join("\n") + "\n"
}

fn is_else(line: &str) -> bool {
    matches!(cpp::directive(line), Some(Directive::Else))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gathering_files_name_every_home() {
        let library = &*LIBRARY;
        let direct = |file: &str| -> BTreeSet<&str> {
            library.includes[file]
                .iter()
                .map(|i| i.path.as_str())
                .collect()
        };
        let (device, host) = (direct("cuf.cuh"), direct("host/runtime.cpp"));
        let both = [Target::Cuda, Target::Cpu];
        for file in library.closure(["cuf.cuh"], &both) {
            // What others include, and generated code does not name.
            let inner = ["device/target.hpp", "device/watch.hpp"].contains(&file);
            if file.starts_with("device/") && !inner {
                assert!(device.contains(file), "{file}");
            }
        }
        for (file, names) in &library.offers {
            if file.starts_with("host/")
                && file.ends_with(".hpp")
                && names
                    .global
                    .iter()
                    .any(|n| n.starts_with("cuf_rt_") || n.starts_with("cufapi_"))
            {
                assert!(host.contains(file), "{file}");
            }
        }
    }

    /// What a header only declares, a file defines that comes with it: else a written folder does not link.
    #[test]
    fn declared_functions_are_defined() {
        let inline = [
            "inline",
            "template",
            "static",
            "extern",
            "using",
            "__device__",
            "CUF_",
        ];
        let declared = |line: &str| {
            let head = line.strip_suffix(");")?.split('(').next()?;
            let outside = head.starts_with(|c: char| c.is_ascii_alphabetic());
            let name = head.rsplit([' ', '*', '&']).next()?;
            (outside && head != name && !inline.iter().any(|w| head.starts_with(w)))
                .then(|| name.to_owned())
                .filter(|n| !n.starts_with("cublas"))
        };
        let both = [Target::Cuda, Target::Cpu];
        let mut count = 0;
        for file in FILES.iter().filter(|f| f.name.starts_with("device/")) {
            let name = file.name.as_str();
            let header = BTreeSet::from([name]);
            let defining = definitions_for(&header);
            let files = LIBRARY.closure(
                BASE.into_iter().chain(defining).chain(["cpu/runtime.cpp"]),
                &both,
            );
            for function in file.text.lines().filter_map(declared) {
                count += 1;
                let definition = format!("{function}(");
                let defines = |line: &str| {
                    line.starts_with(|c: char| c.is_ascii_alphabetic())
                        && line.contains(&definition)
                        && !line.ends_with(';')
                };
                let here = |f: &&RuntimeFile| {
                    !f.name.starts_with("device/")
                        && files.contains(f.name.as_str())
                        && f.text.lines().any(defines)
                };
                assert!(FILES.iter().any(|f| here(&f)), "{name}: {function}");
            }
        }
        assert!(count > 20);
    }

    #[test]
    fn includes_are_files() {
        for (file, includes) in &LIBRARY.includes {
            for include in includes {
                assert!(
                    LIBRARY.offers.contains_key(include.path.as_str()),
                    "{file}: {}",
                    include.path
                );
            }
        }
    }

    #[test]
    fn names_that_macros_put_together_have_a_home() {
        let library = &*LIBRARY;
        let available = library.available(Target::Cpu);
        for name in ["__dmul_rn", "__float2int_rz", "__ull2double_ru"] {
            let homes = library.homes(name, &available, |n| &n.global);
            assert_eq!(homes, ["cpu/intrinsics.hpp"], "{name}");
        }
        assert!(
            library
                .homes("__builtin_fma", &available, |n| &n.global)
                .is_empty()
        );
    }

    /// A header that adds to the names of another is not where these come from: it has to come with the types that it adds them for. A call
    /// could else find an overload for another type.
    #[test]
    fn overloads_come_with_their_types() {
        let library = &*LIBRARY;
        let available = library.available(Target::Cpu);
        let mut apart = BTreeSet::new();
        for (file, names) in &library.offers {
            if !file.starts_with("device/") || !available.contains(file) {
                continue;
            }
            for name in &names.cuf {
                let homes = library.homes(name, &available, |n| &n.cuf);
                let word = [
                    "int",
                    "operator",
                    "__attribute__",
                    "conditional_t",
                    "true_type",
                    "false_type",
                ];
                if !homes.contains(file) && !word.contains(&name.as_str()) {
                    apart.insert((*file, homes));
                }
            }
        }
        // The type of each of these is its own (`complex.hpp` includes `complex_math.hpp`), but for guides to construct a view.
        let expected = [
            ("device/complex_math.hpp", "device/math.hpp"),
            ("device/complex_math.hpp", "device/pow.hpp"),
            ("device/fortran_pointer.hpp", "device/array.hpp"),
            ("device/fortran_pointer.hpp", "device/local_array.hpp"),
            ("device/half.hpp", "device/math.hpp"),
            ("device/half.hpp", "device/pow.hpp"),
            ("device/local_array.hpp", "device/array.hpp"),
            ("device/loops.hpp", "device/bounds.hpp"),
            // Declared there for what the cpu target knows of them, or specialised for them.
            ("device/loops.hpp", "cpu/loop_rows.hpp"),
            ("device/reduction.hpp", "cpu/loop_rows.hpp"),
            ("device/reduction.hpp", "cpu/plain.hpp"),
            ("device/volatile.hpp", "cpu/target.hpp"),
        ];
        let found: BTreeSet<(&str, &str)> = apart.iter().map(|(f, h)| (*f, h[0])).collect();
        assert_eq!(found, BTreeSet::from(expected));
    }
}
