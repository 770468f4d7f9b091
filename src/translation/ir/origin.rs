//! Where parts of the IR come from: facts for the source map, which no pass decides anything by.

use crate::map::Rule;

/// Bytes of the unit's source, and the rule that made something of them. What has none shares that of what it is in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin {
    pub start: u32,
    /// 0: no place.
    pub end: u32,
    /// None: the rule of what it is in.
    pub rule: Option<Rule>,
}

/// Things that are equal are so wherever they come from.
impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}

impl Origin {
    pub fn new(start: u32, end: u32, rule: Rule) -> Origin {
        let rule = Some(rule);
        Origin { start, end, rule }
    }

    /// What a rule makes of nothing in particular.
    pub fn by(rule: Rule) -> Origin {
        Origin::new(0, 0, rule)
    }

    pub fn has_place(&self) -> bool {
        self.end > self.start
    }

    pub fn is_none(&self) -> bool {
        !self.has_place() && self.rule.is_none()
    }

    /// This one, if it says anything.
    pub fn or(self, other: Origin) -> Origin {
        if self.is_none() { other } else { self }
    }
}

/// A name that a function or loop has from the source.
#[derive(Clone, Debug)]
pub struct Named {
    pub name: String,
    /// The name itself.
    pub at: Origin,
    /// Its declaration; none for what has no statement of its own here.
    pub declaration: Origin,
}
