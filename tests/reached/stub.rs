//! An asynchronous device for the programs: launches remember their arguments, and the work is done when the synchronization returns.

use std::fmt::Write as _;

const BEGIN: &str = r#"#include <ISO_Fortran_binding.h>
typedef struct { void *base; long lower[7], extent[7], stride[7]; int rank; } array;
typedef struct { int grid[3], block[3]; long bytes, stream; int flags; } launch;
typedef struct { long low, high, step; } range;
static int *pending[100000];
static int count;
static void later(void *p) { if (p && count < 100000) pending[count++] = p; }
int cufapi_device_synchronize(void) { for (int i = 0; i < count; i++) *pending[i] += 1; count = 0; return 0; }
launch cuf_rt_launch(void *a, void *b, void *c, void *d) { launch l = {0}; return l; }
launch cuf_rt_loop(void *a, void *b, void *c, void *d) { launch l = {0}; return l; }
range cuf_rt_range(void *a, void *b, void *c) { range r = {0}; return r; }
void *cuf_rt_copy_in(const CFI_cdesc_t *a) { return a->base_addr; }
void cuf_rt_copy_out(const CFI_cdesc_t *a) {}
void cuf_rt_copy_done(const CFI_cdesc_t *a) {}
void *cuf_rt_address(const CFI_cdesc_t *a) { return a ? a->base_addr : 0; }
array cuf_rt_array(const CFI_cdesc_t *a, void *lower) { array r = {0}; r.base = a ? a->base_addr : 0; return r; }
"#;

/// The C code of the launchers that the interfaces in `shims` describe.
pub fn text(shims: &str) -> String {
    let joined = shims.replace("&\n", " ");
    let mut out = BEGIN.to_owned();
    let mut lines = joined.lines();
    while let Some(line) = lines.next() {
        let Some(head) = line.strip_prefix("    subroutine ") else {
            continue;
        };
        let Some((name, rest)) = head.split_once('(') else {
            continue;
        };
        let parameters = rest.split(')').next().unwrap_or_default();
        let body: Vec<&str> = lines
            .by_ref()
            .take_while(|l| !l.starts_with("    end subroutine"))
            .collect();
        let (mut declared, mut work) = (Vec::new(), String::new());
        for p in parameters
            .split(',')
            .map(|p| p.trim().trim_start_matches('&').trim())
        {
            let kind = kind_of(p, &body);
            let (ty, data) = match kind {
                k if k.contains("cuf_launch") || k.contains("cuf_range") => ("void *", None),
                k if k.contains("cuf_array") => ("array *", Some(format!("{p}->base"))),
                k if k.contains("cuf_ptr") => ("void *", Some(p.to_owned())),
                k if k.contains(", value") => ("long ", None),
                _ => ("void *", Some(p.to_owned())),
            };
            declared.push(format!("{ty}{p}"));
            if let Some(data) = data {
                let _ = write!(work, " later({data});");
            }
        }
        let _ = writeln!(out, "void {name}({}) {{{work} }}", declared.join(", "));
    }
    out
}

/// Type and attributes of a dummy.
fn kind_of<'l>(dummy: &str, body: &[&'l str]) -> &'l str {
    let declares = |names: &str| {
        let mut names = names.split(',').map(|n| n.trim().trim_end_matches("(*)"));
        names.any(|n| n == dummy)
    };
    let declarations = body.iter().filter_map(|l| l.split_once(" :: "));
    let found = declarations.into_iter().find(|(_, names)| declares(names));
    found.map_or("", |(kind, _)| kind)
}
