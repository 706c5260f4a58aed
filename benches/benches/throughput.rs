//! Bytes and roots a second of every contender on every data set, by criterion.
//!
//! On the data sets with a fault a contender that stops at the fault is counted as if it had read
//! all: compare times there, not throughput.

use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput};
use mcp_roots_benches::{Contender, DataSet, check_answers, sets};

fn main() {
    let sets = sets();
    let checks = check_answers(&sets);
    println!("{checks} answers are as known");
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1500))
        .sample_size(30)
        .configure_from_args();
    for set in &sets {
        measure(&mut criterion, set);
    }
    criterion.final_summary();
}

fn measure(criterion: &mut Criterion, set: &DataSet) {
    let bytes = set.card.bytes as u64;
    let mut group = criterion.benchmark_group(set.card.name);
    group.throughput(match set.card.roots as u64 {
        0 => Throughput::Bytes(bytes),
        elements => Throughput::ElementsAndBytes { elements, bytes },
    });
    if bytes > 1_000_000 {
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
    }
    for contender in Contender::ALL {
        group.bench_function(contender.name(), |bencher| bencher.iter(|| contender.accepts(set)));
    }
    group.finish();
}
