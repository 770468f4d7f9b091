//! Records as programs write them.

use std::io::{self, BufRead, BufReader, Read};

/// What a record begins with; the target follows.
const HEAD: &str = "cuf2cu record 1 ";

/// The longest line of a record.
const LONGEST: u64 = 1 << 16;

/// Kernels of the runtime's own operations on arrays: how many there are depends on the device.
const OWN_KERNELS: &str = "cuf::arrays::";

/// A launch.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    pub name: String,
    /// FILE:LINE, empty where it is not known.
    pub place: String,
}

/// Data of the host that has come from the device. The bytes follow.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// `assignment`, `copy`, `result`, `managed data`.
    pub what: String,
    pub type_name: String,
    pub extents: Vec<u64>,
    pub bytes: u64,
    pub place: String,
    /// Where managed data was allocated, or `variable NAME`.
    pub allocated: Option<String>,
}

impl Transfer {
    pub fn element_bytes(&self) -> u64 {
        let count = self.extents.iter().product::<u64>();
        self.bytes.checked_div(count).unwrap_or(1).max(1)
    }
}

#[derive(Clone, Debug)]
pub enum Event {
    Launch(Launch),
    Transfer(Transfer),
    /// `whole`: the program came to its end.
    End {
        whole: bool,
    },
}

/// A record that is read.
pub struct Record<R> {
    from: BufReader<R>,
    begun: bool,
    launch: Option<Launch>,
}

/// Whether a file begins as records do.
pub fn is_record(beginning: &[u8]) -> bool {
    beginning.starts_with(HEAD.as_bytes())
}

impl<R: Read> Record<R> {
    pub fn new(from: R) -> Record<R> {
        Record {
            from: BufReader::with_capacity(1 << 18, from),
            begun: false,
            launch: None,
        }
    }

    /// What comes behind that which was read.
    pub fn into_inner(self) -> BufReader<R> {
        self.from
    }

    /// The last launch that was read.
    pub fn last_launch(&self) -> Option<&Launch> {
        self.launch.as_ref()
    }

    /// What comes next. The bytes of a transfer are to be read before the next one.
    ///
    /// # Errors
    /// What the system says, and what is no record.
    pub fn event(&mut self) -> io::Result<Event> {
        if !self.begun {
            self.begun = true;
            match self.line()? {
                Some(head) if head.starts_with(HEAD) => {}
                // A program that ended before it began.
                None => return Ok(Event::End { whole: false }),
                Some(_) => return Err(invalid("not a cuf2cu run record")),
            }
        }
        loop {
            let Some(line) = self.line()? else {
                return Ok(Event::End { whole: false });
            };
            let (kind, rest) = line.split_at_checked(2).unwrap_or((&line, ""));
            match kind {
                "L " => {
                    let (name, place) = rest.split_once('\t').unwrap_or((rest, ""));
                    let launch = Launch {
                        name: name.to_owned(),
                        place: place.to_owned(),
                    };
                    let own = name.starts_with(OWN_KERNELS);
                    self.launch = Some(launch.clone());
                    if !own {
                        return Ok(Event::Launch(launch));
                    }
                }
                "T " => return transfer(rest).map(Event::Transfer),
                "E" => return Ok(Event::End { whole: true }),
                _ => return Err(invalid("malformed line in the run record")),
            }
        }
    }

    /// Bytes of the transfer.
    ///
    /// # Errors
    /// What the system says; the end of the record.
    pub fn read(&mut self, into: &mut [u8]) -> io::Result<()> {
        self.from.read_exact(into)
    }

    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        (&mut self.from)
            .take(LONGEST)
            .read_until(b'\n', &mut line)?;
        match line.pop() {
            None => Ok(None),
            Some(b'\n') => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
            // A program that was ended while it wrote.
            Some(_) => Ok(None),
        }
    }
}

fn transfer(line: &str) -> io::Result<Transfer> {
    let wrong = || invalid("malformed transfer in the run record");
    let mut parts = line.split('\t');
    let mut part = || parts.next().ok_or_else(wrong);
    let (what, type_name, extents, bytes, place) = (part()?, part()?, part()?, part()?, part()?);
    let extents: Result<Vec<u64>, _> = (extents.split(',').filter(|e| !e.is_empty()))
        .map(str::parse)
        .collect();
    Ok(Transfer {
        what: what.to_owned(),
        type_name: type_name.to_owned(),
        extents: extents.map_err(|_| wrong())?,
        bytes: bytes.parse().map_err(|_| wrong())?,
        place: place.to_owned(),
        allocated: parts.next().map(str::to_owned),
    })
}

fn invalid(text: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}
