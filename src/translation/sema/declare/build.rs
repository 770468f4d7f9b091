//! Builds the model: orders the modules, declares every program unit, then walks the bodies.

use std::collections::HashMap;
use std::sync::Arc;

use super::builder::{Builder, UnitAt};
use crate::ast::{Decl, DeclKind, ProgramUnit, Span, UnitKind};
use crate::sema::model::dialect::Dialect;
use crate::sema::model::*;
use crate::sema::{Environment, Finding, Input};

impl<'a> Builder<'a> {
    pub fn new(inputs: &'a [Input<'a>], dialect: Dialect) -> Self {
        let mut b = Builder {
            m: Model::default(),
            default_implicit: default_implicit(dialect),
            inputs,
            findings: Vec::new(),
            definitions: Names::default(),
            unit_scopes: HashMap::new(),
            generics: HashMap::new(),
            access: HashMap::new(),
            bodies: Vec::new(),
            fixups: HashMap::new(),
            file: FileId(0),
            outside: Environment::default(),
            orphan: false,
        };
        b.m.dialect = dialect;
        b.m.files = inputs
            .iter()
            .map(|input| FileInfo {
                library: input.library,
                units: Vec::new(),
                modules_used: Names::default(),
            })
            .collect();
        b
    }

    pub fn run(mut self) -> (Model, Vec<Finding>) {
        let inputs = self.inputs;
        for (f, input) in inputs.iter().enumerate() {
            for (u, unit) in input.ast.units.iter().enumerate() {
                if let Some(key) = definition_key(unit) {
                    self.definitions
                        .entry(key.into())
                        .or_default()
                        .push((f as u32, u));
                }
            }
        }
        let order = self.module_order();
        for at in order {
            self.declare_at(at);
        }
        for (f, input) in inputs.iter().enumerate() {
            for (u, unit) in input.ast.units.iter().enumerate() {
                if definition_key(unit).is_none() {
                    self.declare_at((f as u32, u));
                }
            }
        }
        for (f, input) in inputs.iter().enumerate() {
            self.m.files[f].units = (0..input.ast.units.len())
                .filter_map(|u| self.unit_scopes.get(&(f as u32, u)).copied())
                .collect();
            for unit in self.m.files[f].units.clone() {
                let name = self.m[unit].name.clone();
                if !name.is_empty() {
                    self.m
                        .units_by_name
                        .entry(name.into())
                        .or_default()
                        .push(unit);
                }
            }
        }
        let bodies = std::mem::take(&mut self.bodies);
        for (scope, unit) in bodies {
            self.file = self.m[scope].file;
            self.walk_unit(scope, unit);
        }
        self.bodies_as_defined();
        self.kernels_of_c();
        self.order_files();
        self.sort_children();
        // They stay to the end; what they grew by would lie idle.
        self.m.symbols.shrink_to_fit();
        self.m.scopes.shrink_to_fit();
        (self.m, self.findings)
    }

    fn unit(&self, at: UnitAt) -> &'a ProgramUnit {
        &self.inputs[at.0 as usize].ast.units[at.1]
    }

    fn declare_at(&mut self, at: UnitAt) {
        self.file = FileId(at.0);
        let unit = self.unit(at);
        let mut orphan = false;
        let parent = match &unit.kind {
            UnitKind::Submodule { ancestor, parent } => {
                let key = match parent {
                    Some(p) => format!("{}:{}", ancestor.text, p.text),
                    None => ancestor.text.to_string(),
                };
                let found = self.definition_for(self.file, &key);
                let scope = found.and_then(|d| self.unit_scopes.get(&d)).copied();
                orphan = scope.is_none();
                scope
            }
            _ => None,
        };
        self.orphan = orphan;
        let scope = self.declare_unit(unit, parent, super::unit::Place::Top);
        self.unit_scopes.insert(at, scope);
    }

    /// Modules and submodules, each after those it uses.
    fn module_order(&mut self) -> Vec<UnitAt> {
        let all: Vec<UnitAt> = self.definitions.values().flatten().copied().collect();
        let mut state: HashMap<UnitAt, u8> = HashMap::new();
        let mut order = Vec::with_capacity(all.len());
        for start in all {
            // Depth first with an explicit stack: chains of modules may be long.
            let mut stack = vec![(start, false)];
            while let Some((at, done)) = stack.pop() {
                if done {
                    state.insert(at, 2);
                    order.push(at);
                    continue;
                }
                if state.contains_key(&at) {
                    continue;
                }
                state.insert(at, 1);
                stack.push((at, true));
                let unit = self.unit(at);
                let mut needs = Vec::new();
                dependencies(unit, &mut needs);
                for name in needs.into_iter().rev() {
                    let Some(d) = self.definition_for(FileId(at.0), &name.0) else {
                        continue;
                    };
                    match state.get(&d) {
                        None => stack.push((d, false)),
                        Some(1) => {
                            let path = stack.iter().filter(|(_, open)| *open).map(|(u, _)| *u);
                            let cycle: Vec<UnitAt> = path.skip_while(|u| *u != d).collect();
                            self.cycle(&cycle);
                        }
                        Some(_) => {}
                    }
                }
            }
        }
        order
    }

    /// Modules that use each other in a circle: reported at each USE that belongs to it.
    fn cycle(&mut self, members: &[UnitAt]) {
        for (i, at) in members.iter().enumerate() {
            let next = members[(i + 1) % members.len()];
            let mut needs = Vec::new();
            dependencies(self.unit(*at), &mut needs);
            let link = needs
                .into_iter()
                .find(|n| self.definition_for(FileId(at.0), &n.0) == Some(next));
            let Some((name, span)) = link else { continue };
            self.file = FileId(at.0);
            self.finding(
                "CUF0205",
                format!("module `{name}` uses itself, directly or through other modules"),
                span,
            );
        }
    }

    /// Files so that every module stands before its users.
    fn order_files(&mut self) {
        let n = self.inputs.len();
        let mut state = vec![0u8; n];
        let mut order = Vec::with_capacity(n);
        for start in 0..n {
            let mut stack = vec![(start, false)];
            while let Some((f, done)) = stack.pop() {
                if done {
                    order.push(FileId(f as u32));
                    continue;
                }
                if state[f] != 0 {
                    continue;
                }
                state[f] = 1;
                stack.push((f, true));
                for module in self.m.files[f].modules_used.values().rev() {
                    let other = &self.m[*module];
                    if other.kind != ScopeKind::External && other.file.0 as usize != f {
                        stack.push((other.file.0 as usize, false));
                    }
                }
            }
        }
        self.m.file_order = order;
    }

    fn sort_children(&mut self) {
        let starts: Vec<u32> = self.m.scopes.iter().map(|s| s.span.start).collect();
        for s in &mut self.m.scopes {
            s.children.sort_by_key(|c| starts[c.0 as usize]);
        }
    }
}

fn definition_key(unit: &ProgramUnit) -> Option<String> {
    match &unit.kind {
        UnitKind::Module => Some(unit.name.text.to_string()),
        UnitKind::Submodule { ancestor, .. } => {
            Some(format!("{}:{}", ancestor.text, unit.name.text))
        }
        _ => None,
    }
}

/// Names of the modules that a unit needs first, with the place where it says so.
fn dependencies(unit: &ProgramUnit, out: &mut Vec<(String, Span)>) {
    if let UnitKind::Submodule { ancestor, parent } = &unit.kind {
        let key = match parent {
            Some(p) => format!("{}:{}", ancestor.text, p.text),
            None => ancestor.text.to_string(),
        };
        out.push((key, unit.header));
    }
    uses_of(&unit.spec, out);
    for p in &unit.procedures {
        dependencies(p, out);
    }
}

fn uses_of(spec: &[Decl], out: &mut Vec<(String, Span)>) {
    for d in spec {
        match &d.kind {
            DeclKind::Use(u) if !u.intrinsic => {
                out.push((u.module.text.to_string(), u.module.span))
            }
            DeclKind::Interface(i) => i.bodies.iter().for_each(|b| uses_of(&b.spec, out)),
            _ => {}
        }
    }
}

/// Names that begin with I to N are integers, others are real, of default kind.
fn default_implicit(dialect: Dialect) -> Implicit {
    let mut rules = [const { None }; 26];
    for (i, rule) in rules.iter_mut().enumerate() {
        *rule = Some(match (8..14).contains(&i) {
            true => Type::Integer(4),
            false => Type::Real(dialect.real),
        });
    }
    Implicit(Arc::new(rules))
}
