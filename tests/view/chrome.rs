//! A headless Chromium, told what to do by the DevTools protocol over two pipes.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use command_fds::{CommandFdExt as _, FdMapping};
use serde_json::{Value, json};

/// The browser of this machine.
pub fn find() -> Option<PathBuf> {
    ["chromium", "chromium-browser", "google-chrome", "chrome"]
        .into_iter()
        .find_map(|n| which::which(n).ok())
}

/// A browser with one page.
pub struct Chrome {
    child: Child,
    to: RefCell<PipeWriter>,
    from: RefCell<BufReader<PipeReader>>,
    number: RefCell<u64>,
    session: String,
    /// Errors of scripts, and what is said on the console.
    complaints: RefCell<Vec<String>>,
    _profile: tempfile::TempDir,
}

impl Chrome {
    pub fn start(program: &PathBuf) -> Chrome {
        let profile = tempfile::tempdir().unwrap();
        let (theirs_in, ours_out) = std::io::pipe().unwrap();
        let (ours_in, theirs_out) = std::io::pipe().unwrap();
        let mut command = Command::new(program);
        command
            .args([
                "--headless=new",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mapping = |parent_fd, child_fd| FdMapping {
            parent_fd,
            child_fd,
        };
        command
            .fd_mappings(vec![
                mapping(theirs_in.into(), 3),
                mapping(theirs_out.into(), 4),
            ])
            .unwrap();
        let child = command.spawn().unwrap();
        // The ends of the child are its own, so that its death ends what is read here.
        drop(command);
        let mut chrome = Chrome {
            child,
            to: RefCell::new(ours_out),
            from: RefCell::new(BufReader::new(ours_in)),
            number: RefCell::new(0),
            session: String::new(),
            complaints: RefCell::default(),
            _profile: profile,
        };
        let target = chrome.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = chrome.call(
            "Target.attachToTarget",
            json!({ "targetId": target["targetId"], "flatten": true }),
        );
        chrome.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Log"] {
            chrome.call(&format!("{domain}.enable"), json!({}));
        }
        chrome
    }

    /// Sends a command and gives what it answers.
    pub fn call(&self, method: &str, params: Value) -> Value {
        let number = {
            let mut n = self.number.borrow_mut();
            *n += 1;
            *n
        };
        let mut message = json!({ "id": number, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = self.session.clone().into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.borrow_mut().write_all(&bytes).unwrap();
        loop {
            let mut answer = Vec::new();
            self.from.borrow_mut().read_until(0, &mut answer).unwrap();
            assert!(answer.pop().is_some(), "the browser has ended");
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            if answer["id"] == number {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.note(&answer);
        }
    }

    fn note(&self, event: &Value) {
        let params = &event["params"];
        let bad = match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => true,
            "Runtime.consoleAPICalled" => params["type"] == "error" || params["type"] == "warning",
            "Log.entryAdded" => params["entry"]["level"] == "error",
            _ => false,
        };
        if bad {
            self.complaints.borrow_mut().push(params.to_string());
        }
    }

    /// The value of an expression of JavaScript; promises are waited for.
    pub fn evaluate(&self, script: &str) -> Value {
        let params = json!({ "expression": script, "returnByValue": true, "awaitPromise": true });
        let result = self.call("Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{script}: {result}");
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn until(&self, condition: &str) {
        let patience = Instant::now();
        while self.evaluate(condition) != true {
            assert!(
                patience.elapsed() < Duration::from_secs(60),
                "never: {condition}"
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn open(&self, url: &str, (width, height): (u32, u32), theme: &str) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let features = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
        // Another fragment alone would not load the page again.
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.until("location.href === 'about:blank'");
        self.call("Page.navigate", json!({ "url": url }));
        self.until("document.body?.dataset.ready !== undefined && location.href !== 'about:blank'");
        self.settle();
    }

    /// Lets what has been asked for be drawn.
    pub fn settle(&self) {
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))");
    }

    fn mouse(&self, kind: &str, (x, y): (f64, f64)) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let params = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", params);
    }

    pub fn hover(&self, at: (f64, f64)) {
        self.mouse("mouseMoved", at);
        self.settle();
    }

    pub fn click(&self, at: (f64, f64)) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.mouse(kind, at);
        }
        self.settle();
    }

    /// Presses keys one after the other: `/`, `Escape`.
    pub fn keys(&self, keys: &[&str]) {
        for key in keys {
            self.press(key);
        }
        self.settle();
    }

    /// Presses a key, and does not wait for what is drawn then.
    pub fn press(&self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        let number = match key {
            "Escape" => 27,
            "Tab" => 9,
            "ArrowRight" => 39,
            k => k.to_ascii_uppercase().as_bytes()[0],
        };
        let params = |kind: &str| {
            let text = if kind == "keyDown" { text } else { "" };
            json!({ "type": kind, "key": key, "text": text, "windowsVirtualKeyCode": number })
        };
        self.call("Input.dispatchKeyEvent", params("keyDown"));
        self.call("Input.dispatchKeyEvent", params("keyUp"));
    }

    pub fn screenshot(&self) -> Vec<u8> {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        base64::engine::general_purpose::STANDARD
            .decode(answer["data"].as_str().unwrap())
            .unwrap()
    }

    /// What the page complained of since the last time.
    pub fn complaints(&self) -> Vec<String> {
        self.evaluate("0");
        self.complaints.take()
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
