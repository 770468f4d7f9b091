//! Prints the syntax tree of files, or with `--errors` only the places of error nodes.

use tree_sitter::{Node, Parser, TreeCursor};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_cuda_fortran::LANGUAGE.into())?;
    let mut only_errors = false;
    for arg in std::env::args().skip(1) {
        if arg == "--errors" {
            only_errors = true;
            continue;
        }
        let text = std::fs::read(&arg)?;
        let Some(tree) = parser.parse(&text, None) else {
            continue;
        };
        if only_errors && !tree.root_node().has_error() {
            continue;
        }
        println!("{arg}");
        show(&mut tree.walk(), &text, 0, only_errors);
    }
    Ok(())
}

fn show(cursor: &mut TreeCursor<'_>, text: &[u8], depth: usize, only_errors: bool) {
    loop {
        let node: Node<'_> = cursor.node();
        let wanted = if only_errors {
            node.is_error() || node.is_missing()
        } else {
            node.is_named() || node.is_missing()
        };
        if wanted {
            let field = cursor
                .field_name()
                .map_or(String::new(), |f| format!("{f}: "));
            let at = node.start_position();
            let leaf = if node.child_count() == 0 || only_errors {
                String::from_utf8_lossy(&text[node.byte_range()])
                    .chars()
                    .take(60)
                    .collect()
            } else {
                String::new()
            };
            println!(
                "{}{field}{} {}:{} {leaf:?}",
                "  ".repeat(depth),
                node.kind(),
                at.row + 1,
                at.column + 1
            );
        }
        if cursor.goto_first_child() {
            show(cursor, text, depth + 1, only_errors);
            cursor.goto_parent();
        }
        if !cursor.goto_next_sibling() {
            return;
        }
    }
}
