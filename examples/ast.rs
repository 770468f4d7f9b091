//! Prints the syntax tree of files; with `--check` only syntax errors and nodes that the tree could not express.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut check = false;
    for arg in std::env::args().skip(1) {
        if arg == "--check" {
            check = true;
            continue;
        }
        let text = std::fs::read_to_string(&arg)?;
        let (file, errors) = cuf2cu::syntax::parse(&text);
        for e in &errors {
            let line = text[..e.span.start as usize].lines().count().max(1);
            println!("{arg}:{line}: {}", e.message);
        }
        let dump = format!("{file:#?}");
        if !check {
            println!("{dump}");
        } else {
            let lines: Vec<&str> = dump.lines().collect();
            for (i, l) in lines.iter().enumerate() {
                if l.trim_start().starts_with("kind: Other") {
                    let place = lines[i + 1..]
                        .iter()
                        .take(3)
                        .map(|l| l.trim())
                        .collect::<Vec<_>>()
                        .join(" ");
                    let at: usize = lines[i + 2]
                        .chars()
                        .filter(char::is_ascii_digit)
                        .collect::<String>()
                        .parse()
                        .unwrap_or(0);
                    let line = text.get(..at).map_or(0, |t| t.matches('\n').count() + 1);
                    println!("{arg}:{line}: {} {place}", l.trim());
                }
            }
        }
    }
    Ok(())
}
