//! What each contender must answer before it is timed.

use mcp_roots_proptests::{Core, Target, laws};

use crate::{Card, Contender, DataSet};

/// A wrong answer that is known of a contender.
#[derive(Debug, Clone, Copy)]
pub struct KnownAnswer {
    /// Whose it is.
    pub contender: Contender,
    /// The rule whose breach it accepts.
    pub accepts_breach_of: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// All wrong answers that are known; elsewhere every contender must answer as the card says.
pub const KNOWN_ANSWERS: [KnownAnswer; 2] = [
    KnownAnswer {
        contender: Contender::Floor,
        accepts_breach_of: "U2",
        reason: "it reads JSON and looks at nothing in it",
    },
    KnownAnswer {
        contender: Contender::Rmcp,
        accepts_breach_of: "U2",
        reason: "the SDK's type has a String for the uri and does not look into it",
    },
];

/// Whether this contender is to accept the document of this card.
#[must_use]
pub fn expected(contender: Contender, card: &Card) -> bool {
    card.fault.as_ref().is_none_or(|fault| {
        KNOWN_ANSWERS
            .iter()
            .any(|known| known.contender == contender && known.accepts_breach_of == fault.rule)
    })
}

/// Holds every contender to its answer on every data set, and the core besides to the roots it
/// finds and to the rule and place it names, through both doors. Gives the number of checks made.
///
/// # Panics
///
/// If an answer is another than is known, in a known wrong answer too, or if a check was left out.
#[must_use]
pub fn check_answers(sets: &[DataSet]) -> usize {
    let mut checks = 0;
    for set in sets {
        for contender in Contender::ALL {
            assert_eq!(
                contender.accepts(set),
                expected(contender, &set.card),
                "{contender} on {}: whether it accepts",
                set.card.name
            );
            checks += 1;
        }
        // The documents' own verdict is for the laws: reference, doors and all revisions.
        laws::judged_right(&Core, Target::Response, set.text.as_bytes());
        check_core(set, mcp_roots::validate_response(&set.text));
        check_core(set, mcp_roots::validate_response(&set.value));
        checks += 2;
    }
    assert_eq!(checks, 11 * (7 + 2), "as many checks as eleven data sets and seven contenders make");
    checks
}

fn check_core(set: &DataSet, verdict: Result<mcp_roots::ListRootsResult<'_>, mcp_roots::Error>) {
    let Card { name, roots, fault, .. } = &set.card;
    match (verdict, fault) {
        (Ok(result), None) => assert_eq!(result.roots().len(), *roots, "{name}: the roots found"),
        (Err(error), Some(fault)) => {
            assert_eq!((error.rule(), error.at()), (fault.rule, fault.at.as_str()), "{name}: rule and place");
        }
        (verdict, _) => panic!("{name}: {:?} against {fault:?}", verdict.map(|_| "accepted")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets;

    #[test]
    fn every_contender_answers_as_is_known() {
        assert_eq!(check_answers(&sets()), 99);
    }

    #[test]
    fn every_known_wrong_answer_is_met() {
        let sets = sets();
        for known in KNOWN_ANSWERS {
            let meets =
                |card: &Card| card.fault.as_ref().is_some_and(|it| it.rule == known.accepts_breach_of);
            assert!(sets.iter().any(|set| meets(&set.card)), "{}: {}", known.contender, known.reason);
        }
    }

    #[test]
    #[should_panic(expected = "core on one-root")]
    fn a_card_that_is_wrong_is_noticed() {
        let mut sets = sets();
        sets[0].card.fault = Some(crate::Fault { rule: "U1", at: String::new() });
        let _ = check_answers(&sets);
    }

    #[test]
    #[should_panic(expected = "as many checks")]
    fn a_set_that_is_missing_is_noticed() {
        let _ = check_answers(&sets()[1..]);
    }
}
