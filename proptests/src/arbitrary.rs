//! The model's front end for fuzzers: `Arbitrary` for the parts that cannot derive it.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::json::unique;
use crate::model::{Any, Chars, Members, PLAIN, PlainRoots};
use crate::{Json, WORDS};

/// Levels that generated JSON may have of its own.
const LEVELS: usize = 5;

fn json(u: &mut Unstructured<'_>, levels: usize) -> Result<Json> {
    Ok(match u.int_in_range(0..=if levels == 0 { 4 } else { 6 })? {
        0 => Json::Null,
        1 => Json::Bool(u.arbitrary()?),
        2 => Json::Number(number(u)?),
        3 => Json::String(word(u)?),
        4 => Json::String(u.arbitrary()?),
        5 => {
            let mut items = Vec::new();
            while items.len() < 4 && u.ratio(1, 2)? {
                items.push(json(u, levels - 1)?);
            }
            Json::Array(items)
        }
        _ => Json::Object(members(u, levels - 1)?),
    })
}

fn members(u: &mut Unstructured<'_>, levels: usize) -> Result<Vec<(String, Json)>> {
    let mut members = Vec::new();
    while members.len() < 4 && u.ratio(1, 2)? {
        members.push((if u.arbitrary()? { word(u)? } else { u.arbitrary()? }, json(u, levels)?));
    }
    Ok(unique(members))
}

fn word(u: &mut Unstructured<'_>) -> Result<String> {
    u.choose(WORDS).map(|word| (*word).to_owned())
}

fn number(u: &mut Unstructured<'_>) -> Result<String> {
    const ODD: [&str; 8] = [
        "-0",
        "0.0",
        "1E+2",
        "1e-400",
        "-1.5e-7",
        "12345678901234567890123",
        "1.7976931348623157e308",
        "1.5",
    ];
    Ok(if u.arbitrary()? { (*u.choose(&ODD)?).to_owned() } else { u.arbitrary::<i64>()?.to_string() })
}

impl Arbitrary<'_> for Json {
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        json(u, LEVELS)
    }
}

impl Arbitrary<'_> for Any {
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        json(u, LEVELS).map(Self)
    }
}

impl Arbitrary<'_> for Members {
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        members(u, LEVELS).map(Self)
    }
}

impl Arbitrary<'_> for Chars {
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        let mut text = String::new();
        while text.len() < 24 && u.ratio(7, 8)? {
            let part = match u.int_in_range(0..=9)? {
                0 => format!("%{:02x}", u.arbitrary::<u8>()?),
                1 => format!("%{:02X}", u.arbitrary::<u8>()?),
                2 => (*u.choose(&[":", "@"])?).to_owned(),
                _ => char::from(*u.choose(PLAIN)?).to_string(),
            };
            text.push_str(&part);
        }
        Ok(Self(text))
    }
}

impl Arbitrary<'_> for PlainRoots {
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
        // Of no bytes there is none, and of few a long list is rare: it takes long to judge.
        Ok(Self(if u.ratio(1, 16)? { u.int_in_range(0..=Self::MOST)? } else { 0 }))
    }
}
