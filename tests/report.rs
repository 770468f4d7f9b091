//! `cuf2cu report`: its numbers, its forms, and that nothing of the sources gets into the page but as text.

mod suite;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cuf2cu::migration_report;
use serde_json::Value;

fn cuf2cu(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuf2cu"));
    let command = command.args(arguments).current_dir(folder);
    command.env_remove("CUF2CU_DOCS_URL").output().unwrap()
}

fn shown(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Nothing is wrong with it; `held` comes from elsewhere.
const FINE: &str = "module m
  use cudafor
  use cublas
  use held
  real, device :: d(100), e(100)
  real, managed :: both(10)
contains
  attributes(device) real function twice(x)
    real, value :: x
    twice = 2*x
  end function
  attributes(global) subroutine k(a)
    real :: a(*)
    a(threadIdx%x) = twice(a(threadIdx%x))
    call syncthreads()
  end subroutine
  subroutine host(h)
    real :: h(100)
    integer :: i, ierr
    d = h
    call k<<<1, 100>>>(d)
    !$cuf kernel do <<<*, *>>>
    do i = 1, 100
      e(i) = d(i)
    end do
    ierr = cudaMemcpy(d, e, 100)
    ierr = cudaDeviceSynchronize()
    ierr = cudaDeviceSynchronize()
    call sgemm('n', 'n', 10, 10, 10, 1.0, d, 10, e, 10, 0.0, d, 10)
    h(1) = 3*e(1)
    h = e
    print *, h(1)
#ifdef OTHER
    call k<<<2, 50>>>(d)
#endif
  end subroutine
end module
";

/// Two errors of one code, and one whose line tries to be HTML.
const WRONG: &str = "module w
contains
  attributes(global) subroutine k(a)
    real :: a(*)
    read *, a(1)
    read *, a(2)
    print '(a)', '</pre><script>alert(\"1\")</script>&amp;<img src=x>' ! <b onclick=alert(1)>
  end subroutine
end module
";

/// A name of a folder that tries, too.
const HOSTILE: &str = "src<img src=x onerror='alert(2)'>\"";

fn workplace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let src = folder.path().join(HOSTILE);
    fs::create_dir(&src).unwrap();
    fs::write(src.join("m.CUF"), FINE).unwrap();
    fs::write(src.join("plain.f90"), "subroutine s\nend subroutine\n").unwrap();
    fs::write(src.join("w.cuf"), WRONG).unwrap();
    folder
}

/// Modules from elsewhere are given, so that they are no errors.
const KNOWN: [&str; 2] = ["--extern-modules", "held"];

fn object(folder: &Path) -> Value {
    let words = [&["report", HOSTILE, "--format", "json"], &KNOWN[..]].concat();
    serde_json::from_str(&shown(&cuf2cu(&words, folder))).unwrap()
}

#[test]
fn the_numbers_are_those_of_the_program() {
    let folder = workplace();
    let o = object(folder.path());
    let total = &o["total"];
    for (name, number) in [
        ("files", 3),
        ("cuda_files", 2),
        ("refused_files", 1),
        ("lines", FINE.lines().count() + 2 + WRONG.lines().count()),
        ("cuda_lines", FINE.lines().count() + WRONG.lines().count()),
        ("launches", 1),
        ("errors", 3),
    ] {
        assert_eq!(total[name], number, "{name}");
    }
    let count = |name: &str| (total[name]["found"].clone(), total[name]["refused"].clone());
    assert_eq!(count("kernels"), (2.into(), 1.into()));
    assert_eq!(count("device_procedures"), (1.into(), 0.into()));
    assert_eq!(count("cuf_loops"), (1.into(), 0.into()));
    let ways = ["to_device", "to_host", "on_device", "by_call"].map(|w| &total["transfers"][w]);
    assert_eq!(ways, [1, 1, 0, 1]);
    let statements = &total["statements"];
    let sum = ["kept", "translated", "refused"].map(|w| statements[w].as_u64().unwrap());
    assert!(sum.iter().all(|n| *n > 0), "{sum:?}");

    // What is refused: by code, with places, lines and what to do.
    let refused = o["refused"].as_array().unwrap();
    let codes: Vec<_> = refused
        .iter()
        .map(|r| r["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["CUF0330", "CUF0331"]);
    let first = &refused[0];
    assert_eq!((&first["places"], &first["files"]), (&2.into(), &1.into()));
    assert_eq!(first["work"], "lines");
    // 10 to 60 minutes, and again, at best in a quarter of the time.
    assert_eq!(first["minutes"]["low"], 13);
    assert_eq!(first["minutes"]["high"], 120);
    let example = &first["examples"][0];
    assert_eq!(example["place"]["line"], 5);
    assert_eq!(example["source_line"], "read *, a(1)");
    assert!(first["text"].as_str().unwrap().len() > 20);
    let work = o["work"].as_array().unwrap();
    let classes: Vec<_> = work
        .iter()
        .map(|c| (c["class"].as_str().unwrap(), &c["places"]))
        .collect();
    let one = Value::from(1);
    assert_eq!(
        classes,
        [("supply", &one), ("line", &one), ("lines", &2.into())]
    );
    let sum = |end: &str| {
        work.iter()
            .map(|c| c["minutes"][end].as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!(
        (o["minutes"]["low"].as_u64(), o["minutes"]["high"].as_u64()),
        (Some(sum("low")), Some(sum("high")))
    );

    // Calls by library, also under names that are not the library's own; the modules that are missing.
    assert_eq!(o["libraries"][0]["name"], "cuBLAS");
    assert_eq!(o["libraries"][0]["procedures"][0]["name"], "sgemm");
    let runtime = o["runtime"].as_array().unwrap();
    let calls: Vec<_> = runtime
        .iter()
        .map(|s| (s["name"].as_str().unwrap(), &s["calls"]))
        .collect();
    assert_eq!(calls, [("devices", &2.into()), ("memory and copies", &one)]);
    assert_eq!(o["modules"].as_array().unwrap().len(), 1);
    assert_eq!(o["modules"][0]["name"], "held");
    let branches = o["branches"].as_array().unwrap();
    assert_eq!(
        (branches.len(), &branches[0]["cuda_fortran"]),
        (1, &true.into())
    );

    // What behaves otherwise, with the first place of each.
    let line_of = |subject: &str| {
        let all = o["changes"].as_array().unwrap();
        let change = all
            .iter()
            .find(|c| c["subject"].as_str().unwrap().starts_with(subject));
        change.unwrap_or_else(|| panic!("{subject}"))["first"]["line"].clone()
    };
    let at = |part: &str| FINE.lines().position(|l| l.contains(part)).unwrap() + 1;
    assert_eq!(line_of("managed data"), at("managed"));
    assert_eq!(line_of("expressions of host code"), at("3*e(1)"));
    assert_eq!(line_of("list-directed output"), at("print *"));
    assert_eq!(line_of("branches not taken"), Value::Null);
}

#[test]
fn the_schema_is_documented_and_has_a_version() {
    let folder = workplace();
    let schema = shown(&cuf2cu(&["report", "--schema"], folder.path()));
    let path = suite::root().join("docs/report.schema.json");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &schema).unwrap();
    }
    assert_eq!(
        fs::read_to_string(path).unwrap(),
        schema,
        "UPDATE_DOCS=1 cargo test --test report; a field that goes or changes needs another version"
    );
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let document = fs::read_to_string(suite::root().join("docs/report.md")).unwrap();
    let fields = schema["properties"].as_object().unwrap();
    for field in fields.keys() {
        assert!(document.contains(&format!("| `{field}` |")), "{field}");
    }
    for (meaning, each) in migration_report::classes() {
        assert!(
            document.contains(&format!("| {meaning} | {each} |")),
            "{meaning}: {each}"
        );
    }
    let object = object(folder.path());
    assert_eq!(object["version"], 1);
    let given: Vec<_> = object.as_object().unwrap().keys().collect();
    let mut known: Vec<_> = fields.keys().collect();
    known.sort();
    let mut sorted = given.clone();
    sorted.sort();
    assert_eq!(sorted, known);
}

/// Names of elements that are open where each tag of a page stands; void elements have no end.
fn assert_balanced(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        let name = tag.split([' ', '\n']).next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if ["!DOCTYPE", "meta", "br"].contains(&name) => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_page_stands_alone_and_holds_sources_as_text() {
    let folder = workplace();
    let words = [&["report", HOSTILE, "-o", "r.html", "-j1"], &KNOWN[..]].concat();
    shown(&cuf2cu(&words, folder.path()));
    let page = fs::read_to_string(folder.path().join("r.html")).unwrap();
    assert_balanced(&page);
    for alive in [
        "<script", "<img", "<b ", "href=", "src=\"", "url(", "http:", "https:", "@import",
    ] {
        assert!(!page.contains(alive), "{alive}");
    }
    assert!(page.contains("&#60;script&#62;alert("), "{page}");
    assert!(page.contains("src&#60;img src=x onerror=&#39;alert(2)&#39;&#62;&#34;/w.cuf:7"));
    for part in [
        "lang=\"en\"",
        "<caption>",
        "scope=\"col\"",
        "@media print",
        "prefers-color-scheme: dark",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // The same whatever the number of threads.
    let words = [&["report", HOSTILE, "--format", "html", "-j4"], &KNOWN[..]].concat();
    assert_eq!(shown(&cuf2cu(&words, folder.path())), page);
}

#[test]
fn the_form_goes_by_the_name_and_no_source_is_written_over() {
    let folder = workplace();
    let at = folder.path();
    let fine = format!("{HOSTILE}/m.CUF");
    let text = shown(&cuf2cu(&[&["report", &fine], &KNOWN[..]].concat(), at));
    assert!(text.contains("\nrefused: nothing\n"), "{text}");
    assert!(text.contains("  cuBLAS 1: sgemm 1\n"), "{text}");
    assert!(
        text.contains("\nmodules to supply: held (1 file)\n"),
        "{text}"
    );
    shown(&cuf2cu(
        &[&["report", &fine, "-o", "r.json"], &KNOWN[..]].concat(),
        at,
    ));
    let json = fs::read_to_string(at.join("r.json")).unwrap();
    assert!(serde_json::from_str::<Value>(&json).is_ok());

    let output = cuf2cu(&["report", HOSTILE, "-o", &fine], at);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(at.join(&fine)).unwrap(), FINE);
    let output = cuf2cu(&["report", HOSTILE, "-o", "nowhere/r.html"], at);
    assert_eq!(output.status.code(), Some(4));
}
