//! Rules of the procedure statement (guide 2.4, 2.5, 3.1).

use crate::sema::check::checker::*;
use crate::suggest;

/// Threads of a block on every GPU (guide 2.7).
pub(in crate::translation::sema::check) const MAX_THREADS: i64 = 1024;
/// Blocks of a cluster on any GPU (CUDA C++ programming guide, thread block clusters).
const MAX_CLUSTER: i64 = 16;

impl Checker<'_> {
    /// `place`: what kind of scope the procedure stands in; None for an interface body.
    pub(in crate::translation::sema::check) fn procedure_rules(
        &mut self,
        unit: &ProgramUnit,
        place: Option<ScopeKind>,
    ) {
        let target = self
            .procedure_of(self.scope)
            .map_or(ProcedureTarget::Host, |p| p.target);
        let internal = matches!(place, Some(ScopeKind::Program | ScopeKind::Procedure));
        let kernel = (unit.prefix.attributes.iter())
            .any(|a| matches!(a.text.as_str(), "global" | "grid_global"));
        let name = self.slice(unit.name.span).to_owned();
        self.attribute_rules(unit);
        if kernel {
            self.kernel_rules(unit, &name, internal);
        } else {
            self.launch_attributes_need_kernel(unit, &name);
            if target == ProcedureTarget::Host {
                return;
            }
        }
        self.device_subprogram_rules(unit, &name, target, internal);
        self.launch_attribute_rules(unit, &name);
        self.cluster_size(unit, &name);
        let scope = self.scope;
        if matches!(
            target,
            ProcedureTarget::Device | ProcedureTarget::HostDevice
        ) && unit.kind == UnitKind::Function
            && let Some(r) = self.procedure_of(scope).and_then(|p| p.result)
            && matches!(self.model.type_of(r), Type::Character(ref n) if *n != CharacterLength::Constant(1))
        {
            self.report(
                "CUF0309",
                unit.header,
                format!("device function `{name}` cannot return a character value"),
            );
        }
    }

    fn attribute_rules(&mut self, unit: &ProgramUnit) {
        for a in &unit.prefix.attributes {
            if !matches!(
                a.text.as_str(),
                "global" | "device" | "host" | "grid_global"
            ) {
                let text = self.slice(a.span);
                let near = match text.eq_ignore_ascii_case("kernel") {
                    true => Some("global"),
                    false => suggest::nearest(text, ["global", "device", "host", "grid_global"]),
                };
                let help = match near {
                    Some(near) => format!("write `attributes({near})`"),
                    None => "write `host`, `device`, `global`, or `grid_global`".to_owned(),
                };
                let message = format!("`{text}` is not an attribute of a procedure");
                let found = self.report("CUF0305", a.span, message);
                found.help = Some(help);
                found.proposal = near.map(|near| Proposal {
                    span: a.span,
                    text: near.to_owned(),
                    is_safe: true,
                });
            }
        }
    }

    fn kernel_rules(&mut self, unit: &ProgramUnit, name: &str, internal: bool) {
        let mut words = unit.prefix.attributes.iter().map(|a| a.text.as_str());
        if let Some(other) = words.find(|w| matches!(*w, "device" | "host")) {
            self.report(
                "CUF0304",
                unit.header,
                format!(
                    "kernel `{name}` cannot have both the `global` and the `{other}` attribute"
                ),
            );
        }
        if unit.kind == UnitKind::Function {
            self.report(
                "CUF0301",
                unit.header,
                format!("kernel `{name}` must be a subroutine, not a function\nhelp: write `attributes(global) subroutine {name}`, and store the result in an array argument"),
            );
        }
        for w in &unit.prefix.words {
            if matches!(
                w.text.as_str(),
                "recursive" | "pure" | "elemental" | "impure"
            ) {
                let finding = self.report(
                    "CUF0303",
                    unit.header,
                    format!("kernel `{name}` cannot be `{}`", w.text),
                );
                // A promise that changes nothing about the kernel: nvfortran accepts it, and public code writes it.
                finding.warning = w.text.ends_with("pure");
            }
        }
        if internal {
            self.report_help(
                "CUF0302",
                unit.name.span,
                format!("kernel `{name}` cannot be an internal procedure"),
                "move it to a module: `module m`, `contains`, the procedure, `end module`",
            );
        }
    }

    fn launch_attributes_need_kernel(&mut self, unit: &ProgramUnit, name: &str) {
        if let Some(v) = unit.prefix.launch_bounds.first() {
            self.report(
                "CUF0308",
                v.span,
                format!("`launch_bounds` applies only to kernels, but `{name}` is not a kernel"),
            );
        }
        if let Some(v) = unit.prefix.cluster_dims.first() {
            self.report(
                "CUF0308",
                v.span,
                format!("`cluster_dims` applies only to kernels, but `{name}` is not a kernel"),
            );
        }
    }

    fn device_subprogram_rules(
        &mut self,
        unit: &ProgramUnit,
        name: &str,
        target: ProcedureTarget,
        internal: bool,
    ) {
        // Inside another device subprogram that one is to blame.
        let in_host = self.model[self.scope]
            .parent
            .and_then(|p| self.procedure_of(p))
            .is_none_or(|p| p.target == ProcedureTarget::Host);
        if matches!(
            target,
            ProcedureTarget::Device | ProcedureTarget::HostDevice
        ) && in_host
            && internal
            && !self.model.dialect.openacc
        {
            self.report_help(
                "CUF0302",
                unit.name.span,
                format!("device procedure `{name}` cannot be an internal procedure"),
                "move it to a module: `module m`, `contains`, the procedure, `end module`",
            );
        }
        if let Some(c) = unit.contains {
            self.report(
                "CUF0306",
                c,
                format!("device procedure `{name}` cannot contain other procedures"),
            );
        }
        for d in &unit.dummies {
            if let Dummy::AlternateReturn(span) = d {
                self.report(
                    "CUF0307",
                    *span,
                    format!("device procedure `{name}` cannot have an alternate return"),
                );
                break;
            }
        }
    }

    /// The blocks of a cluster, as far as they are known.
    fn cluster_size(&mut self, unit: &ProgramUnit, name: &str) {
        let Some(first) = unit.prefix.cluster_dims.first() else {
            return;
        };
        let sizes = unit.prefix.cluster_dims.iter();
        let Some(sizes) = sizes
            .map(|v| self.model.const_int(self.scope, v))
            .collect::<Option<Vec<i64>>>()
        else {
            return;
        };
        let blocks = sizes.iter().fold(1i64, |n, s| n.saturating_mul(*s));
        if sizes.iter().any(|s| *s < 1) || blocks > MAX_CLUSTER {
            let shown: Vec<String> = sizes.iter().map(i64::to_string).collect();
            let message = format!(
                "`cluster_dims` of kernel `{name}` is {} blocks\nnote: a cluster has 1 to {MAX_CLUSTER} blocks",
                shown.join("x")
            );
            self.report("CUF0348", first.span, message);
        }
    }

    /// The arguments of launch_bounds and cluster_dims.
    fn launch_attribute_rules(&mut self, unit: &ProgramUnit, name: &str) {
        let scope = self.scope;
        for (what, values, counts) in [
            ("launch_bounds", &unit.prefix.launch_bounds, 1..=3),
            ("cluster_dims", &unit.prefix.cluster_dims, 3..=3),
        ] {
            let times = (unit.prefix.cuda_spans.iter())
                .filter(|s| self.slice(**s).to_ascii_lowercase().starts_with(what))
                .count();
            if let Some(first) = values.first()
                && (times > 1 || !counts.contains(&values.len()))
            {
                let wanted = if what == "launch_bounds" {
                    "one to three"
                } else {
                    "three"
                };
                self.report(
                    "CUF0308",
                    first.span,
                    format!("`{what}` must appear at most once and takes {wanted} arguments"),
                );
            }
            let threads = values.first().and_then(|v| self.model.const_int(scope, v));
            if what == "launch_bounds"
                && let (Some(first), Some(n)) = (values.first(), threads)
                && !(1..=MAX_THREADS).contains(&n)
            {
                let message = format!(
                    "`launch_bounds` of kernel `{name}` is {n} threads per block\nnote: a block has 1 to {MAX_THREADS} threads"
                );
                self.report("CUF0347", first.span, message);
            }
            for v in values {
                if self.model.const_int(scope, v).is_none() {
                    self.report(
                        "CUF0308",
                        v.span,
                        format!("arguments of `{what}` of `{name}` must be integer constants"),
                    );
                }
            }
        }
    }
}
