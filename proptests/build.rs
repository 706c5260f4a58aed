//! Lists the files of the corpus, so that the library carries them wherever it goes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let set = |name: &str| PathBuf::from(env::var_os(name).expect("cargo sets it"));
    let package = set("CARGO_MANIFEST_DIR");
    // A link to the folder beside the package in the repository; a folder once it is packed.
    let inside = package.join("corpus");
    let folder = if inside.is_dir() { inside } else { package.join("../corpus") }.canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut list = "&[\n".to_owned();
    for path in paths(&folder)? {
        if path.is_dir() {
            for file in paths(&path)? {
                add(&mut list, &folder, &file);
            }
        } else {
            add(&mut list, &folder, &path);
        }
    }
    list.push(']');
    fs::write(set("OUT_DIR").join("corpus.rs"), list)
}

fn paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}

fn add(list: &mut String, folder: &Path, file: &Path) {
    let name = file.strip_prefix(folder).expect("it stands there").to_string_lossy().replace('\\', "/");
    writeln!(list, "({name:?}, include_bytes!({:?})),", file.to_string_lossy()).expect("text takes text");
}
