//! The statements that give a thread or a task its own device data, end its life, and hand its values on.

use crate::host::context::memory::allocation_space;
use crate::host::context::names::{ASSOCIATED, CUF, D2D, D2H, H2D, LBOUND, SIZE, UBOUND, derived};
use crate::host::context::storage::BoundsText;
use crate::host::context::{HostRewriter, list};
use crate::host::openmp::sharing::{Item, Share};
use crate::sema::model::*;

/// Statements around a region.
#[derive(Default)]
pub(super) struct Lines {
    pub before: Vec<String>,
    pub after: Vec<String>,
}

/// The thread that runs the last iteration or section.
pub(super) const LAST: &str = "\u{1}cuf_last";

/// A thread that takes its values from another one.
pub(super) const OTHER: &str = "\u{1}cuf_other";

/// The last values of the loops' variables.
pub(super) const ENDS: &str = "\u{1}cuf_ends";

/// LLVM flang 22 stops at this line, which is a comment for gfortran. See [`HostRewriter::needs_gfortran`].
const GNU_ALONE: &str = "  !dir$ ignore_tkr cuf_private_copies_need_gfortran";

/// The beginning of a BLOCK. `gnu`: only gfortran takes the names in it as they are meant.
fn opening(gnu: bool) -> Vec<String> {
    let mut lines = vec!["block".to_owned()];
    if gnu {
        lines.push(GNU_ALONE.to_owned());
    }
    lines
}

impl Item {
    /// The name of the other variable: the one outside where the copy has the program's name, or the copy.
    fn alias(&self) -> String {
        derived(&self.name)
    }

    pub(super) fn is_handed_on(&self) -> bool {
        self.is_last() || matches!(self.share, Share::Reduction(_))
    }

    pub(super) fn is_last(&self) -> bool {
        matches!(self.share, Share::Last | Share::FirstLast)
    }

    fn begins_with_values(&self) -> bool {
        matches!(self.share, Share::First | Share::FirstLast)
    }
}

impl HostRewriter<'_> {
    fn item_variable(&self, item: &Item) -> Option<&Variable> {
        self.model.variable(item.symbol)
    }

    fn item_type(&self, item: &Item) -> Type {
        self.item_variable(item)
            .map_or(Type::Unknown, |v| v.ty.clone())
    }

    fn item_rank(&self, item: &Item) -> usize {
        self.item_variable(item).map_or(0, |v| v.dims.len())
    }

    fn item_space(&self, item: &Item) -> &'static str {
        let space = self
            .item_variable(item)
            .and_then(|v| allocation_space(v.space));
        space.unwrap_or_default()
    }

    fn is_allocatable(&self, item: &Item) -> bool {
        self.item_variable(item)
            .is_some_and(|v| v.attrs.has(VarAttrs::ALLOCATABLE))
    }

    fn type_text(&mut self, ty: &Type) -> String {
        match ty {
            Type::Real(2) => self.half_type(),
            ty => self.local_type(ty),
        }
    }

    /// The declaration of a variable of the item's type. `whole`: what it points to is not a section.
    fn copy_declaration(&mut self, item: &Item, name: &str, whole: bool) -> String {
        let ty = self.item_type(item);
        let rank = self.item_rank(item);
        let colons = match rank {
            0 => String::new(),
            n => format!("({})", vec![":"; n].join(",")),
        };
        if item.owner {
            let ty = self.owner_type_text(&ty);
            let kind = if rank > 0 { ", allocatable" } else { "" };
            return format!("{ty}{kind} :: {name}{colons}");
        }
        let ty = self.type_text(&ty);
        let contiguous = if whole && rank > 0 {
            ", contiguous"
        } else {
            ""
        };
        format!("{ty}, pointer{contiguous} :: {name}{colons}")
    }

    /// Lets one variable stand for another, which it does not own.
    fn stand_for(&self, item: &Item, name: &str, of: &str) -> String {
        match (item.owner, self.item_rank(item)) {
            (false, _) => format!("{name} => {of}"),
            (true, 0) => format!("{name} = {of}"),
            (true, rank) => format!("allocate({name}({}), source={of})", bounds(of, rank)),
        }
    }

    /// Gives a new variable memory of the shape of another one, and its values if `copy`.
    fn make(&mut self, item: &Item, name: &str, of: &str, copy: bool) -> Vec<String> {
        let ty = self.item_type(item);
        let rank = self.item_rank(item);
        if item.owner {
            let mut lines = Vec::new();
            if rank > 0 {
                lines.push(format!("allocate({name}({}))", bounds(of, rank)));
            }
            lines.extend(self.copy_value((name, &ty), (of, &ty)));
            if !copy && let Type::Derived(t) = ty {
                lines.extend(self.default_values(name, t));
            }
            return lines;
        }
        let each = |f: &str| (1..=rank).map(|d| format!("{f}({of}, {d})")).collect();
        let bounds = BoundsText {
            upper: each(UBOUND),
            lower: each(LBOUND),
            wide: false,
        };
        let space = self.item_space(item);
        let mut text = self.allocate_text(name, &ty, &bounds, space, "");
        if copy {
            text = format!("{text}; {}", self.value_copy(item, name, of));
        } else {
            text.push_str(&self.default_text(name, &ty, &bounds, space));
        }
        let mut lines = vec![format!("nullify({name})")];
        if self.is_allocatable(item) {
            lines.push(format!("if ({ASSOCIATED}({of})) then"));
            lines.push(format!("  {text}"));
            lines.push("end if".to_owned());
        } else {
            lines.push(text);
        }
        lines
    }

    /// The copy of values between two variables of one shape.
    fn value_copy(&mut self, item: &Item, to: &str, from: &str) -> String {
        let ty = self.item_type(item);
        match self.item_variable(item).map(|v| v.space) {
            Some(Space::Pinned) => format!("{to} = {from}"),
            _ => self.copy_text(D2D, to, &ty, (from, None)),
        }
    }

    /// What a new variable has by default initialisation it has again after a copy of all components.
    fn default_values(&mut self, name: &str, t: TypeId) -> Vec<String> {
        let mut paths = Vec::new();
        self.initial_components(t, "", &mut paths);
        if paths.is_empty() {
            return paths;
        }
        let of = self.type_here(t);
        let set = paths
            .into_iter()
            .map(|p| format!("  {name}{p} = {CUF}fresh{p}"));
        let mut lines = vec!["block".to_owned(), format!("  type({of}) :: {CUF}fresh")];
        lines.extend(set);
        lines.push("end block".to_owned());
        lines
    }

    /// Components that own nothing and have initial values.
    fn initial_components(&self, t: TypeId, before: &str, paths: &mut Vec<String>) {
        for f in self.model.components_of(t) {
            if f.attrs.has(VarAttrs::ALLOCATABLE) {
                continue;
            }
            let path = format!("{before}%{}", f.spelling);
            match &f.ty {
                Type::Derived(c) if !f.attrs.has(VarAttrs::POINTER) => {
                    if self.owners.owns_device_data(*c) && f.init.is_none() {
                        self.initial_components(*c, &path, paths);
                    } else if f.init.is_some() || self.model.has_default_init(&f.ty) {
                        paths.push(path);
                    }
                }
                _ if f.init.is_some() && !f.attrs.has(VarAttrs::POINTER) => paths.push(path),
                _ => {}
            }
        }
    }

    /// Default values that [`Self::default_values`] does not reach.
    pub(super) fn hidden_defaults(&self, t: TypeId) -> bool {
        self.model.components_of(t).iter().any(|f| {
            let Type::Derived(c) = f.ty else { return false };
            let parts = self.owners.owns_device_data(c) && !f.attrs.has(VarAttrs::POINTER);
            let allocatable = f.attrs.has(VarAttrs::ALLOCATABLE) || !f.dims.is_empty();
            parts && (allocatable && self.model.has_default_init(&f.ty) || self.hidden_defaults(c))
        })
    }

    /// The end of a copy's life.
    fn ended(&mut self, item: &Item, name: &str) -> Vec<String> {
        let ty = self.item_type(item);
        match item.owner {
            true => self.finish(name, &ty, self.item_rank(item) as i8, None),
            false => vec![self.release_text(name, &ty)],
        }
    }

    /// A region in which the program's names mean copies. `loops`: how many loops' last values are kept. `gnu`: see [`opening`].
    pub(super) fn region(&mut self, copies: &[Item], loops: usize, gnu: bool) -> Lines {
        let mut lines = Lines::default();
        let last = copies.iter().any(Item::is_last);
        lines.before.extend(opening(gnu));
        for i in copies {
            let alias = self.copy_declaration(i, &i.alias(), false);
            lines.before.push(format!("  {alias}"));
        }
        if last {
            lines.before.push(format!("  logical :: {LAST}"));
            if loops > 0 {
                lines
                    .before
                    .push(format!("  integer(8) :: {ENDS}({loops})"));
            }
        }
        for i in copies {
            let set = self.stand_for(i, &i.alias(), &i.name);
            lines.before.push(format!("  {set}"));
        }
        if last {
            lines.before.push(format!("  {LAST} = .false."));
        }
        lines.before.push("  block".to_owned());
        for i in copies {
            let own = self.copy_declaration(i, &i.name, true);
            lines.before.push(format!("    {own}"));
        }
        for i in copies {
            let mut made = self.make(i, &i.name, &i.alias(), i.begins_with_values());
            if let Share::Reduction(operator) = &i.share {
                let neutral = self.neutral(i, operator);
                match self.is_allocatable(i) {
                    true => {
                        made.push(format!("if ({ASSOCIATED}({})) then", i.name));
                        made.extend(neutral.iter().map(|l| format!("  {l}")));
                        made.push("end if".to_owned());
                    }
                    false => made.extend(neutral),
                }
            }
            lines.before.extend(made.iter().map(|l| format!("    {l}")));
        }
        for i in copies {
            let ended = match i.is_handed_on() {
                true if i.owner && self.item_rank(i) > 0 => {
                    vec![format!("call \u{1}move_alloc({}, {})", i.name, i.alias())]
                }
                true => vec![self.stand_for(i, &i.alias(), &i.name)],
                false => self.ended(i, &i.name),
            };
            lines.after.extend(ended.iter().map(|l| format!("    {l}")));
        }
        lines.after.push("  end block".to_owned());
        for i in copies.iter().filter(|i| i.is_handed_on()) {
            let handed = self.handed_on(i);
            lines.after.extend(handed.iter().map(|l| format!("  {l}")));
        }
        lines.after.push("end block".to_owned());
        lines
    }

    /// The value of a copy goes to the variable outside, and the copy ends.
    fn handed_on(&mut self, item: &Item) -> Vec<String> {
        let alias = item.alias();
        let ended = self.ended(item, &alias);
        if let Share::Reduction(operator) = &item.share {
            let mut lines = vec![format!("!$omp critical ({CUF}reduction)")];
            lines.extend(self.combined(item, operator));
            lines.push(format!("!$omp end critical ({CUF}reduction)"));
            lines.extend(ended);
            return lines;
        }
        let mut lines = vec![format!("if ({LAST}) then")];
        if item.owner {
            // What the copy owns changes hands.
            let given = self.ended(item, &item.name);
            lines.extend(given.iter().map(|l| format!("  {l}")));
            lines.push(format!("  {} = {alias}", item.name));
            lines.push("else".to_owned());
            lines.extend(ended.iter().map(|l| format!("  {l}")));
            lines.push("end if".to_owned());
            return lines;
        }
        if self.is_allocatable(item) {
            // It may have been allocated with another shape.
            lines.extend(
                self.ended(item, &item.name)
                    .iter()
                    .map(|l| format!("  {l}")),
            );
            let made = self.make(item, &item.name, &alias, true);
            lines.extend(made.iter().map(|l| format!("  {l}")));
        } else {
            lines.push(format!("  {}", self.value_copy(item, &item.name, &alias)));
        }
        lines.push("end if".to_owned());
        lines.extend(ended);
        lines
    }

    /// A copy begins with the value that changes nothing (OpenMP 5.0, table 2.11).
    fn neutral(&mut self, item: &Item, operator: &str) -> Vec<String> {
        let name = &item.name;
        let ty = self.item_type(item);
        let ty_text = self.type_text(&ty);
        let real = matches!(ty, Type::Real(_));
        let mut lines = vec!["block".to_owned()];
        let value = match operator {
            "*" => "1",
            ".and." | ".eqv." => ".true.",
            ".or." | ".neqv." => ".false.",
            "iand" => "-1",
            "max" | "min" if real => {
                let class = match operator {
                    "max" => "negative",
                    _ => "positive",
                };
                lines.push(format!(
                    "  use, intrinsic :: ieee_arithmetic, only: {CUF}ieee_value => ieee_value, {CUF}infinity => ieee_{class}_inf"
                ));
                &format!("{CUF}ieee_value({CUF}value, {CUF}infinity)")
            }
            "max" => &format!("-huge({CUF}value) - 1_{}", kind_of(&ty)),
            "min" => &format!("huge({CUF}value)"),
            _ => "0",
        };
        lines.push(format!("  {ty_text} :: {CUF}value"));
        lines.push(format!("  {CUF}value = {value}"));
        lines.push(match self.item_variable(item).map(|v| v.space) {
            Some(Space::Pinned) => format!("  {name} = {CUF}value"),
            _ => format!("  call {H2D}({name}, {CUF}value)"),
        });
        lines.push("end block".to_owned());
        lines
    }

    /// The variable outside takes the copy's value in, by way of the host's memory.
    fn combined(&mut self, item: &Item, operator: &str) -> Vec<String> {
        let (name, alias) = (&item.name, item.alias());
        let with = |a: &str, b: &str| match operator {
            "max" | "min" | "iand" | "ior" | "ieor" => format!("{operator}({a}, {b})"),
            "-" => format!("{a} + {b}"),
            o => format!("{a} {o} {b}"),
        };
        let rank = self.item_rank(item);
        let mut lines = if self
            .item_variable(item)
            .is_some_and(|v| v.space == Space::Pinned)
        {
            vec![format!("{name} = {}", with(name, &alias))]
        } else {
            let ty = self.type_text(&self.item_type(item));
            let (old, value) = (format!("{CUF}old"), format!("{CUF}value"));
            let shape = match rank {
                0 => String::new(),
                n => {
                    let extents = (1..=n).map(|d| format!("{SIZE}({name}, {d})"));
                    format!("({})", list(extents))
                }
            };
            let kind = match rank {
                0 => String::new(),
                n => format!("({})", vec![":"; n].join(",")),
            };
            let allocatable = if rank > 0 { ", allocatable" } else { "" };
            let mut lines = vec![
                "block".to_owned(),
                format!("  {ty}{allocatable} :: {old}{kind}, {value}{kind}"),
            ];
            if rank > 0 {
                lines.push(format!("  allocate({old}{shape}, {value}{shape})"));
            }
            lines.push(format!("  call {D2H}({old}, {name})"));
            lines.push(format!("  call {D2H}({value}, {alias})"));
            lines.push(format!("  {old} = {}", with(&old, &value)));
            lines.push(format!("  call {H2D}({name}, {old})"));
            lines.push("end block".to_owned());
            lines
        };
        if self.is_allocatable(item) {
            lines = lines.iter().map(|l| format!("  {l}")).collect();
            lines.insert(0, format!("if ({ASSOCIATED}({alias})) then"));
            lines.push("end if".to_owned());
        }
        lines
    }

    /// What a task needs: copies that the thread makes which meets the task. Before the directive, and behind the construct.
    pub(super) fn task_copies(&mut self, copies: &[Item], gnu: bool) -> Lines {
        let mut lines = Lines::default();
        lines.before.extend(opening(gnu));
        for i in copies {
            let copy = self.copy_declaration(i, &i.alias(), true);
            lines.before.push(format!("  {copy}"));
        }
        for i in copies {
            let made = self.make(i, &i.alias(), &i.name, i.begins_with_values());
            lines.before.extend(made.iter().map(|l| format!("  {l}")));
        }
        lines.after.push("end block".to_owned());
        lines
    }

    /// The region of a task, whose copies it ends.
    pub(super) fn task_region(&mut self, copies: &[Item]) -> Lines {
        let mut lines = Lines::default();
        lines.before.push("block".to_owned());
        for i in copies {
            let own = self.copy_declaration(i, &i.name, true);
            lines.before.push(format!("  {own}"));
        }
        for i in copies {
            let set = self.stand_for(i, &i.name, &i.alias());
            lines.before.push(format!("  {set}"));
        }
        for i in copies {
            let ended = self.ended(i, &i.name);
            lines.after.extend(ended.iter().map(|l| format!("  {l}")));
        }
        lines.after.push("end block".to_owned());
        lines
    }

    /// COPYIN and COPYPRIVATE: where the variables of the thread that has the values are known by other names. `sets`: they
    /// are so at once.
    pub(super) fn source_of_values(&mut self, copies: &[Item], sets: bool) -> Lines {
        let mut lines = Lines::default();
        // flang 22 refuses the names of a BLOCK in COPYPRIVATE.
        lines.before.extend(opening(!sets));
        for i in copies {
            let alias = self.copy_declaration(i, &i.alias(), false);
            lines.before.push(format!("  {alias}"));
        }
        if sets {
            for i in copies {
                let set = self.stand_for(i, &i.alias(), &i.name);
                lines.before.push(format!("  {set}"));
            }
        } else {
            lines.before.push(format!("  logical :: {OTHER}"));
            lines.before.push(format!("  {OTHER} = .true."));
        }
        lines.after.push("end block".to_owned());
        lines
    }

    /// In the thread that has the values.
    pub(super) fn values_given(&self, copies: &[Item]) -> Vec<String> {
        let set = copies
            .iter()
            .map(|i| self.stand_for(i, &i.alias(), &i.name));
        let mut lines: Vec<String> = set.collect();
        lines.push(format!("{OTHER} = .false."));
        lines
    }

    /// In all threads: the others take the values over. No thread goes on before all have them.
    pub(super) fn values_taken(&mut self, copies: &[Item]) -> Vec<String> {
        let mut lines = vec![format!("if ({OTHER}) then")];
        for i in copies {
            let mut taken = Vec::new();
            if i.owner {
                taken.extend(self.ended(i, &i.name));
                let ty = self.item_type(i);
                taken.extend(self.copy_value((&i.name, &ty), (&i.alias(), &ty)));
            } else if self.is_allocatable(i) {
                taken.extend(self.ended(i, &i.name));
                taken.extend(self.make(i, &i.name, &i.alias(), true));
            } else {
                taken.push(self.value_copy(i, &i.name, &i.alias()));
            }
            lines.extend(taken.iter().map(|l| format!("  {l}")));
        }
        lines.push("end if".to_owned());
        lines.push("!$omp barrier".to_owned());
        lines
    }

    /// The names under which directives hand copies or sources on.
    pub(super) fn aliases(copies: &[Item]) -> String {
        list(copies.iter().map(Item::alias))
    }
}

fn bounds(of: &str, rank: usize) -> String {
    list((1..=rank).map(|d| format!("{LBOUND}({of}, {d}):{UBOUND}({of}, {d})")))
}

fn kind_of(ty: &Type) -> u8 {
    match ty {
        Type::Integer(k) => *k,
        _ => 4,
    }
}
