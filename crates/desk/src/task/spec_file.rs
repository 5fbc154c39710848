//! A task as a Markdown file: front matter that says what is asked for (optional), and a body that is the task's
//! details. Owns that format. It reads no file, and asks nobody whether the paths in it exist.

use crate::config::value::Least;
use crate::task::flags::{RunFlags, land_mode, task_type};
use crate::text::amount::Usd;
use crate::text::nearest::nearest;
use proctor_core::duration::parse_duration;
use proctor_core::words::TaskType;
use std::fmt;

/// What a spec says. `flags` holds what could have been typed as well; a flag that is typed wins.
#[derive(Debug, Default)]
pub struct Spec {
    pub id: Option<String>,
    pub kind: Option<TaskType>,
    /// The front matter's own, else the first heading, else the first line.
    pub description: String,
    /// The body as it is.
    pub details: String,
    pub flags: RunFlags,
}

/// What is wrong with a spec, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecFault {
    pub line: usize,
    pub why: String,
    pub hint: String,
}

impl fmt::Display for SpecFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}\nhint: {}", self.line, self.why, self.hint)
    }
}

/// The keys of the front matter. A dash may stand for the underscore.
pub const KEYS: [&str; 22] = [
    "id",
    "type",
    "description",
    "files",
    "context",
    "targets",
    "tests",
    "test_count",
    "coverage",
    "test_cmd",
    "runner",
    "subdir",
    "base",
    "branch",
    "land",
    "agent",
    "refactor",
    "strict_red",
    "max_time",
    "max_cost",
    "max_calls",
    "max_tokens",
];

/// The longest description that is taken from a line which is no heading.
const LINE_LIMIT: usize = 120;

impl Spec {
    /// Reads a spec's text. Every fault is named, not only the first.
    pub fn parse(text: &str) -> Result<Self, Vec<SpecFault>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (front, body) = split(text)?;
        let mut spec = Self { details: body.trim().to_owned(), ..Self::default() };
        let (entries, mut faults) = match front {
            Front::None => (Vec::new(), Vec::new()),
            Front::Lines(lines) => lines_of(&lines),
            Front::Toml(text) => toml_of(&text),
        };
        for (at, entry) in entries.iter().enumerate() {
            let taken = entries[..at].iter().any(|other| other.key == entry.key);
            let done = if taken {
                Err((format!("`{}` stands there twice", entry.key), "keep one of them".to_owned()))
            } else {
                spec.take(entry)
            };
            if let Err((why, hint)) = done {
                faults.push(SpecFault { line: entry.line, why, hint });
            }
        }
        if spec.description.trim().is_empty() {
            spec.description = title(&spec.details);
        }
        if spec.description.is_empty() {
            faults.push(SpecFault {
                line: 1,
                why: "nothing says what is wanted".to_owned(),
                hint:
                    "begin the text with a heading, or write `description: …` into the front matter"
                        .to_owned(),
            });
        }
        faults.sort_by_key(|fault| fault.line);
        if faults.is_empty() { Ok(spec) } else { Err(faults) }
    }

    fn take(&mut self, entry: &Entry) -> Result<(), Complaint> {
        let Entry { key, value, .. } = entry;
        let flags = &mut self.flags;
        match key.as_str() {
            "id" => self.id = Some(value.text(key)?),
            "type" => self.kind = Some(value.read(key, task_type)?),
            "description" | "title" => self.description = value.text(key)?,
            "files" | "file" => flags.files = value.list(key)?,
            "context" => flags.context = value.list(key)?,
            "targets" | "target" => flags.targets = value.list(key)?,
            "tests" => flags.tests = value.list(key)?,
            "test_count" => flags.test_count = Some(value.number(key)?),
            "coverage" => flags.coverage = Some(value.read(key, Least::parse)?),
            "test_cmd" => flags.test_cmd = Some(value.text(key)?),
            "runner" => flags.runner = Some(value.text(key)?),
            "subdir" => flags.subdir = Some(value.text(key)?),
            "base" => flags.base = Some(value.text(key)?),
            "branch" => flags.branch = Some(value.text(key)?),
            "land" => flags.land = Some(value.read(key, land_mode)?),
            "agent" => flags.agent = Some(value.text(key)?),
            "refactor" => flags.no_refactor = !value.read(key, yes_or_no)?,
            "strict_red" => flags.strict_red = value.read(key, yes_or_no)?,
            "max_time" => flags.max_time = Some(value.read(key, parse_duration)?),
            "max_cost" => flags.max_cost = Some(value.read(key, Usd::parse)?),
            "max_calls" => flags.max_calls = Some(value.number(key)?),
            "max_tokens" => flags.max_tokens = Some(value.number(key)?),
            "yes" => {
                return Err((
                    "`yes` can't stand in a file".to_owned(),
                    "approve beforehand with --yes on the command line".to_owned(),
                ));
            }
            other => {
                let hint = match nearest(other, KEYS) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("known are {}", KEYS.join(", ")),
                };
                return Err((format!("unknown key `{other}`"), hint));
            }
        }
        Ok(())
    }
}

/// What is wrong, and the hint.
type Complaint = (String, String);

/// One key of the front matter.
struct Entry {
    line: usize,
    key: String,
    value: Value,
}

enum Value {
    Text(String),
    List(Vec<String>),
}

impl Value {
    fn text(&self, key: &str) -> Result<String, Complaint> {
        match self {
            Self::Text(text) if text.trim().is_empty() => {
                Err((format!("`{key}` is empty"), "say something, or leave it out".to_owned()))
            }
            Self::Text(text) => Ok(text.clone()),
            Self::List(_) => Err((
                format!("`{key}` is a list"),
                format!("write one value behind `{key}`, without brackets"),
            )),
        }
    }

    fn list(&self, key: &str) -> Result<Vec<String>, Complaint> {
        match self {
            Self::List(list) => Ok(list.clone()),
            Self::Text(text) if text.contains(',') => Err((
                format!("`{key}` holds a comma and is no list"),
                format!("write {key}: [{text}]"),
            )),
            Self::Text(_) => Ok(vec![self.text(key)?]),
        }
    }

    fn read<T>(
        &self,
        key: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, Complaint> {
        let text = self.text(key)?;
        parse(&text).map_err(|why| (format!("`{key}` can't be {text:?}"), why))
    }

    fn number<N: std::str::FromStr>(&self, key: &str) -> Result<N, Complaint> {
        self.read(key, |text| text.parse().map_err(|_| "write a whole number".to_owned()))
    }
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("write true or false".to_owned()),
    }
}

enum Front<'a> {
    None,
    /// Numbered lines between two `---`.
    Lines(Vec<(usize, &'a str)>),
    /// What stands between two `+++`.
    Toml(String),
}

/// Takes the front matter off.
fn split(text: &str) -> Result<(Front<'_>, &str), Vec<SpecFault>> {
    let first = text.lines().next().unwrap_or_default().trim_end();
    if first != "---" && first != "+++" {
        return Ok((Front::None, text));
    }
    let mut lines = Vec::new();
    let mut seen = 0;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        seen += line.len();
        let bare = line.trim_end();
        if at > 0 && (bare == first || (first == "---" && bare == "...")) {
            let body = text.get(seen..).unwrap_or_default();
            let front = match first {
                "+++" => {
                    let texts: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
                    // One empty line in front, so that line numbers are those of the file.
                    Front::Toml(format!("\n{}", texts.join("\n")))
                }
                _ => Front::Lines(lines),
            };
            return Ok((front, body));
        }
        if at > 0 {
            lines.push((at + 1, bare));
        }
    }
    Err(vec![SpecFault {
        line: 1,
        why: format!("the front matter is opened with `{first}` and never closed"),
        hint: format!("end it with a line `{first}`, or begin with the text itself"),
    }])
}

/// `key: value`, `key: [a, b]`, and `key:` with `- item` lines below it. No more of YAML than that.
fn lines_of(lines: &[(usize, &str)]) -> (Vec<Entry>, Vec<SpecFault>) {
    let (mut entries, mut faults): (Vec<Entry>, Vec<SpecFault>) = (Vec::new(), Vec::new());
    // Whether list items may follow the last key.
    let mut open = false;
    for &(line, text) in lines {
        let bare = text.trim();
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        let fault = |(why, hint): Complaint| SpecFault { line, why, hint };
        if let Some(item) = bare.strip_prefix('-').filter(|rest| rest.starts_with([' ', '\t'])) {
            match (scalar(item), entries.last_mut().filter(|_| open)) {
                (Ok(text), Some(entry)) => match &mut entry.value {
                    Value::List(list) => list.push(text),
                    Value::Text(_) => entry.value = Value::List(vec![text]),
                },
                (Ok(_), None) => faults.push(fault((
                    "a list item that belongs to no key".to_owned(),
                    "write `key:` on a line of its own above the items".to_owned(),
                ))),
                (Err(why), _) => faults.push(fault(why)),
            }
            continue;
        }
        open = false;
        match entry(line, text) {
            Ok((entry, below)) => {
                open = below;
                entries.push(entry);
            }
            Err(why) => faults.push(fault(why)),
        }
    }
    (entries, faults)
}

/// A line `key: value`, and whether its value may stand in the lines below.
fn entry(line: usize, text: &str) -> Result<(Entry, bool), Complaint> {
    if text.starts_with([' ', '\t']) {
        return Err((
            "an indented line that is no list item".to_owned(),
            "keys stand at the beginning of a line; nested keys are not known".to_owned(),
        ));
    }
    let Some((key, rest)) = text.split_once(':').filter(|(key, _)| is_key(key.trim())) else {
        return Err((
            format!("{text:?} is not `key: value`"),
            "write `key: value`, or close the front matter before it".to_owned(),
        ));
    };
    let key = key.trim().replace('-', "_");
    let rest = rest.trim();
    let value = if let Some(inner) = rest.strip_prefix('[') {
        Value::List(flow_list(inner)?)
    } else {
        Value::Text(scalar(rest)?)
    };
    let below = matches!(&value, Value::Text(text) if text.is_empty());
    Ok((Entry { line, key, value }, below))
}

fn is_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// One value: quoted, or as it stands up to a comment.
fn scalar(text: &str) -> Result<String, Complaint> {
    let text = text.trim();
    if text.starts_with(['"', '\'']) {
        let (value, rest) = quoted(text)?;
        let rest = rest.trim();
        if !rest.is_empty() && !rest.starts_with('#') {
            return Err((
                format!("{rest:?} stands behind a quoted value"),
                "leave it out".to_owned(),
            ));
        }
        return Ok(value);
    }
    if text.starts_with(['|', '>', '{', '&', '*', '!']) {
        return Err((
            format!("{text:?} is a form of YAML that is not known here"),
            "write the value on one line, in quotes where it begins with a sign; long text belongs below the front matter".to_owned(),
        ));
    }
    Ok(uncommented(text).trim().to_owned())
}

/// Without a comment: `#` at the beginning or behind a space.
fn uncommented(text: &str) -> &str {
    let at = text.char_indices().find(|(at, c)| {
        *c == '#' && text[..*at].chars().next_back().is_none_or(char::is_whitespace)
    });
    at.map_or(text, |(at, _)| &text[..at])
}

/// A quoted value, and what stands behind it.
fn quoted(text: &str) -> Result<(String, &str), Complaint> {
    let mut chars = text.char_indices();
    let quote = chars.next().map_or('"', |(_, c)| c);
    let mut value = String::new();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote == '"' => match chars.next().map(|(_, c)| c) {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some(c @ ('"' | '\\' | '/')) => value.push(c),
                _ => {
                    return Err((
                        "a backslash in quotes that means nothing here".to_owned(),
                        "known are \\\" \\\\ \\n \\t; in 'single quotes' a backslash is itself"
                            .to_owned(),
                    ));
                }
            },
            c if c == quote && quote == '\'' && text[at + 1..].starts_with('\'') => {
                value.push('\'');
                chars.next();
            }
            c if c == quote => return Ok((value, &text[at + c.len_utf8()..])),
            c => value.push(c),
        }
    }
    Err((format!("a {quote} is opened and never closed"), "close it on the same line".to_owned()))
}

/// The items of `[a, "b, c", d]`, from behind the bracket.
fn flow_list(text: &str) -> Result<Vec<String>, Complaint> {
    let open = || {
        (
            "a list is opened and never closed".to_owned(),
            "close it with `]` on the same line, or write `- item` lines".to_owned(),
        )
    };
    let mut items = Vec::new();
    let mut rest = text.trim_start();
    loop {
        if let Some(after) = rest.strip_prefix(']') {
            let after = after.trim();
            if !after.is_empty() && !after.starts_with('#') {
                return Err((format!("{after:?} stands behind a list"), "leave it out".to_owned()));
            }
            return Ok(items);
        }
        let (item, after) = if rest.starts_with(['"', '\'']) {
            quoted(rest)?
        } else {
            let end = rest.find([',', ']']).ok_or_else(open)?;
            (rest[..end].trim().to_owned(), &rest[end..])
        };
        if item.is_empty() {
            return Err(("a list has an empty item".to_owned(), "take the comma away".to_owned()));
        }
        items.push(item);
        let after = after.trim_start();
        rest = match after.strip_prefix(',') {
            Some(next) => next.trim_start(),
            None if after.starts_with(']') => after,
            None => return Err(open()),
        };
    }
}

fn toml_of(text: &str) -> (Vec<Entry>, Vec<SpecFault>) {
    let line_of = |at: usize| text.get(..at).unwrap_or(text).matches('\n').count() + 1;
    let table: toml::Table = match toml::from_str(text) {
        Ok(table) => table,
        Err(error) => {
            let fault = SpecFault {
                line: error.span().map_or(1, |span| line_of(span.start)),
                why: error.message().trim().replace('\n', "; "),
                hint: "between `+++` lines stands TOML; between `---` lines `key: value`"
                    .to_owned(),
            };
            return (Vec::new(), vec![fault]);
        }
    };
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    for (key, value) in table {
        let starts = |line: &str| {
            line.trim_start().trim_start_matches(['"', '\'']).starts_with(key.as_str())
        };
        let line = text.lines().position(starts).map_or(1, |at| at + 1);
        match toml_value(&value) {
            Some(value) => entries.push(Entry { line, key: key.replace('-', "_"), value }),
            None => faults.push(SpecFault {
                line,
                why: format!("`{key}` is neither a value nor a list of values"),
                hint: "write a text, a number, true or false, or a list of texts".to_owned(),
            }),
        }
    }
    (entries, faults)
}

fn toml_value(value: &toml::Value) -> Option<Value> {
    let plain = |value: &toml::Value| match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(flag) => Some(flag.to_string()),
        toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => None,
    };
    match value {
        toml::Value::Array(items) => {
            items.iter().map(plain).collect::<Option<_>>().map(Value::List)
        }
        other => plain(other).map(Value::Text),
    }
}

/// The first heading of a Markdown text that is not inside a block of code.
pub fn first_heading(text: &str) -> Option<String> {
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let bare = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, Some(mark)) => fence = Some(mark),
            (None, None) => {
                let rest = bare.trim_start_matches('#');
                let depth = bare.len() - rest.len();
                if (1..=6).contains(&depth) && rest.starts_with([' ', '\t']) {
                    let title = rest.trim().trim_end_matches('#').trim();
                    if !title.is_empty() {
                        return Some(title.to_owned());
                    }
                }
            }
            (Some(_), _) => {}
        }
    }
    None
}

/// What a text is about: its first heading, else its first line.
fn title(text: &str) -> String {
    first_heading(text).unwrap_or_else(|| {
        let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        line.chars().take(LINE_LIMIT).collect()
    })
}

#[cfg(test)]
#[path = "spec_file_tests.rs"]
mod tests;
