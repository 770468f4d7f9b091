//! Which of a few changed lines of host code stands for which of the user's: by the words that they have in common.

/// The most pairs of lines that are looked at; longer stretches are taken line for line.
const MOST: usize = 1 << 20;

/// For each of the lines written the index of the user's line that it stands for, in ascending order. There is at least one of the user's.
pub fn aligned(users: &[String], written: &[String]) -> Vec<usize> {
    if users.len().saturating_mul(written.len()) > MOST {
        let last = users.len().saturating_sub(1);
        return (0..written.len()).map(|i| i.min(last)).collect();
    }
    let theirs: Vec<Vec<String>> = users.iter().map(|l| words(l)).collect();
    // Of each line written, with each of the user's lines: how alike the lines up to here can be, and where the line before is then.
    let mut before: Vec<u32> = vec![0; users.len()];
    let mut came_from: Vec<Vec<usize>> = Vec::with_capacity(written.len());
    for line in written {
        let own = words(line);
        let loops = line.contains("cuf_loop(") || line.trim_start().starts_with("! CUF loop");
        let mut now = Vec::with_capacity(users.len());
        let mut from = Vec::with_capacity(users.len());
        let mut best = 0;
        for (u, words) in theirs.iter().enumerate() {
            if before[u] > before[best] {
                best = u;
            }
            let directive = loops
                && users[u]
                    .trim_start()
                    .to_ascii_lowercase()
                    .starts_with("!$cuf");
            let like = if directive {
                1000
            } else {
                likeness(&own, words)
            };
            now.push(before[best] + like);
            from.push(best);
        }
        came_from.push(from);
        before = now;
    }
    let mut at = 0;
    for (u, score) in before.iter().enumerate() {
        if *score > before[at] {
            at = u;
        }
    }
    let mut places = vec![0; written.len()];
    for (place, from) in places.iter_mut().zip(&came_from).rev() {
        *place = at;
        at = from.get(at).copied().unwrap_or(0);
    }
    places
}

/// Names and numbers that are the user's, sorted.
fn words(line: &str) -> Vec<String> {
    let apart = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let lower = line.to_ascii_lowercase();
    let mut words: Vec<String> = (lower.split(apart))
        .filter(|w| !w.is_empty() && *w != "call" && !w.starts_with("cuf_"))
        .map(str::to_owned)
        .collect();
    words.sort_unstable();
    words
}

/// Words in common, as a share of all, in thousandths.
fn likeness(a: &[String], b: &[String]) -> u32 {
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    let all = (a.len() + b.len()).max(1);
    u32::try_from(2000 * common / all).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_behind_a_loop_are_found() {
        let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
        let users = lines(
            "u = h\ncall reversed<<<1, 32>>>(u, 32)\n!$cuf kernel do\ndo i = 1, n\n  s = s + u(i)\nend do\nh(0:1) = u(0:1)\n\
             if (w /= 'calm') call smooth<<<4, 32>>>(u, n)\nh = u",
        );
        let written = lines(
            "call cuf_h2d(u, h)\ncall reversed(cuf_launch(1, 32), u, 32)\n! CUF loop: a.cu, a_loop_1\n\
             call cuf_a_loop_1(cuf_loop(), cuf_range(1, n), cuf_array(u, lbound(u)), s)\ncall cuf_d2h(h(0:1), u(0:1))\n\
             if (w /= 'calm') call smooth(cuf_launch(4, 32), u, n)\ncall cuf_d2h(h, u)",
        );
        assert_eq!(aligned(&users, &written), [0, 1, 2, 2, 6, 7, 8]);
    }
}
