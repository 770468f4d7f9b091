// What stands around the lines: notes below them, the index, cards of kernels, search.

/** By number of the source: what is told at its lines. */
const TOLD = new Map(SOURCES.map((s) => [s.number, new Map()]));

function tell(file, line, thing) {
  const lines = file && TOLD.get(file.number);
  if (!lines) return;
  if (!lines.has(line)) lines.set(line, []);
  lines.get(line).push(thing);
}

INDEX.diagnostics.forEach((d) => tell(byPath.get(d.file), Math.max(0, d.line - 1), { kind: d.severity, diagnostic: d }));
INDEX.lessons.forEach((l) => tell(FILES[l.file], l.line - 1, { kind: "lesson", lesson: l }));
INDEX.facts.forEach((f) => {
  f.expansions.forEach((x) => tell(byPath.get(x.file), x.line - 1, { kind: "macro", text: x.text }));
  f.includes.forEach((i) => tell(byPath.get(i.file), i.line - 1, { kind: "include", included: i.included }));
});
{
  const seen = new Set();
  INDEX.notes.forEach(([file, line, rule]) => {
    const key = file + ":" + line + ":" + rule;
    if (!seen.has(key)) tell(FILES[file], line - 1, { kind: "note", rule: INDEX.rules[rule] });
    seen.add(key);
  });
}

const KINDS = {
  error: ["●", "Error"], warning: ["▲", "Warning"], lesson: ["✦", "Lesson"], note: ["◆", "Decision"], macro: ["⇲", "Macro expanded"], include: ["⤓", "File included"],
};
const toldAt = (file, line) => TOLD.get(file.number)?.get(line) || [];

/** The buttons before a line that unfold what is told at it. */
function marksOf(pane, line) {
  const told = toldAt(pane.file, line);
  return [...new Set(told.map((t) => t.kind))].slice(0, 2).map((kind) => {
    const [sign, title] = KINDS[kind];
    const b = button("sign " + kind, sign, (e) => { e.stopPropagation(); fold(pane, line); }, title);
    b.tabIndex = -1;
    b.setAttribute("aria-label", title + " at line " + (line + 1));
    return b;
  });
}

/** The class of a line that an error or a warning is about. */
function toneOf(file, line) {
  const told = toldAt(file, line);
  return told.some((t) => t.kind === "error") ? "wrong" : told.some((t) => t.kind === "warning") ? "doubtful" : "";
}

function fold(pane, line) {
  const told = toldAt(pane.file, line);
  pane.unfold(line, pane.blocks.has(line) || told.length === 0 ? null : blockOf(told));
}

function blockOf(told) { return make("div", "block", ...told.map(contentsOf)); }

/** Blocks that are open from the start. */
function openBlocks(file, all) {
  const out = new Map();
  for (const [line, told] of TOLD.get(file.number) || []) {
    const shown = told.filter((t) => all || t.kind === "error" || t.kind === "warning" || t.kind === "lesson");
    if (shown.length && (all || out.size < 200)) out.set(line, blockOf(all ? told : shown));
  }
  return out;
}

function contentsOf(t) {
  const [sign, title] = KINDS[t.kind];
  const box = make("div", "told " + t.kind);
  const head = (...words) => box.append(make("p", "head", make("span", "sign", sign + " "), ...words));
  if (t.diagnostic) {
    const d = t.diagnostic, about = INDEX.codes[d.code];
    head(make("strong", "", d.code), " " + d.message);
    if (d.help) box.append(make("p", "", d.help));
    if (about) box.append(make("details", "", make("summary", "", "explain " + d.code + ": " + about.title), make("pre", "explain", about.text)));
  } else if (t.lesson) {
    head(make("strong", "", t.lesson.title), guideOf(t.lesson.guide));
    box.append(make("p", "", ...worded(t.lesson.text)));
  } else if (t.rule) {
    box.append(...ruleText(t.rule, sign));
  } else if (t.kind === "macro") {
    head(make("strong", "", title), " to");
    box.append(make("pre", "", t.text));
  } else {
    const f = byPath.get(t.included);
    head(make("strong", "", title), " ", f ? link(f, 0, f.name) : t.included);
  }
  return box;
}

/** Text in which backticks stand around code. */
function worded(text) { return text.split("`").map((part, i) => (i % 2 ? make("code", "", part) : part)); }

function guideOf(sections) { return sections ? make("span", "guide", "guide " + sections) : null; }

function ruleText(rule, sign) {
  const out = [make("p", "head", sign ? make("span", "sign", sign + " ") : null, make("strong", "", rule.title), guideOf(rule.guide)), make("p", "", rule.text)];
  if (rule.why) out.push(make("p", "", rule.why));
  if (rule.nvfortran) out.push(make("p", "nvfortran", make("strong", "", "nvfortran "), rule.nvfortran));
  return out;
}

function link(file, line, text, name) {
  const a = make("a", name || "", text);
  a.href = "#" + encodeURI(file.name) + ":" + (line + 1);
  return a;
}

function linkTo(place, text, name) {
  const f = byPath.get(place.file);
  return f ? link(f, place.line - 1, text, name) : make("span", name || "", text);
}

const whereIs = (place) => (byPath.get(place.file)?.name || place.file).replace(/^.*\//, "") + ":" + place.line;

// The index.

/** Groups whose entries can be marked as reviewed. */
const REVIEWED = ["Kernels", "Device procedures", "CUF loops", "Compute constructs"];

const all = (part) => INDEX.facts.flatMap((f) => f[part]);
const PROCEDURES = all("procedures"), LOOPS = all("loops"), LAUNCHES = all("launches"), CALLS = all("calls");
const KERNELS = PROCEDURES.filter((p) => p.runs.endsWith("kernel"));
const BY_ID = new Map([...PROCEDURES, ...LOOPS].map((p) => [p.id, p]));

function indexOf() {
  const entry = (x, name, more, why) => [x.place, name, more, why];
  const groups = [
    ["Messages", INDEX.diagnostics.filter((d) => d.line > 0).map((d) => entry({ place: d }, d.message, d.code))],
    ["Program units", all("units").map((u) => entry(u, u.name, u.kind))],
    ["Kernels", KERNELS.map((p) => entry(p, p.name, p.id.split("::").slice(0, -1).join("::"), p.id))],
    ["Device procedures", PROCEDURES.filter((p) => p.runs.endsWith("device")).map((p) => entry(p, p.name, p.id.split("::").slice(0, -1).join("::"), p.id))],
    ...[[false, "CUF loops"], [true, "Compute constructs"]].map(([construct, title]) => [title, LOOPS.filter((l) => l.construct === construct).map((l) => entry(l, l.within.split("::").pop(), l.reductions.length ? "reduces " + l.reductions.join(", ") : l.depth + (l.depth === 1 ? " loop" : " loops"), l.id))]),
    ["Transfers", all("transfers").map((t) => entry(t, t.text, t.direction))],
    ["Macros", INDEX.settings.map((m) => entry({ place: m }, m.name, m.values + ", " + m.may, m.proof))],
    ["Lessons", INDEX.lessons.map((l) => entry({ place: { file: INDEX.paths[l.file], line: l.line } }, l.title, ""))],
  ];
  const listed = SOURCES.length > 1;
  const files = listed && make("details", "", make("summary", "", "Files ", make("span", "count", String(SOURCES.length))), make("ul", "", ...SOURCES.map((f) => make("li", "", link(f, 0, f.name), make("span", "more", f.kind === "include" ? "included" : "")))));
  if (files) files.open = SOURCES.length <= 20;
  element("index").replaceChildren(...(files ? [files] : []), ...groups.filter((g) => g[1].length).map(([title, entries]) => {
    const list = make("ul");
    const group = make("details", "", make("summary", "", title + " ", make("span", "count", String(entries.length))), list);
    const fill = () => {
      if (!group.open || list.firstChild) return;
      const reviewed = REVIEWED.includes(title);
      let file = null;
      list.append(...entries.flatMap(([place, name, more, why]) => {
        const to = linkTo(place, name, ["Messages", "Lessons"].includes(title) ? "prose" : "");
        to.title = (more ? name + " (" + more + ")" : name) + (why && !reviewed ? ": " + why : "");
        // Files are named once, above what they have.
        const heading = listed && place.file !== file ? [make("li", "file", byPath.get(place.file)?.name || place.file)] : [];
        file = place.file;
        return [...heading, make("li", "", reviewed ? reviewBox(BY_ID.get(why)) : null, make("span", "entry", to, make("span", "more", more)), make("span", "where", place.line ? String(place.line) : ""))];
      }));
    };
    group.addEventListener("toggle", fill);
    group.open = entries.length <= 60;
    fill();
    return group;
  }), ...(DEVICE_CODE.length ? [make("p", "result", button("", "Save the review", () => saveText("review.txt", reviewText()), "The marks as a text file"))] : []));
}

// Cards.

/** The kernel or CUF loop at a line of a source. */
function kernelAt(file, line) {
  const holds = (x) => byPath.get(x.place.file) === file && x.place.line - 1 <= line && line <= x.place.last - 1;
  return LOOPS.find(holds) || PROCEDURES.find((p) => p.runs !== "host" && holds(p)) || null;
}

/** The kernel that is launched at a line. */
function launchedAt(file, line) {
  const launch = LAUNCHES.find((l) => byPath.get(l.place.file) === file && l.place.line - 1 <= line && line <= l.place.last - 1);
  return launch ? BY_ID.get(launch.kernel) || null : null;
}

function table(heads, rows) {
  const cells = (tag, row) => make("tr", "", ...row.map((c) => { const e = make(tag, "", c); if (tag === "th") e.scope = "col"; return e; }));
  const wide = make("div", "wide", make("table", "", make("thead", "", cells("th", heads)), make("tbody", "", ...rows.map((r) => cells("td", r)))));
  // Where it is wider than its place it is moved by keys, too.
  wide.tabIndex = 0;
  wide.setAttribute("role", "group");
  wide.setAttribute("aria-label", "Table: " + heads.join(", "));
  return wide;
}

const kindOfLoop = (x) => (x.construct ? "Compute construct" : "CUF loop");

function fact(name, ...contents) { return make("div", "fact", make("dt", "", name), make("dd", "", ...contents)); }

const counted = (list) => list.map((c) => (c.times > 1 ? c.times + " × " : "") + c.name).join(", ") || "none";

const RUNS = { kernel: "kernel", "grid-kernel": "kernel of a cooperative grid", device: "device procedure", "host-device": "procedure for host and device" };

function cardOf(x) {
  const isLoop = x.depth !== undefined;
  const code = x.code;
  const facts = make("dl", "facts");
  if (code) {
    facts.append(fact("C++", make("code", "", code.cpp), code.two_versions ? " in two versions, with subscripts of 32 and 64 bits" : ""));
    facts.append(fact("Launcher", make("code", "", code.launcher)));
    facts.append(fact("Shared memory", code.shared.map((s) => s.name + (s.bytes === null ? " (bytes of the launch)" : " " + s.bytes + " bytes")).join(", ") || "none"));
    facts.append(fact("Barriers", counted(code.barriers)), fact("Atomic functions", counted(code.atomics)));
    if (code.waits.length) facts.append(fact("Other waits", counted(code.waits)));
  }
  if (isLoop) {
    facts.append(fact("Loops mapped", String(x.depth)), fact("Configuration", make("code", "", x.configuration || "chosen by the runtime")));
    facts.append(fact("Reductions", x.reductions.join(", ") || "none"), fact("Captured", x.captured.join(", ") || "none"));
  } else {
    if (x.launch_bounds.length) facts.append(fact("Launch bounds", x.launch_bounds.join(", ")));
    if (x.cluster.length) facts.append(fact("Cluster", x.cluster.join(" × ")));
    if (x.hidden.length) facts.append(fact("Module data", x.hidden.join(", ")));
  }
  const callers = CALLS.filter((c) => c.to === x.id && BY_ID.has(c.from));
  if (!isLoop && callers.length) facts.append(fact("Called by", ...spaced(callers.map((c) => linkTo(c.place, c.from.split("::").pop() + " (" + whereIs(c.place) + ")")))));
  const calls = CALLS.filter((c) => c.from === x.id && BY_ID.has(c.to));
  if (calls.length) facts.append(fact("Calls", ...spaced([...new Set(calls.map((c) => c.to))].map((to) => linkTo(BY_ID.get(to).place, to.split("::").pop())))));
  const parts = [facts];
  if (!isLoop && x.arguments.length) {
    parts.push(make("h3", "", "Arguments"), table(["name", "type", "memory", "intent", "passed as", "elements", "subscripts"],
      x.arguments.map((a) => [a.name + a.shape, a.ty, a.memory, a.intent || "–", a.passed, a.layout || "–", a.index ? a.index + " bits" : "–"])));
  }
  const sites = LAUNCHES.filter((l) => l.kernel === x.id);
  if (sites.length) {
    parts.push(make("h3", "", "Launches"), table(["from", "grid", "block", "shared bytes", "stream", "arguments"],
      sites.map((l) => [linkTo(l.place, whereIs(l.place)), l.grid, l.block, l.bytes || "0", l.stream || "default", l.arguments])));
  }
  const usage = INDEX.ptxas.filter((u) => code && u.kernel === code.cpp);
  if (usage.length) {
    parts.push(make("h3", "", "Registers and occupancy (" + usage[0].architecture + ")"), table(["version", "registers", "shared", "stack", "spilled", ...usage[0].occupancy.map((o) => o.threads + " threads")],
      usage.map((u) => [u.version || "–", String(u.registers), u.shared + " B", u.stack + " B", u.spill_stores + u.spill_loads + " B", ...u.occupancy.map((o) => o.percent + " % (" + o.limit + ")")])));
  }
  return [make("h2", "", isLoop ? kindOfLoop(x) + " in " + x.within.split("::").pop() : x.id, make("span", "more", isLoop ? "" : RUNS[x.runs] || ""), " ", linkTo(x.place, whereIs(x.place), "where"), " ", make("label", "more", reviewBox(x), " reviewed")), ...parts];
}

function spaced(list) { return list.flatMap((x, i) => (i ? [", ", x] : [x])); }

const PLAIN = ["copied", "comment", "preprocessor"];

/** What is known of a line: its rules, and the kernel around it. */
function showCard(file, line, rules) {
  const about = file.isSource ? launchedAt(file, line) || kernelAt(file, line) : null;
  const told = rules.map((r) => make("div", "told rule", ...ruleText(INDEX.rules[r])));
  const card = element("card");
  // Nothing opens for a line that stayed as it was.
  const plain = !about && rules.every((r) => PLAIN.includes(INDEX.rules[r].name));
  if (plain && (card.hidden || !told.length)) { hideCard(); return; }
  const close = button("close", "Close", hideCard, "Close (Escape)");
  const body = make("div", "columns", about ? make("div", "kernel", ...cardOf(about)) : null, told.length ? make("div", "rules", make("h2", "", "What became of this, and why"), ...told) : null);
  body.tabIndex = 0;
  body.setAttribute("role", "region");
  body.setAttribute("aria-label", "Facts and decisions");
  card.replaceChildren(close, body);
  card.hidden = false;
}

function hideCard() { element("card").hidden = true; element("card").replaceChildren(); }

// Search.

const MOST = 500;

/** In small letters, each where it was: some letters have small forms of other lengths, which are left as they are. */
function lower(text) {
  const whole = text.toLowerCase();
  return whole.length === text.length ? whole : text.replace(/[^]/gu, (c) => (c.toLowerCase().length === c.length ? c.toLowerCase() : c));
}

function search(query) {
  const found = [];
  const wanted = lower(query);
  for (const f of FILES) {
    f.open();
    f.lower ??= lower(f.text);
    let last = -1;
    for (let i = f.lower.indexOf(wanted); i >= 0 && found.length < MOST; i = f.lower.indexOf(wanted, i + wanted.length)) {
      const line = f.lineOf(i);
      if (line !== last) found.push([f, line, i]);
      last = line;
    }
    if (found.length >= MOST) break;
  }
  return found;
}

/** What stands around a place in a line: a little before it, since the list is narrow. */
function excerpt(f, line, at, length) {
  const text = f.line(line), column = at - f.starts[line];
  const first = Math.max(0, text.search(/\S/));
  const from = column - first > 10 ? column - 6 : Math.min(first, column);
  return [(from > first ? "…" : "") + text.slice(from, column), make("span", "hit", text.slice(column, column + length)), text.slice(column + length, column + 120)];
}

function showFound(query) {
  const found = search(query);
  const list = make("ul", "found-list");
  let file = null;
  for (const [f, line, at] of found) {
    if (f !== file) list.append(make("li", "file", f.name, make("span", "more", f.kind)));
    file = f;
    const a = link(f, line, "");
    a.append(...excerpt(f, line, at, query.length));
    list.append(make("li", "", make("span", "where", String(line + 1)), a));
  }
  const title = found.length >= MOST ? "The first " + MOST + " lines" : found.length + (found.length === 1 ? " line" : " lines");
  element("index").replaceChildren(make("p", "result", title + " with “" + query + "”"), list);
  return found;
}
