//! JSON as documents spell it: an ordered tree that can hold what no well-formed document may, and
//! a writer with a choice of styles.

/// A JSON value to be written. Unlike `serde_json::Value` it keeps member order, equal names and
/// number spellings, and has room for text that is not JSON.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it is spelled.
    Number(String),
    /// A string as it is meant; the writer escapes it.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object: names as they are meant, in order, perhaps not unique.
    Object(Vec<(String, Json)>),
    /// Bytes that the writer copies as they are.
    Raw(Vec<u8>),
}

impl Json {
    /// An object without members.
    ///
    /// ```
    /// assert_eq!(mcp_roots_proptests::Json::empty_object().text(), "{}");
    /// ```
    #[must_use]
    pub fn empty_object() -> Self {
        Self::Object(Vec::new())
    }

    /// A string.
    ///
    /// ```
    /// assert_eq!(mcp_roots_proptests::Json::string("a\"b").text(), r#""a\"b""#);
    /// ```
    pub fn string(text: impl Into<String>) -> Self {
        Self::String(text.into())
    }

    /// The members, if this is an object.
    ///
    /// ```
    /// assert!(mcp_roots_proptests::Json::Null.members_mut().is_none());
    /// ```
    pub fn members_mut(&mut self) -> Option<&mut Vec<(String, Self)>> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    /// The value of the first member of this name, if this is an object that has one.
    ///
    /// ```
    /// use mcp_roots_proptests::Json;
    /// let mut object = Json::Object(vec![("a".into(), Json::Null)]);
    /// assert_eq!(object.member_mut("a"), Some(&mut Json::Null));
    /// ```
    pub fn member_mut(&mut self, name: &str) -> Option<&mut Self> {
        self.members_mut()?.iter_mut().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// How many arrays and objects stand in each other, at most.
    ///
    /// ```
    /// use mcp_roots_proptests::Json;
    /// assert_eq!(Json::Array(vec![Json::empty_object()]).depth(), 2);
    /// ```
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::Array(items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            Self::Object(members) => 1 + members.iter().map(|(_, value)| value.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Visits this value and all below it, outermost first.
    ///
    /// ```
    /// use mcp_roots_proptests::Json;
    /// let mut values = 0;
    /// Json::Array(vec![Json::Null, Json::Null]).visit_mut(&mut |_| values += 1);
    /// assert_eq!(values, 3);
    /// ```
    pub fn visit_mut(&mut self, visit: &mut impl FnMut(&mut Self)) {
        visit(self);
        match self {
            Self::Array(items) => items.iter_mut().for_each(|item| item.visit_mut(visit)),
            Self::Object(members) => members.iter_mut().for_each(|(_, value)| value.visit_mut(visit)),
            _ => {}
        }
    }

    /// Written plainly, as text.
    ///
    /// # Panics
    ///
    /// Where a [`Json::Raw`] is not UTF-8.
    ///
    /// ```
    /// use mcp_roots_proptests::Json;
    /// assert_eq!(Json::Array(vec![Json::Bool(true), Json::Null]).text(), "[true,null]");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8(self.write(Style::PLAIN)).expect("a tree of text")
    }

    /// Written in a style.
    ///
    /// ```
    /// use mcp_roots_proptests::{Json, Style};
    /// let style = Style { space: true, escapes: true, seed: 7 };
    /// let written = Json::Array(vec![Json::string("/")]).write(style);
    /// assert_eq!(serde_json::from_slice::<Vec<String>>(&written)?, ["/"]);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn write(&self, style: Style) -> Vec<u8> {
        let mut writer = Writer { out: Vec::new(), style, dice: Dice(style.seed) };
        writer.space();
        writer.value(self);
        writer.space();
        writer.out
    }
}

/// The members without those whose name was met before.
pub(crate) fn unique(members: Vec<(String, Json)>) -> Vec<(String, Json)> {
    let mut names = std::collections::HashSet::new();
    members.into_iter().filter(|(name, _)| names.insert(name.clone())).collect()
}

/// How a document is written: plainly, or awkwardly but legally.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, arbitrary::Arbitrary)]
pub struct Style {
    /// White space of all four kinds wherever it is allowed.
    pub space: bool,
    /// Every escape form there is, for characters that need it and for others.
    pub escapes: bool,
    /// Decides where.
    pub seed: u64,
}

impl Style {
    /// No white space, no escape that is not needed.
    pub const PLAIN: Self = Self { space: false, escapes: false, seed: 0 };
}

/// A small deterministic choice of numbers (splitmix64): documents are kept, never seeds, so its
/// quality hardly matters.
#[derive(Debug, Clone)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let below = u64::try_from(sides.max(1)).expect("a count fits");
        usize::try_from((mixed ^ (mixed >> 31)) % below).expect("below a usize")
    }
}

struct Writer {
    out: Vec<u8>,
    style: Style,
    dice: Dice,
}

impl Writer {
    fn space(&mut self) {
        if self.style.space {
            for _ in 0..self.dice.roll(3) {
                self.out.push(b" \t\n\r"[self.dice.roll(4)]);
            }
        }
    }

    fn value(&mut self, value: &Json) {
        match value {
            Json::Null => self.out.extend(b"null"),
            Json::Bool(true) => self.out.extend(b"true"),
            Json::Bool(false) => self.out.extend(b"false"),
            Json::Number(spelling) => self.out.extend(spelling.bytes()),
            Json::String(text) => self.string(text),
            Json::Raw(bytes) => self.out.extend(bytes),
            Json::Array(items) => self.list(*b"[]", items, Self::value),
            Json::Object(members) => self.list(*b"{}", members, |writer, (name, value)| {
                writer.string(name);
                writer.space();
                writer.out.push(b':');
                writer.space();
                writer.value(value);
            }),
        }
    }

    fn list<T>(&mut self, brackets: [u8; 2], entries: &[T], mut entry: impl FnMut(&mut Self, &T)) {
        self.out.push(brackets[0]);
        self.space();
        for (index, each) in entries.iter().enumerate() {
            if index > 0 {
                self.out.push(b',');
                self.space();
            }
            entry(self, each);
            self.space();
        }
        self.out.push(brackets[1]);
    }

    fn string(&mut self, text: &str) {
        self.out.push(b'"');
        for character in text.chars() {
            let must = matches!(character, '"' | '\\' | '\0'..='\x1f');
            if must || self.style.escapes && self.dice.roll(3) == 0 {
                self.escape(character);
            } else {
                self.out.extend(character.encode_utf8(&mut [0; 4]).bytes());
            }
        }
        self.out.push(b'"');
    }

    fn escape(&mut self, character: char) {
        let short = match character {
            '"' | '\\' | '/' => Some(character),
            '\u{8}' => Some('b'),
            '\u{c}' => Some('f'),
            '\n' => Some('n'),
            '\r' => Some('r'),
            '\t' => Some('t'),
            _ => None,
        };
        if let Some(short) = short.filter(|_| !self.style.escapes || self.dice.roll(2) == 0) {
            self.out.extend(format!("\\{short}").bytes());
            return;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            let escape =
                if self.dice.roll(2) == 0 { format!("\\u{unit:04x}") } else { format!("\\u{unit:04X}") };
            self.out.extend(escape.bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_in_every_style() {
        let names = ["", "a/b", "\u{0}\u{1f}\u{7f}", "\"\\\u{8}\u{c}\n\r\t", "é\u{2028}😀"];
        let value =
            Json::Object(names.iter().map(|name| ((*name).to_owned(), Json::string(*name))).collect());
        let expected: serde_json::Value =
            names.iter().map(|name| ((*name).to_owned(), serde_json::Value::from(*name))).collect();
        let mut texts = std::collections::HashSet::new();
        for seed in 0..200 {
            for (space, escapes) in [(false, false), (false, true), (true, false), (true, true)] {
                let written = value.write(Style { space, escapes, seed });
                assert_eq!(serde_json::from_slice::<serde_json::Value>(&written).unwrap(), expected);
                texts.insert(written);
            }
        }
        assert!(texts.len() > 400, "styles differ: {}", texts.len());
    }
}
