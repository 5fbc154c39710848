//! Who is told when a run waits, pauses or ends; and that a run pauses before it fills the disk.

use crate::rows::{Desk, ONCE, honest};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};

const QUICK: &str = "[gates]\nprobe = \"off\"\n[audit]\nlinters = \"off\"\n";

fn settings(desk: &Desk, more: &str) {
    let file = desk.env.user_home().join(".config/proctor/proctor.toml");
    std::fs::write(file, format!("{QUICK}{more}")).unwrap();
}

/// Hears what is posted to it; each post is answered with a status.
fn hook(status: u16) -> (String, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url =
        format!("http://{}/services/T0/B0/s3cr3t-of-the-hook", listener.local_addr().unwrap());
    let (sender, heard) = mpsc::channel();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut line, mut length) = (String::new(), 0);
            while reader.read_line(&mut line).is_ok_and(|n| n > 2) {
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let _ = sender.send(serde_json::from_slice(&body).unwrap());
            let answer =
                format!("HTTP/1.1 {status} x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (url, heard)
}

#[test]
fn a_command_a_webhook_and_the_desktop_hear_of_what_waits_and_of_the_end() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let (url, posts) = hook(200);
    let (heard, shown) = (desk.env.user_home().join("heard"), desk.env.user_home().join("shown"));
    let tools = desk.env.user_home().join("bin");
    std::fs::create_dir(&tools).unwrap();
    let program = |name: &str, text: &str| -> PathBuf {
        let path = tools.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        path
    };
    let bell = program("bell", &format!("#!/bin/sh\ncat >>{}\necho >>{0}\n", heard.display()));
    program("notify-send", &format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >>{}\n", shown.display()));
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    settings(
        &desk,
        &format!(
            "[notify]\ncommand = [\"{}\"]\nwebhook_env = \"THE_HOOK\"\ndesktop = true\n",
            bell.display()
        ),
    );
    let call = desk.call(&["add", "sub <b> & more", "--no-refactor", "--format", "json"]);
    let call = call.env("THE_HOOK", &url).env("PATH", &path).mock(&honest());
    let id = desk.told(call.run()).ends("AWAITING_APPROVAL", 3).run();
    let approve = desk.call(&["approve", &id]).env("THE_HOOK", &url).env("PATH", &path);
    approve.run().expect_code(0);

    let told: Vec<Value> = std::fs::read_to_string(&heard)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let events: Vec<&str> = told.iter().map(|notice| notice["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["approval", "ended"], "each once, and no step between: {told:?}");
    assert_eq!(
        (&told[0]["run"], &told[1]["status"]),
        (&Value::from(id.as_str()), &"SUCCESS".into())
    );
    assert!(told[0]["next"].to_string().contains(&format!("proctor approve {id}")), "{}", told[0]);
    let posted: Vec<Value> = posts.try_iter().collect();
    assert_eq!(posted.len(), 2, "{posted:?}");
    let text = posted[0]["text"].as_str().unwrap();
    assert!(text.contains("needs you") && text.contains("&lt;b&gt; &amp; more"), "{text}");
    let shown = std::fs::read_to_string(&shown).unwrap();
    assert!(shown.contains("needs you") && shown.contains("has ended"), "{shown}");
}

#[test]
fn what_can_not_be_told_is_said_without_the_address_and_changes_nothing() {
    let Some(desk) = Desk::with(&format!("{ONCE}[notify]\ncommand = \"touch told-by-repo\"\n"))
    else {
        return;
    };
    let (url, _posts) = hook(500);
    settings(&desk, &format!("[notify]\nwebhook = \"{url}\"\non = [\"approval\"]\n"));
    let call = desk.call(&["add", "sub", "--no-refactor"]).mock(&honest());
    let ran = call.run().expect_code(3);
    assert!(ran.stderr.contains("nobody was told: the webhook answered 500"), "{ran}");
    assert!(!format!("{ran}").contains("s3cr3t"), "{ran}");
    // What a repository says would be a command of a stranger's.
    assert!(!desk.repo.path().join("told-by-repo").exists());
    settings(&desk, "[notify]\nwebhook = \"ftp://x\"\n");
    let ran = desk.call(&["add", "sub", "--branch", "b"]).run().expect_code(2);
    assert!(ran.stderr.contains("[notify] webhook"), "{ran}");
}

#[test]
fn a_run_pauses_before_it_fills_the_disk_and_goes_on_when_there_is_room() {
    let Some(desk) = Desk::with(ONCE) else { return };
    settings(&desk, "[limits]\nfree_disk = \"900000TB\"\n");
    let call = desk.call(&["add", "sub", "--no-refactor", "--format", "json"]).mock(&honest());
    let story = desk.told(call.run()).ends("PAUSED", 3);
    let ran = desk.call(&["show", &story.run()]).run().expect_code(0);
    assert!(ran.stdout.contains("free_disk") && ran.stdout.contains("proctor gc"), "{ran}");
    // Still no room: it stays as it is, and nothing is lost.
    desk.json(&["resume", &story.run()]).ends("PAUSED", 3);
    let ran = desk.call(&["abort", &story.run()]).run().expect_code(0);
    assert!(format!("{ran}").contains("Aborted by user."), "{ran}");
}
