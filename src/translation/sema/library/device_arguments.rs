//! Dummy names of device built-ins (guide 3.6.4 to 3.6.10): keyword arguments take their places.

use crate::sema::expression::generic::Actual;

/// The dummies of a built-in in order; None if the guide names none.
fn dummies(name: &str) -> Option<Vec<&'static str>> {
    let word = name.trim_start_matches('_');
    if let Some(shuffle) = word.strip_prefix("shfl") {
        let (shuffle, masked) = match shuffle.strip_suffix("_sync") {
            Some(s) => (s, true),
            None => (shuffle, false),
        };
        let from = match shuffle {
            "" => "srclane",
            "_up" | "_down" => "delta",
            "_xor" => "lanemask",
            _ => return None,
        };
        let mut all = vec!["var", from, "width"];
        if masked {
            all.insert(0, "mask");
        }
        return Some(all);
    }
    Some(match word {
        "atomicadd" | "atomicsub" | "atomicmax" | "atomicmin" | "atomicand" | "atomicor"
        | "atomicxor" | "atomicexch" => vec!["mem", "value"],
        "atomicadd_r4x2" | "atomicadd_r4x4" | "atomicaddvector_r4x2" => vec!["address", "val"],
        "atomicinc" | "atomicdec" => vec!["mem", "imax"],
        "atomiccas" => vec!["mem", "comp", "val"],
        "stwb" | "stcg" | "stcs" | "stwt" => vec!["mem", "value"],
        "ldca" | "ldcg" | "ldcs" | "ldlu" | "ldcv" => vec!["mem"],
        "all_sync" | "any_sync" | "ballot_sync" => vec!["int_mask", "int_predicate"],
        "match_any_sync" => vec!["int_mask", "value"],
        "match_all_sync" => vec!["int_mask", "value", "int_predicate"],
        "barrier_init" | "barrier_arrive" | "barrier_arrive_cnt" => {
            "barrier count".split(' ').collect()
        }
        "barrier_try_wait" => vec!["barrier", "token"],
        "barrier_try_wait_sleep" => vec!["barrier", "token", "ns"],
        "tma_bulk_g2s" => vec!["barrier", "src", "dst", "nbytes"],
        "tma_bulk_s2g" => vec!["src", "dst", "nbytes"],
        "ballot" | "syncthreads_and" | "syncthreads_or" | "syncthreads_count" => vec!["int_value"],
        _ => return None,
    })
}

/// The arguments in the order of the dummies. Keywords that name no dummy stay with their arguments, at the end.
pub fn in_order(name: &str, actuals: Vec<Actual>) -> Vec<Actual> {
    if actuals.iter().all(|a| a.keyword.is_none()) {
        return actuals;
    }
    let Some(dummies) = dummies(name) else {
        return actuals;
    };
    let mut placed: Vec<(usize, Actual)> = actuals
        .into_iter()
        .enumerate()
        .map(|(i, mut a)| {
            let Some(keyword) = &a.keyword else {
                return (i, a);
            };
            match dummies.iter().position(|d| d == keyword) {
                Some(at) => {
                    a.keyword = None;
                    (at, a)
                }
                None => (dummies.len(), a),
            }
        })
        .collect();
    placed.sort_by_key(|(at, _)| *at);
    placed.into_iter().map(|(_, a)| a).collect()
}
