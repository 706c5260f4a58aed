//! What the fuzz targets share: the committed documents that they start from.

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

use mcp_roots_proptests::paths::corpus::{self, About, Case};
use mcp_roots_proptests::{mutator, uri};

/// Copies the committed documents of a target to where the fuzzer starts from.
///
/// A target's `init` calls this, which libFuzzer runs before it reads its corpus. Documents are copied
/// only if the folder `fuzz/corpus/TARGET`, which `cargo fuzz run TARGET` names when it is given no
/// other, is among the arguments; how many there are is said on stderr.
///
/// The fuzzer writes to the folder that it starts from, so that the process ends with a message if that
/// is a committed one. Where the program runs without the source it was built from, as on another
/// machine, it starts from what it is given.
///
/// The process ends with a message, too, where a document cannot be read or copied.
pub fn seed(target: &str) {
    seed_from(target, &[target]);
}

/// As [`seed`], from the committed documents of other targets.
pub fn seed_from(target: &str, documents: &[&str]) {
    seed_with(target, || {
        let folders = documents.iter().map(|folder| files(&package().join("../corpus").join(folder)));
        Ok(folders.collect::<io::Result<Vec<_>>>()?.into_iter().flatten().collect())
    });
}

/// As [`seed`], from the committed URIs.
pub fn seed_uris(target: &str) {
    seed_with(target, || Ok(uri::examples()?.into_iter().map(|uri| uri.text.into_bytes()).collect()));
}

/// As [`seed`], from the committed cases of paths, each as the lines that
/// [`Question::of_lines`](mcp_roots_proptests::paths::Question::of_lines) takes.
pub fn seed_paths(target: &str) {
    seed_with(target, || {
        let lines = |Case { about: About { root, candidate, .. }, .. }: Case| {
            format!("{root}\n{}\n{root}", candidate.as_ref().unwrap_or(&root)).into_bytes()
        };
        Ok(corpus::load()?.into_iter().map(lines).collect())
    });
}

/// libFuzzer makes inputs as long as its longest seed, and at least this long. The few documents that
/// are longer would slow it down for what the corpus replay covers.
const MAX_BYTES: usize = 4096;

/// Lets libFuzzer change the values of a target's documents, beside their bytes ([`change_values`]).
#[macro_export]
macro_rules! change_values_too {
    () => {
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::change_values(data, size, max_size, seed)
                .unwrap_or_else(|| libfuzzer_sys::fuzzer_mutate(data, size, max_size))
        });
    };
}

/// A change to the values of a JSON document in the first `size` bytes of `data`, for a target's `fuzz_mutator!`: the
/// new size, or none where the target is to change bytes, as libFuzzer does by itself. By the seed, one change in
/// [`ONE_IN`] is of values.
pub fn change_values(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> Option<usize> {
    if !seed.is_multiple_of(ONE_IN) {
        return None;
    }
    let doc = mutator::mutated(data.get(..size)?, u64::from(seed / ONE_IN), max_size)?;
    data.get_mut(..doc.len())?.copy_from_slice(&doc);
    Some(doc.len())
}

/// Changes of bytes are cheaper, and reach what is wrong with a text as such.
pub const ONE_IN: u32 = 4;

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn seed_with(target: &str, seeds: impl FnOnce() -> io::Result<Vec<Vec<u8>>>) {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    match seed_in(package(), target, seeds, &arguments) {
        Ok(None) => {}
        Ok(Some(count)) => eprintln!("committed seeds: {count}"),
        Err(error) => {
            eprintln!("{error}");
            process::exit(2);
        }
    }
}

/// Writes the seeds to `corpus/TARGET` of the package, if that is among the arguments; how many.
fn seed_in(
    package: &Path,
    target: &str,
    seeds: impl FnOnce() -> io::Result<Vec<Vec<u8>>>,
    arguments: &[PathBuf],
) -> io::Result<Option<usize>> {
    let arguments: Vec<PathBuf> = arguments.iter().flat_map(|argument| argument.canonicalize()).collect();
    if let Ok(committed) = package.join("../corpus").canonicalize()
        && arguments.iter().any(|argument| argument.starts_with(&committed))
    {
        let message = "The fuzzer writes to the folder it starts from: give it a copy of the committed one.";
        return Err(io::Error::other(message));
    }
    match package.join("corpus").join(target).canonicalize() {
        Ok(folder) if arguments.contains(&folder) => {
            // libFuzzer takes an empty file for none.
            let seeds = seeds()?.into_iter().filter(|seed| (1..=MAX_BYTES).contains(&seed.len()));
            let mut count = 0;
            for seed in seeds {
                fs::write(folder.join(format!("committed-{count}")), seed)?;
                count += 1;
            }
            Ok(Some(count))
        }
        _ => Ok(None),
    }
}

/// What the documents of a folder hold, in the order of their names.
fn files(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let mut paths = Vec::new();
    for file in fs::read_dir(folder)? {
        paths.push(file?.path());
    }
    paths.sort();
    paths.into_iter().map(fs::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_changed_in_place_where_there_is_room_and_it_is_their_turn() {
        let doc = br#"{"roots":[{"uri":"file:///a"}]}"#;
        let mut changed = std::collections::BTreeSet::new();
        for seed in 0..4000 {
            let mut data = [b' '; 256];
            data[..doc.len()].copy_from_slice(doc);
            let size = change_values(&mut data, doc.len(), 256, seed);
            assert!(size.is_none() || seed % ONE_IN == 0, "{seed}");
            if size.is_none() {
                assert_eq!(&data[..doc.len()], doc, "{seed}");
            }
            changed.extend(size.map(|size| data[..size].to_vec()));
        }
        assert!(changed.len() > 500, "{}", changed.len());
        assert_eq!(change_values(&mut b"{\"a\"".to_vec(), 4, 4, 0), None, "no JSON");
    }

    /// A folder of its own with committed documents, and that of the package in it.
    fn project(name: &str) -> (PathBuf, PathBuf) {
        let project = env::temp_dir().join(format!("mcp-roots-fuzz-{}-{name}", process::id()));
        let package = project.join("fuzz");
        fs::create_dir_all(project.join("corpus/response")).unwrap();
        fs::create_dir_all(package.join("corpus/response")).unwrap();
        for (name, text) in
            [("object", "{}".to_owned()), ("nothing", String::new()), ("long", " ".repeat(MAX_BYTES + 1))]
        {
            fs::write(project.join("corpus/response").join(name), text).unwrap();
        }
        (project, package)
    }

    #[test]
    fn the_grown_folder_gets_the_committed_documents_that_fit() {
        let (project, package) = project("grown");
        let (grown, committed) = (package.join("corpus/response"), project.join("corpus/response"));
        let seed = |arguments: &[PathBuf]| seed_in(&package, "response", || files(&committed), arguments);
        assert_eq!(seed(&[]).unwrap(), None, "not asked for");
        assert_eq!(fs::read_dir(&grown).unwrap().count(), 0);
        assert_eq!(seed(&["-runs=1".into(), grown.clone()]).unwrap(), Some(1));
        assert_eq!(files(&grown).unwrap(), [b"{}"]);
        let error = seed(std::slice::from_ref(&committed)).unwrap_err();
        assert!(error.to_string().contains("give it a copy"), "{error}");
        fs::remove_dir_all(project).unwrap();
    }

    #[test]
    fn without_the_source_a_target_starts_from_what_it_is_given() {
        let (project, package) = project("given");
        let given = package.join("corpus/response");
        let gone = project.join("no such folder");
        let seeded = seed_in(&gone, "response", || files(&gone), std::slice::from_ref(&given)).unwrap();
        assert_eq!(seeded, None);
        assert_eq!(fs::read_dir(given).unwrap().count(), 0);
        fs::remove_dir_all(project).unwrap();
    }
}
