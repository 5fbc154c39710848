//! The board in a real browser, headless, steered over WebDriver on loopback. With `PROCTOR_SCREENSHOTS=DIR` the pages are
//! kept as pictures there.

use super::super::awaiting;
use super::super::http::{Board, ask};
use crate::repos::place::Place;
use proctor_testkit::missing;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Driver {
    child: Child,
    address: String,
}

impl Driver {
    fn start(place: &Place) -> Self {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .env("HOME", place.env.user_home())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let said = lines.find_map(|line| {
            let line = line.ok()?;
            let port = line.split("successfully on port ").nth(1)?;
            Some(port.trim_end_matches('.').to_owned())
        });
        // What it says after that is of no use, and must not stop it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address: format!("127.0.0.1:{}", said.expect("a port")) }
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let kind = "content-type: application/json\r\n";
        let head = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\n{kind}", self.address);
        let answer = ask(&self.address, &head, &body);
        let value: Value = serde_json::from_str(&answer.text).expect("JSON");
        assert!(value["value"]["error"].is_null(), "{method} {path}: {}", answer.text);
        value["value"].clone()
    }

    fn tab(&self, width: u32) -> Tab<'_> {
        let size = format!("--window-size={width},1000");
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-dev-shm-usage",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            &size,
        ];
        let wish = json!({"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": args}}}});
        let session = self.call("POST", "/session", &wish);
        let id = session["sessionId"].as_str().expect("a session").to_owned();
        Tab { driver: self, id }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Tab<'a> {
    driver: &'a Driver,
    id: String,
}

impl Tab<'_> {
    fn call(&self, what: &str, body: &Value) -> Value {
        self.driver.call("POST", &format!("/session/{}/{what}", self.id), body)
    }

    fn go(&self, url: &str) {
        self.call("url", &json!({"url": url}));
    }

    fn run(&self, script: &str) -> Value {
        self.call("execute/sync", &json!({"script": script, "args": []}))
    }

    #[track_caller]
    fn until(&self, script: &str) {
        let began = Instant::now();
        while self.run(&format!("return Boolean({script})")) != true {
            let page = self.run("return document.body.innerText");
            assert!(began.elapsed() < Duration::from_mins(2), "{script}: {page}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn keep(&self, name: &str) {
        let Some(folder) = std::env::var_os("PROCTOR_SCREENSHOTS") else { return };
        let path = format!("/session/{}/screenshot", self.id);
        let picture = self.driver.call("GET", &path, &Value::Null);
        let bytes = from_base64(picture.as_str().expect("a picture"));
        let file = std::path::Path::new(&folder).join(format!("{name}.png"));
        std::fs::write(file, bytes).expect("a picture is kept");
    }
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        let head = format!("DELETE /session/{} HTTP/1.1\r\nhost: x\r\n", self.id);
        ask(&self.driver.address, &head, "");
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    let six = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for byte in text.bytes().filter(|byte| *byte != b'=') {
        bits = bits << 6 | u32::from(six(byte));
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 255).unwrap_or_default());
        }
    }
    bytes
}

#[test]
fn a_run_is_approved_with_a_click_and_a_second_tab_follows() {
    let Some(place) = Place::python() else { return };
    if missing("chromedriver") {
        return;
    }
    let run = awaiting(&place);
    let board = Board::open(&place);
    let driver = Driver::start(&place);
    let link = format!("http://{}/?token={}", board.address, board.token);
    let (one, other) = (driver.tab(1280), driver.tab(390));
    one.go(&link);
    other.go(&link);
    one.until("document.querySelector('.column.needs-you .card')");
    assert!(!one.run("return location.href").to_string().contains("token"));
    one.keep("board");
    other.keep("board-phone");
    one.run("document.querySelector('.card').focus()");
    one.go(&format!("http://{}/run/{run}", board.address));
    one.until("document.querySelector('.acts button.go')");
    one.keep("run");
    one.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', bubbles: true}))");
    one.run("document.getElementById('h-cost').scrollIntoView()");
    one.keep("run-below");
    one.run("document.querySelector('.acts button.go').click()");
    other.until("document.querySelector('.column.landed .card')");
    one.until("document.querySelector('.head.landed')");
    one.keep("run-landed");
    let foreign = "return performance.getEntriesByType('resource').filter(r => !r.name.startsWith(location.origin)).length";
    assert_eq!((one.run(foreign), other.run(foreign)), (json!(0), json!(0)));
    assert_eq!(place.repo.git(&["log", "--format=%s", "-1", "main"]), "feat: T-1");
}
