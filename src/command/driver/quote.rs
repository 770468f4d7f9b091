//! Words for a shell, a Makefile, a CMakeLists.txt.

/// A word as a shell reads it.
pub fn shell(text: &str) -> String {
    let plain = !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_=./+:,@%".contains(c));
    match plain {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// A word of a command, as the value of a variable in a Makefile has it.
pub fn make(text: &str) -> String {
    let mut out = String::new();
    let mut slashes = 0;
    for c in shell(text).chars() {
        match c {
            '$' => out.push_str("$$"),
            // Backslashes before it are read in pairs.
            '#' => {
                out.push_str(&"\\".repeat(slashes + 1));
                out.push('#');
            }
            other => out.push(other),
        }
        slashes = if c == '\\' { slashes + 1 } else { 0 };
    }
    out
}

/// A text inside a function of a Makefile, where parentheses count; what would end it is left out.
pub fn make_message(text: &str) -> String {
    let kept = text
        .chars()
        .filter(|c| !matches!(c, '(' | ')' | '#' | '\n' | '\r' | '\\'));
    kept.collect::<String>().replace('$', "$$")
}

/// A path as the target of a rule in a Makefile: there a percent sign would stand for any name.
pub fn make_target(text: &str) -> String {
    make_path(text).replace('%', "\\%")
}

/// A path as a rule in a Makefile, or a file of dependencies, has it behind the colon.
pub fn make_path(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '$' => out.push_str("$$"),
            ' ' | '\t' | '#' | ':' => {
                out.push('\\');
                out.push(c);
            }
            other => out.push(other),
        }
    }
    out
}

/// An argument of a command of CMake that stands for this text.
pub fn cmake(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

/// A word as an element of a property of CMake: generator expressions and lists are read in it.
pub fn cmake_word(text: &str) -> String {
    cmake(&text.replace("$<", "$<1:$><").replace(';', "\\;"))
}

/// An option of a target of CMake, which leaves out none because another is the same.
pub fn cmake_option(text: &str) -> String {
    cmake_word(&format!("SHELL:{}", shell(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(make("-DA=1"), "-DA=1");
        assert_eq!(make("-DA=a b"), "'-DA=a b'");
        assert_eq!(make("$x#y\\#'z"), r"'$$x\#y\\\#'\''z'");
        assert_eq!(make_path("a b$c#d"), "a\\ b$$c\\#d");
        assert_eq!(make_target("a%b:c"), "a\\%b\\:c");
        assert_eq!(cmake("a\"b\\c$d"), r#""a\"b\\c\$d""#);
    }
}
