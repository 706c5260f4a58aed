use std::collections::BTreeSet;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use mcp_roots_proptests::corpus::Strength;

use crate::check::{Counts, Difference, Got, Report};
use crate::fuzz::{self, Finding, Shares, Variant};
use crate::replay::Replay;
use crate::report::counted;
use crate::rules as book;
use crate::shrink::Shrinking;

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();
const STRONG: Style = Style::new().bold();

const DECIDED: &str =
    "Not as the rules have it, where the protocol leaves the answer open; no failure without --fail-decided";

/// So much of a document is shown, in characters.
const SHOWN: usize = 400;

pub(super) fn check(report: &Report, to: &mut dyn Write) -> io::Result<()> {
    adapter(&report.adapter, to)?;
    table(report, to)?;
    for (reason, count) in &report.unsupported {
        writeln!(to, "{FAINT}unsupported, {}: {reason}{FAINT:#}", counted(*count, "verdict"))?;
    }
    list("Wrong", &report.failures, BAD, to)?;
    list(DECIDED, &report.decided, STRONG, to)?;
    if !report.known.is_empty() {
        writeln!(to, "\nWrong as the list of known differences says: {}", documents(&report.known))?;
    }
    for unknown in &report.unknown {
        writeln!(to, "{BAD}Expected, and not in the corpus:{BAD:#} {unknown}")?;
    }
    let is_unknown = |gone: &&String| report.unknown.iter().any(|unknown| unknown.starts_with(gone.as_str()));
    for gone in report.gone.iter().filter(|gone| !is_unknown(gone)) {
        writeln!(to, "{BAD}Expected, and not there any more:{BAD:#} {gone}")?;
    }
    if report.gave_up {
        writeln!(to, "{BAD}The adapter failed so often that it was not asked any more.{BAD:#}")?;
    }
    if report.interrupted {
        writeln!(to, "\n{BAD}Interrupted: this is what was found until then.{BAD:#}")?;
    }
    let listed = report.failures.iter().chain(&report.decided);
    rules(listed.map(|difference| difference.rule.as_str()), to)?;
    let Counts { right, unsupported, not_asked, .. } = report.counts;
    let (style, word) = match report {
        _ if report.is_green() && !report.is_empty() => (GOOD, "ok"),
        _ if report.interrupted && report.failures.is_empty() => (STRONG, "interrupted"),
        _ => (BAD, "FAILED"),
    };
    writeln!(
        to,
        "\n{style}{word}{style:#}: {} right; wrong: {}; where the protocol leaves it open: {}{}{}; {:.2} s",
        counted(right, "verdict"),
        documents(&report.failures),
        documents(&report.decided),
        match report.gone.len() {
            0 => String::new(),
            gone => format!("; {} gone", counted(gone, "expected difference")),
        },
        aside(unsupported, not_asked),
        report.seconds
    )
}

/// So many verdicts, on so many documents: most documents are judged in several revisions.
fn documents(differences: &[Difference]) -> String {
    let names: BTreeSet<&str> = differences.iter().map(|difference| &*difference.document).collect();
    let verdicts: usize = differences.iter().map(|difference| difference.revisions.len()).sum();
    match verdicts {
        0 => "none".to_owned(),
        _ => format!("{} on {}", counted(verdicts, "verdict"), counted(names.len(), "document")),
    }
}

/// What was not judged, if anything.
fn aside(unsupported: impl TryInto<u64>, not_asked: impl TryInto<u64>) -> String {
    let more = |count: u64, what| if count == 0 { String::new() } else { format!("; {count} {what}") };
    more(unsupported.try_into().unwrap_or_default(), "unsupported")
        + &more(not_asked.try_into().unwrap_or_default(), "not asked any more")
}

pub(super) fn adapter(info: &crate::check::AdapterInfo, to: &mut dyn Write) -> io::Result<()> {
    let crate::check::AdapterInfo { name, version, language, targets, revisions, .. } = info;
    let of = if language.is_empty() { String::new() } else { format!(" ({language})") };
    writeln!(
        to,
        "{STRONG}{}{of}{STRONG:#}: {} of {}",
        printable(format!("{name} {version}").trim_end()),
        targets.join(", "),
        revisions.join(", ")
    )
}

/// By rule; columns in which there is nothing are left out.
fn table(report: &Report, to: &mut dyn Write) -> io::Result<()> {
    let total = report.counts.figures();
    let columns: Vec<usize> = (0..total.len()).filter(|column| *column < 2 || total[*column] > 0).collect();
    write!(to, "\n{STRONG}rule ")?;
    for column in &columns {
        write!(to, "  {:>11}", Counts::NAMES[*column])?;
    }
    writeln!(to, "{STRONG:#}")?;
    let rows = report.rules.iter().map(|(rule, counts)| (&**rule, counts));
    for (rule, counts) in rows.chain([("all", &report.counts)]) {
        write!(to, "{rule:<5}")?;
        for column in &columns {
            let figure = counts.figures()[*column];
            let style = match (*column, figure) {
                (_, 0) => FAINT,
                (0, _) => GOOD,
                (1 | 3 | 4 | 5, _) => BAD,
                _ => Style::new(),
            };
            write!(to, "  {style}{figure:>11}{style:#}")?;
        }
        writeln!(to)?;
    }
    Ok(())
}

fn list(title: &str, differences: &[Difference], style: Style, to: &mut dyn Write) -> io::Result<()> {
    if differences.is_empty() {
        return Ok(());
    }
    writeln!(to, "\n{style}{title}: {}{style:#}", documents(differences))?;
    for difference in differences {
        let Difference { document, revisions, expected, strength, misjudged, source, .. } = difference;
        let revisions: Vec<String> = revisions.iter().map(ToString::to_string).collect();
        writeln!(to, "\n{STRONG}{document}{STRONG:#}  {FAINT}{}{FAINT:#}", revisions.join(" "))?;
        writeln!(to, "  document  {}", excerpt(&difference.doc))?;
        if let Some(request) = &difference.request {
            writeln!(to, "  request   {}", excerpt(request))?;
        }
        writeln!(to, "  expected  {expected}  ({})", strength.name())?;
        got(&difference.got, to)?;
        writeln!(to, "  matters   {misjudged}")?;
        writeln!(to, "  source    {source}")?;
    }
    Ok(())
}

/// What the rules say that something listed is about.
fn rules<'r>(listed: impl Iterator<Item = &'r str>, to: &mut dyn Write) -> io::Result<()> {
    let listed: BTreeSet<&str> = listed.collect();
    let mut about = book::all().into_iter().filter(|(id, _)| listed.contains(id)).peekable();
    if about.peek().is_some() {
        writeln!(to, "\n{STRONG}The rules{STRONG:#}\n")?;
    }
    about.try_for_each(|(id, text)| writeln!(to, "{id}: {FAINT}{text}{FAINT:#}"))
}

pub(super) fn got(got: &Got, to: &mut dyn Write) -> io::Result<()> {
    match got {
        Got::Verdict { verdict, detail } if detail.is_empty() => {
            writeln!(to, "  got       {BAD}{}{BAD:#}", verdict.name())
        }
        Got::Verdict { verdict, detail } => {
            writeln!(to, "  got       {BAD}{}{BAD:#}: {}", verdict.name(), excerpt(detail))
        }
        Got::Place { place } => writeln!(to, "  got       reject {BAD}{place}{BAD:#}"),
        Got::Roots { roots } => {
            let roots = serde_json::to_string(roots).unwrap_or_default();
            writeln!(to, "  got       accept, but the roots read are {BAD}{}{BAD:#}", excerpt(&roots))
        }
        Got::Failure { kind, detail, stderr } => {
            writeln!(to, "  got       {BAD}{}{BAD:#}: {detail}", kind.name())?;
            for line in stderr.lines() {
                writeln!(to, "  stderr    {FAINT}{}{FAINT:#}", printable(line))?;
            }
            Ok(())
        }
    }
}

/// The beginning of a text, in one line that does nothing to a terminal.
pub(crate) fn excerpt(text: &str) -> String {
    let count = text.chars().count();
    let start = printable(&text.chars().take(SHOWN).collect::<String>());
    if count > SHOWN { format!("{start} ... ({} bytes)", text.len()) } else { start }
}

/// A text without what a terminal obeys.
pub(crate) fn printable(text: &str) -> String {
    let escape = |character: char| {
        // What turns the direction of a line shows another one.
        let is_invisible = matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        if character.is_control() || is_invisible {
            character.escape_default().to_string()
        } else {
            character.to_string()
        }
    };
    text.chars().map(escape).collect()
}

pub(super) fn fuzz(report: &fuzz::Report, replay: &Replay, to: &mut dyn Write) -> io::Result<()> {
    adapter(&report.adapter, to)?;
    findings("Wrong", &report.findings, BAD, replay, to)?;
    findings(DECIDED, &report.decided, STRONG, replay, to)?;
    if report.gave_up {
        writeln!(to, "\n{BAD}The adapter failed so often that it was not asked any more.{BAD:#}")?;
    }
    if report.interrupted {
        writeln!(to, "\n{BAD}Interrupted: this is what was found until then.{BAD:#}")?;
    }
    let listed = report.findings.iter().chain(&report.decided);
    rules(listed.map(|finding| finding.rule.as_str()), to)?;
    let Shares { drawing, asking, comparing, shrinking } = report.shares;
    let all = (drawing + asking + comparing + shrinking).max(f64::MIN_POSITIVE) / 100.0;
    writeln!(
        to,
        "\n{FAINT}time: {:.0} % asking the adapter, {:.0} % waiting for documents, {:.0} % comparing, {:.0} % \
         shrinking{FAINT:#}",
        asking / all,
        drawing / all,
        comparing / all,
        shrinking / all
    )?;
    writeln!(to, "seed {}; the same again: {}", report.seed, replay.run(report.end))?;
    let is_green = report.findings.is_empty() && report.cases > 0 && !report.gave_up && !report.interrupted;
    let (style, word) = match report {
        _ if is_green => (GOOD, "ok"),
        _ if report.interrupted && report.findings.is_empty() => (STRONG, "interrupted"),
        _ => (BAD, "FAILED"),
    };
    writeln!(
        to,
        "{style}{word}{style:#}: {} judged; {}, and {} where the protocol leaves it open{}; {:.2} s",
        counted(report.cases, "case"),
        counted(report.findings.len(), "finding"),
        report.decided.len(),
        aside(report.unsupported, report.not_asked),
        report.seconds
    )
}

fn findings(
    title: &str,
    findings: &[Finding],
    style: Style,
    replay: &Replay,
    to: &mut dyn Write,
) -> io::Result<()> {
    if findings.is_empty() {
        return Ok(());
    }
    writeln!(to, "\n{style}{title}: {}{style:#}", counted(findings.len(), "finding"))?;
    for finding in findings {
        let Finding { rule, place, expected, got: came, strength, misjudged, source, count, .. } = finding;
        let expected = format!("{expected} {rule} {place}");
        writeln!(
            to,
            "\n{STRONG}{} ({}), got {came}{STRONG:#}: {}",
            expected.trim_end(),
            strength.name(),
            counted(*count, "case")
        )?;
        let targets: Vec<&str> = finding.targets.iter().copied().collect();
        let revisions: Vec<&str> = finding.revisions.iter().map(String::as_str).collect();
        writeln!(to, "  {FAINT}{}; {}{FAINT:#}", targets.join(", "), revisions.join(" "))?;
        for (index, variant) in finding.variants.iter().enumerate() {
            let Variant { flaw, target, revision, doc, request, case, shrinking, .. } = variant;
            let shrinking = match shrinking {
                Shrinking::Done => "",
                Shrinking::Stopped => "; shrinking stopped early",
                Shrinking::NotTried => "; not made small",
            };
            let open = match variant.strength {
                Strength::Decided if *strength != Strength::Decided => "; decided",
                _ => "",
            };
            let flaw = if flaw.is_empty() { String::new() } else { format!(" drawn with: {flaw}") };
            writeln!(
                to,
                "  document  {}  {FAINT}{target}, {revision}, case {case}{flaw}{open}{shrinking}{FAINT:#}",
                excerpt(doc)
            )?;
            if let Some(request) = request {
                writeln!(to, "  request   {}", excerpt(request))?;
            }
            if index == 0 || !matches!(variant.got, Got::Verdict { .. }) {
                got(&variant.got, to)?;
            }
        }
        if !misjudged.is_empty() {
            writeln!(to, "  matters   {misjudged}")?;
            writeln!(to, "  source    {source}")?;
        }
        if let Some(Variant { case, .. }) = finding.variants.first() {
            writeln!(to, "  again     {}", replay.case(*case))?;
        }
    }
    Ok(())
}
