//! The cost of every contender on every data set as a ratio to the floor.
//!
//! All contenders are timed in one process, in rounds: each round times each of them once on each
//! data set, in an order that the next round turns round and rotates, and sets its time against the
//! floor's of the same round. Times are processor time of this thread: what else runs counts for
//! little, and what slows the machine for a while slows both sides of a ratio. Before each measurement
//! there is a run that is not timed, so that every contender finds the caches and the allocator as it
//! left them itself. The last line is the table once more, as one JSON object.
//!
//! With `--test`, or built without optimisation, there is one round of one run each.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use mcp_roots_benches::{Contender, DataSet, check_answers, sets};
use serde_json::{Value, json};

const ROUNDS: usize = 31;
/// One measurement repeats a run until it takes about as long as this.
const MEASUREMENT: Duration = Duration::from_millis(2);
/// The data set that growth is measured by.
const BASE: &str = "1000-roots";

fn main() {
    let quick = cfg!(debug_assertions) || std::env::args().any(|argument| argument == "--test");
    let sets = sets();
    println!("{} answers are as known", check_answers(&sets));
    println!("{}", features());

    let rounds = if quick { 1 } else { ROUNDS };
    let repeats: Vec<[u32; CONTENDERS]> =
        sets.iter().map(|set| Contender::ALL.map(|it| if quick { 1 } else { calibrate(it, set) })).collect();
    let rounds: Vec<Round> = (0..rounds).map(|number| round(&sets, &repeats, number)).collect();

    println!("\nRatio to the floor, median of {} rounds:\n", rounds.len());
    let ratios: Vec<[f64; CONTENDERS]> = (0..sets.len()).map(|set| ratios(&rounds, set)).collect();
    print_ratios(&sets, &ratios);
    println!("\nCore, time for a byte relative to {BASE}, of the documents that are read to their end:\n");
    print_growth(&sets, &rounds);
    println!("\n{}", to_json(&sets, &ratios));
}

const CONTENDERS: usize = Contender::ALL.len();

/// Nanoseconds a run, for each data set and contender.
type Round = Vec<[f64; CONTENDERS]>;

/// How `serde_json` was built, as far as it can be seen: features of one dependent are everybody's.
fn features() -> String {
    let spelling = "1.00000000000000000001";
    let kept = serde_json::from_str(spelling).map_or_else(|_| String::new(), |it: Value| it.to_string());
    let arbitrary_precision = kept == spelling;
    let preserve_order = json!({"b": 0, "a": 0}).to_string().starts_with(r#"{"b""#);
    format!("serde_json: arbitrary_precision {arbitrary_precision}, preserve_order {preserve_order}")
}

fn time(contender: Contender, set: &DataSet, repeats: u32) -> Duration {
    let start = ThreadTime::now();
    for _ in 0..repeats {
        black_box(contender.accepts(black_box(set)));
    }
    start.elapsed()
}

/// How many runs take a measurement's time or up to twice that; at least one.
fn calibrate(contender: Contender, set: &DataSet) -> u32 {
    let mut repeats = 1;
    while time(contender, set, repeats) < MEASUREMENT {
        repeats *= 2;
    }
    repeats
}

fn round(sets: &[DataSet], repeats: &[[u32; CONTENDERS]], number: usize) -> Round {
    let mut nanoseconds = vec![[0.0; CONTENDERS]; sets.len()];
    for set in order(sets.len(), number) {
        for contender in order(CONTENDERS, number) {
            let count = repeats[set][contender];
            time(Contender::ALL[contender], &sets[set], 1);
            let elapsed = time(Contender::ALL[contender], &sets[set], count);
            nanoseconds[set][contender] = elapsed.as_secs_f64() * 1e9 / f64::from(count);
        }
    }
    nanoseconds
}

/// The indices below `count` in the order of this round, every other one backwards.
fn order(count: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |turn| {
        let turn = if round.is_multiple_of(2) { turn } else { count - 1 - turn };
        (turn + round) % count
    })
}

fn position(contender: Contender) -> usize {
    Contender::ALL.iter().position(|it| *it == contender).expect("all contenders are in the list of all")
}

fn ratios(rounds: &[Round], set: usize) -> [f64; CONTENDERS] {
    let floor = position(Contender::Floor);
    std::array::from_fn(|it| median(rounds.iter().map(|round| round[set][it] / round[set][floor])))
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_unstable_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn print_ratios(sets: &[DataSet], ratios: &[[f64; CONTENDERS]]) {
    println!("| data set | {} |", Contender::ALL.map(|it| format!("`{it}`")).join(" | "));
    println!("|---|{}", "---:|".repeat(CONTENDERS));
    for (set, ratios) in sets.iter().zip(ratios) {
        let cell = |ratio| if ratio < 0.01 { "< 0.01".to_owned() } else { format!("{ratio:.2}") };
        println!("| `{}` | {} |", set.card.name, ratios.map(cell).join(" | "));
    }
}

fn print_growth(sets: &[DataSet], rounds: &[Round]) {
    let core = position(Contender::Core);
    let base = sets.iter().position(|set| set.card.name == BASE).expect("the base is a data set");
    #[expect(clippy::cast_precision_loss, reason = "no document comes near 2^52 bytes")]
    let for_a_byte = |round: &Round, set: usize| round[set][core] / sets[set].card.bytes as f64;
    println!("| data set | growth |\n|---|---:|");
    for (index, set) in sets.iter().enumerate().filter(|(_, set)| set.card.is_valid()) {
        let growth = median(rounds.iter().map(|round| for_a_byte(round, index) / for_a_byte(round, base)));
        println!("| `{}` | {growth:.2} |", set.card.name);
    }
}

/// One line, with four significant digits.
fn to_json(sets: &[DataSet], ratios: &[[f64; CONTENDERS]]) -> Value {
    let short = |ratio: f64| format!("{ratio:.3e}").parse::<f64>().unwrap_or(ratio);
    let of_set = |ratios: &[f64; CONTENDERS]| {
        let members =
            Contender::ALL.iter().zip(ratios).map(|(it, ratio)| (it.to_string(), json!(short(*ratio))));
        Value::Object(members.collect())
    };
    let members = sets.iter().zip(ratios).map(|(set, ratios)| (set.card.name.to_owned(), of_set(ratios)));
    Value::Object(members.collect())
}
