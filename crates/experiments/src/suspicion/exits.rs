//! What ends the process. A program's own entry point may: it is no news that `main` sets an exit code.

use super::facts::{Facts, Use, What};
use super::{Hit, SuspicionKind, ends, first_of};
use proctor_lang::Language;
use proctor_lang::Words;
use proctor_lang::syntax;
use tree_sitter::Node;

/// Ends the process without a word, wherever it stands.
const HARD: Words = Words(
    "os._exit posix._exit os.abort os.execv os.execve os.execvp os.execl os.execlp \
    faulthandler._sigsegv signal.raise_signal process.reallyExit process.abort syscall.Exit runtime.Goexit \
    libc.exit libc._exit libc.abort libc.raise std.intrinsics.abort core.intrinsics.abort Runtime.halt \
    Runtime.getRuntime.halt Runtime.getRuntime.exit nix.unistd._exit golang.org/x/sys/unix.Exit Deno.kill",
);

/// Ends the process: fine in a program's entry point.
const SOFT: Words = Words(
    "sys.exit exit quit SystemExit builtins.exit process.exit process.exitCode Deno.exit \
    std.process.exit std.process.abort process.abort os.Exit System.exit",
);

/// Sends a signal: to itself, where the own process id stands beside it.
const SIGNALS: Words =
    Words("os.kill os.killpg process.kill syscall.Kill libc.kill nix.sys.signal.kill");

pub(super) fn hits<'t>(facts: &Facts<'t>) -> Vec<Hit<'t>> {
    let mut found = Vec::new();
    for fact in &facts.list {
        let What::Path(path, used) = &fact.what else { continue };
        let hidden = facts.language == Language::Python && ends(path, "_exit");
        let name = if let Some(name) = first_of(path, HARD) {
            name
        } else if hidden {
            // Whatever it is reached through.
            "_exit"
        } else if let Some(name) = first_of(path, SIGNALS) {
            let own =
                ["getpid", "getppid", "getpgrp", "getpgid", "Getpid", "process.pid", "process.id"];
            if !facts.paths_near(fact.node).any(|p| own.iter().any(|o| ends(p, o))) {
                continue;
            }
            name
        } else if let Some(name) = first_of(path, SOFT) {
            if !is_soft(facts, fact.node, name, *used) {
                continue;
            }
            name
        } else {
            continue;
        };
        let name = spelled(facts.language, name);
        found.push(Hit::new(SuspicionKind::Exit, fact.node, format!("`{name}` ends the process")));
    }
    found
}

/// A path as its language writes it.
fn spelled(language: Language, path: &str) -> String {
    match language {
        Language::Rust => path.replace('.', "::"),
        Language::Python | Language::Go | Language::Script(_) | Language::Java => path.to_owned(),
    }
}

/// Whether such an exit is worth a word where it stands.
fn is_soft(facts: &Facts<'_>, node: Node<'_>, name: &str, used: Use) -> bool {
    let bare = matches!(name, "exit" | "quit");
    match facts.language {
        Language::Python => {
            let name_of_its_own = bare && (used != Use::Called || facts.defines(name));
            let ends_here = used == Use::Called || is_raised(node);
            // In a function it is an exception like others, which a test sees. At import it ends the run.
            !name_of_its_own
                && !matches!(name, "process.exit" | "System.exit" | "os.Exit")
                && ends_here
                && is_import_level(node)
                && !is_entry(facts, node)
        }
        Language::Script(_) => {
            matches!(name, "process.exit" | "process.exitCode" | "Deno.exit")
                && (name != "process.exitCode" || used == Use::Assigned)
                && !is_entry(facts, node)
                && !is_signal_answer(facts, node)
        }
        Language::Rust => name.starts_with("std.process.") && !is_entry(facts, node),
        Language::Go => name == "os.Exit" && !is_go_entry(facts, node),
        Language::Java => name == "System.exit" && !is_entry(facts, node),
    }
}

fn is_raised(node: Node<'_>) -> bool {
    node.parent().is_some_and(|p| p.kind() == "raise_statement")
}

/// Not inside a function.
fn is_import_level(node: Node<'_>) -> bool {
    !syntax::parents(node).any(|n| matches!(n.kind(), "function_definition" | "lambda"))
}

/// Whether a node stands where a program starts: by the file, the function around it, or the question whether this is
/// the program.
fn is_entry(facts: &Facts<'_>, node: Node<'_>) -> bool {
    let file = facts.file;
    let name = file.rsplit('/').next().unwrap_or(file);
    let stem = name.split('.').next().unwrap_or(name);
    let folders: Vec<&str> = file.split('/').collect();
    let by_file = facts.source.starts_with("#!")
        || matches!(
            stem,
            "__main__" | "main" | "Main" | "cli" | "manage" | "setup" | "server" | "build"
        )
        || folders
            .iter()
            .any(|f| matches!(*f, "bin" | "cli" | "cmd" | "scripts" | "examples" | "tools"));
    by_file || syntax::parents(node).any(|n| starts_program(facts, n))
}

fn starts_program(facts: &Facts<'_>, node: Node<'_>) -> bool {
    let text = |name: &str| syntax::field(node, name, facts.source);
    match node.kind() {
        "function_definition"
        | "function_declaration"
        | "function_item"
        | "method_declaration"
        | "variable_declarator" => {
            let name = text("name").trim_start_matches('_').to_lowercase();
            matches!(
                name.as_str(),
                "main" | "cli" | "run" | "start" | "shutdown" | "usage" | "bootstrap"
            )
        }
        "if_statement" => {
            let condition = text("condition");
            condition.contains("__name__")
                || condition.contains("require.main")
                || condition.contains("import.meta.main")
                || condition.contains("import.meta.url")
        }
        // `main().catch((e) => process.exit(1))`
        "call_expression" => {
            let function = text("function").trim_start_matches(['(', ' ']);
            ["main(", "run(", "start(", "cli(", "bootstrap("]
                .iter()
                .any(|s| function.starts_with(s))
        }
        _ => false,
    }
}

/// `process.on('SIGINT', () => process.exit())`
fn is_signal_answer(facts: &Facts<'_>, node: Node<'_>) -> bool {
    syntax::parents(node).any(|n| {
        n.kind() == "call_expression"
            && matches!(syntax::field(n, "function", facts.source), "process.on" | "process.once")
            && syntax::field(n, "arguments", facts.source).get(2..5) == Some("SIG")
    })
}

/// In package main an exit with a code is what `main` and its helpers do; one with zero, or while starting, is not.
fn is_go_entry(facts: &Facts<'_>, node: Node<'_>) -> bool {
    let package = syntax::children(facts.root).into_iter().find(|n| n.kind() == "package_clause");
    let main = package.is_some_and(|n| syntax::text(n, facts.source).trim_end().ends_with(" main"));
    let function = syntax::parents(node).find(|n| n.kind() == "function_declaration");
    let name = function.map_or("", |f| syntax::field(f, "name", facts.source));
    let zero = syntax::field(node, "arguments", facts.source) == "(0)";
    main && name != "init" && (name == "main" || !zero)
}
