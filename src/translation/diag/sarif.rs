//! Messages as a document of the Static Analysis Results Interchange Format, version 2.1.0 (OASIS).

use std::collections::BTreeMap;
use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde::Serialize;

use super::message::{self, Kind, Message};
use super::{Diagnostic, Fix, Severity, codes};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What is written as it is in the path of a URI.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    invocations: [Invocation; 1],
    results: Vec<Finding>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Text,
    full_description: Text,
    help: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: u8,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: Severity,
    message: Text,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: &'static str,
    rule_index: usize,
    level: Severity,
    message: Text,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Change>,
    properties: Properties,
}

/// The parts of a message, which the text of the result has in one.
#[derive(Serialize)]
struct Properties {
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    description: Text,
    artifact_changes: [ArtifactChange; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: [Replacement; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

/// The document of one call, which ends with `status`: what was found in sources, and everything else that was said.
pub fn document(found: &[Diagnostic], said: &[Message], status: u8) -> String {
    let mut index: BTreeMap<&str, usize> = found.iter().map(|d| (d.code, 0)).collect();
    for (k, i) in index.values_mut().enumerate() {
        *i = k;
    }
    let rules = index.keys().filter_map(|code| codes::find(code));
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "cuf2cu",
                    version: env!("CARGO_PKG_VERSION"),
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: rules.map(rule).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            invocations: [Invocation {
                execution_successful: said.iter().all(|m| m.severity != Severity::Error),
                exit_code: status,
                tool_execution_notifications: said.iter().map(notification).collect(),
            }],
            results: found.iter().map(|d| finding(d, index[d.code])).collect(),
        }],
    };
    // Only strings and numbers: serialisation cannot fail.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn rule(c: &'static codes::Code) -> Rule {
    let text = |text: &str| Text {
        text: text.to_owned(),
    };
    Rule {
        id: c.code,
        short_description: text(c.title),
        full_description: text(c.text),
        help: text(&codes::explain(c.code).unwrap_or_default()),
        help_uri: message::url(c.code),
    }
}

fn notification(m: &Message) -> Notification {
    let kind = match m.kind {
        Kind::Diagnostic => "",
        Kind::Usage => "usage: ",
        Kind::File => "file: ",
        Kind::Tool => "tool: ",
        Kind::Internal => "internal: ",
    };
    let at = m.file.as_deref().map(|f| location(Path::new(f), None));
    Notification {
        level: m.severity,
        message: Text {
            text: format!("{kind}{}", m.message),
        },
        locations: at.into_iter().collect(),
    }
}

fn finding(d: &Diagnostic, rule_index: usize) -> Finding {
    let region = (d.line > 0).then_some(Region {
        start_line: d.line,
        start_column: d.column,
        end_line: d.end.0,
        end_column: d.end.1,
    });
    Finding {
        rule_id: d.code,
        rule_index,
        level: d.severity,
        message: Text {
            text: d.whole_text(),
        },
        locations: [location(&d.file, region)],
        fixes: d.fixes.iter().map(|f| fix(d, f)).collect(),
        properties: Properties {
            notes: d.notes.clone(),
            help: d.help.clone(),
        },
    }
}

fn fix(d: &Diagnostic, f: &Fix) -> Change {
    let text = d.help.clone();
    Change {
        description: Text {
            text: text.unwrap_or_else(|| format!("write `{}`", f.replacement)),
        },
        artifact_changes: [ArtifactChange {
            artifact_location: ArtifactLocation {
                uri: uri(Path::new(&f.file)),
            },
            replacements: [Replacement {
                deleted_region: Region {
                    start_line: f.line,
                    start_column: f.column,
                    end_line: f.line,
                    end_column: f.end_column,
                },
                inserted_content: Text {
                    text: f.replacement.clone(),
                },
            }],
        }],
    }
}

fn location(path: &Path, region: Option<Region>) -> Location {
    Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation { uri: uri(path) },
            region,
        },
    }
}

/// A path as a reference: relative ones stay relative, other bytes than those of plain ASCII names are escaped as they are.
fn uri(path: &Path) -> String {
    let encoded = percent_encode(path.as_os_str().as_encoded_bytes(), PATH);
    match path.is_absolute() {
        true => format!("file://{encoded}"),
        false => encoded.to_string(),
    }
}
