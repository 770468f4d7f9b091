//! Random numbers of the module curand_device: generic names, and the specific ones of each generator.

use super::device_names::draw;
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::LoopIndex;
use crate::lower::value::convert::{conversion, convert};
use crate::sema::expression::typed::*;

impl LoweringContext<'_, '_> {
    /// A number drawn from the generator that the first argument holds.
    pub fn random_number(
        &mut self,
        function: Function,
        args: &[(Option<String>, TExpr)],
        ix: &[LoopIndex],
        ty: &ir::Type,
    ) -> Option<Expr> {
        let (_, state) = args.first()?;
        if !state.is_designator() || function == Function::CurandInit {
            return None;
        }
        let mut v = vec![self.val(state, ix).address()];
        if matches!(
            function,
            Function::CurandLogNormal | Function::CurandLogNormalDouble
        ) {
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
        let call = Expr::call(function, v, ty.clone());
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
        if draw(name)? != Function::CurandInit {
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
            Function::CurandInit,
            v,
            ir::Type::Void,
        ))])
    }
}

#[cfg(test)]
mod tests {
    use super::draw;
    use crate::ir::Function;

    #[test]
    fn generic_and_specific_names() {
        assert_eq!(draw("curand"), Some(Function::Curand));
        assert_eq!(
            draw("curandlognormaldoublephilox4_32_10"),
            Some(Function::CurandLogNormalDouble)
        );
        assert_eq!(draw("curandinitxorwow"), Some(Function::CurandInit));
        assert_eq!(draw("curandgetsobol32"), None);
        assert_eq!(draw("curandcreategenerator"), None);
    }
}
