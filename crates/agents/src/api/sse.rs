//! Server-sent events: bytes in as they come, whole events out. Knows no provider.

/// A line or an event that is longer than this is nothing that a model says.
const LONGEST: usize = 8 * 1024 * 1024;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SseEvent {
    pub name: String,
    pub data: String,
}

/// Reads a stream piece by piece, however it was cut.
#[derive(Debug, Default)]
pub struct Sse {
    rest: Vec<u8>,
    event: SseEvent,
    began: bool,
}

impl Sse {
    /// What is whole now. An error where a line never ends.
    pub fn take(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, String> {
        self.rest.extend_from_slice(bytes);
        let mut whole = Vec::new();
        let mut from = 0;
        while let Some(length) = self.rest[from..].iter().position(|byte| *byte == b'\n') {
            let line = self.rest[from..from + length].to_vec();
            from += length + 1;
            self.line(line.strip_suffix(b"\r").unwrap_or(&line), &mut whole);
        }
        self.rest.drain(..from);
        if self.rest.len() > LONGEST || self.event.data.len() > LONGEST {
            return Err("it sent an event without an end".to_owned());
        }
        Ok(whole)
    }

    fn line(&mut self, line: &[u8], whole: &mut Vec<SseEvent>) {
        if line.is_empty() {
            if self.began {
                whole.push(std::mem::take(&mut self.event));
                self.began = false;
            }
            return;
        }
        let line = String::from_utf8_lossy(line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.began && !self.event.data.is_empty() {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
                self.began = true;
            }
            "event" => {
                value.clone_into(&mut self.event.name);
                self.began = true;
            }
            // An id, a time to come again, a comment that keeps the line open.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_whole_however_the_stream_is_cut() {
        let text = ": hello\r\n\r\nevent: a\r\ndata: {\"x\":\r\ndata: \"é\"}\r\n\r\ndata: [DONE]\n\nid: 3\n\ndata: cut";
        let wanted = [
            SseEvent { name: "a".into(), data: "{\"x\":\n\"é\"}".into() },
            SseEvent { name: String::new(), data: "[DONE]".into() },
        ];
        for size in 1..text.len() {
            let mut sse = Sse::default();
            let events: Vec<SseEvent> =
                text.as_bytes().chunks(size).flat_map(|piece| sse.take(piece).unwrap()).collect();
            assert_eq!(events, wanted, "in pieces of {size}");
        }
    }

    #[test]
    fn a_line_that_never_ends_is_refused() {
        let mut sse = Sse::default();
        let piece = vec![b'x'; LONGEST];
        assert!(sse.take(&piece).is_ok());
        assert!(sse.take(b"yy").is_err());
    }
}
