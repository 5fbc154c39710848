use super::*;
use crate::args::typed::set_text_apart;
use std::ffi::OsString;

fn parse(words: &[&str]) -> Result<CommandLine, clap::Error> {
    let words =
        std::iter::once("proctor").chain(words.iter().copied()).map(OsString::from).collect();
    CommandLine::try_parse_from(set_text_apart(words, &command()))
}

fn fix(words: &[&str]) -> TaskArgs {
    match parse(words).unwrap().command {
        Command::Fix(task) => task,
        other => panic!("not a fix: {other:?}"),
    }
}

#[test]
fn the_command_line_is_sound() {
    command().debug_assert();
}

#[test]
fn a_flag_takes_several_values_wherever_the_text_stands() {
    for words in [
        ["fix", "the text", "--context", "a", "b", "--yes"].as_slice(),
        &["fix", "--context", "a", "b", "the text", "--yes"],
        &["fix", "--context", "a", "b", "--yes", "the text"],
        &["fix", "--context", "a", "--context", "b", "the text", "--yes"],
        &["fix", "--context", "a", "the text", "--context=b", "--yes"],
        &["fix", "--yes", "--context", "a", "b", "--", "the text"],
        &["-C", "x", "fix", "--context", "a", "b", "the text", "--yes"],
    ] {
        let task = fix(words);
        assert_eq!(task.text.as_deref(), Some("the text"), "{words:?}");
        assert_eq!(task.run.context, ["a", "b"], "{words:?}");
        assert!(task.run.yes, "{words:?}");
    }
}

#[test]
fn a_text_of_one_word_behind_values_is_still_the_text() {
    let task = fix(&["fix", "--file", "a.py", "overflow"]);
    assert_eq!((task.text.as_deref(), task.run.files.len()), (Some("overflow"), 1));
}

#[test]
fn an_issue_needs_no_text_and_no_other_value_becomes_one() {
    let task = fix(&["fix", "--issue", "#12", "--context", "a", "b"]);
    assert_eq!((task.text, task.issue.as_deref()), (None, Some("#12")));
    assert_eq!(task.run.context, ["a", "b"]);
}

#[test]
fn a_missing_text_is_said() {
    let error = parse(&["fix", "--context", "a"]).unwrap_err();
    assert!(error.to_string().contains("TEXT"), "{error}");
    assert_eq!(error.exit_code(), 2);
}

// S1-12, S1-43
#[test]
fn s1_43_implement_takes_issue_design_and_several_context_files() {
    let line = parse(&[
        "implement",
        "--issue",
        "87",
        "--lld",
        "d.md",
        "--context",
        "a",
        "b",
        "--context",
        "c",
    ]);
    let Command::Implement(args) = line.unwrap().command else {
        panic!("not implement");
    };
    assert_eq!((args.issue, args.run.context.len()), (87, 3));
}

#[test]
fn what_this_version_does_not_have_is_not_understood() {
    for word in ["worker", "submit"] {
        assert!(parse(&[word]).is_err(), "{word}");
    }
    assert!(parse(&["fix", "x", "--land", "issue"]).is_err());
}

// S1-45, S1-58
#[test]
fn help_is_as_agreed() {
    for name in ["", "fix", "implement", "list", "resume", "log", "verify", "evidence", "hunt"] {
        let mut whole = command().term_width(100);
        whole.build();
        let help = match name {
            "" => whole.render_long_help(),
            name => {
                let sub = whole.find_subcommand_mut(name).unwrap();
                sub.render_long_help()
            }
        };
        let label = if name.is_empty() { "proctor" } else { name };
        insta::assert_snapshot!(format!("help_{label}"), help.to_string());
    }
}

#[test]
fn s1_45_help_documents_the_flags_of_implement() {
    let mut whole = command();
    let implement = whole.find_subcommand_mut("implement").unwrap();
    let help = implement.render_long_help().to_string();
    for told in [
        "--issue <N>",
        "feat/issue-N",
        "--lld <FILE>",
        "low-level design",
        "--context <PATH>",
        "secrets",
    ] {
        assert!(help.contains(told), "{told}: {help}");
    }
}

#[test]
fn s1_58_policy_help_and_the_diagram_of_states_are_documented() {
    let read = |path: &str| {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
        std::fs::read_to_string(format!("{root}{path}")).unwrap()
    };
    assert!(
        read("docs/data-handling.md").contains("Data policy")
            || read("docs/data-handling.md").contains("sent")
    );
    assert!(read("docs/command-line.md").contains("implement --issue N --lld FILE"));
    assert!(read("ARCHITECTURE.md").contains("stateDiagram-v2"));
}

#[test]
fn formats_are_asked_for_by_their_names() {
    use clap::ValueEnum;
    let names: Vec<String> = verify::VerifyFormat::value_variants()
        .iter()
        .filter_map(|format| Some(format.to_possible_value()?.get_name().to_owned()))
        .collect();
    assert_eq!(
        names,
        ["text", "json", "markdown", "sarif", "junit", "html", "github", "stryker", "gitlab"]
    );
}

/// A page of the book.
fn page(name: &str) -> String {
    let path = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"))
}

#[test]
fn the_book_names_every_command_tool_and_agent() {
    let commands = page("docs/command-line.md");
    for sub in command().get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let name = format!("`{}", sub.get_name());
        assert!(commands.contains(&name), "docs/command-line.md does not name `{name}`");
    }
    let tools = page("docs/test-tools.md");
    for runner in proctor_tools::RUNNERS {
        assert!(tools.contains(runner), "docs/test-tools.md does not name {runner}");
    }
    for name in ["docs/agents.md", "docs/configuration.md", "docs/getting-started.md", "README.md"]
    {
        let text = page(name);
        for known in proctor_agents::known::KNOWN {
            assert!(text.contains(known.name), "{name} does not name {}", known.name);
        }
    }
}

#[test]
fn the_book_names_no_command_that_is_not_there() {
    let known: Vec<String> =
        command().get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    let pages = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name());
    let mut pages: Vec<String> = pages
        .filter_map(|name| name.into_string().ok())
        .filter(|name| name != "requirements.md" && name != "adversary.md")
        .filter(|name| proctor_lang::zone::has_ending(name, "md"))
        .map(|name| format!("docs/{name}"))
        .collect();
    pages.push("README.md".to_owned());
    for name in pages {
        for part in page(&name).split("`proctor ").skip(1) {
            let word: String =
                part.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
            let named = !word.is_empty() && !word.starts_with('-');
            assert!(
                !named || known.contains(&word),
                "{name} names `proctor {word}`, which is not there"
            );
        }
    }
}
