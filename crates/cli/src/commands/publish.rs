//! `proctor publish`: says a verdict on the code host.

use crate::args::Format;
use crate::args::teams::PublishArgs;
use crate::out;
use anyhow::Result;
use proctor_desk::place::{place, said};
use proctor_desk::publish::{PublishAsk, Reporting, What, answered, publish as say};
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::harmless::one_line;
use proctor_desk::told::usage;

pub fn publish(around: &Surroundings, args: &PublishArgs) -> Result<u8> {
    let what = match (&args.verification, args.begin) {
        (Some(file), _) => What::Verdict(file.clone()),
        (None, true) => What::Begun,
        (None, false) => What::Again,
    };
    let request = match &args.event {
        Some(file) => {
            let file = around.cwd.join(file);
            let event = std::fs::read(&file).map_err(|why| {
                usage(format!("the event {} can't be read: {why}", file.display()))
            })?;
            let Some(number) = answered(&event)? else {
                out::talk("nobody answered to a verdict there; nothing is done");
                return Ok(0);
            };
            Some(number)
        }
        None => args.request,
    };
    let ask = PublishAsk {
        place: place(around, args.project.as_deref(), said(args.host.as_deref()))?,
        commit: args.commit.clone(),
        request,
        what,
        inconclusive_passes: args.allow_inconclusive,
        report: if args.no_report { Reporting::No } else { Reporting::Yes },
        link: args.link.clone(),
    };
    let told = say(around, &ask)?;
    match args.format.format {
        Format::Json => out::json(&serde_json::to_string(&told)?),
        Format::Text => {
            let mark = if told.passed { "✓" } else { "✗" };
            out::data(&out::coloured(&format!("{mark} {}", one_line(&told.title))));
        }
    }
    for fault in &told.faults {
        out::talk(fault);
    }
    Ok(told.exit_code)
}
