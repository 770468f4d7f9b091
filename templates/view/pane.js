// A pane: the tabs of its files and the lines of one, of which only those in sight exist as elements.

const LINE = 20;
/** Lines beyond those in sight that are drawn. */
const SPARE = 12;

class Pane {
  constructor(root, name) {
    this.root = root;
    this.tabs = make("div", "tabs");
    this.tabs.setAttribute("role", "tablist");
    this.tabs.setAttribute("aria-label", name);
    this.view = make("div", "scroll");
    this.view.tabIndex = 0;
    this.view.setAttribute("role", "tabpanel");
    this.space = make("div", "space");
    this.view.append(this.space);
    root.append(this.tabs, this.view);
    this.rows = new Map();
    this.file = null;
    this.current = -1;
    this.lit = [];
    this.query = "";
    /** By line: what is told below it. */
    this.blocks = new Map();
    this.order = [];
    this.offsets = [];
    this.view.addEventListener("scroll", () => { this.draw(); this.onscroll(); }, { passive: true });
    new ResizeObserver(() => { this.measure(); this.draw(); }).observe(this.view);
  }

  onscroll() {}

  show(file) {
    if (this.file === file) return;
    this.file = file.open();
    this.current = -1;
    this.lit = [];
    this.clear();
    this.blocks.forEach((b) => b.remove());
    this.blocks.clear();
    let longest = 0;
    for (let i = 0; i < file.lines; i++) longest = Math.max(longest, file.lineEnd(i) - file.starts[i]);
    this.space.style.minWidth = `calc(${Math.min(longest, 2000)}ch + var(--gutter) + 2rem)`;
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

  /** Heights of blocks, and the height of the whole. */
  measure() {
    if (!this.file) return;
    this.order = [...this.blocks.keys()].sort((a, b) => a - b);
    const width = Math.max(200, this.view.clientWidth - 80) + "px";
    this.order.forEach((l) => {
      const b = this.blocks.get(l);
      b.style.width = width;
      if (!b.isConnected) this.space.append(b);
    });
    let above = 0;
    this.offsets = this.order.map((l) => (above += this.blocks.get(l).offsetHeight));
    this.space.style.height = this.file.lines * LINE + above + LINE + "px";
  }

  top(line) {
    const n = lastUpTo(this.order, line - 1);
    return line * LINE + (n < 0 ? 0 : this.offsets[n]);
  }

  lineAtHeight(y) {
    let low = 0, high = this.file.lines;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.top(middle) <= y) low = middle + 1; else high = middle;
    }
    return Math.max(0, low - 1);
  }

  draw() {
    if (!this.file) return;
    const first = Math.max(0, this.lineAtHeight(this.view.scrollTop) - SPARE);
    const last = Math.min(this.file.lines - 1, this.lineAtHeight(this.view.scrollTop + this.view.clientHeight) + SPARE);
    for (const [line, row] of this.rows) {
      if (line < first || line > last) { row.remove(); this.rows.delete(line); }
    }
    const fresh = document.createDocumentFragment();
    for (let line = first; line <= last; line++) {
      let row = this.rows.get(line);
      if (!row) {
        row = this.row(line);
        this.rows.set(line, row);
        fresh.append(row);
      }
      row.style.top = this.top(line) + "px";
    }
    this.space.append(fresh);
    this.order.forEach((l) => { this.blocks.get(l).style.top = this.top(l) + LINE + "px"; });
  }

  redraw() { this.clear(); this.draw(); }

  row(line) {
    const number = make("a", "number", String(line + 1));
    number.href = "#" + encodeURI(this.file.name) + ":" + (line + 1);
    number.tabIndex = -1;
    const marks = make("span", "marks", ...marksOf(this, line));
    const code = make("span", "code");
    this.fill(code, line);
    const row = make("div", line === this.current ? "row current" : "row", marks, number, code);
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
    this.rows.forEach((row, line) => { const code = row.lastChild; code.replaceChildren(); this.fill(code, line); });
  }

  mark(line) {
    this.rows.get(this.current)?.classList.remove("current");
    this.current = line;
    this.rows.get(line)?.classList.add("current");
  }

  /** Scrolls so that a line is in sight, a third from the top. */
  reveal(line, always) {
    const y = this.top(line), height = this.view.clientHeight;
    if (always || y < this.view.scrollTop + LINE || y > this.view.scrollTop + height - 3 * LINE) {
      this.view.scrollTop = Math.max(0, y - height / 3);
    }
    this.draw();
  }

  /** The place of an event in the file: [line, offset]; null beside all lines. */
  placeOf(event) {
    const row = document.elementFromPoint(event.clientX, event.clientY)?.closest(".row");
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
