//! The one reader behind both doors: it drives a [`Judge`] over JSON text or a `serde_json::Value`.
//!
//! Every value of a document passes through [`Read`], the only serde visitor here. It keeps what
//! serde's conveniences give away: an array never stands for an object (J7), `null` is not absence,
//! a name is met once (J6), and a skipped member is read as strictly as a judged one (J3).

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::document::Source;
use crate::error::{Error, Fault, Rule};
use crate::result::Root;

/// What one place of a document must hold. Each method takes one JSON type; what a judge does not
/// override is its mismatch. What is learned goes into [`Found`] as it is met, and is never moved
/// through serde's results: that costs more than reading it.
pub(crate) trait Judge<'de>: Copy {
    /// The members that mean something here; `()` where none does.
    type Member: Member;

    /// The fault of a value of another type.
    fn mismatch(self) -> Fault;

    /// What a member of this name means here.
    #[inline]
    fn member(self, name: &str) -> Self::Member {
        Self::Member::of(name)
    }

    /// Judges an object; must read all its members.
    fn object<A: MapAccess<'de>>(self, object: &mut Object<'_, 'de, A, Self>) -> Result<(), A::Error> {
        Err(object.fail(self.mismatch()))
    }

    /// Judges an array; must read all its items.
    fn array<A: SeqAccess<'de>>(self, array: &mut Array<'_, 'de, A>) -> Result<(), A::Error> {
        Err(array.state.fail(self.mismatch()))
    }

    /// Judges anything else.
    #[inline]
    fn scalar(self, _: Scalar<'_, 'de>, _: &mut Found<'de>) -> Result<(), Fault> {
        Err(self.mismatch())
    }
}

/// What was learned from the document so far.
#[derive(Default)]
pub(crate) struct Found<'de> {
    /// The roots, of which the last may be in the making.
    pub(crate) roots: Vec<Root<'de>>,
    /// The index of the member that was looked for, if it was met.
    pub(crate) member: Option<usize>,
}

/// What a member means to a judge. The default is "nothing": it is skipped.
pub(crate) trait Member: Copy + Default {
    fn of(_name: &str) -> Self {
        Self::default()
    }

    /// One bit for each meaning, 0 for none.
    fn bit(self) -> u8;
}

impl Member for () {
    fn bit(self) -> u8 {
        0
    }
}

/// An enum of the members that mean something in an object, and `Other`.
macro_rules! members {
    ($(#[$doc:meta])* $enum:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        pub(crate) enum $enum {
            $($variant,)+
            #[default]
            Other,
        }

        impl $crate::read::Member for $enum {
            #[inline]
            fn of(name: &str) -> Self {
                match name {
                    $($name => Self::$variant,)+
                    _ => Self::Other,
                }
            }

            fn bit(self) -> u8 {
                match self {
                    Self::Other => 0,
                    member => 1 << member as u8,
                }
            }
        }
    };
}
pub(crate) use members;

/// A value that holds no others.
pub(crate) enum Scalar<'s, 'de> {
    Null,
    Boolean,
    /// `integer` as JSON Schema counts: `1.0` is one.
    Number {
        integer: bool,
    },
    String(Text<'s, 'de>),
}

/// A string: part of the text, or unescaped in a buffer that will not last.
pub(crate) enum Text<'s, 'de> {
    Borrowed(&'de str),
    Unescaped(&'s str),
}

impl<'s, 'de: 's> Text<'s, 'de> {
    #[inline]
    #[expect(clippy::match_same_arms, reason = "the arms differ in how long the text lives")]
    pub(crate) fn get(&self) -> &'s str {
        match self {
            Self::Borrowed(text) => text,
            Self::Unescaped(text) => text,
        }
    }

    /// For keeping; copied if need be.
    #[inline]
    pub(crate) fn keep(self) -> Cow<'de, str> {
        match self {
            Self::Borrowed(text) => Cow::Borrowed(text),
            Self::Unescaped(text) => Cow::Owned(text.to_owned()),
        }
    }
}

/// Reads a document once, from its first byte to its last, and gives what was found in it, or the
/// first fault in reading order (E4). `id` is the member name for places below an id.
pub(crate) fn judge<'a, J: Judge<'a>>(source: Source<'a>, judge: J, id: &str) -> Result<Found<'a>, Error> {
    let mut state = State {
        is_text: matches!(source, Source::Text(_)),
        names: Vec::new(),
        found: Found::default(),
        fault: None,
        below_id: false,
    };
    let read: Result<(), serde_json::Error> = match source {
        Source::Text(text) => {
            let mut deserializer = serde_json::Deserializer::from_str(text);
            let read = Read { judge, state: &mut state }.deserialize(&mut deserializer);
            read.and_then(|()| deserializer.end())
        }
        Source::Value(value) => Read { judge, state: &mut state }.deserialize(value),
        Source::Absent => Err(state.fail(judge.mismatch())),
    };
    if read.is_ok() {
        return Ok(state.found);
    }
    // An error without a fault of ours is the JSON reader's.
    let fault = state.fault.unwrap_or(Fault::document(Rule::J2));
    let last_root = state.found.roots.len().saturating_sub(1);
    Err(Error::new(fault, state.below_id.then_some(id), last_root))
}

/// What the reading of one document shares.
pub(crate) struct State<'de> {
    is_text: bool,
    /// Names of the members that mean nothing, for each open object of the text, the innermost last.
    names: Vec<Cow<'de, str>>,
    found: Found<'de>,
    fault: Option<Fault>,
    /// Whether the value being read is the answer under the id asked for.
    below_id: bool,
}

impl State<'_> {
    /// Records the fault, and gives the error that unwinds the JSON reader.
    #[cold]
    fn fail<E: serde::de::Error>(&mut self, fault: Fault) -> E {
        self.fault = Some(fault);
        E::custom("")
    }
}

/// The members of an object as they are read.
pub(crate) struct Object<'s, 'de, A: MapAccess<'de>, J: Judge<'de>> {
    access: A,
    judge: J,
    /// The first name, which is read ahead.
    first: Option<Result<Option<J::Member>, A::Error>>,
    state: &'s mut State<'de>,
    /// How many names were read.
    count: usize,
    /// The bits of the meaningful members met.
    met: u8,
    /// Where this object's names begin in `state.names`.
    base: usize,
}

impl<'de, A: MapAccess<'de>, J: Judge<'de>> Object<'_, 'de, A, J> {
    /// The next member; its value must be read before the next call.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<J::Member>, A::Error> {
        let member = match self.first.take() {
            Some(first) => first,
            None => self.access.next_key_seed(Name { judge: self.judge, state: self.state }),
        };
        self.count = self.count.saturating_add(1);
        match member {
            Ok(Some(member)) if self.met & member.bit() == 0 => {
                self.met |= member.bit();
                Ok(Some(member))
            }
            Ok(None) if !self.has_duplicate() => {
                self.state.names.truncate(self.base);
                Ok(None)
            }
            Ok(_) => Err(self.fail(Fault::document(Rule::J6))),
            Err(error) => Err(self.unwind(error)),
        }
    }

    /// Whether this member was met.
    #[inline]
    pub(crate) fn has(&self, member: J::Member) -> bool {
        self.met & member.bit() != 0
    }

    /// Notes the member just met as the one that was looked for.
    pub(crate) fn found_member(&mut self) {
        self.state.found.member = Some(self.count.saturating_sub(1));
    }

    /// The value of the member just met.
    #[inline]
    pub(crate) fn value<V: Judge<'de>>(&mut self, judge: V) -> Result<(), A::Error> {
        let value = self.access.next_value_seed(Read { judge, state: self.state });
        value.map_err(|error| self.unwind(error))
    }

    /// The value of the member just met, judged as a document of its own that stands below the id
    /// asked for.
    pub(crate) fn answer<V: Judge<'de>>(&mut self, judge: V) -> Result<(), A::Error> {
        self.state.below_id = true;
        self.value(judge)?;
        self.state.below_id = false;
        Ok(())
    }

    /// Leaves the value of the member just met to the application: of a text it is read strictly
    /// all the same (J3, J6), of a `Value` it is not entered (J4).
    #[inline]
    pub(crate) fn skip(&mut self) -> Result<(), A::Error> {
        if self.state.is_text {
            self.value(Skipped)
        } else {
            self.access.next_value::<IgnoredAny>().map(drop)
        }
    }

    /// Skips all members that are left.
    pub(crate) fn skip_all(&mut self) -> Result<(), A::Error> {
        while self.next()?.is_some() {
            self.skip()?;
        }
        Ok(())
    }

    /// The error for a fault of this object or of its members' names.
    #[cold]
    pub(crate) fn fail(&mut self, fault: Fault) -> A::Error {
        let error = self.state.fail(fault);
        self.unwind(error)
    }

    /// Names are compared when their object ends, or here: a duplicate met before the fault is the
    /// first fault (E4).
    #[cold]
    fn unwind(&mut self, error: A::Error) -> A::Error {
        if self.has_duplicate() {
            self.state.fault = Some(Fault::document(Rule::J6));
        }
        self.state.names.truncate(self.base);
        error
    }

    #[inline]
    fn has_duplicate(&self) -> bool {
        has_equal(self.state.names.get(self.base..).unwrap_or_default())
    }
}

/// Whether two names are equal.
fn has_equal(names: &[Cow<'_, str>]) -> bool {
    /// Up to so many are compared each with each.
    const FEW: usize = 8;
    if names.len() > FEW {
        return has_equal_of_many(names);
    }
    let mut rest = names;
    while let Some((name, others)) = rest.split_first() {
        if others.contains(name) {
            return true;
        }
        rest = others;
    }
    false
}

/// Sorting keeps the time within n log n whatever a sender makes of the names (J4); the digests only
/// save most of the comparisons of text.
#[cold]
fn has_equal_of_many(names: &[Cow<'_, str>]) -> bool {
    let mut digested: Vec<(u64, &str)> = names.iter().map(|name| (digest(name), &**name)).collect();
    digested.sort_unstable();
    digested.iter().zip(digested.iter().skip(1)).any(|(one, next)| one == next)
}

/// Equal for equal names, and mostly different for others.
fn digest(name: &str) -> u64 {
    let (words, rest) = name.as_bytes().as_chunks();
    let rest = rest.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte));
    words.iter().fold(rest, |digest, word| {
        (digest.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(0x517c_c1b7_2722_0a95)
    })
}

/// The items of an array as they are read.
pub(crate) struct Array<'s, 'de, A: SeqAccess<'de>> {
    access: A,
    state: &'s mut State<'de>,
}

impl<'de, A: SeqAccess<'de>> Array<'_, 'de, A> {
    /// The next item; false if there is none.
    #[inline]
    pub(crate) fn next<J: Judge<'de>>(&mut self, judge: J) -> Result<bool, A::Error> {
        Ok(self.access.next_element_seed(Read { judge, state: self.state })?.is_some())
    }

    pub(crate) fn found(&mut self) -> &mut Found<'de> {
        &mut self.state.found
    }
}

/// An object, whatever it holds.
#[derive(Clone, Copy)]
pub(crate) struct AnyObject(pub(crate) Fault);

impl<'de> Judge<'de> for AnyObject {
    type Member = ();

    fn mismatch(self) -> Fault {
        self.0
    }

    fn object<A: MapAccess<'de>>(self, object: &mut Object<'_, 'de, A, Self>) -> Result<(), A::Error> {
        object.skip_all()
    }
}

/// This very string.
#[derive(Clone, Copy)]
pub(crate) struct Exactly(pub(crate) &'static str, pub(crate) Fault);

impl<'de> Judge<'de> for Exactly {
    type Member = ();

    fn mismatch(self) -> Fault {
        self.1
    }

    #[inline]
    fn scalar(self, scalar: Scalar<'_, 'de>, _: &mut Found<'de>) -> Result<(), Fault> {
        match scalar {
            Scalar::String(text) if text.get() == self.0 => Ok(()),
            _ => Err(self.mismatch()),
        }
    }
}

/// A string or an integer: what JSON-RPC ids and progress tokens are. A number is its nearest f64.
#[derive(Clone, Copy)]
pub(crate) struct Identifier(pub(crate) Fault);

impl<'de> Judge<'de> for Identifier {
    type Member = ();

    fn mismatch(self) -> Fault {
        self.0
    }

    #[inline]
    fn scalar(self, scalar: Scalar<'_, 'de>, _: &mut Found<'de>) -> Result<(), Fault> {
        match scalar {
            Scalar::String(_) | Scalar::Number { integer: true } => Ok(()),
            _ => Err(self.mismatch()),
        }
    }
}

/// A boolean.
#[derive(Clone, Copy)]
pub(crate) struct Boolean(pub(crate) Fault);

impl<'de> Judge<'de> for Boolean {
    type Member = ();

    fn mismatch(self) -> Fault {
        self.0
    }

    #[inline]
    fn scalar(self, scalar: Scalar<'_, 'de>, _: &mut Found<'de>) -> Result<(), Fault> {
        match scalar {
            Scalar::Boolean => Ok(()),
            _ => Err(self.mismatch()),
        }
    }
}

/// Any JSON value, read strictly.
#[derive(Clone, Copy)]
struct Skipped;

impl<'de> Judge<'de> for Skipped {
    type Member = ();

    fn mismatch(self) -> Fault {
        Fault::document(Rule::J2)
    }

    fn object<A: MapAccess<'de>>(self, object: &mut Object<'_, 'de, A, Self>) -> Result<(), A::Error> {
        object.skip_all()
    }

    fn array<A: SeqAccess<'de>>(self, array: &mut Array<'_, 'de, A>) -> Result<(), A::Error> {
        while array.next(Skipped)? {}
        Ok(())
    }

    #[inline]
    fn scalar(self, _: Scalar<'_, 'de>, _: &mut Found<'de>) -> Result<(), Fault> {
        Ok(())
    }
}

/// Drives a judge through serde.
struct Read<'s, 'de, J> {
    judge: J,
    state: &'s mut State<'de>,
}

impl<'de, J: Judge<'de>> Read<'_, 'de, J> {
    #[inline]
    fn scalar<E: serde::de::Error>(self, scalar: Scalar<'_, 'de>) -> Result<(), E> {
        self.judge.scalar(scalar, &mut self.state.found).map_err(|fault| self.state.fail(fault))
    }
}

impl<'de, J: Judge<'de>> DeserializeSeed<'de> for Read<'_, 'de, J> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, J: Judge<'de>> Visitor<'de> for Read<'_, 'de, J> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        let Self { judge, state } = self;
        let base = state.names.len();
        // An error is handed on: for a judge of no object, the brace before it is the first fault (E4).
        let first = match access.next_key_seed(FirstName(Name { judge, state })) {
            Ok(Some(First::NumberToken)) => {
                let spelling: String = access.next_value()?;
                return Read { judge, state }.visit_f64(spelling.parse().unwrap_or(f64::NAN));
            }
            Ok(Some(First::Member(member))) => Ok(Some(member)),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        judge.object(&mut Object { access, judge, first: Some(first), state, count: 0, met: 0, base })
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        self.judge.array(&mut Array { access, state: self.state })
    }

    #[inline]
    fn visit_borrowed_str<E: serde::de::Error>(self, string: &'de str) -> Result<(), E> {
        self.scalar(Scalar::String(Text::Borrowed(string)))
    }

    #[inline]
    fn visit_str<E: serde::de::Error>(self, string: &str) -> Result<(), E> {
        self.scalar(Scalar::String(Text::Unescaped(string)))
    }

    #[inline]
    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<(), E> {
        self.scalar(Scalar::Boolean)
    }

    #[inline]
    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.scalar(Scalar::Null)
    }

    #[inline]
    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<(), E> {
        self.scalar(Scalar::Number { integer: true })
    }

    #[inline]
    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<(), E> {
        self.scalar(Scalar::Number { integer: true })
    }

    // Only under `arbitrary_precision` does a number come as one of the next two.
    fn visit_i128<E: serde::de::Error>(self, _: i128) -> Result<(), E> {
        self.scalar(Scalar::Number { integer: true })
    }

    fn visit_u128<E: serde::de::Error>(self, _: u128) -> Result<(), E> {
        self.scalar(Scalar::Number { integer: true })
    }

    #[inline]
    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<(), E> {
        // Only under `arbitrary_precision` does a number beyond f64 get as far as this (J3).
        if self.state.is_text && !number.is_finite() {
            return Err(self.state.fail(Fault::document(Rule::J2)));
        }
        self.scalar(Scalar::Number { integer: number.fract() == 0.0 })
    }
}

/// Reads a member's name: what it means to the judge of its object. One that means nothing is noted
/// in the state, for the duplicates.
struct Name<'s, 'de, J> {
    judge: J,
    state: &'s mut State<'de>,
}

impl<'de, J: Judge<'de>> Name<'_, 'de, J> {
    #[expect(clippy::inline_always, reason = "worth a quarter of the time on nested objects")]
    #[inline(always)]
    fn member(self, name: Text<'_, 'de>) -> J::Member {
        let member = self.judge.member(name.get());
        // A `Value` cannot hold a name twice.
        if member.bit() == 0 && self.state.is_text {
            self.state.names.push(name.keep());
        }
        member
    }
}

impl<'de, J: Judge<'de>> DeserializeSeed<'de> for Name<'_, 'de, J> {
    type Value = J::Member;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<J::Member, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, J: Judge<'de>> Visitor<'de> for Name<'_, 'de, J> {
    type Value = J::Member;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a member name")
    }

    #[inline]
    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<J::Member, E> {
        Ok(self.member(Text::Borrowed(name)))
    }

    #[inline]
    fn visit_str<E>(self, name: &str) -> Result<J::Member, E> {
        Ok(self.member(Text::Unescaped(name)))
    }
}

/// Reads the first name of what serde calls a map.
///
/// With its feature `arbitrary_precision`, which any dependent can switch on, `serde_json` hands
/// a number to `visit_map` under a name of its own that a document can spell too. A true member name
/// is never null and says so when asked as an option; the name of the pretended member is a bare
/// string.
struct FirstName<'s, 'de, J>(Name<'s, 'de, J>);

enum First<M> {
    Member(M),
    NumberToken,
}

impl<'de, J: Judge<'de>> DeserializeSeed<'de> for FirstName<'_, 'de, J> {
    type Value = First<J::Member>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de, J: Judge<'de>> Visitor<'de> for FirstName<'_, 'de, J> {
    type Value = First<J::Member>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a member name")
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        self.0.deserialize(deserializer).map(First::Member)
    }

    #[inline]
    fn visit_borrowed_str<E>(self, _: &'de str) -> Result<Self::Value, E> {
        Ok(First::NumberToken)
    }
}
