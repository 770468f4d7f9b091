// What a reviewer works with: unchanged lines folded away, wrapped lines, marks, copies of files, paper.

/** Fewer unchanged lines than these are not folded; so many beside a change stay. */
const LEAST_FOLD = 8, CONTEXT = 3;

let onlyChanges = false;

/** The lines of a file with something else than copied text, as 1; for a source in any of its outputs. */
function changedLines(file) {
  if (file.changed) return file.changed;
  file.open();
  const changed = new Uint8Array(file.lines);
  const plain = INDEX.rules.map((r) => PLAIN.includes(r.name));
  const mark = (from, to) => changed.fill(1, file.lineOf(from), file.lineOf(Math.max(from, to - 1)) + 1);
  if (file.isSource) {
    for (const output of targetsOf(file)) {
      const all = output.open().segments, statements = FILES[output.of].open().statements;
      for (let n = 0; n < all.count; n++) {
        if (plain[all.rules[n] >> 1]) continue;
        const s = statements[all.statement[n]];
        if (s && s.file === file.number) mark(s.start, s.end);
        else if (all.file[n] === file.number) mark(all.from[n], all.to[n]);
      }
    }
    for (const line of TOLD.get(file.number)?.keys() ?? []) if (line < file.lines) changed[line] = 1;
  } else {
    const all = file.segments, covered = new Uint8Array(file.lines);
    for (let n = 0; n < all.count; n++) {
      covered.fill(1, file.lineOf(all.start[n]), file.lineOf(Math.max(all.start[n], all.end[n] - 1)) + 1);
      if (!plain[all.rules[n] >> 1]) mark(all.start[n], all.end[n]);
    }
    // What belongs to no statement was written by the translator, unless it is blank.
    for (let line = 0; line < file.lines; line++) if (!covered[line] && /\S/.test(file.line(line))) changed[line] = 1;
  }
  file.changed = changed;
  return changed;
}

/** The stretches of a file that are folded away. */
function foldsOf(file) {
  if (!onlyChanges) return [];
  const changed = changedLines(file), folds = [];
  for (let from = 0; from < file.lines; from++) {
    if (changed[from]) continue;
    let to = from;
    while (to < file.lines && !changed[to]) to++;
    const first = from === 0 ? 0 : from + CONTEXT, behind = to === file.lines ? to : to - CONTEXT;
    if (behind - first >= LEAST_FOLD) folds.push([first, behind]);
    from = to;
  }
  return folds;
}

function showChanges(only) {
  onlyChanges = only;
  element("changes-button").setAttribute("aria-pressed", String(only));
  for (const pane of [left, right]) {
    if (!pane.file) continue;
    const line = pane.current >= 0 ? pane.current : pane.lineAtHeight(pane.view.scrollTop + pane.view.clientHeight / 3);
    pane.refold(foldsOf(pane.file));
    if (!pane.hidden[line]) pane.reveal(line, true);
  }
  status(only ? "Only what changed, with three lines around it; c shows all." : "");
  ribbon();
}

function wrapLines(pane) {
  pane.wraps = !pane.wraps;
  pane.tools.querySelector(".wrap").setAttribute("aria-pressed", String(pane.wraps));
  pane.measure();
  pane.redraw();
  ribbon();
}

// Files as texts.

const baseName = (file) => file.name.replace(/^.*\//, "");

async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    status(what + " copied.");
  } catch { status("The browser does not let this page copy; " + what + " can be saved instead."); }
}

function saveText(name, text) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  status(name + " saved.");
}

function paneTools(pane) {
  const wrap = button("wrap", "Wrap", () => wrapLines(pane), "Wrap long lines (w)");
  wrap.setAttribute("aria-pressed", "false");
  pane.tools.append(
    wrap,
    button("", "Copy", () => pane.file && copyText(pane.file.text, baseName(pane.file)), "Copy this file"),
    button("", "Save", () => pane.file && saveText(baseName(pane.file), pane.file.text), "Save this file as it is"),
  );
}

/** The place of a line of the source in the repository. */
function linkRepository(line, last) {
  if (INDEX.repository === null || !chosen.file.isSource) return;
  let link = left.tools.querySelector("a");
  if (!link) {
    link = make("a", "", "Repository");
    link.rel = "noopener";
    left.tools.prepend(link);
  }
  const path = INDEX.paths[chosen.file.number].split("/").map(encodeURIComponent).join("/");
  link.href = INDEX.repository + "/" + path + "#L" + (line + 1) + (last > line ? "-L" + (last + 1) : "");
}

// Select all: only the lines in sight exist as elements, so the copy is made of the file.

let wholeFile = null;

addEventListener("keydown", (e) => {
  const command = (e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey;
  if (!command) { if (e.key !== "Control" && e.key !== "Meta") wholeFile = null; return; }
  if (e.key === "a" && !e.target.closest("input, dialog") && leader.file) {
    e.preventDefault();
    getSelection().selectAllChildren(leader.space);
    wholeFile = leader.file;
    status("All " + wholeFile.lines + " lines of " + baseName(wholeFile) + " are selected, also those out of sight.");
  } else if (e.key === "f" && document.activeElement !== element("query")) {
    // The browser would find what is in sight alone; a second time the keys are the browser's.
    e.preventDefault();
    element("query").focus();
    element("query").select();
    status("This search finds everything in all files; the same keys again open the browser's, which sees only the lines on the screen.");
  } else if (e.key === "p" && !document.querySelector("dialog[open]")) {
    e.preventDefault();
    openPrint();
  }
});
addEventListener("pointerdown", () => { wholeFile = null; });
addEventListener("copy", (e) => {
  if (!wholeFile || document.activeElement?.closest("input")) return;
  e.clipboardData.setData("text/plain", wholeFile.text);
  e.preventDefault();
});

// Marks of what has been reviewed: of a kernel or CUF loop as it stands, so that a changed one has none.

const DEVICE_CODE = [...PROCEDURES.filter((p) => p.runs !== "host"), ...LOOPS];
const titleOf = (x) => (x.depth === undefined ? x.id : kindOfLoop(x) + " in " + x.within + ", line " + x.place.line);

function textOf(x) {
  const file = byPath.get(x.place.file)?.open();
  return file ? file.text.slice(file.starts[x.place.line - 1], file.lineEnd(Math.min(x.place.last, file.lines) - 1)) : "";
}

/** A number of a text (FNV-1a). */
function numberOf(text) {
  let n = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) n = Math.imul(n ^ text.charCodeAt(i), 0x01000193);
  return (n >>> 0).toString(16);
}

const markName = (x) => "reviewed:" + x.id + ":" + numberOf(textOf(x));
const isReviewed = (x) => kept(markName(x)) !== null;

function setReviewed(x, on) {
  if (on) keep(markName(x), new Date().toISOString().slice(0, 10));
  else { try { localStorage.removeItem("cuf2cu-" + markName(x)); } catch { /* then nothing is kept */ } }
  document.querySelectorAll("input.reviewed").forEach((box) => { if (box.dataset.id === x.id) box.checked = on; });
  const done = DEVICE_CODE.filter(isReviewed).length;
  status(done + " of " + DEVICE_CODE.length + " kernels, device procedures and loops are reviewed.");
}

/** The box that marks a kernel. */
function reviewBox(x) {
  const box = make("input", "reviewed");
  box.type = "checkbox";
  box.checked = isReviewed(x);
  box.dataset.id = x.id;
  box.title = "Reviewed (m)";
  box.setAttribute("aria-label", "Reviewed: " + titleOf(x));
  box.addEventListener("change", () => setReviewed(x, box.checked));
  return box;
}

/** The marks as a text for a file. */
function reviewText() {
  const lines = DEVICE_CODE.map((x) => (isReviewed(x) ? "[x] " + kept(markName(x)) : "[ ]           ") + "  " + titleOf(x) + "  " + x.place.file + ":" + x.place.line);
  return ["Reviewed code of " + INDEX.title, INDEX.made, "hash " + INDEX.digest, "", ...lines, ""].join("\n");
}

// Paper: kernels that are chosen, the source beside what was generated.

/** The lines of the device code that belong to lines of a source: [output, first, last], or null if nothing was made of them. */
function generatedFor(file, first, last) {
  for (const output of targetsOf(file).filter((o) => o.kind === "device" || o.kind === "header")) {
    const lines = anchors(file, output).filter(([line]) => first <= line && line <= last).map((pair) => pair[1]).sort((a, b) => a - b);
    if (!lines.length) continue;
    // Its launcher stands apart.
    const gap = lines.findIndex((line, n) => n > 0 && line - lines[n - 1] > 10);
    return [output, lines[0], lines[gap < 0 ? lines.length - 1 : gap - 1]];
  }
  return null;
}

function listing(file, first, last) {
  const out = make("div", "listing", make("h3", "", file.name + ":" + (first + 1)));
  for (let line = first; line <= last; line++) {
    const code = make("span", "code");
    Pane.prototype.fill.call({ file, lit: [], query: "" }, code, line);
    out.append(make("div", "row", make("span", "number", String(line + 1)), code));
  }
  return out;
}

/** A kernel on paper. */
function sheet(x) {
  const file = byPath.get(x.place.file)?.open();
  if (!file) return make("div");
  const first = x.place.line - 1, last = Math.min(x.place.last, file.lines) - 1;
  const made = generatedFor(file, first, last);
  return make("section", "sheet", make("h2", "", titleOf(x)), make("div", "pair", listing(file, first, last), made ? listing(...made) : make("div", "listing")));
}

const chosenOnPaper = () => DEVICE_CODE.filter((x) => element("print").querySelector(`input[data-id="${CSS.escape(x.id)}"]`)?.checked);

function openPrint() {
  const list = element("print").querySelector("ul");
  const here = chosen && kernelAt(left.file, chosen.file === left.file ? chosen.line : left.current);
  list.replaceChildren(...DEVICE_CODE.map((x, n) => {
    const box = make("input");
    box.type = "checkbox";
    box.dataset.id = x.id;
    box.checked = here ? x === here : n < 20;
    return make("li", "", make("label", "", box, " " + titleOf(x)));
  }));
  if (!DEVICE_CODE.length) list.append(make("li", "", "There is no device code: the source is printed."));
  element("print").showModal();
}

/** What is printed without a choice: the kernel that is shown, else the first lines of the source. */
function fillPaper() {
  if (element("paper").firstChild) return;
  const here = left.file && kernelAt(left.file, left.current >= 0 ? left.current : left.lineAtHeight(left.view.scrollTop));
  const some = element("print").open ? chosenOnPaper() : here ? [here] : DEVICE_CODE.slice(0, 20);
  const sheets = some.length || !left.file ? some.map(sheet) : [listing(left.file, 0, Math.min(left.file.lines, 500) - 1)];
  element("paper").replaceChildren(make("p", "made", INDEX.title + " · " + INDEX.made + " · hash " + INDEX.digest), ...sheets);
}

addEventListener("beforeprint", fillPaper);
addEventListener("afterprint", () => element("paper").replaceChildren());

// The call graph: as large as the window, or as one likes; some kinds and files of it.

let zoom = 0;

function sizeGraph(by) {
  const picture = element("graph-picture");
  if (!picture) return;
  const box = element("graph").querySelector(".scroll"), width = picture.viewBox.baseVal.width, height = picture.viewBox.baseVal.height;
  const fit = Math.min(1, (box.clientWidth - 20) / width, (box.clientHeight - 20) / height);
  zoom = by === 0 ? Math.max(fit, 0.25) : Math.max(0.1, Math.min(3, zoom * by));
  picture.setAttribute("width", width * zoom);
  picture.setAttribute("height", height * zoom);
}

function filterGraph() {
  const picture = element("graph-picture"), tools = element("graph").querySelector(".graph-tools");
  if (!picture) return;
  const file = tools.querySelector("select")?.value;
  const kinds = new Set([...tools.querySelectorAll("input:checked")].map((i) => i.value));
  const shown = new Set();
  picture.querySelectorAll(".node").forEach((node) => {
    const kind = ["kernel", "loop", "device"].find((k) => node.classList.contains(k)) || "host";
    const place = decodeURI(node.getAttribute("href").slice(1)).replace(/:\d+$/, "");
    const on = kinds.has(kind) && (!file || place === file);
    node.classList.toggle("off", !on);
    if (on) shown.add(node.dataset.node);
  });
  picture.querySelectorAll(".edge").forEach((edge) => edge.classList.toggle("off", !shown.has(edge.dataset.from) || !shown.has(edge.dataset.to)));
}

function graphTools() {
  const tools = element("graph").querySelector(".graph-tools");
  const kind = (value, text) => {
    const box = make("input");
    box.type = "checkbox";
    box.value = value;
    box.checked = true;
    box.addEventListener("change", filterGraph);
    return make("label", "", box, " " + text);
  };
  const files = make("select");
  files.setAttribute("aria-label", "File");
  const option = (value, text) => { const o = make("option", "", text); o.value = value; return o; };
  files.append(option("", "all files"), ...SOURCES.map((s) => option(s.name, s.name)));
  files.addEventListener("change", filterGraph);
  tools.append(
    button("", "−", () => sizeGraph(1 / 1.25), "Smaller"), button("", "+", () => sizeGraph(1.25), "Larger"), button("", "Fit", () => sizeGraph(0), "As large as the window"),
    ...(SOURCES.length > 1 ? [files] : []), kind("host", "host"), kind("kernel", "kernels"), kind("loop", INDEX.facts.some((f) => f.loops.some((l) => l.construct)) ? "loops and constructs" : "CUF loops"), kind("device", "device procedures"),
  );
}

element("graph").addEventListener("wheel", (e) => {
  if (!e.ctrlKey) return;
  e.preventDefault();
  sizeGraph(e.deltaY < 0 ? 1.1 : 1 / 1.1);
}, { passive: false });
