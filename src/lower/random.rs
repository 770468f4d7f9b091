//! Random numbers of the module curand_device: generic names, and the specific ones of each generator.

use super::context::Cx;
use super::convert::{conversion, convert};
use super::expr::Ix;
use crate::ir::{self, *};
use crate::sema::typed::*;

/// Names of the generators in specific procedures.
const GENERATORS: [&str; 3] = ["xorwow", "mrg32k3a", "philox4_32_10"];

/// What specific names have between `curand` and the generator, with CUDA's functions.
const SPECIFIC: [(&str, &str); 8] = [
    ("init", "curand_init"),
    ("get", "curand"),
    ("uniform", "curand_uniform"),
    ("uniformdouble", "curand_uniform_double"),
    ("normal", "curand_normal"),
    ("normaldouble", "curand_normal_double"),
    ("lognormal", "curand_log_normal"),
    ("lognormaldouble", "curand_log_normal_double"),
];

/// CUDA's function for a procedure of the module, None for other names.
pub fn draw(name: &str) -> Option<&'static str> {
    let rest = name.strip_prefix("curand")?;
    if let Some((_, f)) = SPECIFIC.iter().find(|(_, f)| *f == name) {
        return Some(f);
    }
    let operation = GENERATORS.iter().find_map(|g| rest.strip_suffix(g))?;
    SPECIFIC
        .iter()
        .find(|(word, _)| *word == operation)
        .map(|(_, f)| *f)
}

impl Cx<'_, '_> {
    /// A number drawn from the generator that the first argument holds.
    pub fn random_number(
        &mut self,
        function: &str,
        args: &[(Option<String>, TExpr)],
        ix: &[Ix],
        ty: &ir::Type,
    ) -> Option<Expr> {
        let (_, state) = args.first()?;
        if !state.is_designator() || function == "curand_init" {
            return None;
        }
        let mut v = vec![self.val(state, ix).address()];
        if function.starts_with("curand_log_normal") {
            // Without mean and deviation, as NVIDIA's Fortran interface has it, those of the standard distribution.
            for (i, standard) in [(1, 0.0), (2, 1.0)] {
                v.push(match args.get(i) {
                    Some((_, a)) => {
                        let x = self.val(a, ix);
                        convert(x, ty)
                    }
                    None => Expr::new(ExprKind::Real(standard), ty.clone()),
                });
            }
        }
        let call = Expr::call(Ident::local(function), v, ty.clone());
        // The integers of CUDA are unsigned.
        Some(match ty {
            ir::Type::Int(_) => conversion(call, ty),
            _ => call,
        })
    }

    /// `call curand_init(seed, sequence, offset, state)`
    pub fn random_call(
        &mut self,
        name: &str,
        args: &[(Option<String>, TExpr)],
    ) -> Option<Vec<ir::Stmt>> {
        if draw(name)? != "curand_init" {
            return None;
        }
        let [(_, seed), (_, sequence), (_, offset), (_, state)] = args else {
            return None;
        };
        if !state.is_designator() {
            return None;
        }
        let mut v = Vec::new();
        for a in [seed, sequence, offset] {
            let x = self.value(a);
            v.push(convert(x, &ir::Type::Int(8)));
        }
        v.push(self.place(state).address());
        Some(vec![ir::Stmt::expr(Expr::call(
            Ident::local("curand_init"),
            v,
            ir::Type::Void,
        ))])
    }
}

#[cfg(test)]
mod tests {
    use super::draw;

    #[test]
    fn generic_and_specific_names() {
        assert_eq!(draw("curand"), Some("curand"));
        assert_eq!(
            draw("curandlognormaldoublephilox4_32_10"),
            Some("curand_log_normal_double")
        );
        assert_eq!(draw("curandinitxorwow"), Some("curand_init"));
        assert_eq!(draw("curandgetsobol32"), None);
        assert_eq!(draw("curandcreategenerator"), None);
    }
}
