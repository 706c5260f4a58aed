//! What the fuzz targets share.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Copies the committed documents of a target to where the fuzzer starts from.
///
/// A target's `init` calls this, which libFuzzer runs before it reads its corpus. The fuzzer writes
/// to the folder that it starts from, so that it must never be given the committed one. Nothing
/// happens unless the folder `fuzz/corpus/TARGET`, which `cargo fuzz run TARGET` names when it is
/// given no other, is among the arguments; nor where there are no committed documents.
///
/// # Panics
///
/// Where a document cannot be copied.
pub fn seed(target: &str) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let to = package.join("corpus").join(target);
    let is_asked_for = |argument: PathBuf| match (argument.canonicalize(), to.canonicalize()) {
        (Ok(argument), Ok(to)) => argument == to,
        _ => false,
    };
    if env::args_os().skip(1).any(|argument| is_asked_for(argument.into())) {
        let from = package.join("../corpus").join(target);
        copy_new(&from, &to).unwrap_or_else(|error| panic!("{} cannot be copied: {error}", from.display()));
    }
}

/// libFuzzer makes inputs as long as its longest seed, and at least this long. The few documents that
/// are longer would slow it down for what the corpus replay covers.
const MAX_BYTES: u64 = 4096;

/// Copies the files that are not there yet and not too long; none where `from` does not exist.
fn copy_new(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    for file in fs::read_dir(from)? {
        let file = file?;
        let copy = to.join(file.file_name());
        if file.metadata()?.len() <= MAX_BYTES && !copy.exists() {
            fs::copy(file.path(), copy)?;
        }
    }
    Ok(())
}
