// A pane: the tabs of its files and the lines of one, of which only those in sight exist as elements.

const LINE = 20;
/** Lines beyond those in sight that are drawn. */
const SPARE = 12;
/** Lines that a fold gives at a time. */
const MORE = 20;

class Pane {
  constructor(root, name) {
    this.root = root;
    this.tabs = make("div", "tabs");
    this.tools = make("div", "pane-tools");
    this.tabs.setAttribute("role", "tablist");
    this.tabs.setAttribute("aria-label", name);
    this.view = make("div", "scroll");
    this.view.tabIndex = 0;
    this.view.setAttribute("role", "tabpanel");
    this.space = make("div", "space");
    this.view.append(this.space);
    root.append(make("div", "pane-head", this.tabs, this.tools), this.view);
    this.rows = new Map();
    this.file = null;
    this.current = this.last = -1;
    this.lit = [];
    this.query = "";
    /** By line: what is told below it. */
    this.blocks = new Map();
    this.order = [];
    /** Stretches of lines that are folded away: [first, the line behind]. */
    this.folds = [];
    this.hidden = new Uint8Array(0);
    /** Where each line begins, in pixels, and the end of the last. */
    this.tops = new Float64Array(1);
    /** Letters in a line of the screen where long lines are wrapped; 0: they are not. */
    this.columns = 0;
    this.wraps = false;
    this.view.addEventListener("scroll", () => { this.draw(); this.onscroll(); }, { passive: true });
    new ResizeObserver(() => { this.measure(); this.draw(); }).observe(this.view);
  }

  onscroll() {}

  show(file) {
    if (this.file === file) return;
    this.file = file.open();
    this.current = this.last = -1;
    this.lit = [];
    this.clear();
    this.blocks.forEach((b) => b.remove());
    this.blocks.clear();
    this.folds = foldsOf(file);
    this.view.setAttribute("aria-label", "Lines of " + file.name);
    this.measure();
    this.view.scrollTop = 0;
    this.view.scrollLeft = 0;
    this.draw();
  }

  clear() {
    this.rows.forEach((r) => r.remove());
    this.rows.clear();
  }

  /** Puts an element below a line; null takes it away. */
  unfold(line, block) {
    this.blocks.get(line)?.remove();
    if (block) this.blocks.set(line, block); else this.blocks.delete(line);
    this.measure();
    this.redraw();
  }

  unfoldAll(blocks) {
    this.blocks.forEach((b) => b.remove());
    this.blocks = blocks;
    this.measure();
    this.redraw();
  }

  /** How many lines of the screen a line takes. */
  rowsOf(line) {
    if (!this.columns) return 1;
    return Math.max(1, Math.ceil(widthOf(this.file.line(line)) / this.columns));
  }

  /** Where everything stands: lines that are folded or wrapped, and what is told below them. */
  measure() {
    if (!this.file) return;
    const n = this.file.lines;
    this.columns = this.wraps ? Math.max(20, Math.floor((this.view.clientWidth - 110) / letterWidth(this.space))) : 0;
    this.root.classList.toggle("wrapped", this.wraps);
    let longest = 0;
    for (let i = 0; i < n; i++) longest = Math.max(longest, this.file.lineEnd(i) - this.file.starts[i]);
    this.space.style.minWidth = this.wraps ? "0" : `calc(${Math.min(longest, 2000)}ch + var(--gutter) + 2rem)`;
    this.hidden = new Uint8Array(n);
    for (const [from, to] of this.folds) { this.hidden.fill(1, from, to); this.hidden[from] = 2; }
    this.order = [...this.blocks.keys()].sort((a, b) => a - b);
    const width = Math.max(200, this.view.clientWidth - 80) + "px";
    this.order.forEach((l) => {
      const b = this.blocks.get(l);
      b.style.width = width;
      b.hidden = this.hidden[l] > 0;
      if (!b.isConnected) this.space.append(b);
    });
    this.tops = new Float64Array(n + 1);
    for (let line = 0, y = 0; line < n; line++) {
      this.tops[line] = y;
      y += this.hidden[line] ? (this.hidden[line] === 2 ? LINE : 0) : LINE * this.rowsOf(line) + (this.blocks.get(line)?.offsetHeight ?? 0);
      this.tops[line + 1] = y;
    }
    this.space.style.height = this.tops[n] + LINE + "px";
  }

  top(line) { return this.tops[Math.max(0, Math.min(line, this.file.lines))]; }

  lineAtHeight(y) { return Math.max(0, Math.min(lastUpTo(this.tops, y), this.file.lines - 1)); }

  draw() {
    if (!this.file) return;
    const first = Math.max(0, this.lineAtHeight(this.view.scrollTop) - SPARE);
    const last = Math.min(this.file.lines - 1, this.lineAtHeight(this.view.scrollTop + this.view.clientHeight) + SPARE);
    for (const [line, row] of this.rows) {
      if (line < first || line > last) { row.remove(); this.rows.delete(line); }
    }
    const fresh = document.createDocumentFragment();
    for (let line = first; line <= last; line++) {
      if (this.hidden[line] === 1) continue;
      let row = this.rows.get(line);
      if (!row) {
        row = this.hidden[line] ? this.foldRow(line) : this.row(line);
        this.rows.set(line, row);
        fresh.append(row);
      }
      row.style.top = this.top(line) + "px";
    }
    this.space.append(fresh);
    this.order.forEach((l) => { this.blocks.get(l).style.top = this.top(l) + LINE * this.rowsOf(l) + "px"; });
  }

  /** What stands in the place of lines that are folded away, and shows them. */
  foldRow(line) {
    const fold = this.folds.find((f) => f[0] === line);
    const [from, to] = fold, count = to - from;
    const show = (a, b) => () => { this.cutFold(fold, a, b); this.view.focus({ preventScroll: true }); };
    const row = make("div", "row fold", button("", "Show " + count + " unchanged lines", show(from, to)));
    if (count > 2 * MORE) {
      row.append(button("", MORE + " above ↓", show(from, from + MORE)), button("", "↑ " + MORE + " below", show(to - MORE, to)));
    }
    row.dataset.line = line;
    return row;
  }

  /** Shows the lines from `a` to before `b` of a fold. */
  cutFold(fold, a, b) {
    const rest = [[fold[0], a], [b, fold[1]]].filter(([from, to]) => from < to);
    this.folds = this.folds.flatMap((f) => (f === fold ? rest : [f]));
    this.measure();
    this.redraw();
  }

  refold(folds) {
    this.folds = folds;
    this.measure();
    this.redraw();
  }

  redraw() { this.clear(); this.draw(); }

  row(line) {
    const number = make("a", "number", String(line + 1));
    number.href = "#" + encodeURI(this.file.name) + ":" + (line + 1);
    number.tabIndex = -1;
    const marks = make("span", "marks", ...marksOf(this, line));
    const code = make("span", "code");
    this.fill(code, line);
    const row = make("div", "row", marks, number, code);
    row.classList.toggle("current", this.isCurrent(line));
    if (this.columns) code.style.width = this.columns + "ch";
    const tone = toneOf(this.file, line);
    if (tone) row.classList.add(tone);
    row.dataset.line = line;
    return row;
  }

  /** The text of a line in its colours, with what is lit. */
  fill(code, line) {
    const f = this.file, start = f.starts[line], end = f.lineEnd(line);
    const over = this.lit.filter((l) => l.to > start && l.from < end);
    if (this.query) {
      const text = lower(f.text.slice(start, end));
      for (let i = text.indexOf(this.query); i >= 0; i = text.indexOf(this.query, i + this.query.length)) {
        over.push({ from: start + i, to: start + i + this.query.length, name: "found" });
      }
    }
    const cuts = new Set([start, end]);
    over.forEach((l) => { cuts.add(Math.max(l.from, start)); cuts.add(Math.min(l.to, end)); });
    const coloured = [];
    const c = f.colours;
    for (let n = Math.max(0, lastUpTo(c.from, start)); n < c.from.length && c.from[n] < end; n++) {
      const from = Math.max(c.from[n], start), to = Math.min(c.to[n], end);
      if (from < to) { coloured.push([from, to, COLOURS[c.colour[n]]]); cuts.add(from); cuts.add(to); }
    }
    const places = [...cuts].sort((a, b) => a - b);
    for (let i = 0; i + 1 < places.length; i++) {
      const [from, to] = [places[i], places[i + 1]];
      const names = coloured.filter(([a, b]) => a <= from && to <= b).map((c) => c[2]);
      names.push(...new Set(over.filter((l) => l.from <= from && to <= l.to).map((l) => l.name)));
      const text = f.text.slice(from, to);
      code.append(names.length ? make("span", names.join(" "), text) : text);
    }
  }

  light(lit) {
    if (lit.length === 0 && this.lit.length === 0) return;
    this.lit = joined(lit, this.file);
    this.rows.forEach((row, line) => {
      if (this.hidden[line]) return;
      const code = row.lastChild;
      code.replaceChildren();
      this.fill(code, line);
    });
  }

  isCurrent(line) { return this.current <= line && line <= this.last; }

  /** Marks a line, or the lines up to `last`. */
  mark(line, last = line) {
    this.current = line;
    this.last = last;
    this.rows.forEach((row, l) => row.classList.toggle("current", this.isCurrent(l)));
  }

  /** Scrolls so that a line is in sight, a third from the top. */
  reveal(line, always) {
    const fold = this.folds.find(([from, to]) => from <= line && line < to);
    if (fold) this.cutFold(fold, Math.max(fold[0], line - MORE), Math.min(fold[1], line + MORE));
    const y = this.top(line), height = this.view.clientHeight;
    if (always || y < this.view.scrollTop + LINE || y > this.view.scrollTop + height - 3 * LINE) {
      this.view.scrollTop = Math.max(0, y - height / 3);
    }
    this.draw();
  }

  /** The place of an event in the file: [line, offset]; null beside all lines. */
  placeOf(event) {
    const row = document.elementFromPoint(event.clientX, event.clientY)?.closest(".row:not(.fold)");
    if (!row || !this.view.contains(row)) return null;
    const line = Number(row.dataset.line);
    const code = row.lastChild;
    const column = columnAt(code, event.clientX, event.clientY);
    return [line, Math.min(this.file.starts[line] + column, this.file.lineEnd(line))];
  }

  setTabs(files, chosen, badge, choose) {
    const one = (f) => {
      const tab = button("tab " + f.kind, f.name.replace(/^.*\//, ""), () => choose(f), f.name);
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-selected", String(f === chosen));
      tab.tabIndex = f === chosen ? 0 : -1;
      if (badge(f)) { tab.classList.add("has"); }
      return tab;
    };
    this.tabs.replaceChildren(...files.map(one));
  }
}

/** The columns of a text, with tabulators to every eighth. */
function widthOf(text) {
  if (!text.includes("\t")) return text.length;
  let width = 0;
  for (const c of text) width += c === "\t" ? 8 - (width % 8) : 1;
  return width;
}

/** The width of a letter of the code. */
function letterWidth(space) {
  const probe = make("div", "row", make("span", "code", "0".repeat(100)));
  probe.style.visibility = "hidden";
  probe.style.minWidth = "0";
  probe.firstChild.style.flex = "none";
  probe.firstChild.style.padding = "0";
  space.append(probe);
  const width = probe.firstChild.getBoundingClientRect().width / 100;
  probe.remove();
  return width || 8;
}

/** Tokens with nothing but blanks between them are lit as one. */
function joined(lit, file) {
  const out = lit.filter((l) => l.name !== "token");
  let last = null;
  for (const l of lit.filter((t) => t.name === "token").sort((a, b) => a.from - b.from)) {
    if (last && (l.from <= last.to || /^ *$/.test(file.text.slice(last.to, l.from)))) last.to = Math.max(last.to, l.to);
    else out.push(last = { ...l });
  }
  return out;
}

/** The column of a point in the text of an element, by the width of a letter. */
function columnAt(code, x, y) {
  const range = document.caretPositionFromPoint?.(x, y) ?? null;
  const caret = range ? [range.offsetNode, range.offset] : caretOf(document.caretRangeFromPoint?.(x, y));
  let width = null;
  if (caret && code.contains(caret[0]) && caret[0].nodeType === Node.TEXT_NODE) {
    width = caret[1];
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(); n && n !== caret[0]; n = walker.nextNode()) width += n.length;
    // Right of the middle of a letter the caret stands behind it.
    const rest = document.createRange();
    rest.setStart(caret[0], caret[1]);
    rest.collapse(true);
    if (width > 0 && rest.getBoundingClientRect().left > x) width -= 1;
  }
  return width ?? code.textContent.length;
}

function caretOf(range) { return range ? [range.startContainer, range.startOffset] : null; }
