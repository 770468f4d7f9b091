"use strict";
// The data of the page: files, opened when they are asked for, and the links between them. src/view/ writes what is read here.

const element = (id) => document.getElementById(id);

/** An element with a class and contents; text is never markup. */
function make(tag, name, ...contents) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  e.append(...contents.filter((c) => c !== null && c !== undefined));
  return e;
}

function button(name, text, work, title) {
  const b = make("button", name, text);
  b.type = "button";
  if (title) b.title = title;
  b.addEventListener("click", work);
  return b;
}

const INDEX = JSON.parse(element("index-data").textContent);
const COLOURS = ["", "k", "t", "a", "n", "s", "c", "f", "d", "u", "p"];
const DIGITS = new Int8Array(128).fill(-1);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"].forEach((c, i) => { DIGITS[c.charCodeAt(0)] = i; });

/** Reads numbers as src/view/pack.rs writes them. */
class Unpack {
  constructor(text) { this.text = text; this.at = 0; }
  get more() { return this.at < this.text.length; }
  next() {
    let value = 0, shift = 0, digit;
    do {
      digit = DIGITS[this.text.charCodeAt(this.at++)];
      value |= (digit & 31) << shift;
      shift += 5;
    } while (digit & 32);
    return value >>> 0;
  }
  step(from) { const z = this.next(); return from + (z & 1 ? -((z >>> 1) + 1) : z >>> 1); }
}

/** The last index whose value is not beyond `value`; -1 if all are. */
function lastUpTo(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1; else high = middle;
  }
  return low - 1;
}

/** A file of the page, with its lines, colours, statements (of a source) and segments (of an output). */
class File {
  constructor(number, entry) {
    this.number = number;
    this.name = entry.name;
    this.kind = entry.kind;
    this.of = entry.of;
    this.count = entry.lines;
    this.isSource = entry.of === undefined;
    this.opened = false;
  }

  open() {
    if (this.opened) return this;
    this.opened = true;
    const data = JSON.parse(element("file-" + this.number).textContent);
    this.text = data.text;
    const starts = [0];
    for (let i = this.text.indexOf("\n"); i >= 0; i = this.text.indexOf("\n", i + 1)) starts.push(i + 1);
    if (starts.length > 1 && starts[starts.length - 1] === this.text.length) starts.pop();
    this.starts = Int32Array.from(starts);
    this.readColours(new Unpack(data.colours));
    this.statements = this.readStatements(new Unpack(data.statements || ""));
    this.readSegments(new Unpack(data.segments || ""));
    return this;
  }

  readColours(packed) {
    const from = [], to = [], colour = [];
    let at = 0;
    while (packed.more) {
      at += packed.next();
      from.push(at);
      at += packed.next();
      to.push(at);
      colour.push(packed.next());
    }
    this.colourFrom = Int32Array.from(from);
    this.colourTo = Int32Array.from(to);
    this.colour = Uint8Array.from(colour);
  }

  readStatements(packed) {
    const all = [];
    let start = 0;
    while (packed.more) {
      const file = packed.next();
      start = packed.step(start);
      const end = start + packed.next();
      all.push({ file, start, end, fate: packed.next() });
    }
    return all;
  }

  readSegments(packed) {
    const all = [];
    let at = 0, statement = 0, place = 0;
    while (packed.more) {
      const start = at + packed.next();
      at = start + packed.next();
      const rule = packed.next();
      const s = { start, end: at, rule: rule >> 1, expanded: (rule & 1) === 1, statement: -1, file: -1, from: 0, to: 0 };
      if (packed.next()) s.statement = statement = packed.step(statement);
      const file = packed.next();
      if (file) {
        s.file = file - 1;
        s.from = place = packed.step(place);
        s.to = s.from + packed.next();
      }
      all.push(s);
    }
    this.segments = all;
    this.segmentStarts = Int32Array.from(all, (s) => s.start);
  }

  get lines() { return this.opened ? this.starts.length : this.count; }
  lineOf(offset) { return Math.max(0, lastUpTo(this.starts, offset)); }
  /** Where the text of a line (from 0) ends. */
  lineEnd(line) { return line + 1 < this.starts.length ? this.starts[line + 1] - 1 : this.text.replace(/\n$/, "").length; }
  line(line) { return this.text.slice(this.starts[line], this.lineEnd(line)); }

  /** The segment of an output at an offset. */
  segmentAt(offset) {
    const s = this.segments[lastUpTo(this.segmentStarts, offset)];
    return s && offset < s.end ? s : null;
  }
}

const FILES = INDEX.files.map((entry, number) => new File(number, entry));
const SOURCES = FILES.filter((f) => f.isSource);
const outputsOf = (source) => FILES.filter((f) => f.of === source.number);
const byPath = new Map(INDEX.paths.map((path, number) => [path, FILES[number]]));

/** The sources whose outputs a source goes into: itself, or those that include it. */
function targetsOf(source) {
  const own = outputsOf(source);
  if (own.length) return own;
  const including = new Set();
  INDEX.facts.forEach((f) => f.includes.forEach((i) => {
    if (byPath.get(i.included) === source) including.add(byPath.get(i.file));
  }));
  return [...including].filter(Boolean).flatMap(targetsOf);
}

/** What of a source goes into an output, in the order of the source: made once for each pair. */
function crossings(source, output) {
  output.open();
  output.crossed ??= new Map();
  let found = output.crossed.get(source.number);
  if (!found) {
    const owner = FILES[output.of].open();
    const segments = [];
    for (const s of output.segments) {
      let file = s.file, from = s.from, to = s.to;
      const statement = owner.statements[s.statement];
      if (file < 0 && statement) ({ file, start: from, end: to } = statement);
      if (file === source.number) segments.push({ from, to, segment: s, statement });
    }
    segments.sort((a, b) => a.from - b.from || b.to - a.to);
    let reach = 0;
    const starts = Int32Array.from(segments, (s) => s.from);
    const reaches = Int32Array.from(segments, (s) => (reach = Math.max(reach, s.to)));
    found = { segments, starts, reaches };
    output.crossed.set(source.number, found);
  }
  return found;
}

/** The crossings that hold an offset of the source, the smallest first. */
function crossingsAt(source, output, offset) {
  const { segments, starts, reaches } = crossings(source, output);
  const found = [];
  for (let i = lastUpTo(starts, offset); i >= 0 && reaches[i] > offset; i--) {
    if (segments[i].to > offset) found.push(segments[i]);
  }
  return found.sort((a, b) => (a.to - a.from) - (b.to - b.from));
}

/** The statement of a source that holds an offset: [owner, index], looked for among the sources that have the file. */
function statementAt(source, offset) {
  for (const owner of new Set([source, ...targetsOf(source).map((o) => FILES[o.of])])) {
    owner.open();
    let best = -1;
    owner.statements.forEach((s, i) => {
      if (s.file === source.number && s.start <= offset && offset < s.end) {
        const b = owner.statements[best];
        if (!b || s.end - s.start < b.end - b.start) best = i;
      }
    });
    if (best >= 0) return [owner, best];
  }
  return null;
}

/** Lines of source and output that belong together: [line of the source, line of the output], by lines of the output. */
function anchors(source, output) {
  output.open();
  source.open();
  output.anchored ??= new Map();
  let found = output.anchored.get(source.number);
  if (!found) {
    const owner = FILES[output.of].open();
    found = [];
    let last = -1;
    for (const s of output.segments) {
      const line = output.lineOf(s.start);
      if (line === last) continue;
      const statement = owner.statements[s.statement];
      const place = statement && statement.file === source.number ? statement.start : s.file === source.number ? s.from : -1;
      if (place >= 0) {
        found.push([source.lineOf(place), line]);
        last = line;
      }
    }
    output.anchored.set(source.number, found);
  }
  return found;
}

/** A name of a file as links have it, or the end of one. */
function fileNamed(name) {
  return FILES.find((f) => f.name === name) || FILES.find((f) => f.name.endsWith("/" + name)) || null;
}
