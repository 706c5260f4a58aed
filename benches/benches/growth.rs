//! The core's time as documents grow, and on the dearest documents that are known.
//!
//! Two runs are timed in turn, in processor time of this thread, so that other work on the machine counts
//! for little; each figure is the median of the rounds. The first table has the ratio to the floor for
//! each size of what grows, and by how much it rises at most from one size to a larger one. The second
//! has the time for a byte by that of the plain set of 1000 roots.
//!
//! With `--test`, or built without optimisation, there is one round, of the smaller documents.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use mcp_roots_benches::{GROWTHS, WORST, WORST_LENGTH, sets};
use serde::de::IgnoredAny;

/// One measurement repeats a run until it takes about as long as this.
const MEASUREMENT: Duration = Duration::from_micros(500);
const ROUNDS: usize = 41;

fn main() {
    let quick = cfg!(debug_assertions) || std::env::args().any(|argument| argument == "--test");
    let rounds = if quick { 1 } else { ROUNDS };

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

    let plain = sets().swap_remove(2);
    assert_eq!(plain.card.name, "1000-roots");
    println!("\nTime for a byte of {WORST_LENGTH} bytes, by that of {}:\n", plain.card.name);
    println!("| document | what it is | time |\n|---|---|---:|");
    for worst in WORST {
        let text = worst.document(if quick { 10_000 } else { WORST_LENGTH });
        assert_eq!(core(&text), worst.is_valid, "{}", worst.name);
        #[expect(clippy::cast_precision_loss, reason = "no document comes near 2^52 bytes")]
        let lengths = plain.text.len() as f64 / text.len() as f64;
        let times = ratio((core, &text), (core, &plain.text), rounds) * lengths;
        println!("| `{}` | {} | {times:.2} |", worst.name, worst.what);
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
