//! What the fuzz targets share.

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

use mcp_roots_proptests::uri;

/// Copies the committed documents of a target to where the fuzzer starts from.
///
/// A target's `init` calls this, which libFuzzer runs before it reads its corpus. Documents are copied
/// only if the folder `fuzz/corpus/TARGET`, which `cargo fuzz run TARGET` names when it is given no
/// other, is among the arguments, and if there are committed documents.
///
/// The fuzzer writes to the folder that it starts from, so that the process ends with a message if that
/// is the committed one.
///
/// # Panics
///
/// Where a document cannot be copied.
pub fn seed(target: &str) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (from, to) = (package.join("../corpus").join(target), package.join("corpus").join(target));
    if is_an_argument(&from) {
        eprintln!("The fuzzer writes to the folder it starts from: give it a copy of {}.", from.display());
        process::exit(2);
    }
    if is_an_argument(&to) {
        copy(&from, &to).unwrap_or_else(|error| panic!("{} cannot be copied: {error}", from.display()));
    }
}

/// Writes the committed URIs to where the fuzzer starts from, one file each, as [`seed`] copies documents.
///
/// # Panics
///
/// Where the URIs cannot be read or a file cannot be written.
pub fn seed_uris(target: &str) {
    let to = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    if is_an_argument(&to) {
        for (index, example) in uri::examples().expect("the committed URIs").iter().enumerate() {
            let file = to.join(format!("example-{index}"));
            fs::write(&file, &example.text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        }
    }
}

fn is_an_argument(folder: &Path) -> bool {
    let Ok(folder) = folder.canonicalize() else { return false };
    let mut folders =
        env::args_os().skip(1).filter_map(|argument| PathBuf::from(argument).canonicalize().ok());
    folders.any(|argument| argument == folder)
}

/// libFuzzer makes inputs as long as its longest seed, and at least this long. The few documents that
/// are longer would slow it down for what the corpus replay covers.
const MAX_BYTES: usize = 4096;

/// Copies the files that are not too long; none where `from` does not exist.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    for file in fs::read_dir(from)? {
        let file = file?;
        let (doc, copy) = (fs::read(file.path())?, to.join(file.file_name()));
        if doc.len() <= MAX_BYTES && fs::read(&copy).ok().as_ref() != Some(&doc) {
            fs::write(copy, doc)?;
        }
    }
    Ok(())
}
