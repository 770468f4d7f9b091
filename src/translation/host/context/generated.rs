//! Generated procedures as text: the templates in `templates/host`. A template's own text is plain Fortran, in which the names with
//! the beginning `cuf_` and the intrinsic procedures are those of generated code; what is put in has the marks of [`names`] already
//! where it is not the program's.

use std::fmt;

use askama::Template;
use askama::filters::Escaper;

use crate::host::context::names;

/// Around what is put into a template: no characters of a Fortran program.
const OPEN: char = '\u{2}';
const CLOSE: char = '\u{3}';

/// The escaper of these templates (askama.toml): tells what is put in from the template's own text.
#[derive(Clone, Copy, Debug)]
pub struct Inserted;

impl Escaper for Inserted {
    fn write_escaped_str<W: fmt::Write>(&self, mut dest: W, text: &str) -> fmt::Result {
        dest.write_char(OPEN)?;
        dest.write_str(text)?;
        dest.write_char(CLOSE)
    }
}

/// The lines of a generated procedure, with marks before generated names.
pub(in crate::translation::host) fn lines(template: &impl Template) -> Vec<String> {
    // Only strings are joined: rendering cannot fail.
    let text = template.render().unwrap_or_default();
    marked(&text).lines().map(str::to_owned).collect()
}

/// The text with marks for the generated names of the template's own text, without the brackets around what was put in.
fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    for piece in text.split(OPEN) {
        let (inserted, own) = match piece.split_once(CLOSE) {
            Some((inserted, own)) => (inserted, own),
            None => ("", piece),
        };
        out.push_str(inserted);
        names::mark(own, &mut out);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::context::names::{ALLOCATED, CUF};

    #[derive(Template)]
    #[template(
        source = "if (allocated({@ object @})) call cuf_free({@ object @}, any)",
        ext = "f90",
        escape = "fortran"
    )]
    struct Statement {
        object: &'static str,
    }

    #[test]
    fn own_names_get_marks() {
        let object = "cuf_x%size(1)";
        assert_eq!(
            lines(&Statement { object }),
            [format!(
                "if ({ALLOCATED}({object})) call {CUF}free({object}, any)"
            )]
        );
    }
}
