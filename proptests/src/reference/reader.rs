//! A plain strict JSON reader: text into an ordered tree that keeps equal names and positions.
//!
//! It shares no code and no library with the core. It stops at the first fault of text, and gives
//! what it had read until then, since faults of other kinds may stand before it.

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte; where the text breaks off if [`Node::is_whole`] is false.
    pub end: usize,
    /// What it is.
    pub kind: Kind,
    /// Whether it was read to its end.
    pub is_whole: bool,
}

/// What a [`Node`] is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it is spelled.
    Number(String),
    /// A string, unescaped.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object.
    Object(Vec<Member>),
    /// No value, or one that broke before its type counted: a fault of text is all it has.
    Broken,
}

impl Kind {
    /// The type's name, as JSON Schema has it.
    ///
    /// ```
    /// assert_eq!(mcp_roots_proptests::reference::Kind::Null.name(), "null");
    /// ```
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
            Self::Broken => "",
        }
    }
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The name, unescaped.
    pub name: String,
    /// Offset after the name.
    pub name_end: usize,
    /// The value, if the text goes on that far.
    pub value: Option<Node>,
}

/// What a text says, as far as it can be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The value.
    pub root: Node,
    /// Where the text stops being one JSON value (J2, J3), if it does.
    pub broken_at: Option<usize>,
}

/// Reads a text.
///
/// ```
/// use mcp_roots_proptests::reference::read;
/// assert_eq!(read("[1]").broken_at, None);
/// assert_eq!(read("[1,]").broken_at, Some(3));
/// ```
#[must_use]
pub fn read(text: &str) -> Reading {
    read_within(text, Limits::BY_RULE)
}

/// What J3 limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) depth: usize,
    pub(crate) is_finite: bool,
}

impl Limits {
    pub(crate) const BY_RULE: Self = Self { depth: 127, is_finite: true };
}

pub(crate) fn read_within(text: &str, limits: Limits) -> Reading {
    let mut reader = Reader { bytes: text.as_bytes(), at: 0, broken_at: None, limits };
    reader.space();
    let root = reader.value(1);
    reader.space();
    if reader.at < text.len() {
        reader.fail();
    }
    Reading { root, broken_at: reader.broken_at }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    broken_at: Option<usize>,
    limits: Limits,
}

impl Reader<'_> {
    /// The next byte; none after a fault.
    fn peek(&self) -> Option<u8> {
        if self.broken_at.is_some() { None } else { self.bytes.get(self.at).copied() }
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn fail(&mut self) {
        self.broken_at.get_or_insert(self.at);
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Node {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'[' | b'{') if depth > self.limits.depth => Kind::Broken,
            Some(b'[') => Kind::Array(self.array(depth)),
            Some(b'{') => Kind::Object(self.object(depth)),
            Some(b'"') => self.string().map_or(Kind::Broken, Kind::String),
            Some(b'-' | b'0'..=b'9') => self.number().map_or(Kind::Broken, Kind::Number),
            _ => self.word(),
        };
        if kind == Kind::Broken {
            self.fail();
        }
        Node { start, end: self.at, kind, is_whole: self.broken_at.is_none() }
    }

    fn word(&mut self) -> Kind {
        for (word, kind) in [("null", Kind::Null), ("true", Kind::Bool(true)), ("false", Kind::Bool(false))] {
            if self.peek().is_some() && self.bytes[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return kind;
            }
        }
        Kind::Broken
    }

    fn array(&mut self, depth: usize) -> Vec<Node> {
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.take(b']') {
            return items;
        }
        loop {
            items.push(self.value(depth + 1));
            self.space();
            if self.take(b']') {
                return items;
            }
            if !self.take(b',') {
                self.fail();
                return items;
            }
            self.space();
        }
    }

    fn object(&mut self, depth: usize) -> Vec<Member> {
        let mut members = Vec::new();
        self.at += 1;
        self.space();
        if self.take(b'}') {
            return members;
        }
        loop {
            let name = if self.peek() == Some(b'"') { self.string() } else { None };
            let Some(name) = name else {
                self.fail();
                return members;
            };
            let name_end = self.at;
            self.space();
            if !self.take(b':') {
                self.fail();
                members.push(Member { name, name_end, value: None });
                return members;
            }
            self.space();
            let value = Some(self.value(depth + 1));
            members.push(Member { name, name_end, value });
            self.space();
            if self.take(b'}') {
                return members;
            }
            if !self.take(b',') {
                self.fail();
                return members;
            }
            self.space();
        }
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Option<String> {
        let start = self.at;
        self.take(b'-');
        let leads_with_zero = self.peek() == Some(b'0');
        let digits = self.digits();
        if digits == 0 || leads_with_zero && digits > 1 {
            return None;
        }
        if self.take(b'.') && self.digits() == 0 {
            return None;
        }
        if self.take(b'e') || self.take(b'E') {
            let _sign = self.take(b'+') || self.take(b'-');
            if self.digits() == 0 {
                return None;
            }
        }
        let spelling = std::str::from_utf8(&self.bytes[start..self.at]).expect("ASCII");
        (!self.limits.is_finite || is_finite(spelling)).then(|| spelling.to_owned())
    }

    fn string(&mut self) -> Option<String> {
        self.at += 1;
        let mut text = Vec::new();
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'"' => return Some(String::from_utf8(text).expect("a part of a text")),
                b'\\' => {
                    let character = self.escape()?;
                    text.extend(character.encode_utf8(&mut [0; 4]).bytes());
                }
                0..=0x1f => return None,
                _ => text.push(byte),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        let byte = self.peek()?;
        self.at += 1;
        Some(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => match self.code_unit()? {
                high @ 0xd800..=0xdbff => {
                    let low = (self.take(b'\\') && self.take(b'u')).then(|| self.code_unit()).flatten()?;
                    char::decode_utf16([high, low]).next()?.ok()?
                }
                unit => char::from_u32(unit.into())?,
            },
            _ => return None,
        })
    }

    fn code_unit(&mut self) -> Option<u16> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        self.at += 4;
        digits.iter().try_fold(0, |unit, digit| {
            let digit = char::from(*digit).to_digit(16)?;
            Some(unit << 4 | u16::try_from(digit).ok()?)
        })
    }
}

/// Whether the f64 nearest to a number is finite (J3).
fn is_finite(spelling: &str) -> bool {
    spelling.parse::<f64>().is_ok_and(f64::is_finite)
}
