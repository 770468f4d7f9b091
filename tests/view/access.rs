//! Whether people who read by ear or by keys, or need contrast, can read a page: what Chromium's accessibility tree and computed styles say.
//!
//! axe-core, where it is installed, is asked as well; what is here does not depend on it.

use serde_json::{Value, json};

use crate::chrome::Chrome;

const SCRIPT: &str = include_str!("access.js");

/// Roles of what people work with, which have to say what they are.
const CONTROLS: [&str; 16] = [
    "button",
    "link",
    "searchbox",
    "textbox",
    "checkbox",
    "radio",
    "combobox",
    "slider",
    "tab",
    "tabpanel",
    "tablist",
    "dialog",
    "region",
    "navigation",
    "menuitem",
    "DisclosureTriangle",
];

/// What keeps people out of the page as it stands, in words.
pub fn faults(chrome: &Chrome) -> Vec<String> {
    let mut found = told(&chrome.evaluate(SCRIPT));
    found.extend(tree(chrome));
    found
}

fn told(list: &Value) -> Vec<String> {
    let all = list.as_array().unwrap().iter();
    all.map(|f| f.as_str().unwrap().to_owned()).collect()
}

/// What the tree that readers are given lacks: names of controls, landmarks.
fn tree(chrome: &Chrome) -> Vec<String> {
    chrome.call("Accessibility.enable", json!({}));
    let answer = chrome.call("Accessibility.getFullAXTree", json!({}));
    chrome.call("Accessibility.disable", json!({}));
    let nodes = answer["nodes"].as_array().unwrap();
    let mut out = Vec::new();
    let mut roles = Vec::new();
    for node in nodes.iter().filter(|n| n["ignored"] == false) {
        let role = node["role"]["value"].as_str().unwrap_or_default();
        let name = node["name"]["value"].as_str().unwrap_or_default();
        roles.push(role);
        let properties = node["properties"].as_array();
        let focusable = properties.is_some_and(|all| {
            let is = |p: &Value| p["name"] == "focusable" && p["value"]["value"] == true;
            all.iter().any(is)
        });
        let is_document = role == "RootWebArea";
        if name.trim().is_empty() && (focusable || CONTROLS.contains(&role)) && !is_document {
            out.push(format!("a {role} without a name: {}", node["properties"]));
        }
        if focusable && ["generic", "none"].contains(&role) {
            out.push(format!(
                "reached by keys, but nothing in particular: {name}"
            ));
        }
    }
    // An open dialog is all that there is then.
    if !roles.contains(&"dialog") && !roles.contains(&"main") {
        out.push(format!("no main landmark: {roles:?}"));
    }
    out
}

/// Presses Tab until it comes round: where it stops, in what order, whether the place is seen, what it leaves out.
pub fn walk(chrome: &Chrome) -> Vec<String> {
    chrome.evaluate("toTheBeginning()");
    let mut out = Vec::new();
    let mut stops = 0;
    loop {
        chrome.press("Tab");
        let faults = chrome.evaluate("lookAtFocus()");
        if faults.is_null() || stops > 400 {
            break;
        }
        stops += 1;
        out.extend(told(&faults));
    }
    out.extend(told(&chrome.evaluate("notReached()")));
    if !(5..=400).contains(&stops) {
        out.push(format!("{stops} stops of the Tab key"));
    }
    out
}
