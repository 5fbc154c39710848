//! `proctor attest RUN|FILE`: signs what was shown; and the looking at what was signed, for `proctor verify PACK --key KEY`.

use crate::args::teams::AttestArgs;
use crate::args::verify::{VerifyArgs, VerifyFormat};
use crate::out;
use anyhow::{Context, Result};
use proctor_core::verdict::Verdict;
use proctor_desk::attest::{
    Checked, ENDING, Envelope, Of, PublicKey, Signed, SigningKey, check, make_pair, statements,
};
use proctor_desk::surroundings::Surroundings;
use proctor_desk::text::harmless::one_line;
use proctor_desk::told::{UNFIT, told, usage};
use serde_json::json;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

pub fn attest(around: &Surroundings, args: &AttestArgs) -> Result<u8> {
    if let Some(file) = &args.new_key {
        return new_key(&around.cwd.join(file));
    }
    let key = match &args.key {
        Some(file) => {
            let path = around.cwd.join(file);
            let read = |text: &str| SigningKey::read(text);
            Some(read(&text_of(&path)?).map_err(|why| not_a_key(&path, &why))?)
        }
        None => None,
    };
    let of = Of::meant(around, args.of.as_deref());
    let mut text = String::new();
    for statement in statements(around, &of)? {
        let payload = serde_json::to_string(&statement)?;
        let line = match &key {
            Some(key) => serde_json::to_string(&Envelope::seal(payload.as_bytes(), key))?,
            None => payload,
        };
        text.push_str(&line);
        text.push('\n');
    }
    let file = match (&args.output, &of) {
        (Some(file), _) => Some(around.cwd.join(file)),
        (None, Of::File(path)) if key.is_some() => Some(beside(path)),
        (None, _) => None,
    };
    match file {
        Some(file) => {
            std::fs::write(&file, &text).map_err(|why| unfit(&file, "written", &why))?;
            out::data(&file.display().to_string());
        }
        None => out::raw(text.as_bytes()),
    }
    Ok(0)
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ENDING);
    path.with_file_name(name)
}

fn new_key(file: &Path) -> Result<u8> {
    let (private, public) = make_pair().map_err(|why| told(UNFIT, why))?;
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".pub");
    let beside = file.with_file_name(name);
    for (path, text, mode) in [(file, &private, 0o600), (beside.as_path(), &public, 0o644)] {
        let made = OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
        made.and_then(|mut made| made.write_all(text.as_bytes()))
            .map_err(|why| unfit(path, "made", &why))?;
    }
    out::data(&beside.display().to_string());
    out::talk(&format!("{} is the private half: keep it where no agent works.", file.display()));
    Ok(0)
}

/// Looks whether what is said about a pack is signed. Gives the exit code.
pub fn signed(around: &Surroundings, args: &VerifyArgs, (key, pack): (&Path, &Path)) -> Result<u8> {
    let (key_path, pack) = (around.cwd.join(key), around.cwd.join(pack));
    let key = PublicKey::read(&text_of(&key_path)?).map_err(|why| not_a_key(&key_path, &why))?;
    let bytes = std::fs::read(&pack).map_err(|why| unfit(&pack, "read", &why))?;
    // Statements may come alone, without the pack.
    let alone = pack.to_string_lossy().ends_with(ENDING);
    if alone && args.replay {
        return Err(usage("statements alone can't be replayed\nhint: name the pack itself"));
    }
    let file = match (&args.statements, alone) {
        (Some(file), _) => around.cwd.join(file),
        (None, true) => pack.clone(),
        (None, false) => beside(&pack),
    };
    if !file.is_file() {
        return Err(usage(format!(
            "there are no statements at {}\nhint: `proctor attest` makes them; name another file with --statements",
            file.display()
        )));
    }
    let envelopes = text_of(&file)?;
    let held = Signed {
        envelopes: &envelopes,
        pack: (!alone).then_some(&bytes),
        commit: args.commit.as_deref(),
    };
    let checked = check(held, &key);
    let code = match &checked {
        Ok(checked) => checked.verdict.exit_code(),
        Err(_) => Verdict::Refuted.exit_code(),
    };
    match args.format {
        VerifyFormat::Json => out::json(&in_json(&checked).to_string()),
        _ => show(&checked),
    }
    Ok(code)
}

fn in_json(checked: &Result<Checked, String>) -> serde_json::Value {
    match checked {
        Ok(checked) => json!({"signed": true, "statement": checked}),
        Err(why) => json!({"signed": false, "why": why}),
    }
}

fn show(checked: &Result<Checked, String>) {
    match checked {
        Ok(checked) => {
            let verdict = checked.verdict.name();
            let mark = if checked.verdict.exit_code() == 0 { "✓" } else { "✗" };
            out::data(&out::coloured(&format!(
                "{mark} signed: {verdict} — {}",
                one_line(&checked.reason)
            )));
            out::data(&format!("  commits {}", one_line(&checked.commits.join(", "))));
            out::data(&format!("  base {}, key {}", one_line(&checked.base), checked.key));
        }
        Err(why) => {
            out::data(&out::coloured(&format!("✗ refused: {}", one_line(why))));
        }
    }
}

fn text_of(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .with_context(|| format!("{} can't be read", path.display()))
        .map_err(|why| usage(format!("{why:#}")))
}

fn not_a_key(path: &Path, why: &str) -> anyhow::Error {
    usage(format!(
        "{}: {why}\nhint: `proctor attest --new-key FILE` makes a pair, and so does `openssl genpkey -algorithm ed25519`",
        path.display()
    ))
}

fn unfit(path: &Path, what: &str, why: &std::io::Error) -> anyhow::Error {
    told(UNFIT, format!("{} can't be {what}: {why}", path.display()))
}
