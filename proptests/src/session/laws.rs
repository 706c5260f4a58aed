//! The laws of a session: each judges a whole trace, and says whether it had anything to say.

use mcp_roots::{RequestId, Revision};

use super::model::{self, Message};
use super::{Event, Model, Reply, Session, Step, Trace, View};
use crate::{Case, Target, laws, reference};

/// A law with its name and the rules that it is about.
#[derive(Clone, Copy)]
pub struct SessionLaw {
    /// The function's name.
    pub name: &'static str,
    /// The function: panics where the law is broken, and says whether it had anything to say.
    pub check: fn(&Trace) -> bool,
}

macro_rules! laws {
    ($($law:ident),+ $(,)?) => { [$(SessionLaw { name: stringify!($law), check: $law }),+] };
}

/// Every law. All but the first do without the model.
pub const SESSION_LAWS: &[SessionLaw] = &laws![
    it_goes_as_the_model_says,
    nothing_is_sent_before_initialized,
    nothing_is_sent_to_the_undeclared,
    never_two_are_in_flight,
    no_more_is_sent_than_there_is_reason,
    what_is_due_is_sent,
    what_is_sent_is_a_request,
    no_old_list_is_current,
    a_change_makes_the_list_stale,
    strange_ids_change_nothing,
    method_not_found_is_unsupported,
    other_failures_leave_what_was_known,
    silence_ends_in_no_answer,
    a_new_list_replaces_the_old_one,
    the_view_tells_of_announcements,
];

/// Feeds a session with events and holds every law against what it makes of them; gives the number of
/// laws that had something to say.
///
/// # Panics
///
/// Where one is broken.
///
/// ```
/// use mcp_roots::Revision;
/// use mcp_roots_proptests::Door;
/// use mcp_roots_proptests::session::{CoreSession, Event, session_follows_the_rules};
/// let revision = Revision::V2025_11_25;
/// let events = [Event::Initialize(r#"{"capabilities":{}}"#.to_owned()), Event::Ask(1.into())];
/// let mut session = CoreSession::new(revision, Door::Bytes);
/// assert!(session_follows_the_rules(&mut session, revision, &events) > 1);
/// ```
pub fn session_follows_the_rules(session: &mut dyn Session, revision: Revision, events: &[Event]) -> usize {
    let trace = Trace::of(session, revision, events);
    SESSION_LAWS.iter().filter(|law| (law.check)(&trace)).count()
}

/// The rule is broken at this step.
#[track_caller]
fn broken(trace: &Trace, step: usize, what: &str) -> ! {
    let so_far = Trace { revision: trace.revision, steps: trace.steps[..=step].to_vec() };
    panic!("{what}\n{so_far:?}")
}

/// Reply and view are those of the [`Model`] at every step.
fn it_goes_as_the_model_says(trace: &Trace) -> bool {
    let mut model = Model::new(trace.revision);
    for (index, step) in trace.steps.iter().enumerate() {
        let reply = model.see(&step.event);
        let is_same_reply = match (&reply, &step.reply) {
            // What is sent has a law of its own.
            (Reply::Sent(_), Reply::Sent(_)) => true,
            (expected, reply) => expected == reply,
        };
        if !is_same_reply || model.view() != step.view {
            broken(trace, index, &format!("expected {reply}; {}", model.view()));
        }
    }
    !trace.steps.is_empty()
}

fn is_sent(step: &Step) -> bool {
    matches!(step.reply, Reply::Sent(_))
}

/// L1: no request before `initialized`, nor that before a readable initialize request.
fn nothing_is_sent_before_initialized(trace: &Trace) -> bool {
    let (mut is_begun, mut is_ready) = (false, false);
    let mut applied = false;
    for (index, step) in trace.steps.iter().enumerate() {
        match &step.event {
            Event::Initialize(params) => is_begun |= model::broken_rule(params).is_none(),
            Event::Initialized => is_ready |= is_begun,
            Event::Ask(_) if !is_ready => {
                applied = true;
                if is_sent(step) {
                    broken(trace, index, "L1: sent before initialized");
                }
            }
            _ => {}
        }
    }
    applied
}

/// L2: no request to a client that did not declare roots; the view is "unsupported".
fn nothing_is_sent_to_the_undeclared(trace: &Trace) -> bool {
    let declared = |step: &Step| match &step.event {
        Event::Initialize(params) => model::declaration(params, trace.revision).ok(),
        _ => None,
    };
    let Some(begin) = trace.steps.iter().position(|step| declared(step).is_some()) else { return false };
    if !matches!(declared(&trace.steps[begin]), Some(Err(_))) {
        return false;
    }
    for (index, step) in trace.steps.iter().enumerate().skip(begin) {
        if is_sent(step) || !matches!(step.view, View::Unsupported(_)) {
            broken(trace, index, "L2: the client did not declare roots");
        }
    }
    true
}

/// Whether an event ends the wait for the request of this id.
fn ends(event: &Event, id: &RequestId) -> bool {
    match event {
        Event::Result(other, _) | Event::Error(other, _) | Event::Deadline(other) => other == id,
        Event::Response(message) => {
            matches!(model::read(message), Message::Object(message) if model::is_answer_to(&message, id))
        }
        _ => false,
    }
}

/// Each step with the id of the request in flight before it.
fn flights(trace: &Trace) -> impl Iterator<Item = (usize, &Step, Option<&RequestId>)> {
    let mut in_flight: Option<&RequestId> = None;
    trace.steps.iter().enumerate().map(move |(index, step)| {
        let before = in_flight;
        match &step.event {
            Event::Ask(id) if is_sent(step) => in_flight = Some(id),
            event if in_flight.is_some_and(|id| ends(event, id)) => in_flight = None,
            _ => {}
        }
        (index, step, before)
    })
}

/// L3: no request while another is in flight.
fn never_two_are_in_flight(trace: &Trace) -> bool {
    let mut applied = false;
    for (index, step, in_flight) in flights(trace) {
        if in_flight.is_some() && matches!(step.event, Event::Ask(_)) {
            applied = true;
            if is_sent(step) {
                broken(trace, index, "L3: two requests in flight");
            }
        }
    }
    applied
}

/// L3, L10: one request, and one more for each notification and each refresh at most.
fn no_more_is_sent_than_there_is_reason(trace: &Trace) -> bool {
    let (mut sent, mut reasons) = (0, 1);
    for (index, step) in trace.steps.iter().enumerate() {
        reasons += usize::from(matches!(step.event, Event::ListChanged | Event::Refresh));
        sent += usize::from(is_sent(step));
        if sent > reasons {
            broken(trace, index, &format!("L3: {sent} requests for {reasons} reasons"));
        }
    }
    sent > 0
}

/// L3, L4, L5: once it may be sent, a request is sent exactly if none was before, or if the client has
/// announced a change since, or the caller has asked for a refresh after its end.
fn what_is_due_is_sent(trace: &Trace) -> bool {
    let (mut is_ready, mut is_due, mut applied) = (false, true, false);
    for (index, step, in_flight) in flights(trace) {
        let is_free = in_flight.is_none() && !matches!(step.view, View::Unsupported(_));
        match &step.event {
            Event::Initialized => is_ready |= trace.steps[..index].iter().any(is_declaration),
            Event::ListChanged => is_due = true,
            Event::Refresh => is_due |= in_flight.is_none(),
            Event::Ask(_) if is_ready && is_free => {
                applied = true;
                if is_sent(step) != is_due {
                    let what = if is_due { "a request is due and not sent" } else { "no request is due" };
                    broken(trace, index, &format!("L3: {what}"));
                }
                is_due = false;
            }
            _ => {}
        }
    }
    applied
}

fn is_declaration(step: &Step) -> bool {
    matches!(&step.event, Event::Initialize(params) if model::broken_rule(params).is_none())
}

/// Q5, L10: what is sent is a wire request under the id given, and names no cursor.
fn what_is_sent_is_a_request(trace: &Trace) -> bool {
    let mut applied = false;
    for (index, step) in trace.steps.iter().enumerate() {
        let (Event::Ask(id), Reply::Sent(request)) = (&step.event, &step.reply) else { continue };
        applied = true;
        let case = Case { revision: trace.revision, ..Case::new(Target::Request, request.as_bytes()) };
        if let Some(fault) = reference::judge(&case).faults.first() {
            broken(trace, index, &format!("what is sent breaks {}: {request}", fault.rule));
        }
        let node = reference::read(request).root;
        let text = |name| laws::member(&node, name).map(|node| &request[node.start..node.end]);
        if text("id").and_then(|id| serde_json::from_str(id).ok()) != Some(serde_json::json!(id)) {
            broken(trace, index, &format!("what is sent has another id: {request}"));
        }
        if !matches!(text("params"), None | Some("{}")) {
            broken(trace, index, &format!("L10: what is sent asks for more than the list: {request}"));
        }
    }
    applied
}

/// L4, L5: after a notification no list is current until a request that was sent after it is answered.
fn no_old_list_is_current(trace: &Trace) -> bool {
    let mut applied = false;
    let (mut is_outdated, mut is_asked_since) = (false, false);
    for (index, step, in_flight) in flights(trace) {
        match &step.event {
            Event::ListChanged => (is_outdated, is_asked_since) = (true, false),
            Event::Ask(_) if is_sent(step) => is_asked_since = true,
            event if is_asked_since && in_flight.is_some_and(|id| ends(event, id)) => {
                let is_list = matches!(step.view, View::Current(..));
                is_outdated &= !is_list;
            }
            _ => {}
        }
        if let Some((_, is_current)) = step.view.list().filter(|_| is_outdated) {
            applied = true;
            if is_current {
                broken(trace, index, "L4: an old list is called current");
            }
        }
    }
    applied
}

/// L4, L11: a notification keeps the list, as a stale one, whether it was announced or not.
fn a_change_makes_the_list_stale(trace: &Trace) -> bool {
    let mut applied = false;
    for (before, step) in trace.steps.iter().zip(trace.steps.iter().skip(1)) {
        if let (Event::ListChanged, Some((roots, _))) = (&step.event, before.view.list()) {
            applied = true;
            if step.view.list() != Some((roots, false)) {
                broken(
                    trace,
                    trace.steps.len() - 1,
                    &format!("L4: {} is not stale after a change", before.view),
                );
            }
        }
    }
    applied
}

/// L6: what is about no request in flight changes nothing.
fn strange_ids_change_nothing(trace: &Trace) -> bool {
    let mut applied = false;
    let mut before = Model::new(trace.revision).view();
    for (index, step, in_flight) in flights(trace) {
        let is_about_a_request = matches!(
            step.event,
            Event::Response(_) | Event::Result(..) | Event::Error(..) | Event::Deadline(_)
        );
        if is_about_a_request && !in_flight.is_some_and(|id| ends(&step.event, id)) {
            applied = true;
            if step.view != before || step.reply == Reply::Taken {
                broken(trace, index, "L6: an answer to no request in flight changes what is known");
            }
        }
        before = step.view.clone();
    }
    applied
}

/// The code of the error that answers the request in flight, if it is one of -32601.
fn is_not_found(event: &Event) -> bool {
    match event {
        Event::Error(_, code) => *code == -32601,
        Event::Response(message) => match model::read(message) {
            Message::Object(message) => {
                let code = laws::member(&message, "error").and_then(|error| laws::member(error, "code"));
                code.and_then(model::integer) == Some(-32601) && laws::member(&message, "result").is_none()
            }
            _ => false,
        },
        _ => false,
    }
}

/// L7: after -32601 the client is unsupported for good, and nothing is sent.
fn method_not_found_is_unsupported(trace: &Trace) -> bool {
    let mut applied = false;
    for (index, step, in_flight) in flights(trace) {
        applied |= in_flight.is_some_and(|id| ends(&step.event, id)) && is_not_found(&step.event);
        if applied && (is_sent(step) || !matches!(step.view, View::Unsupported(_))) {
            broken(trace, index, "L7: the client has no such method");
        }
    }
    applied
}

/// L7: any other error, an invalid result and a malformed answer are failures, and the list is what it
/// was.
fn other_failures_leave_what_was_known(trace: &Trace) -> bool {
    let mut applied = false;
    let mut before = View::NotAsked;
    for (index, step, in_flight) in flights(trace) {
        if in_flight.is_some_and(|id| ends(&step.event, id)) && is_failure(&step.event, trace.revision) {
            applied = true;
            if !matches!(step.view, View::Failed(..)) || step.view.list() != before.list() {
                broken(trace, index, "L7: a failure leaves what was known");
            }
        }
        before = step.view.clone();
    }
    applied
}

fn is_failure(event: &Event, revision: Revision) -> bool {
    let is_invalid = |result: &str| model::result(revision, result, "").is_err();
    match event {
        Event::Error(..) => !is_not_found(event),
        Event::Result(_, result) => is_invalid(result),
        Event::Response(text) => {
            let Message::Object(message) = model::read(text) else { return false };
            match (laws::member(&message, "result"), laws::member(&message, "error")) {
                (Some(result), None) => is_invalid(&text[result.start..result.end]),
                (None, Some(_)) => !is_not_found(event),
                _ => true,
            }
        }
        _ => false,
    }
}

/// L8: the deadline of the request in flight ends it as "no answer", and the list is what it was.
fn silence_ends_in_no_answer(trace: &Trace) -> bool {
    let mut applied = false;
    let mut before = View::NotAsked;
    for (index, step, in_flight) in flights(trace) {
        if matches!(&step.event, Event::Deadline(id) if Some(id) == in_flight) {
            applied = true;
            if !matches!(step.view, View::NoAnswer(_)) || step.view.list() != before.list() {
                broken(trace, index, "L8: silence is no answer, and nothing else");
            }
        }
        before = step.view.clone();
    }
    applied
}

/// L9: a good list is what is known from then on, as it came, an empty one too.
fn a_new_list_replaces_the_old_one(trace: &Trace) -> bool {
    let mut applied = false;
    for (index, step, in_flight) in flights(trace) {
        let is_end = in_flight.is_some_and(|id| ends(&step.event, id));
        if !is_end || matches!(step.event, Event::Deadline(_) | Event::Error(..)) {
            continue;
        }
        if is_failure(&step.event, trace.revision) || is_not_found(&step.event) {
            continue;
        }
        let roots = match &step.event {
            Event::Result(_, result) => model::result(trace.revision, result, ""),
            Event::Response(text) => {
                let Message::Object(message) = model::read(text) else { continue };
                let Some(result) = laws::member(&message, "result") else { continue };
                model::result(trace.revision, &text[result.start..result.end], "")
            }
            _ => continue,
        };
        applied = true;
        if !matches!(&step.view, View::Current(given, _) | View::Stale(given) if Ok(given) == roots.as_ref())
        {
            broken(trace, index, "L9: the list is not the one that came");
        }
    }
    applied
}

/// L11: a current list comes with what the client said of its announcements.
fn the_view_tells_of_announcements(trace: &Trace) -> bool {
    let declared = trace.steps.iter().find_map(|step| match &step.event {
        Event::Initialize(params) => model::declaration(params, trace.revision).ok(),
        _ => None,
    });
    let Some(Ok(announced)) = declared else { return false };
    let mut applied = false;
    for (index, step) in trace.steps.iter().enumerate() {
        if let View::Current(_, told) = &step.view {
            applied = true;
            if *told != announced {
                broken(trace, index, "L11: the view does not tell what the client declared");
            }
        }
    }
    applied
}
