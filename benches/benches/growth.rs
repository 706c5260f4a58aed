//! The core's time as documents grow, and on the dearest documents that are known.
//!
//! Two runs are timed in turn, in processor time of this thread, so that other work on the machine counts
//! for little; each figure is the median of the rounds. The first table has the ratio to the floor for
//! each size of what grows, and by how much it rises at most from one size to a larger one. The second
//! has the time for a byte by that of the plain set of 1000 roots.
//!
//! With `--units FOLDER`, a corpus that a fuzzer has grown, there is a third table instead of these: of the
//! documents of a mebibyte that its units make (`of_unit`), those that are dearest by the byte.
//!
//! With `--test`, or built without optimisation, there is one round, of the smaller documents.

use std::collections::HashSet;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use cpu_time::ThreadTime;
use mcp_roots_benches::{DataSet, GROWTHS, WORST, WORST_LENGTH, of_unit, sets};
use serde::de::IgnoredAny;

/// One measurement repeats a run until it takes about as long as this.
const MEASUREMENT: Duration = Duration::from_micros(500);
const ROUNDS: usize = 41;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut quick = cfg!(debug_assertions);
    let mut units = None;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--test" => quick = true,
            "--units" => units = Some(arguments.next().expect("--units takes a folder")),
            // Cargo's own.
            _ => {}
        }
    }
    let rounds = if quick { 1 } else { ROUNDS };
    if let Some(folder) = units {
        return dearest_units(Path::new(&folder), rounds);
    }

    println!("Ratio to the floor, median of {rounds} rounds:\n");
    println!("| of | sizes | ratios | rise |\n|---|---|---|---:|");
    for growth in GROWTHS {
        let sizes = if quick { &growth.sizes[..2] } else { &growth.sizes[..] };
        let documents: Vec<String> = sizes.iter().map(|size| growth.document(*size)).collect();
        let ratios: Vec<f64> =
            documents.iter().map(|text| ratio((core, text), (floor, text), rounds)).collect();
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        let cells: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
        println!("| {} | {} | {} | {:.2} |", growth.name, sizes.join(", "), cells.join(", "), rise(&ratios));
    }

    let plain = plain();
    println!("\nTime for a byte of {WORST_LENGTH} bytes, by that of {}:\n", plain.card.name);
    println!("| document | what it is | time |\n|---|---|---:|");
    for worst in WORST {
        let text = worst.document(if quick { 10_000 } else { WORST_LENGTH });
        assert_eq!(core(&text), worst.is_valid, "{}", worst.name);
        println!("| `{}` | {} | {:.2} |", worst.name, worst.what, by_the_byte(&text, &plain.text, rounds));
    }
}

/// The set that others are measured by.
fn plain() -> DataSet {
    let plain = sets().swap_remove(2);
    assert_eq!(plain.card.name, "1000-roots");
    plain
}

/// The time for a byte of a text, by that of another.
#[expect(clippy::cast_precision_loss, reason = "no document comes near 2^52 bytes")]
fn by_the_byte(text: &str, plain: &str, rounds: usize) -> f64 {
    ratio((core, text), (core, plain), rounds) * plain.len() as f64 / text.len() as f64
}

/// Sieves the units of a folder by short documents, and measures the dearest few by long ones.
fn dearest_units(folder: &Path, rounds: usize) {
    const SIEVE_LENGTH: usize = 1 << 15;
    const KEPT: usize = 12;
    let plain = plain().text;
    let read = |entry: io::Result<fs::DirEntry>| fs::read_to_string(entry.expect("a file").path()).ok();
    let units: Vec<String> = fs::read_dir(folder).expect("a folder of units").filter_map(read).collect();
    let mut sieved = Vec::new();
    for unit in &units {
        for (kind, document) in of_unit(unit, SIEVE_LENGTH) {
            sieved.push((by_the_byte(&document, &plain, 1), unit, kind));
        }
    }
    assert!(!sieved.is_empty(), "no unit of {} makes a document", folder.display());
    println!("{} texts make {} documents; the dearest by the byte:\n", units.len(), sieved.len());
    println!("| time | unit |\n|---:|---|");
    sieved.sort_by(|one, other| other.0.total_cmp(&one.0));
    // One kind of document has many units: those that are as long are mostly alike.
    let mut shown = HashSet::new();
    sieved.retain(|(_, unit, kind)| shown.insert((unit.len(), *kind)));
    for (_, unit, kind) in sieved.iter().take(KEPT) {
        for (_, document) in of_unit(unit, WORST_LENGTH).iter().filter(|(other, _)| other == kind) {
            let times = by_the_byte(document, &plain, rounds);
            println!("| {times:.2} | {kind} `{}` |", unit.escape_debug());
        }
    }
}

/// How much greater a figure is than one before it, at most.
fn rise(figures: &[f64]) -> f64 {
    let from = |index: usize| figures[index..].iter().map(move |later| later / figures[index]);
    (0..figures.len()).flat_map(from).fold(1.0, f64::max)
}

fn core(text: &str) -> bool {
    black_box(mcp_roots::validate_response(text)).is_ok()
}

fn floor(text: &str) -> bool {
    black_box(serde_json::from_str::<IgnoredAny>(text)).is_ok()
}

type Run<'t> = (fn(&str) -> bool, &'t str);

/// How much longer one takes than the other: the median of the rounds, in each of which they take turns.
fn ratio(one: Run<'_>, other: Run<'_>, rounds: usize) -> f64 {
    let repeats = (calibrate(one), calibrate(other));
    let mut ratios: Vec<f64> = (0..rounds).map(|_| time(one, repeats.0) / time(other, repeats.1)).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

/// Seconds a run.
fn time((read, text): Run<'_>, repeats: u32) -> f64 {
    let start = ThreadTime::now();
    for _ in 0..repeats {
        black_box(read(black_box(text)));
    }
    start.elapsed().as_secs_f64() / f64::from(repeats)
}

/// How many runs take a measurement's time, or up to twice that; at least one.
fn calibrate(run: Run<'_>) -> u32 {
    let mut repeats = 1;
    while time(run, repeats) * f64::from(repeats) < MEASUREMENT.as_secs_f64() {
        repeats *= 2;
    }
    repeats
}
