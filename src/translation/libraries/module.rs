//! The CUDA Fortran text of a library's module, with those of its procedures that a program mentions.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::forms::*;
use super::table::{Argument, Intent, Kind, Memory, Shape};
use super::{Legacy, Library, Procedure, TypeEntry, find};

/// What the modules take from iso_c_binding.
const C_NAMES: [&str; 8] = [
    "c_ptr",
    "c_associated",
    "c_int",
    "c_int64_t",
    "c_float",
    "c_double",
    "c_float_complex",
    "c_double_complex",
];

/// The text of a module: what `words` (in lower case) mention, or all of it.
pub fn source(library: &Library, words: Option<&BTreeSet<String>>) -> String {
    if let Some(base) = library.renames.as_deref().and_then(find) {
        return renaming(library, base, words);
    }
    let mut writer = Writer {
        library,
        chosen: Chosen::new(library, words),
        out: String::new(),
        procedures: String::new(),
    };
    writer.module();
    writer.out
}

/// The names by which a program may call procedures of the base module of a renaming one: those with `_v2` for those without.
pub(super) fn renamed_words(library: &Library, words: &BTreeSet<String>) -> BTreeSet<String> {
    let Some(base) = library.renames.as_deref().and_then(find) else {
        return BTreeSet::new();
    };
    let names = base.procedures.iter().filter(|p| p.is_offered());
    names
        .filter(|p| words.contains(&legacy_name(&p.name).to_ascii_lowercase()))
        .map(|p| p.name.to_ascii_lowercase())
        .collect()
}

/// The name without `_v2`: of the form without a handle.
pub fn legacy_name(name: &str) -> &str {
    name.strip_suffix("_v2").unwrap_or(name)
}

/// A module with the names of another one, those of the newer forms without their suffix.
fn renaming(library: &Library, base: &Library, words: Option<&BTreeSet<String>>) -> String {
    let mentioned = |name: &str| words.is_none_or(|w| w.contains(&name.to_ascii_lowercase()));
    let mut items: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for p in base.procedures.iter().filter(|p| p.is_offered()) {
        let short = legacy_name(&p.name);
        if mentioned(short) && seen.insert(short) {
            items.push(match short == p.name {
                true => short.to_owned(),
                false => format!("{short} => {}", p.name),
            });
        }
        if short != p.name && mentioned(&p.name) && seen.insert(&p.name) {
            items.push(p.name.clone());
        }
    }
    items.extend(base.types.iter().map(|t| t.name.clone()));
    items.extend(["operator(==)".to_owned(), "operator(/=)".to_owned()]);
    let chosen = Chosen::new(base, words);
    let constants = base.constants.keys().filter(|c| chosen.constant(c));
    items.extend(constants.cloned());
    let mut out = format!(
        "! Names of module {} without _v2.\nmodule {}\n",
        base.module, library.module
    );
    for used in &base.uses {
        let _ = writeln!(out, "  use {used}");
    }
    wrapped(
        &mut out,
        2,
        &format!("use {}, only: ", base.module),
        &items,
        "",
    );
    let _ = writeln!(out, "  implicit none\nend module {}", library.module);
    out
}

/// A form in which a program can call a procedure of the plain BLAS: its name, and that of the form without a handle.
struct Plain<'a> {
    procedure: &'a Procedure,
    name: String,
}

/// What goes into the text.
struct Chosen<'a> {
    words: Option<BTreeSet<String>>,
    procedures: Vec<&'a Procedure>,
    legacy: Vec<&'a Procedure>,
    plain: Vec<Plain<'a>>,
}

impl<'a> Chosen<'a> {
    fn new(library: &'a Library, words: Option<&BTreeSet<String>>) -> Chosen<'a> {
        let mut chosen = Chosen {
            words: words.cloned(),
            procedures: Vec::new(),
            legacy: Vec::new(),
            plain: Vec::new(),
        };
        chosen.mention(&library.fragment.declarations);
        chosen.mention(&library.fragment.procedures);
        // What one needs of another: few rounds, for each adds a form below.
        for _ in 0..4 {
            chosen.choose(library);
        }
        chosen
    }

    fn mention(&mut self, text: &str) {
        if let Some(words) = &mut self.words {
            words.extend(identifiers(text).map(str::to_ascii_lowercase));
        }
    }

    fn has(&self, name: &str) -> bool {
        let words = self.words.as_ref();
        words.is_none_or(|w| w.contains(&name.to_ascii_lowercase()))
    }

    fn constant(&self, name: &str) -> bool {
        self.has(name)
    }

    fn choose(&mut self, library: &'a Library) {
        let offered = || library.procedures.iter().filter(|p| p.is_offered());
        let legacy = || offered().filter(|p| p.legacy.is_some());
        let plain = |p: &Procedure| plain_name(&p.name);
        self.plain = legacy()
            .filter(|p| self.has(&plain(p)))
            .map(|procedure| Plain {
                name: plain(procedure),
                procedure,
            })
            .collect();
        self.legacy = legacy()
            .filter(|p| self.has(legacy_name(&p.name)) || self.has(&plain(p)))
            .collect();
        self.procedures = offered()
            .filter(|p| self.has(&p.name) || self.legacy.iter().any(|l| std::ptr::eq(*l, *p)))
            .collect();
        if !self.legacy.is_empty() {
            self.mention(&handle_function(library));
        }
        let by_pointer = |p: &&Procedure| p.arguments.iter().any(by_pointer_mode);
        if self.procedures.iter().any(by_pointer) {
            library.pointer_mode.iter().for_each(|f| self.mention(f));
        }
    }
}

/// `cublasSaxpy_v2` is `saxpy` in the plain form.
pub fn plain_name(name: &str) -> String {
    legacy_name(name)
        .trim_start_matches("cublas")
        .to_ascii_lowercase()
}

/// The function that gives the handle of the forms without one.
fn handle_function(library: &Library) -> String {
    format!("{}GetHandle", library.module)
}

struct Writer<'a> {
    library: &'a Library,
    chosen: Chosen<'a>,
    out: String,
    /// What stands after CONTAINS.
    procedures: String,
}

impl Writer<'_> {
    fn module(&mut self) {
        let library = self.library;
        let _ = writeln!(
            self.out,
            "! Module {} of CUDA Fortran: {}'s procedures that this program mentions.\nmodule {}",
            library.module, library.title, library.module
        );
        for used in &library.uses {
            let _ = writeln!(self.out, "  use {used}");
        }
        let shared = library.from_cudafor.iter();
        let shared: Vec<String> = shared
            .filter(|name| self.chosen.constant(name))
            .cloned()
            .collect();
        if !shared.is_empty() {
            wrapped(&mut self.out, 2, "use cudafor, only: ", &shared, "");
        }
        self.out.push_str(&library.fragment.uses);
        let mut private: Vec<String> = Vec::new();
        let addresses = |a: &Argument| a.kind == Kind::PointerReference || a.address;
        let mut chosen = self.chosen.procedures.iter();
        if chosen.any(|p| p.arguments.iter().any(addresses)) {
            private.push("c_devptr".to_owned());
            self.out.push_str("  use cudafor, only: c_devptr\n");
        }
        let items = C_NAMES.map(str::to_owned);
        wrapped(
            &mut self.out,
            2,
            "use, intrinsic :: iso_c_binding, only: ",
            &items,
            "",
        );
        self.out.push_str("  implicit none\n");
        // To gfortran c_devptr is another name of c_ptr: one of them gives the access of both.
        let hidden = items.iter().chain(&library.fragment.private);
        let devptr = !private.is_empty();
        private.extend(hidden.filter(|n| !devptr || *n != "c_ptr").cloned());
        wrapped(&mut self.out, 2, "private :: ", &private, "");
        self.constants();
        self.types();
        let fragment = &library.fragment;
        if !fragment.declarations.is_empty() {
            let _ = writeln!(self.out, "\n{}", fragment.declarations);
        }
        self.procedures.push_str(&fragment.procedures);
        self.interfaces();
        self.legacy_forms();
        self.plain_forms();
        if !self.procedures.is_empty() {
            let _ = write!(self.out, "\ncontains\n{}", self.procedures);
        }
        let _ = writeln!(self.out, "end module {}", library.module);
    }

    fn constants(&mut self) {
        let constants: Vec<String> = (self.library.constants.iter())
            .filter(|(name, _)| self.chosen.constant(name))
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        if !constants.is_empty() {
            self.out.push('\n');
            wrapped(
                &mut self.out,
                2,
                "integer(c_int), parameter :: ",
                &constants,
                "",
            );
        }
    }

    /// The types that the program or a procedure mentions; handles can be compared.
    fn types(&mut self) {
        let named = |a: &Argument, t: &TypeEntry| match &a.kind {
            Kind::Structure(n) | Kind::StructureReference(n) => n.eq_ignore_ascii_case(&t.name),
            _ => false,
        };
        let needed = |t: &&TypeEntry| {
            self.chosen.has(&t.name)
                || self
                    .chosen
                    .procedures
                    .iter()
                    .any(|p| p.arguments.iter().any(|a| named(a, t)))
        };
        let types: Vec<&TypeEntry> = self.library.types.iter().filter(needed).collect();
        for t in &types {
            let _ = writeln!(self.out, "\n  type, bind(C) :: {}", t.name);
            if t.components.is_empty() {
                self.out.push_str("    type(c_ptr) :: handle\n");
            }
            for (name, code) in t
                .components
                .split_ascii_whitespace()
                .filter_map(|c| c.split_once(':'))
            {
                let (code, extent) = match code.split_once('[') {
                    Some((code, n)) => (code, format!("({}", n.replace(']', ")"))),
                    None => (code, String::new()),
                };
                let ty = match code {
                    "ptr" => "type(c_ptr)".to_owned(),
                    _ => data_type(code),
                };
                let _ = writeln!(self.out, "    {ty} :: {name}{extent}");
            }
            let _ = writeln!(self.out, "  end type {}", t.name);
        }
        let handles: Vec<&&TypeEntry> = types.iter().filter(|t| t.components.is_empty()).collect();
        if handles.is_empty() {
            return;
        }
        for (operator, name) in [("==", "cuf_same"), ("/=", "cuf_other")] {
            let names: Vec<String> = handles
                .iter()
                .map(|t| format!("{name}_{}", t.name))
                .collect();
            let _ = writeln!(self.out, "\n  interface operator({operator})");
            wrapped(&mut self.out, 4, "module procedure :: ", &names, "");
            let _ = writeln!(self.out, "  end interface operator({operator})");
            wrapped(&mut self.out, 2, "private :: ", &names, "");
        }
        for t in handles {
            for (name, value) in [("cuf_same", "cuf_is"), ("cuf_other", ".not. cuf_is")] {
                let t = &t.name;
                let value = value.replace("cuf_is", "(c_associated(a%handle, b%handle) .or. .not. (c_associated(a%handle) .or. c_associated(b%handle)))");
                let _ = write!(
                    self.procedures,
                    "  logical function {name}_{t}(a, b)\n    type({t}), intent(in) :: a, b\n    {name}_{t} = {value}\n  end function {name}_{t}\n\n"
                );
            }
        }
    }

    /// The interfaces of the C functions, under generic names where a procedure has several.
    fn interfaces(&mut self) {
        let mut names: Vec<&str> = Vec::new();
        let procedures = self.chosen.procedures.clone();
        let condition = self.library.keeps_after.as_ref();
        let keeps = condition.is_none_or(|f| self.chosen.has(f));
        for p in &procedures {
            let known = |n: &&str| n.eq_ignore_ascii_case(&p.name);
            if !p.fortran && !names.iter().any(known) {
                names.push(&p.name);
            }
        }
        for name in names {
            let entries: Vec<&&Procedure> = procedures
                .iter()
                .filter(|p| p.name.eq_ignore_ascii_case(name) && !p.fortran)
                .collect();
            let single = entries.len() == 1 && Form::all(entries[0]).len() == 1;
            let generic = if single {
                String::new()
            } else {
                format!(" {name}")
            };
            let _ = writeln!(self.out, "\n  interface{generic}");
            for (p, own) in entries.iter().zip(own_names(&entries)) {
                for mut form in Form::all(p) {
                    form.keeps = keeps;
                    if form.device_scalars && !self.library.pointer_mode.is_empty() {
                        let name = format!("{own}{}", form.suffix(p));
                        let _ = writeln!(self.out, "    module procedure :: {name}");
                        self.in_device_mode(p, &own, form);
                    } else if p.arguments.iter().any(|a| is_narrow(a, form)) {
                        let name = format!("{own}{}", form.suffix(p));
                        let _ = writeln!(self.out, "    module procedure :: {name}");
                        self.with_aligned_scalars(p, &own, form);
                    } else {
                        self.binding(p, &own, form);
                    }
                }
            }
            let _ = writeln!(self.out, "  end interface{generic}");
        }
    }

    /// The interface of a C function.
    fn binding(&mut self, p: &Procedure, own: &str, form: Form) {
        let name = format!("{own}{}", form.suffix(p));
        let arguments: Vec<String> = p.arguments.iter().map(|a| a.name.clone()).collect();
        let tail = format!(") bind(C, name=\"{}\")", p.symbol);
        let (head, end) = head_of(p, &name);
        wrapped(&mut self.out, 4, &head, &arguments, &tail);
        self.out.push_str("      import\n");
        let mut lines = value_of(p, &name);
        lines.extend(dummies(&p.arguments, form));
        lines
            .iter()
            .for_each(|l| wrapped(&mut self.out, 6, l, &[], ""));
        let _ = writeln!(self.out, "    end {end} {name}");
    }

    /// The same with scalars on the device: the library is told so for the time of the call.
    fn in_device_mode(&mut self, p: &Procedure, own: &str, form: Form) {
        let [get, set] = &self.library.pointer_mode[..] else {
            return;
        };
        let name = format!("{own}{}", form.suffix(p));
        let called = Form {
            device_scalars: false,
            ..form
        };
        let arguments: Vec<String> = p.arguments.iter().map(|a| a.name.clone()).collect();
        let handle = arguments.first().cloned().unwrap_or_default();
        let out = &mut self.procedures;
        let (head, end) = head_of(p, &name);
        wrapped(out, 2, &head, &arguments, ")");
        let mut lines = value_of(p, &name);
        lines.extend(dummies(&p.arguments, form));
        lines.iter().for_each(|l| wrapped(out, 4, l, &[], ""));
        out.push_str("    interface\n");
        let inner = format!("cuf_{own}{}", called.suffix(p));
        let tail = format!(") bind(C, name=\"{}\")", p.symbol);
        let (head, inner_end) = head_of(p, &inner);
        wrapped(out, 6, &head, &arguments, &tail);
        out.push_str("        import\n");
        let mut lines = value_of(p, &inner);
        lines.extend(dummies(&p.arguments, form));
        lines.iter().for_each(|l| wrapped(out, 8, l, &[], ""));
        let _ = writeln!(out, "      end {inner_end} {inner}\n    end interface");
        let _ = writeln!(
            out,
            "    integer(c_int) :: cuf_mode\n    {name} = {get}({handle}, cuf_mode)\n    {name} = {set}({handle}, 1)"
        );
        wrapped(out, 4, &format!("{name} = {inner}("), &arguments, ")");
        let _ = writeln!(
            out,
            "    cuf_mode = {set}({handle}, cuf_mode)\n  end {end} {name}\n"
        );
    }

    /// The function with copies of complex scalars at addresses that C++ gives them: multiples of 16 bytes.
    fn with_aligned_scalars(&mut self, p: &Procedure, own: &str, form: Form) {
        let name = format!("{own}{}", form.suffix(p));
        let arguments: Vec<String> = p.arguments.iter().map(|a| a.name.clone()).collect();
        let narrow: Vec<&Argument> = p.arguments.iter().filter(|a| is_narrow(a, form)).collect();
        let copy = |a: &Argument| format!("cuf_{}", a.name);
        let out = &mut self.procedures;
        let (head, end) = head_of(p, &name);
        wrapped(out, 2, &head, &arguments, ")");
        let mut lines = value_of(p, &name);
        lines.extend(dummies(&p.arguments, form));
        lines.iter().for_each(|l| wrapped(out, 4, l, &[], ""));
        out.push_str("    interface\n");
        let inner = format!("cuf_{name}");
        let tail = format!(") bind(C, name=\"{}\")", p.symbol);
        let (head, inner_end) = head_of(p, &inner);
        wrapped(out, 6, &head, &arguments, &tail);
        out.push_str("        import\n");
        let mut lines = value_of(p, &inner);
        for a in &p.arguments {
            lines.push(match is_narrow(a, form) {
                true => format!("type(*) :: {}", a.name),
                false => dummy(a, form),
            });
        }
        let others: Vec<&Argument> = (p.arguments.iter())
            .filter(|a| !is_narrow(a, form))
            .collect();
        lines.extend(ignored(&others));
        lines.iter().for_each(|l| wrapped(out, 8, l, &[], ""));
        let _ = writeln!(out, "      end {inner_end} {inner}\n    end interface");
        let copies: Vec<String> = narrow.iter().map(|a| copy(a)).collect();
        wrapped(
            out,
            4,
            "! Aligned to 16 bytes, as C++ has complex numbers.",
            &[],
            "",
        );
        wrapped(out, 4, "integer(16) :: ", &copies, "");
        for a in narrow.iter().filter(|a| a.intent != Intent::Out) {
            let _ = writeln!(out, "    {0} = transfer({1}, {0})", copy(a), a.name);
        }
        let actuals: Vec<String> = (p.arguments.iter())
            .map(|a| match is_narrow(a, form) {
                true => copy(a),
                false => a.name.clone(),
            })
            .collect();
        let call = match p.result {
            Some(_) => format!("{name} = {inner}("),
            None => format!("call {inner}("),
        };
        wrapped(out, 4, &call, &actuals, ")");
        for a in narrow.iter().filter(|a| a.intent != Intent::In) {
            let _ = writeln!(out, "    {0} = transfer({1}, {0})", a.name, copy(a));
        }
        let _ = writeln!(out, "  end {end} {name}\n");
    }

    /// The forms without a handle.
    fn legacy_forms(&mut self) {
        for p in self.chosen.legacy.clone() {
            let name = legacy_name(&p.name).to_owned();
            let forms = Form::without_handle(p);
            if forms.len() > 1 {
                let _ = writeln!(self.out, "\n  interface {name}");
                for form in &forms {
                    let _ = writeln!(self.out, "    module procedure :: {name}{}", form.suffix(p));
                }
                let _ = writeln!(self.out, "  end interface {name}");
            }
            for form in forms {
                self.legacy_form(p, &name, form);
            }
        }
    }

    fn legacy_form(&mut self, p: &Procedure, name: &str, form: Form) {
        let own = format!("{name}{}", form.suffix(p));
        let called = format!("{}{}", p.name, form.suffix(p));
        let (inputs, result) = legacy_arguments(p);
        let names: Vec<String> = inputs.iter().map(|a| a.name.clone()).collect();
        let out = &mut self.procedures;
        let word = match result {
            Some(_) => "function",
            None => "subroutine",
        };
        wrapped(out, 2, &format!("{word} {own}("), &names, ")");
        if let Some(r) = result {
            let _ = writeln!(out, "    {} :: {own}", type_of(&r.kind));
        }
        for a in &inputs {
            let declared = match &a.kind {
                Kind::Int => format!("integer(c_int), intent(in) :: {}", a.name),
                Kind::Choice(_) => format!("character(1), intent(in) :: {}", a.name),
                _ => dummy(a, form),
            };
            wrapped(out, 4, &declared, &[], "");
        }
        ignored(&inputs)
            .iter()
            .for_each(|l| wrapped(out, 4, l, &[], ""));
        let _ = writeln!(out, "    integer(c_int) :: cuf_status");
        let actuals: Vec<String> = p
            .arguments
            .iter()
            .skip(1)
            .map(|a| match (&a.kind, result) {
                (_, Some(r)) if r.name == a.name => own.clone(),
                (Kind::Choice(c), _) => c.of_letter(&a.name),
                _ => p.same.get(&a.name).unwrap_or(&a.name).clone(),
            })
            .collect();
        let head = format!(
            "cuf_status = {called}({}(), ",
            handle_function(self.library)
        );
        wrapped(out, 4, &head, &actuals, ")");
        let _ = writeln!(out, "  end {word} {own}\n");
    }

    /// The names of the BLAS: of the host's procedure, and of the form without a handle for device data.
    fn plain_forms(&mut self) {
        let plain = std::mem::take(&mut self.chosen.plain);
        for Plain { procedure: p, name } in &plain {
            let legacy = legacy_name(&p.name);
            let (inputs, result) = legacy_arguments(p);
            let names: Vec<String> = inputs.iter().map(|a| a.name.clone()).collect();
            let word = match result {
                Some(_) => "function",
                None => "subroutine",
            };
            let _ = writeln!(self.out, "\n  interface {name}");
            wrapped(&mut self.out, 4, &format!("{word} {name}("), &names, ")");
            self.out.push_str("      import\n");
            if let Some(r) = result {
                let _ = writeln!(self.out, "      {} :: {name}", type_of(&r.kind));
            }
            for a in &inputs {
                let declared = match (&a.kind, a.shape) {
                    (Kind::Choice(_), _) => format!("character(1) :: {}", a.name),
                    (k, Shape::Scalar) => format!("{} :: {}", type_of(k), a.name),
                    (k, _) => format!("{} :: {}(*)", type_of(k), a.name),
                };
                let _ = writeln!(self.out, "      {declared}");
            }
            for line in ignored(&inputs) {
                wrapped(&mut self.out, 6, &line, &[], "");
            }
            let _ = writeln!(self.out, "    end {word} {name}");
            // A form without device data is the host's procedure.
            let on_device = |f: &Form| {
                let device = |a: &Argument| is_on_device(a, *f);
                p.arguments.iter().any(device)
            };
            for form in Form::without_handle(p).into_iter().filter(on_device) {
                let _ = writeln!(
                    self.out,
                    "    module procedure :: {legacy}{}",
                    form.suffix(p)
                );
            }
            let _ = writeln!(self.out, "  end interface {name}");
        }
    }
}

/// The arguments of the form without a handle, and the one that is its result.
fn legacy_arguments(p: &Procedure) -> (Vec<&Argument>, Option<&Argument>) {
    let result = match p.legacy {
        Some(Legacy::Function) => p.arguments.last(),
        _ => None,
    };
    let own =
        |a: &&Argument| !p.same.contains_key(&a.name) && result.is_none_or(|r| r.name != a.name);
    (p.arguments.iter().skip(1).filter(own).collect(), result)
}

/// The names of procedures that share one: each with what tells it from the others, the type of an argument and that it is on the host
/// (`curandGenerate_r8_host`), or else with its number.
fn own_names(entries: &[&&Procedure]) -> Vec<String> {
    let Some((first, rest)) = entries.split_first() else {
        return Vec::new();
    };
    if rest.is_empty() {
        return vec![first.name.clone()];
    }
    let types = |p: &&&Procedure| -> Vec<String> {
        let code = |a: &Argument| match &a.kind {
            Kind::Data(code) | Kind::Value(code) => code.clone(),
            Kind::Structure(name) | Kind::StructureReference(name) => name.clone(),
            _ => String::new(),
        };
        p.arguments.iter().map(code).collect()
    };
    let at = rest.iter().find_map(|p| {
        let (a, b) = (types(first), types(p));
        a.iter().zip(&b).position(|(a, b)| a != b)
    });
    let on_host = |p: &&&Procedure| {
        p.arguments
            .iter()
            .any(|a| a.memory == Memory::Host && a.shape != Shape::Scalar)
    };
    let is_apart = rest.iter().any(|p| on_host(p) != on_host(first));
    let names: Vec<String> = entries
        .iter()
        .map(|p| {
            let code = at
                .and_then(|at| types(p).get(at).cloned())
                .unwrap_or_default();
            let place = if is_apart && on_host(p) { "host" } else { "" };
            let parts = [p.name.as_str(), &code, place];
            let parts: Vec<&str> = parts.into_iter().filter(|t| !t.is_empty()).collect();
            parts.join("_")
        })
        .collect();
    let distinct: BTreeSet<String> = names.iter().map(|n| n.to_ascii_lowercase()).collect();
    if distinct.len() == names.len() {
        return names;
    }
    let numbered = entries.iter().enumerate();
    numbered
        .map(|(i, p)| format!("{}_{}", p.name, i + 1))
        .collect()
}
