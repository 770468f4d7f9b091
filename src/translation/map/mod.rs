//! The source map: which of the user's bytes each token of the output came from, and the rule that made it.
//!
//! The pipeline fills it if [`TranslateOptions::source_map`](crate::TranslateOptions::source_map) asks for it. docs/source-map.md describes
//! the JSON, docs/source-map.schema.json is made from these types (tests/source_map.rs).

mod merge;
mod rule;

pub use merge::{FileMap, FileOutput};
pub use rule::{About, RULES, Rule, Side};

use std::path::Path;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// The version of the form: it grows when a field changes its meaning or goes, not when one comes.
pub const VERSION: u32 = 1;

/// The name of the file in the output folder.
pub const FILE: &str = "cuf2cu-map.json";

/// Bytes of a file of the user's, as it is on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Index in [`SourceMap::sources`].
    pub file: u32,
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// What became of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Disposition {
    /// In the host code as it was.
    Kept,
    /// Written anew, on either side.
    Translated,
    /// Named in an error.
    Refused,
}

/// One statement of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Statement {
    /// In the source itself or in a file that it includes: [file, start, end].
    #[serde(serialize_with = "place_form")]
    #[schemars(with = "(u32, u32, u32)")]
    pub place: Place,
    /// The line of `place.start` in its file, from 1.
    pub line: u32,
    pub fate: Disposition,
    /// Macros expanded in it, or the place is that of a macro.
    pub expanded: bool,
    /// The rules that made something of it, by number, in order.
    #[serde(serialize_with = "rule_numbers")]
    #[schemars(with = "Vec<u8>")]
    pub rules: Vec<Rule>,
}

/// One file of the user's: a source of the program, or a file that one includes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Source {
    /// As the user named it; what is no Unicode in it is U+FFFD.
    pub path: String,
    /// The file is only included; its statements are those of the sources that include it.
    pub included: bool,
    /// In the order of the text; no two overlap, except in a file that includes another one twice.
    pub statements: Vec<Statement>,
}

/// What an output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OutputKind {
    /// `.cu`
    DeviceSource,
    /// `.cuh`
    DeviceHeader,
    /// `.f90`
    HostFortran,
    /// `_shims.f90`
    Shims,
    /// A file that host code includes, with its edits.
    IncludedFortran,
}

/// One generated file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Output {
    /// Below the output folder, with `/`.
    pub path: String,
    pub kind: OutputKind,
    /// Index of the file it was made of.
    pub source: u32,
    /// In order; no two overlap. What lies between them is white space.
    pub segments: Vec<Segment>,
}

/// Bytes of an output that one rule made of one thing: of an expression those that are none of its operands.
///
/// In JSON a list: [start, end, rule, statement or null, place or null, expanded].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Offset in the output's bytes.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    pub rule: Rule,
    /// Index among the statements of the output's source.
    pub statement: Option<u32>,
    /// The innermost expression, name, declaration or statement that it came from. None: the rule alone explains it.
    pub place: Option<Place>,
    /// A macro expanded to it: `place` is the macro's use.
    pub expanded: bool,
}

/// How a segment is written.
type SegmentForm = (u32, u32, u8, Option<u32>, Option<(u32, u32, u32)>, bool);

impl Serialize for Segment {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let place = self.place.map(|p| (p.file, p.start, p.end));
        let form: SegmentForm = (
            self.start,
            self.end,
            self.rule as u8,
            self.statement,
            place,
            self.expanded,
        );
        form.serialize(to)
    }
}

impl JsonSchema for Segment {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Segment".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        SegmentForm::json_schema(generator)
    }
}

fn place_form<S: Serializer>(p: &Place, to: S) -> Result<S::Ok, S::Error> {
    (p.file, p.start, p.end).serialize(to)
}

fn rule_numbers<S: Serializer>(rules: &[Rule], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(rules.iter().map(|r| *r as u8))
}

/// The map of a translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// The sources in the order given, then the files that they include.
    pub sources: Vec<Source>,
    /// In the order of [`Translation::files`](crate::Translation::files).
    pub outputs: Vec<Output>,
}

/// A rule, as a map explains it.
#[derive(Serialize, JsonSchema)]
struct RuleForm {
    /// `thread-index`
    name: &'static str,
    title: &'static str,
    /// What the rule does.
    text: &'static str,
    /// Sections of NVIDIA's CUDA Fortran guide.
    guide: Vec<&'static str>,
}

/// A map as JSON.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "SourceMap")]
struct Form<'m> {
    /// The version of this form.
    version: u32,
    /// By number.
    rules: Vec<RuleForm>,
    /// The sources of the program, then the files that they include.
    sources: &'m [Source],
    outputs: &'m [Output],
}

impl SourceMap {
    /// An output has another name.
    pub fn rename(&mut self, from: &Path, to: &Path) {
        let name = |p: &Path| p.to_string_lossy().replace('\\', "/");
        let outputs = self.outputs.iter_mut();
        for output in outputs.filter(|o| o.path == name(from)) {
            output.path = name(to);
        }
    }

    /// Lines for the preprocessor have been put behind an output, at this offset.
    pub fn append(&mut self, path: &Path, at: usize, text: &str) {
        let name = path.to_string_lossy().replace('\\', "/");
        if let Some(output) = self.outputs.iter_mut().find(|o| o.path == name) {
            let lines = text.split_inclusive('\n');
            output.segments.extend(segments_of(lines, at as u32));
        }
    }

    /// Lines for the preprocessor have been put before an output; they end with what ends lines.
    pub fn prepend(&mut self, path: &Path, lines: &[String]) {
        let name = path.to_string_lossy().replace('\\', "/");
        let Some(output) = self.outputs.iter_mut().find(|o| o.path == name) else {
            return;
        };
        let mut segments = segments_of(lines.iter().map(|l| &**l), 0);
        let start: u32 = lines.iter().map(|l| l.len() as u32).sum();
        segments.extend(output.segments.iter().map(|s| Segment {
            start: s.start + start,
            end: s.end + start,
            ..*s
        }));
        output.segments = segments;
    }

    /// The contents of [`FILE`].
    pub fn json(&self) -> String {
        let form = Form {
            version: VERSION,
            rules: RULES.iter().map(|r| rule_form(*r)).collect(),
            sources: &self.sources,
            outputs: &self.outputs,
        };
        serde_json::to_string(&form).unwrap_or_default() + "\n"
    }
}

/// Lines for the preprocessor as segments, from an offset; they end with what ends lines.
fn segments_of<'t>(lines: impl Iterator<Item = &'t str>, mut start: u32) -> Vec<Segment> {
    let mut out = Vec::new();
    for line in lines {
        let end = start + line.trim_end().len() as u32;
        if start < end {
            out.push(Segment {
                start,
                end,
                rule: Rule::Preprocessor,
                statement: None,
                place: None,
                expanded: false,
            });
        }
        start += line.len() as u32;
    }
    out
}

fn rule_form(rule: Rule) -> RuleForm {
    let about = rule.about();
    let guide = about.guide.split(", ").filter(|s| !s.is_empty());
    RuleForm {
        name: about.name,
        title: about.title,
        text: about.text,
        guide: guide.collect(),
    }
}

/// The JSON schema of a map.
pub fn schema() -> String {
    let schema = schemars::schema_for!(Form<'static>);
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}
