//! `proctor gc`: removes what is old and says how much room is left to what.

use crate::args::Format;
use crate::args::teams::GcArgs;
use crate::out;
use anyhow::Result;
use proctor_desk::gc::{self, Act, Fate, Swept};
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::amount::show_bytes;
use proctor_desk::text::clock;
use proctor_desk::text::harmless::one_line;

pub fn gc(around: &Surroundings, args: &GcArgs) -> Result<u8> {
    let ask = args.meant();
    let format = args.format.format;
    let mut faults = None;
    let sums = gc::gc(around, ask, &mut |swept| match format {
        Format::Text => out::data(&line(swept)),
        Format::Json => match serde_json::to_string(swept) {
            Ok(line) => out::json(&line),
            Err(why) => faults = Some(why),
        },
    })?;
    if let Some(why) = faults {
        return Err(why.into());
    }
    match format {
        Format::Json => out::json(&serde_json::to_string(&sums)?),
        Format::Text => {
            let freed = match ask.act {
                Act::Clear => "freed",
                Act::Look => "would be freed",
            };
            let left: Vec<String> = sums
                .left
                .iter()
                .filter(|(_, bytes)| **bytes > 0)
                .map(|(name, bytes)| format!("{name} {}", show_bytes(*bytes)))
                .collect();
            out::data(&format!("{} {freed}", show_bytes(sums.freed)));
            if !left.is_empty() {
                out::data(&format!("kept: {}", left.join(", ")));
            }
            out::data(&format!("free on this disk: {}", show_bytes(sums.free)));
        }
    }
    Ok(0)
}

fn line(swept: &Swept) -> String {
    let (mark, more) = match &swept.fate {
        Fate::Removed => ("removed", String::new()),
        Fate::WouldGo => ("would go", String::new()),
        Fate::Stays { why } => ("stays", format!(": {}", one_line(why))),
    };
    let used = clock::ago(swept.used, clock::now());
    let room = if swept.bytes == 0 { String::new() } else { show_bytes(swept.bytes) };
    format!("{mark:<8} {room:>9}  {} (used {used}){more}", one_line(&swept.what))
}
