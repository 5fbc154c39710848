//! Signed evidence: what is signed is read by others' tools and by a policy engine, and whatever is not what was signed is refused.

use crate::rows::{Desk, ONCE, honest};
use proctor_testkit::{Ran, missing, missing_file};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Reads envelopes with in-toto's and securesystemslib's own code, which know nothing of ours.
const READER: &str = r#"
import json, sys
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from in_toto_attestation.v1 import statement_pb2
from google.protobuf import json_format
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

pem, lines = open(sys.argv[1], "rb").read(), open(sys.argv[2]).read().splitlines()
for line in lines:
    keyid = json.loads(line)["signatures"][0]["keyid"]
    envelope = Envelope.from_dict(json.loads(line))
    key = SSlibKey.from_crypto(load_pem_public_key(pem), keyid=keyid)
    envelope.verify([key], 1)
    statement = json_format.Parse(envelope.payload.decode(), statement_pb2.Statement())
    assert statement.type == "https://in-toto.io/Statement/v1"
    print(statement.predicate_type, sorted(d for s in statement.subject for d in s.digest))
"#;

/// The policy of the book, asked by a policy engine.
const POLICY: &str = r#"
import json, sys
from regopy import Interpreter
rego = Interpreter()
rego.add_module("proctor", open(sys.argv[1]).read())
rego.set_input(json.loads(open(sys.argv[2]).read()))
print(rego.query("data.proctor.allow"))
"#;

fn python(script: &str, args: &[&Path]) -> String {
    let mut python = Command::new("python3");
    let out = python.env("PYTHONPATH", readers()).args(["-c", script]).args(args).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// Where `scripts/setup` puts what reads statements.
fn readers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/in-toto")
}

struct Packed {
    desk: Desk,
    pack: PathBuf,
    public: PathBuf,
}

impl Packed {
    /// A run that landed, its pack, signed.
    fn new() -> Option<Self> {
        let desk = Desk::with(ONCE)?;
        let story = desk.played(&honest(), &[&["add", "sub", "--no-refactor", "--yes"]]);
        let run = story.ends("SUCCESS", 0).run();
        let packed = Self {
            pack: desk.env.user_home().join("pack.tar"),
            public: desk.env.user_home().join("own.key.pub"),
            desk,
        };
        let call = packed.desk.call(&["evidence", &run, "--tar"]).arg(&packed.pack);
        call.run().expect_code(0);
        let call = packed.desk.call(&["attest", "--new-key"]).arg(packed.file("own.key"));
        call.run().expect_code(0);
        packed.attest(&packed.pack, "own.key").expect_code(0);
        Some(packed)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.desk.env.user_home().join(name)
    }

    fn attest(&self, of: &Path, key: &str) -> Ran {
        self.desk.call(&["attest"]).arg(of).arg("--key").arg(self.file(key)).run()
    }

    fn verify(&self, of: &Path, more: &[&str]) -> (Ran, Value) {
        let call = self.desk.call(&["verify"]).arg(of).arg("--key").arg(&self.public);
        let ran = call.args(&["--format", "json"]).args(more).run();
        let told = serde_json::from_str(ran.stdout.lines().next().unwrap_or("null"));
        (ran, told.unwrap_or_default())
    }

    fn statements(&self) -> PathBuf {
        self.file("pack.tar.intoto.jsonl")
    }
}

#[test]
fn what_is_signed_is_known_again_and_anything_else_is_refused() {
    let Some(packed) = Packed::new() else { return };
    let mode = std::fs::metadata(packed.file("own.key")).unwrap().permissions();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777, 0o600);
    let landed = packed.desk.repo.head();
    let (ran, told) = packed.verify(&packed.pack, &["--commit", &landed]);
    assert_eq!(
        (&told["signed"], &told["statement"]["verdict"]),
        (&true.into(), &"proven".into()),
        "{ran}"
    );
    ran.expect_code(0);
    // Statements alone, for a policy that never sees the pack.
    packed.verify(&packed.statements(), &["--commit", &landed]).0.expect_code(0);

    let refused = |of: &Path, more: &[&str], why: &str| {
        let (ran, told) = packed.verify(of, more);
        assert!(told["why"].as_str().is_some_and(|text| text.contains(why)), "{why}: {ran}");
        ran.expect_code(1);
    };
    let base = packed.desk.repo.git(&["rev-parse", "HEAD^"]);
    refused(&packed.statements(), &["--commit", base.trim()], "this commit");
    // Another pack, and a byte in the middle of this one.
    let whole = std::fs::read(&packed.pack).unwrap();
    for at in [0, 700, whole.len() / 2, whole.len() - 1] {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        std::fs::write(&packed.pack, changed).unwrap();
        refused(&packed.pack, &[], "this pack");
    }
    std::fs::write(&packed.pack, &whole).unwrap();
    // One letter of a statement, a statement that is cut out, and nothing at all.
    let text = std::fs::read_to_string(packed.statements()).unwrap();
    let changed = text.replacen("\"payload\":\"ey", "\"payload\":\"ez", 1);
    assert_ne!(changed, text);
    std::fs::write(packed.statements(), changed).unwrap();
    refused(&packed.pack, &[], "not signed by the key");
    let without: Vec<&str> = text.lines().take(2).collect();
    std::fs::write(packed.statements(), without.join("\n")).unwrap();
    refused(&packed.pack, &[], "none of the statements is of the type");
    std::fs::write(packed.statements(), "").unwrap();
    refused(&packed.pack, &[], "no statement");
    // A foreign key.
    let call = packed.desk.call(&["attest", "--new-key"]).arg(packed.file("foreign"));
    call.run().expect_code(0);
    packed.attest(&packed.pack, "foreign").expect_code(0);
    refused(&packed.pack, &[], "not signed by the key");
    // The private half is no public key, and a damaged pack is not signed at all.
    let call = packed.desk.call(&["verify"]).arg(&packed.pack).arg("--key");
    let ran = call.arg(packed.file("own.key")).run().expect_code(2);
    assert!(ran.stderr.contains("private key") && !format!("{ran}").contains("BEGIN"), "{ran}");
    std::fs::write(packed.file("cut.tar"), &whole[..whole.len() / 2]).unwrap();
    packed.attest(&packed.file("cut.tar"), "own.key").expect_code(2);
}

#[test]
fn a_key_of_openssl_signs_too() {
    if missing("openssl") {
        return;
    }
    let Some(packed) = Packed::new() else { return };
    let line = "openssl genpkey -algorithm ed25519 -out own.key && openssl pkey -in own.key -pubout -out own.key.pub";
    let out =
        Command::new("sh").args(["-ec", line]).current_dir(packed.desk.env.user_home()).output();
    assert!(out.unwrap().status.success());
    packed.attest(&packed.pack, "own.key").expect_code(0);
    packed.verify(&packed.pack, &[]).0.expect_code(0);
}

#[test]
fn other_implementations_read_what_is_signed_and_the_policy_of_the_book_lets_only_proven_work_through()
 {
    if missing_file("in-toto", &readers().join("in_toto_attestation")) {
        return;
    }
    let Some(packed) = Packed::new() else { return };
    let told = python(READER, &[&packed.public, &packed.statements()]);
    for kind in ["test-result/v0.1", "svr/v0.1", "attestation/proof/v0.1"] {
        assert!(told.contains(kind), "{told}");
    }
    assert!(told.contains("['gitCommit', 'gitCommit', 'gitTree', 'sha256']"), "{told}");
    let book =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/attest.md"));
    let book = book.unwrap();
    let (_, rest) = book.split_once("```rego\n").unwrap();
    let policy = packed.file("policy.rego");
    std::fs::write(&policy, rest.split_once("```").unwrap().0).unwrap();
    let call = packed.desk.call(&["attest"]).arg(&packed.pack).arg("--unsigned");
    let plain = call.run().expect_code(0).stdout;
    let statements: Vec<Value> = plain.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let asked = |commit: &str, verdict: &str| {
        let mut statements = statements.clone();
        for statement in &mut statements {
            if statement["predicate"]["verdict"].is_string() {
                statement["predicate"]["verdict"] = verdict.into();
            }
        }
        let input = serde_json::json!({"commit": commit, "statements": statements});
        std::fs::write(packed.file("input.json"), input.to_string()).unwrap();
        python(POLICY, &[&policy, &packed.file("input.json")])
    };
    let landed = packed.desk.repo.head();
    assert!(asked(&landed, "proven").contains("true"), "{}", asked(&landed, "proven"));
    for (commit, verdict) in
        [(landed.as_str(), "inconclusive"), ("0".repeat(40).as_str(), "proven")]
    {
        let told = asked(commit, verdict);
        assert!(!told.contains("true"), "{told}");
    }
}
