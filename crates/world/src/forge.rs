//! The programs of code hosts, `gh` and `glab`, as a way to a REST API: they know who the user is, and keep the token to
//! themselves. Must not know what is asked.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// One call of `PROGRAM api`.
#[derive(Clone, Copy, Debug)]
pub struct ApiCall<'a> {
    pub program: &'a Path,
    pub host: &'a str,
    pub method: &'a str,
    pub path: &'a str,
    pub body: Option<&'a [u8]>,
}

/// What it printed: the head of the answer and its body, as they came; and what it said where there is no answer.
#[derive(Clone, Debug)]
pub struct Printed {
    pub stdout: Vec<u8>,
    pub stderr: String,
}

pub fn api(call: &ApiCall<'_>) -> io::Result<Printed> {
    let mut command = Command::new(call.program);
    command.args(["api", "--include", "--hostname", call.host, "--method", call.method]);
    command.arg(call.path);
    if call.body.is_some() {
        command.args(["-H", "Content-Type: application/json", "--input", "-"]);
    }
    let mut child = command
        .env("GH_PROMPT_DISABLED", "1")
        .env("GH_NO_UPDATE_NOTIFIER", "1")
        .env("NO_COLOR", "1")
        .stdin(if call.body.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let body = call.body.map(<[u8]>::to_vec);
    let writer = child.stdin.take().zip(body).map(|(mut input, body)| {
        // It may end before it has read everything: then its answer says why.
        std::thread::spawn(move || drop(input.write_all(&body)))
    });
    let output = child.wait_with_output()?;
    if let Some(writer) = writer {
        let _ = writer.join();
    }
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(Printed { stdout: output.stdout, stderr })
}
