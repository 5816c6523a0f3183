//! The imports of the library and of the program have no circle, neither between files nor between folders.
//!
//! A file imports a name by the path of its module, `crate::folder::file::Name`. A `mod.rs` is a face: it documents a
//! folder and re-exports names. No file of the same package imports through it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The imports of each file, as module paths such as `table::header`.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Every source file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let below = folders.iter().flat_map(|folder| self::files(folder));
    files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .chain(below)
        .collect()
}

/// The code of a file, without comments and without code that is compiled only for tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Every path in a group of imports: `a::{b, c::d}` gives `a::b` and `a::c::d`.
fn leaves(group: &str) -> Vec<String> {
    let Some((start, rest)) = group.split_once('{') else { return vec![group.trim().to_owned()] };
    let inner = rest.rsplit_once('}').unwrap().0;
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for character in inner.chars() {
        depth += match character {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        match character {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().unwrap().push(character),
        }
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.flat_map(leaves).map(|leaf| format!("{}{leaf}", start.trim())).collect()
}

/// All paths that follow `crate::` in some code.
fn paths(code: &str) -> Vec<String> {
    let ends = |text: &str| {
        let mut depth = 0;
        let end = text.find(|character: char| {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            let is_path = character.is_alphanumeric() || "_:".contains(character);
            depth <= 0 && !is_path && character != '}'
        });
        end.unwrap_or(text.len())
    };
    let found = code.split("crate::").skip(1);
    // `use crate::a::{...}` ends at its semicolon. Any other path ends at the first character that is not part of it.
    found.flat_map(|text| leaves(&text[..ends(text)])).collect()
}

/// The imports of a package, between its files.
fn imports(source: &Path) -> Imports {
    let module = |path: &Path| {
        let path = path.strip_prefix(source).unwrap().with_extension("");
        path.iter().map(|part| part.to_str().unwrap()).collect::<Vec<_>>().join("::")
    };
    let files = files(source);
    let is_face = |module: &String| module.ends_with("mod") || module == "lib" || module == "main";
    let modules: BTreeSet<_> =
        files.iter().map(|path| module(path)).filter(|module| !is_face(module)).collect();
    let mut imports = Imports::new();
    for path in files.iter().filter(|path| !is_face(&module(path))) {
        let (here, code) = (module(path), code(path));
        assert!(!code.contains("super::"), "{here} imports by `super`");
        for leaf in paths(&code) {
            let mut prefixes: Vec<_> =
                leaf.match_indices("::").map(|(at, _)| &leaf[..at]).collect();
            prefixes.push(&leaf);
            // A module that depends on the system has a file for each system: `orphans` has `orphans_linux` and others.
            let are = |module: &&String, prefix: &str| match module.strip_prefix(prefix) {
                Some(rest) => rest.is_empty() || rest.starts_with('_'),
                None => false,
            };
            let there = |prefix: &&str| {
                modules.iter().filter(|module| are(module, prefix)).collect::<Vec<_>>()
            };
            let there = prefixes.iter().rev().map(there).find(|there| !there.is_empty());
            let there = there.unwrap_or_else(|| panic!("{here} imports {leaf} through a face"));
            let others = there.into_iter().filter(|other| **other != here).cloned();
            imports.entry(here.clone()).or_default().extend(others);
        }
    }
    assert!(imports.len() > 20, "only {} files import anything", imports.len());
    imports
}

/// The same imports, between folders. A file that is in no folder counts as a folder of its own.
fn between_folders(imports: &Imports) -> Imports {
    let folder = |module: &str| module.split("::").next().unwrap().to_owned();
    let mut folders = Imports::new();
    for (here, others) in imports {
        let others =
            others.iter().map(|other| folder(other)).filter(|other| *other != folder(here));
        folders.entry(folder(here)).or_default().extend(others);
    }
    folders
}

/// A circle of imports, if there is one.
fn circle(imports: &Imports) -> Option<Vec<String>> {
    fn visit<'a>(
        here: &'a String,
        imports: &'a Imports,
        way: &mut Vec<&'a String>,
        done: &mut BTreeSet<&'a String>,
    ) -> Option<Vec<String>> {
        if let Some(at) = way.iter().position(|other| *other == here) {
            return Some(way[at..].iter().map(|other| (*other).clone()).collect());
        }
        if done.contains(here) {
            return None;
        }
        way.push(here);
        let found = imports
            .get(here)
            .into_iter()
            .flatten()
            .find_map(|other| visit(other, imports, way, done));
        way.pop();
        done.insert(here);
        found
    }
    let mut done = BTreeSet::new();
    imports.keys().find_map(|here| visit(here, imports, &mut vec![], &mut done))
}

fn points_one_way(source: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    // A package with only the library has no program.
    if !source.is_dir() {
        return;
    }
    let imports = imports(&source);
    assert_eq!(circle(&imports), None, "files import one another in a circle");
    assert_eq!(circle(&between_folders(&imports)), None, "folders import one another in a circle");
}

#[test]
fn the_imports_of_the_library_point_one_way() {
    points_one_way("src");
}

#[test]
fn the_imports_of_the_program_point_one_way() {
    points_one_way("cli/src");
}

/// ARCHITECTURE.md, if this is the repository and not the package alone.
fn page() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("cli").is_dir().then(|| fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap())
}

#[test]
fn the_folders_have_the_order_of_the_page() {
    let Some(page) = page() else { return };
    let layers: Vec<_> = page
        .lines()
        .skip_while(|line| !line.starts_with("| folder in `src/`"))
        .take_while(|line| line.starts_with('|'))
        .filter_map(|line| line.strip_prefix("| `")?.split_once("/`").map(|(folder, _)| folder))
        .collect();
    let rank = |folder: &String| layers.iter().position(|layer| layer == folder).expect("a layer");
    for (here, others) in between_folders(&imports(Path::new("src"))) {
        for other in others {
            assert!(rank(&other) < rank(&here), "{here} imports {other}, which stands below it");
        }
    }
}

#[test]
fn the_page_names_files_that_exist() {
    let Some(page) = page() else { return };
    let mut folder = "";
    let mut names = 0;
    for line in page.lines() {
        // A table's head may name the folder of its rows: "in `cli/src/`".
        if let Some((_, rest)) = line.split_once("in `").filter(|_| line.starts_with("| ")) {
            folder = rest.split('`').next().unwrap();
        }
        if line.is_empty() {
            folder = "";
        }
        let mut beside = Path::new(folder);
        for name in line.split('`').skip(1).step_by(2) {
            let is_path = name.ends_with('/') || name.ends_with(".rs") || name.ends_with(".md");
            if !is_path || name == "mod.rs" {
                continue;
            }
            // `a/b.rs` `c.rs` stands for `a/b.rs` and `a/c.rs`.
            let root = Path::new(env!("CARGO_MANIFEST_DIR"));
            let places =
                [Path::new(""), Path::new(folder), beside, Path::new("src"), Path::new("tests")];
            let place = places.into_iter().find(|place| root.join(place).join(name).exists());
            assert!(place.is_some(), "ARCHITECTURE.md names {name}, which does not exist");
            if let Some(parent) = Path::new(name).parent().filter(|path| *path != Path::new("")) {
                beside = parent;
            }
            names += 1;
        }
    }
    assert!(names > 50, "only {names} names were found");
}

#[test]
fn a_circle_is_found() {
    let imports = |pairs: &[(&str, &str)]| {
        let mut imports = Imports::new();
        for (here, other) in pairs {
            imports.entry((*here).to_string()).or_default().insert((*other).to_string());
        }
        imports
    };
    assert_eq!(circle(&imports(&[("a", "b"), ("a", "c"), ("b", "c")])), None);
    let found = circle(&imports(&[("a", "b"), ("b", "c"), ("c", "b")])).unwrap();
    assert_eq!(found, ["b", "c"]);
    let code =
        "use crate::{a::{b::C, d}, e::F};\nlet x = crate::g::h(1);\nuse crate::i::j::{self, K};";
    assert_eq!(paths(code), ["a::b::C", "a::d", "e::F", "g::h", "i::j::self", "i::j::K"]);
}
