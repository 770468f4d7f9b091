//! How many commands run at a time: the number of this process, and where make started it, what make's jobserver gives.

use std::env;
use std::sync::OnceLock;

use jobserver::{Acquired, Client, HelperThread};

/// What make has told of its jobs.
#[derive(Debug)]
pub enum Make {
    /// There is no make with jobs.
    None,
    /// Its jobserver.
    Jobs(Client),
    /// It has one, but this process is not to use it (a recipe without `+`): as every command that knows of none it is one job.
    OutOfReach,
}

/// Asks the environment. Called once, before files are opened: the descriptors that make names must still be make's.
pub fn of_make() -> Make {
    let named = env::var("CARGO_MAKEFLAGS")
        .or_else(|_| env::var("MAKEFLAGS"))
        .is_ok_and(|f| f.contains("--jobserver"));
    if !named {
        return Make::None;
    }
    // SAFETY: the descriptors that make names are checked to be open pipes; this process has opened none of its own yet that could be taken for them.
    match unsafe { Client::from_env_ext(true) }.client {
        Ok(client) => Make::Jobs(client),
        Err(_) => Make::OutOfReach,
    }
}

static MAKE: OnceLock<Make> = OnceLock::new();

/// Asks the environment now, see [`of_make`].
pub fn ask() {
    let _ = MAKE.set(of_make());
}

fn server() -> Option<&'static Client> {
    match MAKE.get() {
        Some(Make::Jobs(client)) => Some(client),
        _ => None,
    }
}

/// Commands at a time where nobody has said how many: one a core, which make's jobserver bounds.
pub fn by_default() -> usize {
    match MAKE.get() {
        Some(Make::OutOfReach) => 1,
        _ => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// Places for threads of this process, as far as make has some to spare now: at most `wanted`, one of which is this process's own.
pub fn threads(wanted: usize) -> (usize, Vec<Acquired>) {
    let Some(client) = server() else {
        return (wanted, Vec::new());
    };
    let more = (1..wanted).map_while(|_| client.try_acquire().ok().flatten());
    let more: Vec<Acquired> = more.collect();
    (1 + more.len(), more)
}

/// The place of a command that runs.
#[derive(Debug)]
pub enum Slot {
    /// Nobody counts.
    Uncounted,
    /// That of this process itself, which make has started as one job.
    Own,
    /// Another one, given by make.
    Given(Acquired),
}

/// The places that this process has and nothing runs in.
#[derive(Debug)]
pub struct Slots {
    counted: bool,
    own: bool,
    given: Vec<Acquired>,
    /// Asked for, and not given yet.
    asked: usize,
}

impl Slots {
    /// Those at the start.
    pub fn at_start() -> Slots {
        Slots {
            counted: server().is_some(),
            own: true,
            given: Vec::new(),
            asked: 0,
        }
    }

    /// A place for a command. None: there will be one later, `helper` has asked make for it.
    pub fn claim(&mut self, helper: Option<&HelperThread>) -> Option<Slot> {
        if !self.counted {
            return Some(Slot::Uncounted);
        }
        if std::mem::take(&mut self.own) {
            return Some(Slot::Own);
        }
        if let Some(token) = self.given.pop() {
            return Some(Slot::Given(token));
        }
        if let Some(helper) = helper.filter(|_| self.asked == 0) {
            helper.request_token();
            self.asked += 1;
        }
        None
    }

    /// A command has ended. What no other one waits for goes back to make.
    pub fn hand_back(&mut self, slot: Slot, wanted: bool) {
        match slot {
            Slot::Uncounted => {}
            Slot::Own => self.own = true,
            Slot::Given(token) if wanted => self.given.push(token),
            Slot::Given(_) => {}
        }
        if !wanted {
            self.given.clear();
        }
    }

    /// Make has given a place.
    pub fn arrived(&mut self, token: Option<Acquired>) {
        self.asked = self.asked.saturating_sub(1);
        self.given.extend(token);
    }
}

/// A thread that waits for make's places and hands them to `arrived`, where there is a jobserver.
pub fn helper(mut arrived: impl FnMut(Option<Acquired>) + Send + 'static) -> Option<HelperThread> {
    let client = server()?.clone();
    client
        .into_helper_thread(move |token| arrived(token.ok()))
        .ok()
}
