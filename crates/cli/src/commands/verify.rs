//! `proctor verify`: the proof for any branch, or for a pack, and the answer in the formats that were asked for.

use crate::args::verify::{VerifyArgs, VerifyFormat};
use crate::commands::attest;
use crate::out;
use anyhow::{Context, Result};
use proctor_core::verdict::Verification;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::clock;
use proctor_desk::told::{INTERRUPTED, UNFIT, told};
use proctor_desk::verdict::{Look, mutation_report, render};
use proctor_desk::verify::Answer;
use proctor_desk::{evidence, verify as branch};

pub fn verify(around: &Surroundings, args: &VerifyArgs) -> Result<u8> {
    if let (Some(key), Some(pack)) = (&args.key, &args.pack) {
        let code = attest::signed(around, args, (key, pack))?;
        if code != 0 || !args.replay {
            return Ok(code);
        }
    }
    let progress = Progress::begin();
    let tell = &mut |line: &str| progress.tell(line);
    let answer = match &args.pack {
        Some(pack) => evidence::verify_pack(around, &args.meant(), pack, tell)?,
        None => branch::verify(around, &args.meant(), tell)?,
    };
    match answer {
        Answer::Judged(answer) => {
            show(around, args, &answer)?;
            Ok(answer.verdict.exit_code())
        }
        Answer::Interrupted => {
            out::talk("interrupted; nothing was judged");
            Ok(INTERRUPTED)
        }
    }
}

/// The answer on stdout, and in every file that was asked for.
fn show(around: &Surroundings, args: &VerifyArgs, answer: &Verification) -> Result<()> {
    let plain = |format: VerifyFormat| match format {
        VerifyFormat::Stryker => mutation_report(answer, &branch::mutated(around, answer)),
        format => render(answer, format.meant(), Look::Plain),
    };
    for output in &args.outputs {
        let text = plain(output.format);
        std::fs::write(&output.file, text)
            .with_context(|| format!("{} can't be written", output.file.display()))
            .map_err(|error| told(UNFIT, format!("{error:#}")))?;
    }
    match args.format {
        VerifyFormat::Text => {
            out::data(render(answer, VerifyFormat::Text.meant(), Look::Coloured).trim_end());
        }
        format => out::raw(plain(format).as_bytes()),
    }
    Ok(())
}

/// What is under way, on stderr, whatever is printed on stdout.
struct Progress {
    began: std::time::Instant,
}

impl Progress {
    fn begin() -> Self {
        Self { began: std::time::Instant::now() }
    }

    fn tell(&self, line: &str) {
        let took = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        out::talk(&format!("{:>6} {line}", clock::seconds(took)));
    }
}
