//! What a JavaScript error says is not there: modules, exports, names, members. Reads the words that engines, bundlers
//! and type checkers use; whose the name would be is asked of the sources.

use super::frames::{Frame, Root};
use super::subject::{Lack, Scene, Subject};
use proctor_core::report::{Owner, Place};
use proctor_lang::tree::{below, joined, parent};
use proctor_lang::zone::{Zone, zone};

/// A name that is not there, and where it was asked for.
pub(crate) struct Gone {
    pub(crate) name: String,
    pub(crate) owner: Owner,
    pub(crate) place: Option<Place>,
}

/// What an error is about.
pub(crate) enum Lacking {
    /// Of a test's doing: a test file asks for it.
    Name(Gone),
    /// Production code asks for it: nothing that a test is about.
    InProduction(Option<Place>),
    Nothing,
}

/// A module that was not found, or an export of it.
struct Wanted {
    specifier: String,
    /// As the text names it.
    importer: Option<String>,
    export: Option<String>,
}

pub(crate) struct Reader<'a> {
    pub(crate) root: &'a Root,
    pub(crate) subdir: &'a str,
}

impl Reader<'_> {
    /// An error about a module, wherever it was raised. `file` is the test file that was being loaded, where known.
    pub(crate) fn module(&self, message: &str, frames: &[Frame], file: Option<&str>) -> Lacking {
        let Some(wanted) = not_found(message).or_else(|| not_exported(message)) else {
            return Lacking::Nothing;
        };
        let told = wanted.importer.as_deref().and_then(|path| self.path(path));
        let importer = told
            .or_else(|| frames.first().map(|f| f.file.clone()))
            .or_else(|| file.map(str::to_owned));
        let Some(importer) = importer else {
            return Lacking::Nothing;
        };
        let line = frames.iter().find(|f| f.file == importer).map(|f| f.line);
        let place = Some(Place { file: importer.clone(), line });
        if zone(&importer) == Zone::Production {
            return Lacking::InProduction(place);
        }
        let (module, owner) = self.module_owner(&wanted.specifier, &importer);
        let name = wanted.export.unwrap_or(module);
        Lacking::Name(Gone { name, owner, place })
    }

    /// A path that a tool named: absolute, or relative to where it ran.
    fn path(&self, path: &str) -> Option<String> {
        if path.starts_with('/') || path.starts_with("file://") {
            return self.root.inside(path);
        }
        let path = below(self.subdir, path.trim_start_matches("./"));
        self.root.tree.join(&path).is_file().then_some(path)
    }

    /// The module's path in the tree where it has one, and whose it is.
    fn module_owner(&self, specifier: &str, importer: &str) -> (String, Owner) {
        let inside = if specifier.starts_with('.') {
            joined(parent(importer), specifier)
        } else {
            self.root.inside(specifier)
        };
        if let Some(path) = inside {
            let owner = if zone(&path) == Zone::Test { Owner::TestItself } else { Owner::Project };
            return (path, owner);
        }
        let owner = proctor_lang::js::imports::module_owner(&self.root.tree, importer, specifier);
        (specifier.to_owned(), owner)
    }

    /// A `TypeError` or `ReferenceError` of a test's own code.
    pub(crate) fn name(&self, kind: &str, message: &str, frame: &Frame) -> Option<Gone> {
        let place = Some(frame.place());
        let scene = Scene::of(&self.root.tree, &frame.file)?;
        if kind == "ReferenceError" {
            let name = message.strip_suffix(" is not defined")?.trim();
            return Some(Gone { name: name.to_owned(), owner: scene.owner(name), place });
        }
        if kind != "TypeError" {
            return None;
        }
        if message.starts_with("Cannot read properties of undefined") {
            // Only the project's own names: an undefined value of the test is the test's matter.
            let Subject { name, owner } = scene.subject(frame, Lack::Object)?;
            return (owner == Owner::Project).then_some(Gone { name, owner, place });
        }
        let (said, _) = message
            .split_once(" is not a function")
            .or_else(|| message.split_once(" is not a constructor"))?;
        let said = said.trim_matches(['(', ')']).trim_start_matches("0 , ");
        let last = |text: &str| text.rsplit('.').next().unwrap_or(text).to_owned();
        let found = scene
            .subject(frame, Lack::Callee)
            .filter(|s| !s.name.contains('.') || last(&s.name) == last(said));
        let Subject { name, owner } = found.unwrap_or_else(|| {
            let name = last(said);
            Subject { owner: scene.owner(said.split('.').next().unwrap_or(said)), name }
        });
        Some(Gone { name, owner, place })
    }

    /// What a type checker found wrong; nothing where the text is none of a type checker's.
    pub(crate) fn diagnostics(&self, text: &str) -> Option<Lacking> {
        let mut missing: Option<Gone> = None;
        for line in text.lines() {
            let Some((at, rest)) = line.split_once(" - error TS") else {
                continue;
            };
            let (code, said) = rest.split_once(':')?;
            let mut parts = at.trim().rsplitn(3, ':');
            let column = parts.next()?.parse().ok()?;
            let number = parts.next()?.parse().ok()?;
            let file = self.path(parts.next()?)?;
            let frame = Frame { file, line: number, column };
            match self.diagnostic(code, said.trim(), &frame) {
                Some(gone) => missing = Some(missing.unwrap_or(gone)),
                // One fault that is no missing name is enough.
                None => return Some(Lacking::InProduction(Some(frame.place()))),
            }
        }
        missing.map(Lacking::Name)
    }

    fn diagnostic(&self, code: &str, said: &str, frame: &Frame) -> Option<Gone> {
        if zone(&frame.file) == Zone::Production {
            return None;
        }
        let scene = Scene::of(&self.root.tree, &frame.file)?;
        let place = Some(frame.place());
        match code {
            // `Cannot find module './x' or its corresponding type declarations.`
            "2307" => {
                let (name, owner) = self.module_owner(&quoted(said)?, &frame.file);
                Some(Gone { name, owner, place })
            }
            // `Module '"./shop"' has no exported member 'basket'.`
            "2305" | "2724" => {
                let specifier = quoted(said)?;
                let rest = said.split_once(" has no exported member")?.1;
                let (_, owner) = self.module_owner(specifier.trim_matches('"'), &frame.file);
                Some(Gone { name: quoted(rest)?, owner, place })
            }
            // `Property 'total' does not exist on type 'Cart'.`
            "2339" | "2551" => {
                let Subject { name, owner } = scene.subject(frame, Lack::Member)?;
                Some(Gone { name, owner, place })
            }
            // `Cannot find name 'x'.`
            "2304" | "2552" => {
                let name = quoted(said)?;
                Some(Gone { owner: scene.owner(&name), name, place })
            }
            _ => None,
        }
    }
}

/// `Cannot find module './x' from 'a.test.js'` and what else says so.
fn not_found(message: &str) -> Option<Wanted> {
    let starts = [
        "Cannot find module ",
        "Cannot find package ",
        "Failed to resolve import ",
        "Failed to load url ",
    ];
    let rest = starts.iter().find_map(|start| message.split_once(start).map(|(_, rest)| rest))?;
    let (specifier, rest) = word(rest)?;
    let importer = [" imported from ", " from ", ") in ", "Require stack:\n- "]
        .iter()
        .find_map(|mark| rest.split_once(mark))
        .and_then(|(_, rest)| word(rest))
        .map(|(importer, _)| importer.trim_end_matches('.').to_owned());
    Some(Wanted { specifier, importer, export: None })
}

/// `The requested module './shop.js' does not provide an export named 'basket'`.
fn not_exported(message: &str) -> Option<Wanted> {
    let (before, after) = message.split_once("does not provide an export named ")?;
    let (specifier, _) = word(before.split_once("requested module ")?.1)?;
    let (export, _) = word(after)?;
    Some(Wanted { specifier, importer: None, export: Some(export) })
}

/// The first word of a text, in quotes or not, and what follows it.
fn word(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'));
    if let Some(quote) = quote {
        let (inner, rest) = text.get(1..)?.split_once(quote)?;
        return Some((inner.to_owned(), rest));
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    (!first.is_empty()).then(|| (first.to_owned(), rest))
}

/// The first text in single quotes.
fn quoted(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('\'')?;
    rest.split_once('\'').map(|(inner, _)| inner.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_read_from_each_tools_words() {
        for (text, specifier, importer) in [
            (
                "Cannot find module '../s/x.js' imported from '/t/a.test.js'",
                "../s/x.js",
                "/t/a.test.js",
            ),
            ("Cannot find module '/t/x.js' imported from /t/a.test.js", "/t/x.js", "/t/a.test.js"),
            ("Cannot find package 'x' imported from /t/a.test.js", "x", "/t/a.test.js"),
            ("Cannot find module '../x' from 'tests/b.test.js'", "../x", "tests/b.test.js"),
            (
                "Cannot find module './x'\nRequire stack:\n- /t/a.test.js\n- /t/b.js",
                "./x",
                "/t/a.test.js",
            ),
            (
                "Failed to resolve import \"./x\" from \"a.test.ts\". Does the file exist?",
                "./x",
                "a.test.ts",
            ),
            (
                "Failed to load url ../x (resolved id: ../x) in /t/a.test.js. Does the file exist?",
                "../x",
                "/t/a.test.js",
            ),
        ] {
            let wanted = not_found(text).unwrap();
            assert_eq!(
                (wanted.specifier.as_str(), wanted.importer.as_deref()),
                (specifier, Some(importer))
            );
        }
        let wanted = not_exported(
            "The requested module '../src/shop.js' does not provide an export named 'basket'",
        )
        .unwrap();
        assert_eq!(
            (wanted.specifier.as_str(), wanted.export.as_deref()),
            ("../src/shop.js", Some("basket"))
        );
        assert!(not_found("nothing of the kind").is_none());
    }
}
