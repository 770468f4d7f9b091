//! A page on a local port, made anew when what it was made of changes.

use std::collections::BTreeSet;
use std::fs;
use std::io::Cursor;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use tiny_http::{Header, Method, Request, Response, Server};

use super::{Error, terminal};

/// How long a change may go unnoticed.
const INTERVAL: Duration = Duration::from_millis(300);

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
    let mut version = 1;
    let mut made = make(version)?;
    let mut page: Arc<[u8]> = made.page.as_bytes().into();
    let mut seen = state(&made.watched);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let server = Server::http(address)
        .map_err(|e| Error::Usage(format!("cannot listen on port {port}: {e}")))?;
    let port = server.server_addr().to_ip().map_or(port, |a| a.port());
    terminal::print(format_args!("http://127.0.0.1:{port}/\n"));
    loop {
        let request = server.recv_timeout(INTERVAL);
        let now = state(&made.watched);
        if now != seen {
            // What is wrong with the new text is shown by the page that the next change makes; the old one stays.
            let new = make(version + 1);
            // What was saved while the page was made may not be in it.
            let is_whole = state(&made.watched) == now;
            seen = now;
            match new {
                Ok(new) => {
                    page = new.page.as_bytes().into();
                    version += 1;
                    made = new;
                    seen = match is_whole {
                        true => state(&made.watched),
                        false => Vec::new(),
                    };
                }
                Err(error) => terminal::fail("cuf2cu", &error),
            }
        }
        match request {
            Ok(Some(request)) => {
                let page = page.clone();
                // Who asks may be slow to send and to take; nobody waits for that. Without a thread nothing is answered.
                let _ = thread::Builder::new()
                    .spawn(move || answer(request, port, page, version))
                    .map_err(|e| terminal::tell(format_args!("cuf2cu: {e}\n")));
            }
            Ok(None) => {}
            Err(error) => terminal::tell(format_args!("cuf2cu: {error}\n")),
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
fn answer(request: Request, port: u16, page: Arc<[u8]>, version: u64) {
    let (status, kind, body) = match () {
        () if !is_for_us(&request, port) => (
            403,
            "text/plain",
            Arc::from(&b"not the name of this server\n"[..]),
        ),
        () if !matches!(request.method(), Method::Get | Method::Head) => {
            (405, "text/plain", Arc::from(&b"only GET\n"[..]))
        }
        () => match request.url() {
            "/" => (200, "text/html; charset=utf-8", page),
            "/version" => (200, "text/plain", Arc::from(version.to_string().as_bytes())),
            _ => (
                404,
                "text/plain",
                Arc::from(&b"there is nothing else here\n"[..]),
            ),
        },
    };
    let length = body.len();
    let mut response = Response::new(
        status.into(),
        Vec::new(),
        Cursor::new(body),
        Some(length),
        None,
    );
    let headers = [
        ("Content-Type", kind),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Referrer-Policy", "no-referrer"),
    ];
    for (name, value) in headers {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    // Who asked may be gone.
    let _ = request.respond(response);
}

/// A page of the web whose name leads here by a trick of DNS has another name in its requests.
fn is_for_us(request: &Request, port: u16) -> bool {
    let mut hosts = request.headers().iter().filter(|h| h.field.equiv("Host"));
    let host = hosts.next().map(|h| h.value.as_str());
    let known = ["127.0.0.1", "localhost"];
    let known = |h: &str| {
        known
            .iter()
            .any(|k| h == format!("{k}:{port}") || (port == 80 && h == *k))
    };
    host.is_some_and(known) && hosts.next().is_none()
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
