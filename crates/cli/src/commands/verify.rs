//! `proctor verify`: the proof for any branch, or for a pack, and the answer in the formats that were asked for.

use crate::args::verify::{VerifyArgs, VerifyFormat};
use crate::commands::attest;
use crate::out::{self, Loudness, loudness};
use crate::show::bar::Bars;
use anyhow::{Context, Result};
use proctor_core::duration::show_duration;
use proctor_core::verdict::Verification;
use proctor_core::words::RunId;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::clock;
use proctor_desk::told::{INTERRUPTED, UNFIT, told};
use proctor_desk::verdict::{Look, mutation_report, render};
use proctor_desk::verify::{Answer, pace};
use proctor_desk::{evidence, verify as branch};
use std::time::Instant;

pub fn verify(around: &Surroundings, args: &VerifyArgs) -> Result<u8> {
    if let (Some(key), Some(pack)) = (&args.key, &args.pack) {
        let code = attest::signed(around, args, (key, pack))?;
        if code != 0 || !args.replay {
            return Ok(code);
        }
    }
    let mut progress = Progress::begin(around);
    let tell = &mut |line: &str| progress.tell(line);
    let answer = match &args.pack {
        Some(pack) => evidence::verify_pack(around, &args.meant(), pack, tell)?,
        None => branch::verify(around, &args.meant(), tell)?,
    };
    progress.end();
    match answer {
        Answer::Judged(answer) => {
            progress.learn(around);
            show(around, args, &answer)?;
            Ok(answer.verdict.exit_code())
        }
        Answer::Interrupted(known) => {
            let told = match known {
                Some(known) => {
                    show(around, args, &known)?;
                    "interrupted; what was tried is kept, and the next verify goes on from there"
                }
                None => "interrupted; nothing was judged",
            };
            out::talk(told);
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

/// What is under way, on stderr, whatever is printed on stdout: one line at a terminal, else a line for each step.
struct Progress {
    began: Instant,
    bars: Bars,
    name: RunId,
    /// How long the last one took.
    usual: Option<u64>,
}

impl Progress {
    fn begin(around: &Surroundings) -> Self {
        let name = RunId::new("verify");
        Self { began: Instant::now(), bars: Bars::on_stderr(), name, usual: pace::usual(around) }
    }

    fn tell(&mut self, line: &str) {
        let took = self.took();
        if self.bars.is_live() {
            let whole = |ms: u64| show_duration(ms / 1000 * 1000);
            let of = self.usual.filter(|usual| *usual > took);
            let of = of.map_or_else(String::new, |usual| format!(" of about {}", whole(usual)));
            self.bars.doing(&self.name, format!("{}{of}", whole(took)));
            self.bars.line(&self.name, line.to_owned());
        }
        let said = match loudness() {
            Loudness::Quiet => false,
            Loudness::Usual => !self.bars.is_live(),
            Loudness::Verbose => true,
        };
        if said {
            self.bars.aside(|| out::talk(&format!("{:>6} {line}", clock::seconds(took))));
        }
    }

    fn took(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn end(&mut self) {
        self.bars.end(&self.name);
    }

    /// What was known already took no time that would say anything.
    fn learn(&self, around: &Surroundings) {
        if self.took() > 2000 {
            pace::took(around, self.took());
        }
    }
}
