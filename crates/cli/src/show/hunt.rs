//! A hunt while it happens: lines on stderr for people, the facts themselves as JSON.

use crate::args::Format;
use crate::out;
use crate::show::face::face;
use proctor_core::hunt::{HuntEvent, Notebook};
use proctor_desk::hunt::{HuntFace, story};
use proctor_engine::{Home, Silent, Watch};

pub struct Shown {
    pub format: Format,
    pub home: Home,
}

impl HuntFace for Shown {
    fn talk(&self, line: &str) {
        out::talk(line);
    }

    fn told(&self, events: &[HuntEvent], book: &Notebook) {
        match self.format {
            Format::Json => {
                for event in events {
                    out::json(&story::line(event, book).to_string());
                }
            }
            Format::Text => {
                for line in story::lines(events, book) {
                    out::talk(&line);
                }
            }
        }
    }

    fn watch(&self, at_once: u8) -> Box<dyn Watch> {
        match (at_once, self.format) {
            (1, format) => face(format, &self.home),
            (_, Format::Json) => face(Format::Json, &self.home),
            // Several at once would talk over each other: the hunt's own lines say enough.
            (_, Format::Text) => Box::new(Silent),
        }
    }
}
