//! A page on a local port, made anew when what it was made of changes.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::driver::{Error, terminal};

/// How long a change may go unnoticed.
const INTERVAL: Duration = Duration::from_millis(300);
/// How long a client may take to ask, and to take a part of the answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest request.
const LONGEST: usize = 64 * 1024;

/// A page and the files and folders that it depends on.
pub struct Made {
    pub page: String,
    pub watched: BTreeSet<PathBuf>,
}

/// Serves on a port of this machine alone, 0: any that is free. `make` gets a number that is another one each time.
///
/// # Errors
/// What `make` says the first time, and if the port cannot be had.
pub fn serve(port: u16, make: &mut dyn FnMut(u64) -> Result<Made, Error>) -> Result<(), Error> {
    let first = make(1)?;
    let mut seen = state(&first.watched);
    let mut watched = first.watched;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let cannot = |e: io::Error| Error::Usage(format!("cannot listen on port {port}: {e}"));
    let listener = TcpListener::bind(address).map_err(cannot)?;
    let port = listener.local_addr().map_err(cannot)?.port();
    let shown = Arc::new(Mutex::new(Shown {
        page: first.page.into_bytes().into(),
        version: 1,
    }));
    let now_shown = {
        let shown = shown.clone();
        move || shown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    };
    thread::Builder::new()
        .spawn(move || listen(&listener, port, now_shown))
        .map_err(cannot)?;
    terminal::print(format_args!("http://127.0.0.1:{port}/\n"));
    let mut version = 1;
    loop {
        thread::sleep(INTERVAL);
        let now = state(&watched);
        if now == seen {
            continue;
        }
        // What is wrong with the new text is shown by the page that the next change makes; the old one stays.
        let new = make(version + 1);
        // What was saved while the page was made may not be in it.
        let is_whole = state(&watched) == now;
        seen = now;
        match new {
            Ok(new) => {
                version += 1;
                watched = new.watched;
                let page = new.page.into_bytes().into();
                *shown.lock().unwrap_or_else(PoisonError::into_inner) = Shown { page, version };
                seen = match is_whole {
                    true => state(&watched),
                    false => Vec::new(),
                };
            }
            Err(error) => terminal::fail("cuf2cu", &error),
        }
    }
}

/// What is to be had now.
#[derive(Clone)]
struct Shown {
    page: Arc<[u8]>,
    version: u64,
}

/// Each client has a thread of its own: who is slow to send or to take keeps nobody waiting.
fn listen(listener: &TcpListener, port: u16, shown: impl Fn() -> Shown + Clone + Send + 'static) {
    for stream in listener.incoming() {
        let shown = shown.clone();
        let started = stream.and_then(|stream| {
            // Who asked may be gone.
            let work = move || drop(answer(&stream, port, &shown));
            thread::Builder::new().spawn(work)
        });
        if let Err(error) = started {
            terminal::tell(format_args!("cuf2cu: {error}\n"));
            thread::sleep(INTERVAL);
        }
    }
}

/// When files were changed last, and how long they are.
fn state(watched: &BTreeSet<PathBuf>) -> Vec<Option<(SystemTime, u64)>> {
    let of = |p: &PathBuf| {
        let meta = fs::metadata(p).ok()?;
        Some((meta.modified().ok()?, meta.len()))
    };
    watched.iter().map(of).collect()
}

/// There are two things to be had, neither of them by a path of the disk.
fn answer(mut stream: &TcpStream, port: u16, shown: &dyn Fn() -> Shown) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let text = |status, text: &str| (status, "text/plain", Arc::from(text.as_bytes()));
    let request = request(stream)?;
    let (status, kind, body) = match &request {
        None => text("400 Bad Request", "not a valid request\n"),
        Some(r) if !is_for_us(&r.hosts, port) => text("403 Forbidden", "wrong host name\n"),
        Some(r) => match (r.method.as_str(), r.path.as_str()) {
            ("GET" | "HEAD", "/") => ("200 OK", "text/html; charset=utf-8", shown().page),
            ("GET" | "HEAD", "/version") => text("200 OK", &shown().version.to_string()),
            ("GET" | "HEAD", _) => text("404 Not Found", "not found\n"),
            _ => text("405 Method Not Allowed", "only GET\n"),
        },
    };
    let whole = request.is_none_or(|r| r.method != "HEAD");
    send(stream, status, kind, &body, whole)?;
    // An end with something unread would take the answer away from who has not read it yet.
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    let mut rest = [0; 4096];
    for _ in 0..16 {
        if stream.read(&mut rest)? == 0 {
            break;
        }
    }
    Ok(())
}

fn send(
    mut stream: &TcpStream,
    status: &str,
    kind: &str,
    body: &[u8],
    whole: bool,
) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Referrer-Policy: no-referrer\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    if whole {
        stream.write_all(body)?;
    }
    Ok(())
}

/// What a client asks for.
struct Request {
    method: String,
    path: String,
    /// The values of its Host fields.
    hosts: Vec<String>,
}

/// Reads a request up to its empty line; None: it is none.
fn request(mut stream: &TcpStream) -> io::Result<Option<Request>> {
    let began = Instant::now();
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let left = PATIENCE.checked_sub(began.elapsed());
        let left = left.filter(|l| !l.is_zero() && bytes.len() < LONGEST);
        stream.set_read_timeout(Some(left.ok_or(io::ErrorKind::InvalidData)?))?;
        let length = stream.read(&mut part)?;
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&part[..length]);
        let mut fields = [httparse::EMPTY_HEADER; 100];
        let mut found = httparse::Request::new(&mut fields);
        match found.parse(&bytes) {
            Ok(httparse::Status::Partial) => continue,
            Err(_) => return Ok(None),
            Ok(httparse::Status::Complete(_)) => {}
        }
        let hosts = found.headers.iter();
        let hosts = hosts.filter(|f| f.name.eq_ignore_ascii_case("host"));
        return Ok(Some(Request {
            method: found.method.unwrap_or_default().to_owned(),
            path: found.path.unwrap_or_default().to_owned(),
            hosts: hosts
                .map(|f| String::from_utf8_lossy(f.value).into_owned())
                .collect(),
        }));
    }
}

/// A page of the web whose name leads here by a trick of DNS has another name in its requests.
fn is_for_us(hosts: &[String], port: u16) -> bool {
    let known = |h: &str| {
        let names = ["127.0.0.1", "localhost"];
        names
            .iter()
            .any(|k| h == format!("{k}:{port}") || (port == 80 && h == *k))
    };
    matches!(hosts, [host] if known(host))
}

/// The folders of files, whose times change when files come and go.
pub fn with_folders<'p>(files: impl Iterator<Item = &'p Path>) -> BTreeSet<PathBuf> {
    let mut out = BTreeSet::new();
    for f in files {
        out.insert(f.to_path_buf());
        let folder = f.parent().filter(|p| !p.as_os_str().is_empty());
        out.insert(folder.unwrap_or(Path::new(".")).to_path_buf());
    }
    out
}
