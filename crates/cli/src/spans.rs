//! `PROCTOR_LOG=trials`: a line for each step and each trial when it is over, with its wall time and the processor time of
//! its children; `trials:FILE` writes them there. `--log FILE` and `PROCTOR_LOG=json:FILE` add a JSON line for each of them and
//! for each child. Listens to the spans of the engine and the lab, and changes nothing.

use crate::out;
use anyhow::Result;
use proctor_core::brief::Setup;
use proctor_core::secret::Redactor;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::clock;
use proctor_desk::told::usage;
use proctor_engine::redactor_of;
use serde_json::json;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Debug;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use tracing_core::span::Current;

/// The variable that asks for it.
const NAME: &str = "PROCTOR_LOG";

/// Listens from here on, where that is asked for: by `--log`, else by the variable.
pub fn listen(around: &Surroundings, log: Option<&Path>) -> Result<()> {
    let wish = around.var(NAME).map(|wish| wish.to_string_lossy().into_owned());
    let open = |path: &Path, add: bool| {
        let file = OpenOptions::new()
            .create(true)
            .append(add)
            .write(true)
            .truncate(!add)
            .mode(0o600)
            .open(around.cwd.join(path));
        file.map(Mutex::new)
            .map_err(|why| usage(format!("the log {} can't be written: {why}", path.display())))
    };
    let json_to = |file| {
        let redactor = redactor_of(&around.shop()?, &Setup::default());
        anyhow::Ok(Out::Json(file, redactor))
    };
    let out = match (log, wish.as_deref().map(|wish| (wish, wish.split_once(':')))) {
        (Some(path), _) => json_to(open(path, true)?)?,
        (None, Some((_, Some(("json", path))))) => json_to(open(Path::new(path), true)?)?,
        (None, None) => return Ok(()),
        (None, Some(("trials", None))) => Out::Talk,
        (None, Some((_, Some(("trials", path))))) => Out::Lines(open(Path::new(path), false)?),
        (None, Some((wish, _))) => {
            return Err(usage(format!(
                "{NAME}={wish} is not known\nhint: `{NAME}=trials`, `{NAME}=trials:FILE` or `{NAME}=json:FILE`"
            )));
        }
    };
    // Somebody listens already only where a test of ours asked twice.
    let _ = tracing::subscriber::set_global_default(Trials::to(out));
    Ok(())
}

/// Where lines go.
enum Out {
    Talk,
    Lines(Mutex<File>),
    /// Without secrets: it is kept, and may be sent on.
    Json(Mutex<File>, Redactor),
}

/// A span that is not over.
struct Open {
    about: &'static Metadata<'static>,
    said: String,
    parent: Option<u64>,
    depth: usize,
    began: Instant,
    /// How many hold it.
    held: usize,
    children: u64,
    cpu_ms: u64,
}

struct Trials {
    next: AtomicU64,
    open: Mutex<HashMap<u64, Open>>,
    out: Out,
}

thread_local! {
    /// The spans that this thread is in, the innermost last.
    static INSIDE: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

impl Trials {
    fn to(out: Out) -> Self {
        Self { next: AtomicU64::new(1), open: Mutex::default(), out }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<u64, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A span that is over.
    fn say(&self, id: u64, span: &Open) {
        match &self.out {
            Out::Talk => out::talk(&line(span)),
            Out::Lines(file) => put(file, &line(span)),
            Out::Json(file, redactor) => {
                let wall_ms = u64::try_from(span.began.elapsed().as_millis()).unwrap_or(u64::MAX);
                let value = json!({"at": clock::now(), "span": span.about.name(), "what": redactor.text(&span.said), "id": id, "in": span.parent, "wall_ms": wall_ms, "cpu_ms": span.cpu_ms, "children": span.children});
                put(file, &value.to_string());
            }
        }
    }

    /// A child that is over.
    fn child(&self, said: &Said, within: Option<u64>) {
        if let Out::Json(file, redactor) = &self.out {
            let value = json!({"at": clock::now(), "child": redactor.text(&said.text), "in": within, "wall_ms": said.wall_ms, "cpu_ms": said.cpu_ms});
            put(file, &value.to_string());
        }
    }
}

fn put(file: &Mutex<File>, line: &str) {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    // A disk that is full is no reason to stop. One write, so that several processes can share a file.
    let _ = file.write_all(format!("{line}\n").as_bytes());
}

/// What the fields of a span or an event say.
#[derive(Default)]
struct Said {
    text: String,
    cpu_ms: Option<u64>,
    wall_ms: Option<u64>,
}

impl Visit for Said {
    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "cpu_ms" => self.cpu_ms = Some(value),
            "wall_ms" => self.wall_ms = Some(value),
            _ => {}
        }
    }

    fn record_str(&mut self, _: &Field, value: &str) {
        if !self.text.is_empty() {
            self.text.push_str(": ");
        }
        self.text.push_str(value);
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

impl Subscriber for Trials {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("proctor")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut said = Said::default();
        span.record(&mut said);
        let inside = INSIDE.with_borrow(|inside| inside.last().copied());
        let parent = span.parent().map(Id::into_u64).or(inside.filter(|_| span.is_contextual()));
        let mut open = self.open();
        let depth = parent.and_then(|id| open.get(&id)).map_or(0, |above| above.depth + 1);
        let (about, began, said) = (span.metadata(), Instant::now(), said.text);
        open.insert(
            id,
            Open { about, said, parent, depth, began, held: 1, children: 0, cpu_ms: 0 },
        );
        Id::from_u64(id)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    /// A child that ended counts for every span around it.
    fn event(&self, event: &Event<'_>) {
        let mut said = Said::default();
        event.record(&mut said);
        let Some(cpu_ms) = said.cpu_ms else { return };
        let within = INSIDE.with_borrow(|inside| inside.last().copied());
        self.child(&said, within);
        let mut open = self.open();
        let mut at = INSIDE.with_borrow(|inside| inside.last().copied());
        while let Some(span) = at.and_then(|id| open.get_mut(&id)) {
            span.cpu_ms += cpu_ms;
            span.children += 1;
            at = span.parent;
        }
    }

    fn enter(&self, span: &Id) {
        INSIDE.with_borrow_mut(|inside| inside.push(span.into_u64()));
    }

    fn exit(&self, span: &Id) {
        INSIDE.with_borrow_mut(|inside| {
            if let Some(at) = inside.iter().rposition(|id| *id == span.into_u64()) {
                inside.remove(at);
            }
        });
    }

    fn current_span(&self) -> Current {
        let inside = INSIDE.with_borrow(|inside| inside.last().copied());
        let open = self.open();
        let here = inside.and_then(|id| Some((Id::from_u64(id), open.get(&id)?.about)));
        here.map_or_else(Current::none, |(id, about)| Current::new(id, about))
    }

    fn clone_span(&self, id: &Id) -> Id {
        if let Some(span) = self.open().get_mut(&id.into_u64()) {
            span.held += 1;
        }
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let mut open = self.open();
        let Some(span) = open.get_mut(&id.into_u64()) else { return false };
        span.held -= 1;
        if span.held > 0 {
            return false;
        }
        let Some(span) = open.remove(&id.into_u64()) else { return false };
        drop(open);
        self.say(id.into_u64(), &span);
        true
    }
}

/// A span that is over.
fn line(span: &Open) -> String {
    let wall = span.began.elapsed().as_secs_f64();
    let ms = u32::try_from(span.cpu_ms).unwrap_or(u32::MAX);
    let cpu = f64::from(ms) / 1000.0;
    let (indent, name, said) = ("  ".repeat(span.depth), span.about.name(), &span.said);
    format!("{wall:8.2}s {cpu:8.2}s cpu {:4} started  {indent}{name} {said}", span.children)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Span;

    #[test]
    fn each_span_tells_what_its_children_cost_also_from_another_thread() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spans.log");
        let file = File::create(&path).unwrap();
        tracing::subscriber::with_default(Trials::to(Out::Lines(Mutex::new(file))), || {
            let _step = tracing::info_span!("step", what = "mutants").entered();
            let here = Span::current();
            let dispatch = tracing::dispatcher::get_default(Clone::clone);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    tracing::dispatcher::with_default(&dispatch, || {
                        let _here = here.entered();
                        let _trial = tracing::info_span!("trial", kind = "run").entered();
                        tracing::info!(name: "child", wall_ms = 9_u64, cpu_ms = 1500_u64);
                    });
                });
            });
            tracing::info!(name: "child", wall_ms = 9_u64, cpu_ms = 500_u64);
        });
        let told = std::fs::read_to_string(&path).unwrap();
        let ends: Vec<&str> = told.lines().map(|line| &line[10..]).collect();
        assert_eq!(
            ends,
            ["    1.50s cpu    1 started    trial run", "    2.00s cpu    2 started  step mutants"]
        );
    }
}
