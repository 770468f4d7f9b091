// The page: what is shown, what is lit, keys, links.

const left = new Pane(element("source"), "Sources");
const right = new Pane(element("output"), "Generated files");
/** The pane that the reader moves; the other one follows. */
let leader = left;
/** What was clicked: { file, line, offset }. */
let chosen = null;

const other = (pane) => (pane === left ? right : left);
const isOutput = (f) => f && !f.isSource;

function setSource(file) {
  if (left.file === file) return;
  left.show(file);
  left.unfoldAll(openBlocks(file, element("notes-button").getAttribute("aria-pressed") === "true"));
  if (!targetsOf(file).includes(right.file)) {
    const outputs = targetsOf(file);
    const first = outputs.find((o) => o.kind === "device") || outputs.find((o) => o.kind === "host") || outputs[0];
    if (first) right.show(first); else right.file = null;
  }
  tabs([]);
}

function setOutput(file) {
  if (!targetsOf(left.file || file).includes(file)) setSource(FILES[file.of]);
  right.show(file);
  tabs([]);
}

/** The tabs; those with something of what is chosen have a dot. */
function tabs(touched) {
  const near = SOURCES.length <= 12 ? SOURCES : [left.file];
  left.setTabs(near, left.file, () => false, (f) => go(f, 0));
  right.setTabs(targetsOf(left.file), right.file, (f) => touched.includes(f), (f) => { setOutput(f); align(left); relight(); });
  right.root.classList.toggle("empty", !right.file);
  if (!right.file) right.space.replaceChildren(make("p", "nothing", "Nothing was generated from this file."));
}

// Light.

/** What belongs to an offset of a file: ranges of source and outputs, lines of statement, rules. */
function belonging(file, offset) {
  const source = left.file;
  const out = { source: [], outputs: new Map(), rules: [], statement: null };
  const lit = (f, from, to, name) => {
    if (f === source) { out.source.push({ from, to, name }); return; }
    if (!out.outputs.has(f)) out.outputs.set(f, []);
    out.outputs.get(f).push({ from, to, name });
  };
  let place = null, owner = null, statement = -1;
  if (file.isSource) {
    const found = statementAt(file, offset);
    if (found) [owner, statement] = found;
  } else {
    const s = file.segmentAt(offset);
    if (!s) return out;
    [owner, statement] = [FILES[file.of], s.statement];
    out.rules.push(s.rule);
    if (s.file === source.number) place = [s.from, s.to]; else if (s.file >= 0) out.elsewhere = s.file;
    lit(file, s.start, s.end, "token");
  }
  const whole = owner?.open().statements[statement];
  if (whole) {
    out.statement = whole;
    if (whole.file === source.number) lit(source, whole.start, whole.end, "whole");
  }
  const targets = targetsOf(source);
  for (const o of targets) {
    const at = place ? place[0] : offset;
    const inner = file.isSource || place ? crossingsAt(source, o, at) : [];
    const smallest = place ?? (inner[0] && [inner[0].from, inner[0].to]);
    for (const c of inner) {
      if (smallest && c.from === smallest[0] && c.to === smallest[1]) {
        lit(o, c.segment.start, c.segment.end, "token");
        lit(source, c.from, c.to, "token");
        if (file.isSource) out.rules.push(c.segment.rule);
      }
    }
    if (whole && FILES[o.of] === owner) {
      o.open();
      for (const s of o.segments.of(statement)) { lit(o, s.start, s.end, "whole"); out.rules.push(s.rule); }
    }
  }
  out.rules = [...new Set(out.rules)];
  return out;
}

let shown = null;

function light(b) {
  shown = b;
  left.light(b ? b.source : []);
  right.light(b && right.file ? b.outputs.get(right.file) || [] : []);
  ribbon();
}

function relight() {
  if (!chosen || !left.file || (chosen.file.isSource && chosen.file !== left.file)) { light(null); return; }
  light(belonging(chosen.file, chosen.offset));
}

/** A band between what is lit on both sides. */
function ribbon() {
  const svg = element("ribbon");
  const span = (pane) => {
    const lit = pane.lit.filter((l) => l.name === "whole" || l.name === "token");
    if (!lit.length || !pane.file) return null;
    const lines = lit.flatMap((l) => [pane.file.lineOf(l.from), pane.file.lineOf(Math.max(l.from, l.to - 1))]);
    const box = pane.view.getBoundingClientRect(), up = svg.getBoundingClientRect().top;
    const at = (line) => box.top - up + pane.top(line) - pane.view.scrollTop;
    const clamp = (y) => Math.max(box.top - up, Math.min(box.bottom - up, y));
    return [clamp(at(Math.min(...lines))), clamp(at(Math.max(...lines)) + LINE)];
  };
  const a = span(left), b = right.file ? span(right) : null;
  svg.replaceChildren();
  if (!a || !b) return;
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const w = svg.clientWidth;
  path.setAttribute("d", `M0 ${a[0]}C${w / 2} ${a[0]} ${w / 2} ${b[0]} ${w} ${b[0]}V${b[1]}C${w / 2} ${b[1]} ${w / 2} ${a[1]} 0 ${a[1]}z`);
  svg.append(path);
}

// Moving together.

/** The line of the other pane that belongs to a line: exact at statements, between them in proportion. */
function counterpart(pane, line) {
  if (!left.file || !right.file) return null;
  const pairs = anchors(left.file, right.file);
  const [own, across] = pane === left ? [0, 1] : [1, 0];
  let before = null, after = null;
  for (const p of pairs) {
    if (p[own] <= line && (!before || p[own] > before[own])) before = p;
    if (p[own] > line && (!after || p[own] < after[own])) after = p;
  }
  if (!before) return after ? Math.max(0, after[across] - (after[own] - line)) : null;
  const near = before[across] + Math.min(line - before[own], 30);
  if (!after || after[across] < before[across] || after[across] - before[across] > 60) return near;
  return before[across] + (after[across] - before[across]) * (line - before[own]) / (after[own] - before[own]);
}

let following = false;

function align(pane) {
  if (following || !pane.file) return;
  const there = other(pane);
  if (!there.file) return;
  const eye = pane.view.clientHeight / 3;
  const line = pane.lineAtHeight(pane.view.scrollTop + eye);
  const within = pane.view.scrollTop + eye - pane.top(line);
  const target = counterpart(pane, line);
  if (target === null) return;
  following = true;
  const whole = Math.floor(target);
  const edge = pane.view.scrollTop === 0;
  there.view.scrollTop = edge ? 0 : there.top(whole) + (target - whole) * LINE + Math.min(within, LINE) - eye;
  there.draw();
  requestAnimationFrame(() => { following = false; ribbon(); });
}

let next = null;

/** Once in a frame, and only what was asked for last: what is lit is drawn anew, which must not take away what the pointer has come to. */
function inFrame(work) {
  if (!next) requestAnimationFrame(() => { const last = next; next = null; last(); });
  next = work;
}

for (const pane of [left, right]) {
  pane.onscroll = () => { if (leader === pane) align(pane); ribbon(); };
  for (const kind of ["pointerenter", "wheel", "keydown", "touchstart", "focusin"]) {
    pane.root.addEventListener(kind, () => { leader = pane; }, { passive: true });
  }
  pane.view.addEventListener("pointermove", (e) => { if (!e.buttons) inFrame(() => hover(pane, e)); });
  pane.view.addEventListener("pointerleave", () => inFrame(() => { relight(); status(""); }));
  pane.view.addEventListener("click", (e) => {
    const number = e.target.closest(".number");
    if (number && e.shiftKey && pane.current >= 0) {
      // From the line that is chosen to this one.
      e.preventDefault();
      const line = Number(number.parentNode.dataset.line);
      go(pane.file, Math.min(pane.current, line), Math.max(pane.current, line));
      return;
    }
    if (e.target.closest("a, button, summary, .block") || String(getSelection()) !== "") return;
    const at = pane.placeOf(e);
    if (at) choose(pane, at[0], at[1]);
  });
}

function hover(pane, event) {
  const at = pane.file && pane.placeOf(event);
  if (!at) return;
  const b = belonging(pane.file, at[1]);
  light(b);
  const rule = INDEX.rules[b.rules[0]];
  status(rule ? rule.title + ": " + rule.text + (rule.guide ? " (guide " + rule.guide + ")" : "") : "");
}

/** What stands below when nothing else does: what the page was made of. */
const HINT = INDEX.made + " · hash " + INDEX.digest + " · point at code to see what it became; click for the reasons; ? shows the keys.";

function status(text) { element("status").textContent = text || HINT; }

/** A line is chosen: it is marked, with those up to `last`, its counterpart comes into sight, the card tells of it. */
function choose(pane, line, offset, last = line) {
  const file = pane.file;
  chosen = { file, line, offset };
  let b = belonging(file, offset);
  if (file.isSource && right.file) {
    // Of device code the host's file has no more than a word.
    const touched = targetsOf(file).filter((o) => b.outputs.has(o));
    const inDevice = kernelAt(file, line) && touched.find((o) => o.kind === "device" || o.kind === "header");
    const better = inDevice || (touched.includes(right.file) ? null : touched[0]);
    if (better) right.show(better);
  }
  if (!file.isSource && b.statement && b.statement.file !== left.file.number) {
    left.show(FILES[b.statement.file]);
    left.unfoldAll(openBlocks(left.file, false));
    b = belonging(file, offset);
  }
  tabs([...b.outputs.keys()]);
  pane.mark(line, last);
  light(b);
  const there = other(pane);
  const target = there.lit[0];
  if (target && there.file) {
    const opposite = there.file.lineOf(Math.min(...there.lit.map((l) => l.from)));
    there.mark(opposite);
    const y = pane.top(line) - pane.view.scrollTop;
    following = true;
    there.view.scrollTop = there.top(opposite) - y;
    there.draw();
    requestAnimationFrame(() => { following = false; ribbon(); });
  } else {
    there.mark(-1);
  }
  const hash = "#" + encodeURI(file.name) + ":" + (line + 1) + (last > line ? "-" + (last + 1) : "");
  if (location.hash !== hash) history.replaceState(null, "", hash);
  linkRepository(line, last);
  // What stands beside what: the bottom must not cover the line.
  showCard(file, line, b.rules.slice(0, 6));
  pane.reveal(line, false);
}

/** Goes to a line of a file, or to the lines up to `behind`. */
function go(file, line, behind = line) {
  if (isOutput(file)) setOutput(file); else setSource(file);
  const pane = isOutput(file) ? right : left;
  leader = pane;
  const last = Math.max(0, Math.min(line, file.lines - 1));
  pane.reveal(last, true);
  const text = file.line(last);
  const column = Math.max(0, text.search(/\S/));
  choose(pane, last, file.starts[last] + column, Math.max(last, Math.min(behind, file.lines - 1)));
  // The card takes some of the room: the line is in the middle of what is left.
  pane.reveal(last, true);
  following = true;
  const there = other(pane);
  if (there.file && there.current >= 0) { there.view.scrollTop = there.top(there.current) - (pane.top(last) - pane.view.scrollTop); there.draw(); }
  requestAnimationFrame(() => { following = false; ribbon(); });
}

/** `#heat.cuf:31`, `#heat.cuf:31-40`, `#heat.cuf`. */
function follow() {
  let hash = "";
  try { hash = decodeURIComponent(location.hash.slice(1)); } catch { return false; }
  const [, name, line, last] = hash.match(/^(.*?)(?::(\d+)(?:-(\d+))?)?$/s) || [];
  const file = name && fileNamed(name);
  if (!file) return false;
  go(file, line ? Number(line) - 1 : 0, last ? Number(last) - 1 : undefined);
  return true;
}

addEventListener("hashchange", follow);

/** From one line with something to tell to the next. */
function step(forward) {
  const lines = [...(TOLD.get(left.file.number) || new Map()).keys()].sort((a, b) => a - b);
  const from = chosen && chosen.file === left.file ? chosen.line : left.lineAtHeight(left.view.scrollTop);
  const next = forward ? lines.find((l) => l > from) : lines.findLast((l) => l < from);
  if (next === undefined) { status(forward ? "There is no further note." : "There is no note before."); return; }
  if (!left.blocks.has(next)) fold(left, next);
  go(left.file, next);
}

function move(by) {
  const pane = leader.file ? leader : left;
  const line = pane.current >= 0 ? pane.current + by : pane.lineAtHeight(pane.view.scrollTop);
  const last = Math.max(0, Math.min(line, pane.file.lines - 1));
  const column = Math.max(0, pane.file.line(last).search(/\S/));
  choose(pane, last, pane.file.starts[last] + column);
}

function turn(pane, by) {
  const list = pane === right ? targetsOf(left.file) : SOURCES;
  const n = list.indexOf(pane.file);
  const next = list[(n + by + list.length) % list.length];
  if (!next) return;
  if (pane === right) { setOutput(next); relight(); tabs(shown ? [...shown.outputs.keys()] : []); align(left); } else go(next, 0);
}

// Keys and buttons.

const KEYS = [
  ["/", "search all files", () => element("query").focus()],
  ["j", "next line", () => move(1)],
  ["k", "line before", () => move(-1)],
  ["n", "next note or message", () => step(true)],
  ["p", "note or message before", () => step(false)],
  ["Enter", "to the other side", () => { leader = other(leader); leader.view.focus({ preventScroll: true }); }],
  ["t", "next generated file", () => turn(right, 1)],
  ["s", "next source", () => turn(left, 1)],
  ["g", "call graph", () => openDialog("graph")],
  ["u", "unfold or fold all notes", () => element("notes-button").click()],
  ["c", "only what changed, or all", () => showChanges(!onlyChanges)],
  ["w", "wrap long lines of this side", () => wrapLines(leader)],
  ["m", "mark the kernel of this line as reviewed", markHere],
  ["i", "show or hide the contents", () => element("index-button").click()],
  ["d", "light or dark", () => element("dark").click()],
  ["?", "these keys", () => openDialog("help")],
];

addEventListener("keydown", (e) => {
  if (e.key === "Escape") { document.body.classList.remove("contents"); leaveSearch(); hideCard(); return; }
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, dialog, nav")) return;
  if (e.target.closest("button, a, summary") && e.key === "Enter") return;
  if (e.target.closest("[role=tablist]") && (e.key === "ArrowLeft" || e.key === "ArrowRight")) {
    const pane = e.target.closest(".pane") === right.root ? right : left;
    turn(pane, e.key === "ArrowRight" ? 1 : -1);
    pane.tabs.querySelector("[aria-selected=true]")?.focus();
    return;
  }
  const key = KEYS.find((k) => k[0] === e.key);
  if (key) { e.preventDefault(); key[2](); }
});

/** The kernel of the line that is chosen is marked as reviewed, or no longer. */
function markHere() {
  const here = chosen && left.file && kernelAt(left.file, chosen.file === left.file ? chosen.line : left.current);
  if (here) setReviewed(here, !isReviewed(here)); else status("There is no kernel at this line.");
}

function openDialog(id) {
  const first = id === "graph" && drawGraph();
  element(id).showModal();
  if (first) sizeGraph(0);
}

/** The picture is large: it is read when it is wanted first, as a document of its own, in which nothing runs. Whether that was now. */
function drawGraph() {
  const data = element("graph-data");
  if (!data || element("graph-picture")) return false;
  const picture = new DOMParser().parseFromString(JSON.parse(data.textContent), "text/html");
  element("graph").querySelector(".scroll").append(picture.getElementById("graph-picture"));
  filterGraph();
  return true;
}

for (const dialog of document.querySelectorAll("dialog")) {
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (e) => { if (e.target === dialog || e.target.closest("a")) dialog.close(); });
}

// In the graph the calls of the procedure under the pointer stand out.
element("graph").addEventListener("pointerover", (e) => {
  const node = e.target.closest?.(".node")?.dataset.node;
  const picture = element("graph-picture");
  picture?.classList.toggle("some", node !== undefined);
  picture?.querySelectorAll(".edge").forEach((x) => x.classList.toggle("near", x.dataset.from === node || x.dataset.to === node));
});

element("graph-button").addEventListener("click", () => openDialog("graph"));
element("help-button").addEventListener("click", () => openDialog("help"));
element("changes-button").addEventListener("click", () => showChanges(!onlyChanges));
element("print").querySelector("form").addEventListener("submit", (e) => {
  e.preventDefault();
  fillPaper();
  element("print").close();
  print();
});
element("index-button").addEventListener("click", () => {
  const narrow = matchMedia("(max-width: 820px)").matches;
  const open = document.body.classList.toggle(narrow ? "contents" : "narrow") === narrow;
  element("index-button").setAttribute("aria-expanded", String(open));
  if (narrow && open) element("index").querySelector("summary, a")?.focus();
});
element("index").addEventListener("click", (e) => { if (e.target.closest("a")) document.body.classList.remove("contents"); });
paneTools(left);
paneTools(right);
graphTools();
element("next").addEventListener("click", () => step(true));
element("previous").addEventListener("click", () => step(false));
element("notes-button").addEventListener("click", () => {
  const all = element("notes-button").getAttribute("aria-pressed") !== "true";
  element("notes-button").setAttribute("aria-pressed", String(all));
  const line = left.lineAtHeight(left.view.scrollTop + left.view.clientHeight / 3);
  left.unfoldAll(openBlocks(left.file, all));
  left.reveal(line, true);
});
element("help").querySelector("dl").append(...KEYS.flatMap(([key, text]) => [make("dt", "", make("kbd", "", key)), make("dd", "", text)]), make("dt", "", make("kbd", "", "Escape")), make("dd", "", "close what is open"));

element("find").addEventListener("submit", (e) => { e.preventDefault(); find(true); });
element("query").addEventListener("input", () => find(false));

let waiting = 0;

function find(now) {
  clearTimeout(waiting);
  const query = element("query").value.trim();
  if (query.length < 2) { if (!query) leaveSearch(); return; }
  waiting = setTimeout(() => {
    const found = showFound(query);
    left.query = right.query = lower(query);
    left.redraw();
    right.redraw();
    if (now && found.length) go(...found[0]);
  }, now ? 0 : 150);
}

function leaveSearch() {
  if (!left.query && !element("query").value) return;
  clearTimeout(waiting);
  element("query").value = "";
  element("query").blur();
  left.query = right.query = "";
  left.redraw();
  right.redraw();
  indexOf();
}

// Light or dark.

const keep = (name, value) => { try { localStorage.setItem("cuf2cu-" + name, value); } catch { /* a page from disk may have no storage */ } };
const kept = (name) => { try { return localStorage.getItem("cuf2cu-" + name); } catch { return null; } };

function paint(theme) { if (theme) document.documentElement.dataset.theme = theme; }

paint(kept("theme"));
element("dark").addEventListener("click", () => {
  const now = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  paint(now === "dark" ? "light" : "dark");
  keep("theme", document.documentElement.dataset.theme);
});

// A served page: when there is a newer one it takes the place of this, at the same place.

function remember() {
  const place = { hash: location.hash, left: [left.file.name, left.view.scrollTop], right: right.file && [right.file.name, right.view.scrollTop] };
  try { sessionStorage.setItem("cuf2cu-place", JSON.stringify(place)); } catch { /* then it begins anew */ }
}

function recall() {
  let place = null;
  try {
    place = JSON.parse(sessionStorage.getItem("cuf2cu-place"));
    sessionStorage.removeItem("cuf2cu-place");
  } catch { return; }
  if (!place) return;
  const source = fileNamed(place.left[0]), output = place.right && fileNamed(place.right[0]);
  if (source?.isSource) { setSource(source); left.view.scrollTop = place.left[1]; left.draw(); }
  if (isOutput(output)) { setOutput(output); right.view.scrollTop = place.right[1]; right.draw(); }
}

async function watch() {
  for (;;) {
    await new Promise((done) => setTimeout(done, 500));
    try {
      const answer = await fetch("version", { cache: "no-store" });
      if (answer.ok && Number(await answer.text()) !== INDEX.live) { remember(); location.reload(); return; }
      document.body.classList.remove("gone");
    } catch { document.body.classList.add("gone"); }
  }
}

addEventListener("resize", ribbon);
indexOf();
status("");
if (SOURCES.length) {
  // What has device code is what readers look for.
  const first = [...KERNELS, ...LOOPS].map((x) => byPath.get(x.place.file)).find(Boolean);
  setSource(first || SOURCES[0]);
  if (!follow()) {
    const worst = INDEX.diagnostics.find((d) => d.severity === "error" && d.line > 0);
    if (worst) go(byPath.get(worst.file) || SOURCES[0], worst.line - 1);
  }
  if (INDEX.live !== null) { recall(); watch(); }
}
// What the pointer asks for first, before it comes.
(window.requestIdleCallback ?? setTimeout)(() => {
  if (left.file && right.file) crossingsAt(left.file, right.file, 0);
});
// Milliseconds since the page was asked for.
document.body.dataset.ready = String(Math.round(performance.now()));
