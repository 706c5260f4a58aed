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
/// is the committed one. Where the program runs without the source it was built from, as on another
/// machine, it starts from what it is given.
///
/// The process ends with a message, too, where a document cannot be copied.
pub fn seed(target: &str) {
    if let Err(error) = seed_in(Path::new(env!("CARGO_MANIFEST_DIR")), target, &arguments()) {
        eprintln!("{error}");
        process::exit(2);
    }
}

/// Writes the committed URIs to where the fuzzer starts from, one file each, as [`seed`] copies documents.
///
/// # Panics
///
/// Where the URIs cannot be read or a file cannot be written.
pub fn seed_uris(target: &str) {
    let to = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    if is_among(&to, &arguments()) {
        for (index, example) in uri::examples().expect("the committed URIs").iter().enumerate() {
            let file = to.join(format!("example-{index}"));
            fs::write(&file, &example.text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        }
    }
}

/// Copies what is in `../corpus/TARGET` of a folder to its `corpus/TARGET`, as [`seed`] says.
fn seed_in(package: &Path, target: &str, arguments: &[PathBuf]) -> io::Result<()> {
    let (from, to) = (package.join("../corpus").join(target), package.join("corpus").join(target));
    if is_among(&from, arguments) {
        let from = from.display();
        return Err(io::Error::other(format!(
            "The fuzzer writes to the folder it starts from: give it a copy of {from}."
        )));
    }
    if is_among(&to, arguments) {
        let wrong = |error| io::Error::other(format!("{} cannot be copied: {error}", from.display()));
        copy(&from, &to).map_err(wrong)?;
    }
    Ok(())
}

fn arguments() -> Vec<PathBuf> {
    env::args_os().skip(1).map(PathBuf::from).collect()
}

fn is_among(folder: &Path, arguments: &[PathBuf]) -> bool {
    let Ok(folder) = folder.canonicalize() else { return false };
    arguments.iter().any(|argument| argument.canonicalize().is_ok_and(|argument| argument == folder))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own with one committed document, and that of the package in it.
    fn project(name: &str) -> (PathBuf, PathBuf) {
        let project = env::temp_dir().join(format!("mcp-roots-fuzz-{}-{name}", process::id()));
        let package = project.join("fuzz");
        fs::create_dir_all(project.join("corpus/response")).unwrap();
        fs::create_dir_all(package.join("corpus/response")).unwrap();
        fs::write(project.join("corpus/response/empty.json"), "{}").unwrap();
        fs::write(project.join("corpus/response/long.json"), vec![b' '; MAX_BYTES + 1]).unwrap();
        (project, package)
    }

    #[test]
    fn the_grown_folder_gets_the_committed_documents_that_are_not_too_long() {
        let (project, package) = project("grown");
        let grown = package.join("corpus/response");
        seed_in(&package, "response", &[]).unwrap();
        assert_eq!(fs::read_dir(&grown).unwrap().count(), 0, "not asked for");
        seed_in(&package, "response", &["-runs=1".into(), grown.clone()]).unwrap();
        let names: Vec<_> = fs::read_dir(&grown).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, ["empty.json"]);
        let error = seed_in(&package, "response", &[project.join("corpus/response")]).unwrap_err();
        assert!(error.to_string().contains("give it a copy"), "{error}");
        fs::remove_dir_all(project).unwrap();
    }

    #[test]
    fn without_the_source_a_target_starts_from_what_it_is_given() {
        let (project, package) = project("given");
        let given = package.join("corpus/response");
        seed_in(&project.join("no such folder"), "response", std::slice::from_ref(&given)).unwrap();
        assert_eq!(fs::read_dir(given).unwrap().count(), 0);
        fs::remove_dir_all(project).unwrap();
    }
}
