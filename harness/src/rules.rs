//! The rule book, for those who do not have the repository at hand.

static BOOK: &str = include_str!("../RULES.md");

/// How the book's head abbreviates two sources, and what they are where a rule stands alone.
const SOURCES: [(&str, &str); 2] = [("S0", "the library Snodo"), ("S3", "the reference page")];

/// Every rule of the book, with its text.
///
/// ```
/// let rules = mcp_roots_harness::rules::all();
/// assert!(rules.iter().any(|(id, text)| *id == "R3" && text.starts_with("`name` is absent or a string")));
/// ```
#[must_use]
pub fn all() -> Vec<(&'static str, String)> {
    let mut rules: Vec<(&'static str, String)> = Vec::new();
    let mut is_open = false;
    for line in BOOK.lines() {
        if let Some((id, text)) = line.strip_prefix("- ").and_then(|line| line.split_once(' '))
            && id.len() <= 3
            && id.starts_with(|first: char| first.is_ascii_uppercase())
            && id[1..].bytes().all(|byte| byte.is_ascii_digit())
        {
            rules.push((id, text.to_owned()));
            is_open = true;
        } else if let (true, Some(more), Some((_, text))) =
            (is_open, line.strip_prefix("  "), rules.last_mut())
        {
            text.push(' ');
            text.push_str(more.trim_start());
        } else {
            is_open = false;
        }
    }
    for (_, text) in &mut rules {
        for (short, long) in SOURCES {
            // A sentence begins with a capital.
            let capital = long.replacen("the", "The", 1);
            *text = text.replace(&format!(". {short}"), &format!(". {capital}")).replace(short, long);
        }
    }
    rules
}

/// The text of a rule.
///
/// ```
/// assert!(mcp_roots_harness::rules::text("U1").is_some());
/// assert_eq!(mcp_roots_harness::rules::text("Z9"), None);
/// ```
#[must_use]
pub fn text(id: &str) -> Option<String> {
    all().into_iter().find(|(other, _)| *other == id).map(|(_, text)| text)
}
