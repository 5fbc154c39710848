//! What says that a folder's tests are Go's, and what a user's own `go test` command means.

use crate::detect::{Arguments, UnknownCommand, UserCommand, program_of};
use proctor_lang::go::modules::Workspace;
use proctor_lang::tree::{Tree, below, upward};

pub(crate) fn claims(tree: &dyn Tree, dir: &str) -> Option<(&'static str, String)> {
    ["go.work", "go.mod"]
        .map(|name| below(dir, name))
        .into_iter()
        .find(|path| tree.read(path).is_some())
        .map(|path| ("go", path))
}

/// Whether the module or workspace of one folder also holds the packages of a folder below it. A module with a
/// `go.mod` of its own is another one, unless the workspace uses it.
pub(crate) fn reaches(tree: &dyn Tree, module: &str, dir: &str) -> bool {
    let workspace = Workspace::at(tree, module);
    let nearest = upward(dir).into_iter().find(|d| tree.read(&below(d, "go.mod")).is_some());
    match (workspace, nearest) {
        (Some(workspace), Some(nearest)) => workspace.uses.iter().any(|used| used == nearest),
        (None, Some(nearest)) => nearest == module,
        (_, None) => true,
    }
}

/// `-short` is let through: what it leaves out is reported as skipped, which is never passed. `-run`, `-skip`,
/// `-failfast` and the like leave tests out without a trace; `-cpu` gives the same test several names.
const ARGUMENTS: Arguments = Arguments {
    alone: &["-race", "-msan", "-asan", "-short"],
    valued: &["-tags", "-p", "-parallel", "-vet", "-shuffle", "-ldflags", "-mod"],
    dropped: &["-v", "-json", "-cover", "-x", "-benchmem"],
    accepted: "packages (`./...` and other paths that begin with a dot), -tags, -race, -msan, -asan, -short, -p, \
               -parallel, -vet, -shuffle, -ldflags and -mod",
};

/// Take a value, and are ours to choose.
const OURS: [&str; 5] = ["-count", "-timeout", "-coverprofile", "-covermode", "-coverpkg"];

pub(crate) fn command(words: &[&str]) -> Option<Result<UserCommand, UnknownCommand>> {
    let (first, rest) = words.split_first()?;
    let (name, program) = program_of(first);
    let ("go", ["test", more @ ..]) = (name, rest) else {
        return None;
    };
    let (flags, packages) = sorted(more);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    Some(ARGUMENTS.keep(&flags, &words.join(" ")).map(|mut extra_args| {
        extra_args.extend(packages);
        UserCommand { runner: "go", program, extra_args }
    }))
}

/// Flags, each with its value in one word and with one dash, and packages.
fn sorted(words: &[&str]) -> (Vec<String>, Vec<String>) {
    let (mut flags, mut packages) = (Vec::new(), Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word.starts_with('.') {
            packages.push((*word).to_owned());
            continue;
        }
        let flag = word.strip_prefix('-').filter(|w| w.starts_with('-')).unwrap_or(word);
        let head = flag.split('=').next().unwrap_or(flag);
        let is_ours = OURS.contains(&head);
        let valued = is_ours || ARGUMENTS.valued.contains(&head);
        let value = if valued && head == flag { words.next() } else { None };
        match (is_ours, value) {
            (true, _) => {}
            (false, Some(value)) => flags.push(format!("{flag}={value}")),
            (false, None) => flags.push(flag.to_owned()),
        }
    }
    (flags, packages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_lang::tree::MemoryTree;

    fn tree(files: &[(&str, &str)]) -> MemoryTree {
        files.iter().copied().collect()
    }

    #[test]
    fn a_module_does_not_reach_into_another_unless_a_workspace_uses_it() {
        let modules = [("go.mod", "module a\n"), ("sub/go.mod", "module b\n")];
        assert!(!reaches(&tree(&modules), "", "sub"));
        assert!(reaches(&tree(&modules), "", "pkg"));
        let work = "go 1.22\nuse (\n\t.\n\t./sub\n)\n";
        let used = [modules[0], modules[1], ("go.work", work), ("other/go.mod", "module c\n")];
        assert!(reaches(&tree(&used), "", "sub/deep"));
        assert!(!reaches(&tree(&used), "", "other"));
        assert_eq!(claims(&tree(&used), ""), Some(("go", "go.work".to_owned())));
        assert_eq!(claims(&tree(&used), "sub"), Some(("go", "sub/go.mod".to_owned())));
        assert_eq!(claims(&tree(&used), "docs"), None);
    }

    #[test]
    fn a_command_is_read_into_flags_and_packages() {
        let read = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            command(&words).map(|r| r.map(|c| c.extra_args.join(" ")))
        };
        assert_eq!(read("go test ./..."), Some(Ok("./...".to_owned())));
        assert_eq!(
            read("/opt/go test -v -count=1 -timeout 5m --tags a,b -race ./shop/... -short"),
            Some(Ok("-tags=a,b -race -short ./shop/...".to_owned()))
        );
        for refused in [
            "-run TestA",
            "-run=TestA",
            "-skip=X",
            "-failfast",
            "-args",
            "-exec=x",
            "-cpu=1,2",
            "example.com/x",
        ] {
            assert!(read(&format!("go test {refused}")).unwrap().is_err(), "{refused}");
        }
        assert_eq!(read("go build ./..."), None);
        assert_eq!(read("gotest"), None);
    }
}
