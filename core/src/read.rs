//! The one reader behind both doors: it drives a [`Judge`] over JSON text or a `serde_json::Value`.
//!
//! Every value of a document passes through [`Read`], the only serde visitor here. It keeps what
//! serde's conveniences give away: an array never stands for an object (J7), `null` is not absence,
//! a name is met once (J6), and a skipped member is read as strictly as a judged one (J3).

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::document::Source;
use crate::error::{Error, Fault, Rule};
use crate::names::Names;
use crate::result::Root;

/// What one place of a document must hold. Each method takes one JSON type; what a judge does not
/// override is its mismatch. What is learned goes into [`Found`] as it is met, and is never moved
/// through serde's results: that costs more than reading it.
pub(crate) trait Judge<'de>: Copy {
    /// The members that mean something here; `()` where none does.
    type Member: Member;

    /// Whether an object may stand here. If so, each of its members is judged, and then their absence.
    const IS_OBJECT: bool = false;

    /// The fault of a value of another type.
    fn mismatch(self) -> Fault;

    /// What a member of this name means here.
    #[inline]
    fn name(self, name: &str) -> Self::Member {
        Self::Member::of(name)
    }

    /// Judges a member; must read its value, unless it fails.
    #[inline]
    fn member<A: MapAccess<'de>>(
        self,
        _: Self::Member,
        value: MemberValue<'_, 'de, A>,
    ) -> Result<(), A::Error> {
        value.skip()
    }

    /// Judges what is missing at the end of an object in which these members were met.
    #[inline]
    fn end(self, _: Met<Self::Member>) -> Result<(), Fault> {
        Ok(())
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

/// The meaningful members met in an object.
#[derive(Clone, Copy)]
pub(crate) struct Met<M> {
    bits: u8,
    of: PhantomData<M>,
}

impl<M: Member> Met<M> {
    #[inline]
    pub(crate) fn has(self, member: M) -> bool {
        self.bits & member.bit() != 0
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
#[derive(Clone, Copy)]
pub(crate) enum Text<'s, 'de> {
    Borrowed(&'de str),
    Unescaped(&'s str),
}

impl<'s, 'de: 's> Text<'s, 'de> {
    #[inline]
    #[expect(clippy::match_same_arms, reason = "the arms differ in how long the text lives")]
    pub(crate) fn get(self) -> &'s str {
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
        names: Names::default(),
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
    names: Names<'de>,
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

/// The value of a member whose name was just read.
pub(crate) struct MemberValue<'s, 'de, A: MapAccess<'de>> {
    access: &'s mut A,
    state: &'s mut State<'de>,
    /// How many members stand before it.
    index: usize,
}

impl<'de, A: MapAccess<'de>> MemberValue<'_, 'de, A> {
    #[inline]
    pub(crate) fn judge<J: Judge<'de>>(self, judge: J) -> Result<(), A::Error> {
        self.access.next_value_seed(Read { judge, state: self.state })
    }

    /// Judges it as a document of its own that stands below the id asked for.
    pub(crate) fn answer<J: Judge<'de>>(self, judge: J) -> Result<(), A::Error> {
        self.state.below_id = true;
        self.access.next_value_seed(Read { judge, state: self.state })?;
        self.state.below_id = false;
        Ok(())
    }

    /// Leaves it to the application: of a text it is read strictly all the same (J3, J6), of a
    /// `Value` it is not entered (J4).
    #[inline]
    pub(crate) fn skip(self) -> Result<(), A::Error> {
        if self.state.is_text {
            self.judge(Skipped)
        } else {
            self.access.next_value::<IgnoredAny>().map(drop)
        }
    }

    /// How many members stand before it.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// Notes the member as the one that was looked for.
    pub(crate) fn is_found(&mut self) {
        self.state.found.member = Some(self.index);
    }

    /// The error for a member that must not be there.
    #[cold]
    pub(crate) fn fail(self, fault: Fault) -> A::Error {
        self.state.fail(fault)
    }
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

    /// How many items there are, if that is known: a `Value` holds them, a text may only promise them.
    #[inline]
    pub(crate) fn count(&self) -> Option<usize> {
        self.access.size_hint()
    }

    pub(crate) fn found(&mut self) -> &mut Found<'de> {
        &mut self.state.found
    }
}

/// An object, whatever it holds.
#[derive(Clone, Copy)]
pub(crate) struct AnyObject(pub(crate) Fault);

impl Judge<'_> for AnyObject {
    type Member = ();
    const IS_OBJECT: bool = true;

    fn mismatch(self) -> Fault {
        self.0
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
    const IS_OBJECT: bool = true;

    fn mismatch(self) -> Fault {
        Fault::document(Rule::J2)
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
    #[expect(clippy::inline_always, reason = "each call costs a twentieth of a root")]
    #[inline(always)]
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
        let first_name = state.names.count();
        let read = read_members(judge, &mut access, state);
        // Names are compared when their object ends, be it by a fault: a duplicate before it comes
        // first (E4).
        if state.names.end_object(first_name) {
            return Err(state.fail(Fault::document(Rule::J6)));
        }
        read
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

/// Reads the members of an object, each by its judge.
#[inline]
fn read_members<'de, J: Judge<'de>, A: MapAccess<'de>>(
    judge: J,
    access: &mut A,
    state: &mut State<'de>,
) -> Result<(), A::Error> {
    let mut met = Met { bits: 0, of: PhantomData };
    let mut index: usize = 0;
    loop {
        let name = access.next_key_seed(Name { judge, state });
        if index == 0 {
            if let Ok(Some(Key::Number)) = name {
                return read_number(judge, access, state);
            }
            // The brace before it is the first fault, even where the name is one too (E4).
            if !J::IS_OBJECT {
                return Err(state.fail(judge.mismatch()));
            }
        }
        let Some(Key::Member(member)) = name? else {
            return judge.end(met).map_err(|fault| state.fail(fault));
        };
        if met.has(member) {
            return Err(state.fail(Fault::document(Rule::J6)));
        }
        met.bits |= member.bit();
        judge.member(member, MemberValue { access, state, index })?;
        index = index.wrapping_add(1);
    }
}

/// Reads a number that came as what serde calls a map.
#[cold]
fn read_number<'de, J: Judge<'de>, A: MapAccess<'de>>(
    judge: J,
    access: &mut A,
    state: &mut State<'de>,
) -> Result<(), A::Error> {
    let spelling: String = access.next_value()?;
    Read { judge, state }.visit_f64(spelling.parse().unwrap_or(f64::NAN))
}

/// Reads a member's name: what it means to the judge of its object. One that means nothing is noted
/// in the state, for the duplicates.
///
/// With its feature `arbitrary_precision`, which any dependent can switch on, `serde_json` hands
/// a number to `visit_map` under a name of its own that a document can spell too. A true member name
/// is never null and says so when asked as an option; the name of the pretended member is a bare
/// string.
struct Name<'s, 'de, J> {
    judge: J,
    state: &'s mut State<'de>,
}

enum Key<M> {
    Member(M),
    /// Not a member's name: what follows is a number.
    Number,
}

impl<'de, J: Judge<'de>> DeserializeSeed<'de> for Name<'_, 'de, J> {
    type Value = Key<J::Member>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de, J: Judge<'de>> Visitor<'de> for Name<'_, 'de, J> {
    type Value = Key<J::Member>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a member name")
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(MemberName(self)).map(Key::Member)
    }

    #[inline]
    fn visit_borrowed_str<E>(self, _: &'de str) -> Result<Self::Value, E> {
        Ok(Key::Number)
    }
}

struct MemberName<'s, 'de, J>(Name<'s, 'de, J>);

impl<'de, J: Judge<'de>> MemberName<'_, 'de, J> {
    #[expect(clippy::inline_always, reason = "worth a quarter on nested objects")]
    #[inline(always)]
    fn member(self, name: Text<'_, 'de>) -> J::Member {
        let Self(Name { judge, state }) = self;
        let member = judge.name(name.get());
        // A `Value` cannot hold a name twice.
        if member.bit() == 0 && state.is_text {
            state.names.note(name);
        }
        member
    }
}

impl<'de, J: Judge<'de>> Visitor<'de> for MemberName<'_, 'de, J> {
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
