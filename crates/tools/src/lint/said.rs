//! What each linter prints, read into remarks. Never fails on odd lines: what can't be read is left out where the rest
//! can be used, and is an error where nothing can.

use super::{LintAsk, Linter};
use crate::ask::{StepEnd, StepOutput};
use proctor_core::audit::Remark;
use serde_json::Value;
use std::path::Path;

/// The most remarks that are kept of one call.
const MOST: usize = 10_000;
const UNFORMATTED: &str = "is not formatted as the project's formatter would";

pub(super) fn read(
    linter: Linter,
    ask: &LintAsk,
    done: &StepOutput,
) -> Result<Vec<Remark>, String> {
    let code = match &done.end {
        StepEnd::Exited(code) => *code,
        StepEnd::Signalled(signal) => return Err(format!("it was ended by signal {signal}")),
        StepEnd::TimedOut => return Err("it was ended at its time limit".to_owned()),
        StepEnd::CouldNotStart(why) => return Err(format!("it could not be started: {why}")),
    };
    let out = String::from_utf8_lossy(&done.stdout);
    let err = String::from_utf8_lossy(&done.stderr);
    let said = Said { tool: linter.name(), ask };
    let whole = || json(&out).ok_or_else(|| format!("exit code {code}: {}", done.tail()));
    let (mut remarks, well) = match linter {
        Linter::Ruff => (said.ruff(&whole()?), true),
        Linter::Eslint => (said.eslint(&whole()?), true),
        Linter::Pyright => (said.pyright(&whole()?), true),
        Linter::Semgrep => (said.semgrep(&whole()?), true),
        Linter::RuffFormat => (said.ruff_format(&out), code <= 1),
        Linter::Black => (said.listed(&err, "would reformat "), code <= 1),
        Linter::Prettier => (said.listed(&out, ""), code <= 1),
        Linter::Gofmt => (said.listed(&out, ""), code == 0),
        Linter::Rustfmt => (said.listed(&out, ""), code <= 1 && !err.contains("error:")),
        Linter::Flake8 | Linter::Mypy => (said.lines(&out), code <= 1),
        Linter::GoVet => (said.lines(&err), code <= 1),
        Linter::Tsc => (said.compiler(&out), code <= 2),
        Linter::Clippy => (said.clippy(&out), code == 0 || out.contains("compiler-message")),
        Linter::Staticcheck => (said.staticcheck(&out), code <= 1),
        Linter::CargoDeny => (said.deny(&err), code <= 2 && err.contains('{')),
    };
    if !well {
        return Err(format!("exit code {code}: {}", done.tail()));
    }
    remarks.truncate(MOST);
    Ok(remarks)
}

/// A SARIF log's results, for a tool of the project's own.
pub fn sarif(tool: &str, ask: &LintAsk, text: &str) -> Result<Vec<Remark>, String> {
    let said = Said { tool, ask };
    let log = json(text).ok_or("what it printed is no SARIF")?;
    let runs = log.get("runs").and_then(Value::as_array).ok_or("its SARIF has no `runs`")?;
    let results = runs.iter().flat_map(|run| list(run, "results"));
    let wanted = results.filter(|result| word(result, "level") != "none");
    let remarks = wanted.map(|result| {
        let place = result.pointer("/locations/0/physicalLocation");
        let uri = place.and_then(|p| p.pointer("/artifactLocation/uri")).and_then(Value::as_str);
        let line = place.and_then(|p| p.pointer("/region/startLine")).and_then(Value::as_u64);
        let message = result.pointer("/message/text").and_then(Value::as_str).unwrap_or_default();
        let rule = word(result, "ruleId");
        said.remark(uri.unwrap_or_default().trim_start_matches("file://"), line, rule, message)
    });
    Ok(remarks.take(MOST).collect())
}

fn json(text: &str) -> Option<Value> {
    // Some print a line of talk before it.
    let from = text.find(['[', '{'])?;
    serde_json::from_str(text.get(from..)?.trim()).ok()
}

struct Said<'a> {
    tool: &'a str,
    ask: &'a LintAsk,
}

impl Said<'_> {
    /// A remark on a place, which may be named from the top, from the project's folder, or absolutely.
    fn remark(&self, file: &str, line: Option<u64>, rule: &str, message: &str) -> Remark {
        let path = Path::new(file);
        let from_top = match path.strip_prefix(&self.ask.tree) {
            Ok(below) => crate::ask::slashed(below),
            Err(_) if file.is_empty() => String::new(),
            Err(_) => crate::ask::slashed(&Path::new(&self.ask.dir).join(path)),
        };
        let text = line.and_then(|n| self.line_of(&from_top, n)).unwrap_or_default();
        Remark {
            tool: self.tool.to_owned(),
            file: from_top,
            line,
            rule: (!rule.is_empty()).then(|| rule.to_owned()),
            message: message.trim().to_owned(),
            text,
        }
    }

    fn line_of(&self, file: &str, line: u64) -> Option<String> {
        let bytes = proctor_lang::child_file::read(self.ask.tree.join(file)).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        text.lines().nth(at).map(|line| line.trim().to_owned())
    }

    /// Files that a formatter would change, one a line.
    fn listed(&self, out: &str, before: &str) -> Vec<Remark> {
        let names = out.lines().filter_map(|line| line.strip_prefix(before)).map(str::trim);
        let names = names.filter(|name| !name.is_empty() && !name.contains(": "));
        names.map(|name| self.remark(name, None, "", UNFORMATTED)).collect()
    }

    /// `Would reformat: FILE`, or in later versions ` --> FILE:LINE:COLUMN` below a line that says so.
    fn ruff_format(&self, out: &str) -> Vec<Remark> {
        let mut remarks = self.listed(out, "Would reformat: ");
        let mut lines = out.lines();
        while let Some(line) = lines.next() {
            if !line.starts_with("unformatted:") {
                continue;
            }
            let place = lines.next().and_then(|line| line.trim().strip_prefix("--> "));
            let file = place.and_then(|place| place.split(':').next());
            remarks.extend(file.map(|file| self.remark(file, None, "", UNFORMATTED)));
        }
        remarks
    }

    /// `file:line:column: text`, the column or not; mypy's `error:` and `[code]` are taken off.
    fn lines(&self, out: &str) -> Vec<Remark> {
        out.lines().filter_map(|line| self.line(line)).collect()
    }

    fn line(&self, line: &str) -> Option<Remark> {
        let (file, rest) = line.trim_start_matches("vet: ").split_once(':')?;
        let (number, rest) = rest.split_once(':')?;
        let number: u64 = number.trim().parse().ok()?;
        let said = match rest.split_once(':') {
            Some((column, said)) if column.trim().parse::<u64>().is_ok() => said,
            _ => rest,
        }
        .trim();
        if said.starts_with("note:") {
            return None;
        }
        let said = said.trim_start_matches("error:").trim_start_matches("warning:").trim();
        let (said, rule) = match said.rsplit_once("  [") {
            Some((said, rule)) => (said, rule.trim_end_matches(']')),
            None => match said.split_once(' ') {
                Some((rule, said)) if is_code(rule) => (said, rule),
                _ => (said, ""),
            },
        };
        Some(self.remark(file, Some(number), rule, said))
    }

    /// `file(line,column): error TS1234: text`.
    fn compiler(&self, out: &str) -> Vec<Remark> {
        let one = |line: &str| {
            let (place, said) = line.split_once("): error ")?;
            let (file, place) = place.rsplit_once('(')?;
            let number = place.split(',').next()?.parse().ok()?;
            let (rule, said) = said.split_once(": ")?;
            Some(self.remark(file, Some(number), rule, said))
        };
        out.lines().filter_map(one).collect()
    }

    fn ruff(&self, whole: &Value) -> Vec<Remark> {
        let one = |found: &Value| {
            let line = found.pointer("/location/row").and_then(Value::as_u64);
            self.remark(word(found, "filename"), line, word(found, "code"), word(found, "message"))
        };
        whole.as_array().into_iter().flatten().map(one).collect()
    }

    fn eslint(&self, whole: &Value) -> Vec<Remark> {
        let of_file = |file: &Value| {
            let path = word(file, "filePath").to_owned();
            let one = |said: &Value| {
                let line = said.get("line").and_then(Value::as_u64);
                // Without a rule and only a warning: about eslint itself, such as a file that it ignores.
                let own = word(said, "ruleId").is_empty()
                    && said.get("severity").and_then(Value::as_u64) == Some(1);
                (!own)
                    .then(|| self.remark(&path, line, word(said, "ruleId"), word(said, "message")))
            };
            list(file, "messages").filter_map(one).collect::<Vec<_>>()
        };
        whole.as_array().into_iter().flatten().flat_map(of_file).collect()
    }

    fn pyright(&self, whole: &Value) -> Vec<Remark> {
        list(whole, "generalDiagnostics")
            .filter(|said| word(said, "severity") != "information")
            .map(|said| {
                let line = said.pointer("/range/start/line").and_then(Value::as_u64);
                let line = line.map(|line| line + 1);
                self.remark(word(said, "file"), line, word(said, "rule"), word(said, "message"))
            })
            .collect()
    }

    fn semgrep(&self, whole: &Value) -> Vec<Remark> {
        list(whole, "results")
            .map(|said| {
                let line = said.pointer("/start/line").and_then(Value::as_u64);
                let message = said.pointer("/extra/message").and_then(Value::as_str);
                let rule = word(said, "check_id");
                self.remark(word(said, "path"), line, rule, message.unwrap_or_default())
            })
            .collect()
    }

    fn clippy(&self, out: &str) -> Vec<Remark> {
        let one = |line: &str| {
            let read: Value = serde_json::from_str(line).ok()?;
            let said = read.get("message")?;
            if !["warning", "error"].contains(&word(said, "level")) {
                return None;
            }
            let span = list(said, "spans").find(|span| {
                span.get("is_primary").and_then(Value::as_bool) == Some(true)
                    && !word(span, "file_name").starts_with('<')
            })?;
            let line = span.get("line_start").and_then(Value::as_u64);
            let rule = said.pointer("/code/code").and_then(Value::as_str).unwrap_or_default();
            Some(self.remark(word(span, "file_name"), line, rule, word(said, "message")))
        };
        let mut remarks: Vec<Remark> = out.lines().filter_map(one).collect();
        // A library is looked at for itself and again for its tests.
        remarks.sort();
        remarks.dedup();
        remarks
    }

    fn staticcheck(&self, out: &str) -> Vec<Remark> {
        let one = |line: &str| {
            let read: Value = serde_json::from_str(line).ok()?;
            let place = read.get("location")?;
            let number = place.get("line").and_then(Value::as_u64);
            Some(self.remark(
                word(place, "file"),
                number,
                word(&read, "code"),
                word(&read, "message"),
            ))
        };
        out.lines().filter_map(one).collect()
    }

    fn deny(&self, err: &str) -> Vec<Remark> {
        let one = |line: &str| {
            let read: Value = serde_json::from_str(line).ok()?;
            let said = read.get("fields").filter(|_| word(&read, "type") == "diagnostic")?;
            if word(said, "severity") != "error" {
                return None;
            }
            Some(self.remark("Cargo.lock", None, word(said, "code"), word(said, "message")))
        };
        err.lines().filter_map(one).collect()
    }
}

/// `E501`, `F401`.
fn is_code(word: &str) -> bool {
    let letters = word.chars().take_while(char::is_ascii_uppercase).count();
    let digits = word.chars().skip(letters).all(|c| c.is_ascii_digit());
    (1..=4).contains(&letters) && digits && word.len() > letters
}

fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn list<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}
