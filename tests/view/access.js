// What of a page keeps people out, as lines of text; tests/view/access.rs asks for it. Names of controls come from the browser's own tree.
(() => {
  const found = [];
  const say = (what, e) => found.push(what + (e ? ": " + e.cloneNode(false).outerHTML.slice(0, 160) + " " + e.textContent.trim().slice(0, 40) : ""));

  // The document.
  if (!/^[a-z]{2}/.test(document.documentElement.lang)) say("no language");
  if (!document.title.trim()) say("no title");
  const headings = [...document.querySelectorAll("h1")];
  if (headings.length !== 1) say(headings.length + " headings of the first level");
  if (document.querySelectorAll("main").length !== 1) say("not one main");
  const ids = new Set();
  for (const e of document.querySelectorAll("[id]")) {
    if (ids.has(e.id)) say("the id is there twice", e);
    ids.add(e.id);
  }
  for (const e of document.querySelectorAll("[aria-labelledby], [aria-controls], [aria-describedby], label[for]")) {
    for (const name of ["aria-labelledby", "aria-controls", "aria-describedby", "for"]) {
      for (const id of (e.getAttribute(name) || "").split(" ").filter(Boolean)) if (!ids.has(id)) say(name + " names nothing", e);
    }
  }
  for (const e of document.querySelectorAll("[tabindex]")) if (e.tabIndex > 0) say("an order of its own", e);
  const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  for (const e of document.querySelectorAll("img, [role=img]")) if (seen(e) && !e.alt && !e.getAttribute("aria-label") && !e.getAttribute("aria-labelledby")) say("a picture without words", e);
  for (const e of document.querySelectorAll("[role=img], [role=button], button, a[href]")) {
    if (seen(e) && e.querySelector("a[href], button, input, [tabindex]")) say("something to work with inside of what is one thing to readers", e);
  }
  for (const e of document.querySelectorAll("th")) if (!e.scope) say("a heading of a table without scope", e);
  for (const e of document.querySelectorAll("[aria-hidden=true]")) {
    for (const x of e.querySelectorAll("a[href], button, input, [tabindex]")) if (seen(x) && x.tabIndex >= 0) say("reached by keys, but hidden from readers", x);
  }
  // Headings go down by one level at a time, in what is in sight.
  let level = 0;
  for (const e of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    if (!seen(e)) continue;
    const own = Number(e.tagName[1]);
    if (own > level + 1) say("a level of headings is left out", e);
    level = own;
  }

  // Contrast: the colour of each text on what lies below it.
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const ground = (e) => {
    const layers = [];
    for (let x = e; x; x = x.parentElement) {
      const shape = x.ownerSVGElement && x.parentElement.querySelector(":scope > rect");
      const style = getComputedStyle(x);
      if (style.backgroundImage !== "none") say("text on a picture", e);
      layers.push(rgba(shape ? getComputedStyle(shape).fill : style.backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reduceRight((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const opacity = (e) => { let o = 1; for (let x = e; x; x = x.parentElement) o *= Number(getComputedStyle(x).opacity); return o; };
  const texts = new Map();
  const faint = (e, colour, what) => {
    const below = ground(e), own = rgba(colour);
    const r = ratio(over([own[0], own[1], own[2], own[3] * opacity(e)], below), below);
    if (r < 4.5) say(what + " of contrast " + r.toFixed(2), e);
    texts.set(r.toFixed(2), 0);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let number = 0;
  const looked = new Set();
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const e = n.parentElement;
    if (!n.data.trim() || looked.has(e) || e.closest("script, style, noscript") || !seen(e)) continue;
    looked.add(e);
    number++;
    const style = getComputedStyle(e);
    faint(e, e.ownerSVGElement ? style.fill : style.color, "text");
  }
  for (const e of document.querySelectorAll("[placeholder]")) if (seen(e)) faint(e, getComputedStyle(e, "::placeholder").color, "placeholder");
  if (number < 5) say("only " + number + " texts were looked at");

  // For the walk by keys: each place that the Tab key stops at is looked at when it has the focus.
  globalThis.lookAtFocus = () => {
    const e = document.activeElement;
    if (!e || e === document.body || "reached" in e.dataset) return null;
    const style = getComputedStyle(e), box = e.getBoundingClientRect(), faults = [];
    const name = e.cloneNode(false).outerHTML.slice(0, 160);
    if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 1) faults.push("the focus is not seen: " + name);
    else if (ratio(rgba(style.outlineColor), ground(e.parentElement)) < 3) faults.push("the focus is hardly seen: " + name);
    if (box.width < 1 || box.height < 1 || box.bottom < 0 || box.right < 0 || box.top > innerHeight || box.left > innerWidth) faults.push("the focus is out of sight: " + name);
    const before = globalThis.focusedBefore;
    if (before?.isConnected && !(before.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)) faults.push("the order of the keys is not that of the page: " + name);
    globalThis.focusedBefore = e;
    e.dataset.reached = "";
    return faults;
  };
  /** The next Tab is the first of the page. */
  globalThis.toTheBeginning = () => {
    const start = document.createElement("span");
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus();
    start.remove();
    getSelection().removeAllRanges();
  };
  /** What the keys should have reached and have not. */
  globalThis.notReached = () => {
    const modal = document.querySelector("dialog[open]") || document;
    const controls = [...modal.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")];
    const missed = controls.filter((e) => e.tabIndex >= 0 && !e.disabled && seen(e) && !("reached" in e.dataset));
    document.querySelectorAll("[data-reached]").forEach((e) => e.removeAttribute("data-reached"));
    globalThis.focusedBefore = null;
    return missed.map((e) => "not reached by keys: " + e.cloneNode(false).outerHTML.slice(0, 160));
  };
  return found;
})()
