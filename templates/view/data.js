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
/** What the page was made by, of what. */
INDEX.made = "cuf2cu " + INDEX.version + (INDEX.options ? " " + INDEX.options : "")
  + (INDEX.dated === null ? "" : " · sources of " + new Date(1000 * INDEX.dated).toISOString().slice(0, 16).replace("T", " ") + " UTC");
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

/** What of the source map belongs to an output: columns of numbers, of which most are never looked at. */
class Segments {
  constructor(packed) {
    // A segment has five numbers or more.
    const room = Math.ceil(packed.text.length / 5);
    const column = (Kind = Int32Array) => new Kind(room);
    const [start, end, rule, statement, file, from, to] = [column(), column(), column(Uint16Array), column(), column(), column(), column()];
    let n = 0, at = 0, owner = 0, place = 0;
    for (; packed.more; n++) {
      start[n] = at + packed.next();
      end[n] = at = start[n] + packed.next();
      rule[n] = packed.next();
      statement[n] = packed.next() ? (owner = packed.step(owner)) : -1;
      file[n] = packed.next() - 1;
      if (file[n] >= 0) {
        from[n] = place = packed.step(place);
        to[n] = place + packed.next();
      }
    }
    this.count = n;
    const cut = (all) => all.slice(0, n);
    Object.assign(this, { start: cut(start), end: cut(end), rules: cut(rule), statement: cut(statement), file: cut(file), from: cut(from), to: cut(to) });
  }

  /** One of them as an object. */
  get(i) {
    return {
      start: this.start[i], end: this.end[i], rule: this.rules[i] >> 1, expanded: (this.rules[i] & 1) === 1,
      statement: this.statement[i], file: this.file[i], from: this.from[i], to: this.to[i],
    };
  }

  /** Those of a statement. */
  of(statement) {
    if (!this.order) {
      // Sorted by counting: how many come before those of each.
      const most = this.statement.reduce((a, b) => Math.max(a, b), -1);
      this.begins = new Int32Array(most + 2);
      for (const s of this.statement) if (s >= 0) this.begins[s + 1]++;
      for (let s = 0; s <= most; s++) this.begins[s + 1] += this.begins[s];
      const next = this.begins.slice();
      this.order = new Int32Array(this.begins[most + 1]);
      this.statement.forEach((s, n) => { if (s >= 0) this.order[next[s]++] = n; });
    }
    const [from, to] = [this.begins[statement] ?? 0, this.begins[statement + 1] ?? 0];
    return Array.from(this.order.subarray(from, to), (n) => this.get(n));
  }
}

/** A file of the page: its lines, and once somebody asks its colours, statements (of a source) and segments (of an output). */
class File {
  constructor(number, entry) {
    this.number = number;
    this.name = entry.name;
    this.kind = entry.kind;
    this.of = entry.of;
    this.count = entry.lines;
    this.isSource = entry.of === undefined;
    this.opened = false;
    this.held = new Map();
  }

  open() {
    if (this.opened) return this;
    this.opened = true;
    const data = JSON.parse(element("file-" + this.number).textContent);
    this.text = data.text;
    this.packed = data;
    const starts = [0];
    for (let i = this.text.indexOf("\n"); i >= 0; i = this.text.indexOf("\n", i + 1)) starts.push(i + 1);
    if (starts.length > 1 && starts[starts.length - 1] === this.text.length) starts.pop();
    this.starts = Int32Array.from(starts);
    return this;
  }

  /** What is made of a part of the data when it is first needed. */
  unpacked(part, read) {
    let found = this.held.get(part);
    if (!found) {
      found = read(new Unpack(this.packed[part] || ""));
      this.packed[part] = "";
      this.held.set(part, found);
    }
    return found;
  }

  /** Stretches of one colour: where they begin and end. */
  get colours() {
    return this.unpacked("colours", (packed) => {
      const room = Math.ceil(packed.text.length / 3);
      const from = new Int32Array(room), to = new Int32Array(room), colour = new Uint8Array(room);
      let at = 0, n = 0;
      for (; packed.more; n++) {
        from[n] = at += packed.next();
        to[n] = at += packed.next();
        colour[n] = packed.next();
      }
      return { from: from.subarray(0, n), to: to.subarray(0, n), colour: colour.subarray(0, n) };
    });
  }

  get statements() {
    return this.unpacked("statements", (packed) => {
      const all = [];
      let start = 0;
      while (packed.more) {
        const file = packed.next();
        start = packed.step(start);
        const end = start + packed.next();
        all.push({ file, start, end, fate: packed.next() });
      }
      return all;
    });
  }

  get segments() { return this.unpacked("segments", (packed) => new Segments(packed)); }

  get lines() { return this.opened ? this.starts.length : this.count; }
  lineOf(offset) { return Math.max(0, lastUpTo(this.starts, offset)); }
  /** Where the text of a line (from 0) ends. */
  lineEnd(line) { return line + 1 < this.starts.length ? this.starts[line + 1] - 1 : this.text.replace(/\n$/, "").length; }
  line(line) { return this.text.slice(this.starts[line], this.lineEnd(line)); }

  /** The segment of an output at an offset. */
  segmentAt(offset) {
    const n = lastUpTo(this.segments.start, offset);
    return n >= 0 && offset < this.segments.end[n] ? this.segments.get(n) : null;
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

/** Ranges that may lie in each other, to be asked which of them hold an offset. */
class Ranges {
  /** By numbers: where each begins and ends. */
  constructor(numbers, from, to) {
    this.order = numbers.sort((a, b) => from(a) - from(b) || to(b) - to(a));
    let reach = 0;
    this.starts = Int32Array.from(this.order, from);
    this.reaches = Int32Array.from(this.order, (n) => (reach = Math.max(reach, to(n))));
    this.to = to;
  }

  /** The numbers of those that hold an offset, the smallest first. */
  at(offset) {
    const found = [];
    for (let i = lastUpTo(this.starts, offset); i >= 0 && this.reaches[i] > offset; i--) {
      if (this.to(this.order[i]) > offset) found.push([this.order[i], this.to(this.order[i]) - this.starts[i]]);
    }
    return found.sort((a, b) => a[1] - b[1]).map((f) => f[0]);
  }
}

/** The statements of a source, or of what it includes, that lie in a file, by their places. */
function statedIn(owner, file) {
  owner.stated ??= new Map();
  let found = owner.stated.get(file.number);
  if (!found) {
    const all = owner.open().statements;
    const numbers = [...all.keys()].filter((n) => all[n].file === file.number);
    found = new Ranges(numbers, (n) => all[n].start, (n) => all[n].end);
    owner.stated.set(file.number, found);
  }
  return found;
}

/** The segments of an output from a file that are not found by their statement: they have none, or are of several. */
function looseOf(output, file) {
  output.loose ??= new Map();
  let found = output.loose.get(file.number);
  if (!found) {
    const all = output.segments, statements = FILES[output.of].statements, numbers = [];
    for (let n = 0; n < all.count; n++) {
      if (all.file[n] !== file.number) continue;
      const s = statements[all.statement[n]];
      if (!s || s.file !== file.number || all.from[n] < s.start || s.end < all.to[n]) numbers.push(n);
    }
    found = new Ranges(numbers, (n) => all.from[n], (n) => all.to[n]);
    output.loose.set(file.number, found);
  }
  return found;
}

/** What of a source goes into an output, of what holds an offset: from the smallest place on. */
function crossingsAt(source, output, offset) {
  const owner = FILES[output.of].open(), all = output.open().segments;
  const found = new Map();
  const add = (segment, from, to) => {
    if (from <= offset && offset < to) found.set(segment.start, { from, to, segment });
  };
  for (const n of statedIn(owner, source).at(offset)) {
    const { start, end } = owner.statements[n];
    for (const s of all.of(n)) {
      if (s.file === source.number) add(s, s.from, s.to); else if (s.file < 0) add(s, start, end);
    }
  }
  for (const n of looseOf(output, source).at(offset)) add(all.get(n), all.from[n], all.to[n]);
  return [...found.values()].sort((a, b) => (a.to - a.from) - (b.to - b.from));
}

/** The statement of a source that holds an offset: [owner, index], looked for among the sources that have the file. */
function statementAt(source, offset) {
  for (const owner of new Set([source, ...targetsOf(source).map((o) => FILES[o.of])])) {
    const [best] = statedIn(owner, source).at(offset);
    if (best !== undefined) return [owner, best];
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
    const owner = FILES[output.of].open(), all = output.segments;
    found = [];
    let line = 0;
    for (let n = 0; n < all.count; n++) {
      // One for each line, the first that has a place in the source.
      if (all.start[n] < output.starts[line]) continue;
      while (line + 1 < output.starts.length && output.starts[line + 1] <= all.start[n]) line++;
      const statement = owner.statements[all.statement[n]];
      const place = statement && statement.file === source.number ? statement.start : all.file[n] === source.number ? all.from[n] : -1;
      if (place >= 0) {
        found.push([source.lineOf(place), line]);
        if (++line >= output.starts.length) break;
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
