// The viewer: zoom, walk, open and close boxes, search.

const READABLE = 9 / 11; // The smallest labels have 11 px, and 9 px at this scale.
const MOST_BOXES = 3000; // A larger picture makes a browser slow.
const MOST_FOUND = 60;

class Viewer {
  constructor(place) {
    this.place = place;
    this.contents = prepared(JSON.parse(place.querySelector("script").textContent));
    this.stage = place.querySelector(".stage");
    this.svg = place.querySelector("svg.picture");
    this.layer = this.svg.querySelector(".layer");
    this.map = place.querySelector("canvas");
    this.said = place.querySelector(".said");
    this.opened = new Set();
    this.source = new Source(document);
    this.panel = new Panel(place.querySelector(".panel"), this.contents,
      at => this.visit(at), this.source, () => this.choose(null));
    this.view = { x: 0, y: 0, scale: 1 };
    this.openWhatFits();
    this.draw();
    this.fit();
    new Search(this, place.querySelector(".search"));
    this.listen();
    this.source.onChoice(key => this.chooseLine(key));
  }

  // -- opening and closing ---------------------------------------------------------------------

  boxes(opened = this.opened) {
    const boxes = new Boxes(this.contents, box => opened.has(box.key));
    return { boxes, root: boxes.root() };
  }

  scaleOf(root) {
    const { clientWidth: w, clientHeight: h } = this.stage;
    return Math.min(1.1, (w - 40) / Math.max(1, root.w), (h - 40) / Math.max(1, root.h));
  }

  // Open boxes from the outside in, as long as the whole picture stays readable.
  openWhatFits() {
    const refused = new Set();
    let { boxes } = this.boxes();
    for (let tries = 0; tries < 80; tries++) {
      const next = [...boxes.all.values()].filter(box => box.opens && !box.open && !refused.has(box.key))
        .sort((one, other) => depth(one) - depth(other))[0];
      if (!next) return;
      this.opened.add(next.key);
      const tried = this.boxes();
      if (this.scaleOf(tried.root) >= READABLE) {
        boxes = tried.boxes;
        continue;
      }
      this.opened.delete(next.key);
      refused.add(next.key);
    }
  }

  openAll() {
    for (let round = 0; round < 60; round++) {
      const { boxes } = this.boxes();
      const closed = [...boxes.all.values()].filter(box => box.opens && !box.open);
      if (!closed.length || boxes.all.size > MOST_BOXES) break;
      const room = MOST_BOXES - boxes.all.size;
      closed.slice(0, Math.max(1, room)).forEach(box => this.opened.add(box.key));
    }
    this.draw();
    this.fit();
    if (this.view.scale < READABLE / 3) this.go([...this.drawing.places.keys()][0]);
  }

  closeAll() {
    this.opened.clear();
    this.draw();
    this.choose(null);
    this.fit();
  }

  toggle(key) {
    const before = this.drawing.places.get(key);
    this.opened.has(key) ? this.opened.delete(key) : this.opened.add(key);
    this.draw();
    const after = this.drawing.places.get(key);
    this.view.x += (before.x - after.x) * this.view.scale;
    this.view.y += (before.y - after.y) * this.view.scale;
    this.moved();
    this.choose(key);
    this.say(`${after.box.title} ${this.opened.has(key) ? "opened" : "closed"}`);
  }

  draw() {
    const { root } = this.boxes();
    this.drawing = new Drawing(this.layer, this.contents, root);
    if (this.matches) this.showMatches(this.matches);
    if (this.chosen && !this.drawing.places.has(this.chosen)) this.chosen = null;
    this.svg.setAttribute("tabindex", 0);
  }

  // -- the view --------------------------------------------------------------------------------

  moved() {
    const { x, y, scale } = this.view;
    this.layer.setAttribute("transform", `translate(${round(x)} ${round(y)}) scale(${scale})`);
    this.drawMap();
  }

  fit() {
    const { root } = this.drawing, scale = Math.max(0.005, this.scaleOf(root));
    const { clientWidth: w, clientHeight: h } = this.stage;
    this.view = { scale, x: (w - root.w * scale) / 2, y: (h - root.h * scale) / 2 };
    this.moved();
  }

  zoom(factor, x = this.stage.clientWidth / 2, y = this.stage.clientHeight / 2) {
    const scale = Math.max(0.005, Math.min(4, this.view.scale * factor));
    const ratio = scale / this.view.scale;
    this.view = { scale, x: x - (x - this.view.x) * ratio, y: y - (y - this.view.y) * ratio };
    this.moved();
  }

  pan(x, y) {
    this.view.x += x;
    this.view.y += y;
    this.moved();
  }

  // Bring a box into the view, in a readable size.
  center(key) {
    const { x, y, w, h } = this.drawing.places.get(key);
    const { clientHeight } = this.stage, clientWidth = this.freeWidth();
    const scale = Math.max(this.view.scale, READABLE);
    const high = h * scale > clientHeight ? y + clientHeight / scale / 2 - 10 : y + h / 2;
    this.view = { scale, x: clientWidth / 2 - (x + w / 2) * scale, y: clientHeight / 2 - high * scale };
    this.moved();
  }

  isInView(key) {
    const { x, y, w, h } = this.drawing.places.get(key), { scale } = this.view;
    const left = x * scale + this.view.x, top = y * scale + this.view.y;
    return scale >= READABLE * 0.7 && left >= 0 && top >= 0 && left + Math.min(w, 200) * scale <= this.freeWidth()
      && top + Math.min(h, 60) * scale <= this.stage.clientHeight;
  }

  // The width beside the panel.
  freeWidth() {
    const { clientWidth } = this.stage, { hidden, offsetWidth } = this.panel.place;
    return hidden || offsetWidth > clientWidth / 2 ? clientWidth : clientWidth - offsetWidth - 12;
  }

  drawMap() {
    const { root, places } = this.drawing, { clientWidth: w, clientHeight: h } = this.stage;
    const { x, y, scale } = this.view;
    const isWhole = x >= -1 && y >= -1 && root.w * scale + x <= w + 1 && root.h * scale + y <= h + 1;
    this.map.hidden = isWhole;
    if (isWhole) return;
    const size = Math.min(170 / root.w, 130 / root.h), sharp = window.devicePixelRatio || 1;
    this.mapScale = size;
    Object.assign(this.map, { width: root.w * size * sharp, height: root.h * size * sharp });
    Object.assign(this.map.style, { width: `${root.w * size}px`, height: `${root.h * size}px` });
    const pen = this.map.getContext("2d"), style = getComputedStyle(this.place);
    pen.scale(sharp * size, sharp * size);
    for (const { box, x: left, y: top, w: wide, h: tall } of places.values()) {
      pen.fillStyle = style.getPropertyValue(box.open ? "--map-open" : "--map-box");
      pen.fillRect(left, top, wide, tall);
    }
    pen.strokeStyle = style.getPropertyValue("--accent");
    pen.lineWidth = 2 / size;
    pen.strokeRect(-x / scale, -y / scale, w / scale, h / scale);
  }

  // -- choosing --------------------------------------------------------------------------------

  choose(key) {
    this.layer.querySelectorAll(".chosen, .near").forEach(each => each.classList.remove("chosen", "near"));
    this.drawing.lines.forEach(({ shape }) => shape.classList.remove("into", "out"));
    this.chosen = key;
    if (key === null) {
      this.panel.hide();
      this.source.mark(null);
      return;
    }
    const { box } = this.drawing.places.get(key);
    const shape = this.drawing.shapes.get(key);
    shape.classList.add("chosen");
    this.drawing.linesOf(box, "end").forEach(line => this.light(line, "into", line.start));
    this.drawing.linesOf(box, "start").forEach(line => this.light(line, "out", line.end));
    this.layer.querySelectorAll("[tabindex='0']").forEach(each => each.setAttribute("tabindex", -1));
    shape.setAttribute("tabindex", 0);
    shape.focus({ preventScroll: true });
    this.panel.show(box);
    const line = this.source.mark(this.contents.vertices[box.vertex]);
    // The lines of other pages stay where they are, or the picture would leave the screen.
    if (line && line.closest("[data-pane]:not([hidden])")) line.scrollIntoView({ block: "nearest" });
  }

  light(line, word, other) {
    line.shape.classList.add(word);
    const shape = this.drawing.shapes.get(other.key);
    if (shape) shape.classList.add("near");
  }

  // Open everything around a vertex and choose it.
  visit(at) {
    const key = this.reveal(at);
    this.choose(key);
    if (!this.isInView(key)) this.center(key);
  }

  reveal(at) {
    const key = this.keyOf(at);
    const missing = this.around(at).filter(each => !this.opened.has(each));
    missing.forEach(each => this.opened.add(each));
    if (missing.length) this.draw();
    return this.drawing.places.has(key) ? key : this.around(at).pop();
  }

  pathOf(at) {
    const graph = this.contents.graphs[this.contents.vertices[at].graph];
    return graph.holder === null ? "" : `${this.keyOf(graph.holder)}/`;
  }

  keyOf(at) {
    return `${this.pathOf(at)}v${at}`;
  }

  // The keys of the boxes around a vertex, the outermost first.
  around(at) {
    const vertex = this.contents.vertices[at], { holder } = this.contents.graphs[vertex.graph];
    const groups = [];
    for (let group = vertex.holder; group; group = group.holder)
      groups.unshift(`${this.pathOf(at)}g${group.number}`);
    return holder === null ? groups : [...this.around(holder), this.keyOf(holder), ...groups];
  }

  chooseLine(key) {
    const found = this.contents.vertices.filter(each =>
      each.line && each.kind !== "constant" && `${each.file}:${each.line}` === key);
    if (!found.length) return;
    this.showMatches(new Set(found.map(each => each.at)));
    this.visit(found[0].at);
    this.say(`${counted(found.length, "node")} of this line`);
  }

  // Mark the boxes that match, and closed boxes that hold some.
  showMatches(matches) {
    this.matches = matches && matches.size ? matches : null;
    const holds = box => (box.members || []).some(at => this.holdsMatch(at, !box.open));
    this.place.classList.toggle("searching", Boolean(this.matches));
    for (const [key, { box }] of this.drawing.places)
      this.drawing.shapes.get(key).classList.toggle("match", Boolean(this.matches) && !(box.open && box.group) && holds(box));
  }

  holdsMatch(at, deep) {
    if (this.matches.has(at)) return true;
    if (!deep) return false;
    this.graphsOfMatches = this.graphsOfMatches || new Map();
    if (this.graphsOfMatches.get("for") !== this.matches) {
      const inside = new Set();
      const holdersOf = at => this.contents.graphs[this.contents.vertices[at].graph].holders;
      const enter = at => holdersOf(at).filter(each => !inside.has(each)).forEach(each => {
        inside.add(each);
        enter(each);
      });
      this.matches.forEach(enter);
      this.graphsOfMatches = new Map([["for", this.matches], ["inside", inside]]);
    }
    return this.graphsOfMatches.get("inside").has(at);
  }

  say(text) {
    this.said.textContent = text;
  }

  // -- walking with the keyboard -----------------------------------------------------------------

  walk(direction) {
    const { places } = this.drawing;
    if (!this.chosen) return this.go([...places.keys()][0]);
    const here = places.get(this.chosen);
    if (direction === "ArrowDown" || direction === "ArrowUp") return this.go(this.along(here, direction === "ArrowDown"));
    this.go(this.beside(here, direction === "ArrowRight"));
  }

  along(here, down) {
    const { drawing } = this, { box } = here;
    if (down && box.open && box.bodies[0].boxes.length) return topmost(box.bodies[0].boxes).key;
    const lines = drawing.linesOf(box, down ? "start" : "end");
    const others = lines.map(line => line[down ? "end" : "start"]).filter(each => each.key);
    const back = others.find(each => each.key === this.previous);
    if (others.length) return (back || nearest(others, here, drawing)).key;
    return this.outOfFrame(box, down);
  }

  // Past the last box of a frame the walk goes on below the frame; up from the first one, to it.
  outOfFrame(box, down) {
    if (!box.owner) return null;
    if (!down) return box.owner.key;
    const after = this.drawing.linesOf(box.owner, "start").map(line => line.end).filter(each => each.key);
    return after.length ? after[0].key : this.outOfFrame(box.owner, true);
  }

  beside(here, right) {
    const sign = right ? 1 : -1;
    const others = (here.box.owner ? here.box.owner.bodies : [here.body]).flatMap(body => body.boxes)
      .map(box => this.drawing.places.get(box.key))
      .filter(each => each.box !== here.box && (each.x - here.x) * sign > 0);
    const distance = each => Math.abs(each.x - here.x) + 3 * Math.abs(each.y - here.y);
    others.sort((one, other) => distance(one) - distance(other));
    return others.length ? others[0].box.key : null;
  }

  go(key) {
    if (!key) return;
    this.previous = this.chosen;
    this.choose(key);
    if (!this.isInView(key)) this.center(key);
  }

  // -- events ------------------------------------------------------------------------------------

  listen() {
    this.stage.addEventListener("wheel", event => this.wheel(event), { passive: false });
    this.pointers = new Map();
    this.stage.addEventListener("pointerdown", event => this.down(event));
    this.stage.addEventListener("pointermove", event => this.move(event));
    for (const end of ["pointerup", "pointercancel"])
      this.stage.addEventListener(end, event => this.up(event));
    this.layer.addEventListener("dblclick", event => this.onBox(event, key => this.toggleIfOpens(key)));
    this.map.addEventListener("pointerdown", event => this.mapMove(event));
    this.map.addEventListener("pointermove", event => { if (event.buttons) this.mapMove(event); });
    this.place.querySelector(".tools").addEventListener("click", event => this.tool(event));
    document.addEventListener("keydown", event => this.key(event));
    new ResizeObserver(() => this.resized()).observe(this.stage);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.drawMap());
  }

  resized() {
    const size = `${this.stage.clientWidth} ${this.stage.clientHeight}`;
    if (this.size && this.size !== size) this.drawMap();
    this.size = size;
  }

  wheel(event) {
    event.preventDefault();
    const box = this.stage.getBoundingClientRect();
    const step = event.deltaY * (event.deltaMode === 1 ? 16 : 1) * (event.ctrlKey ? 4 : 1);
    this.zoom(Math.exp(-Math.max(-300, Math.min(300, step)) / 600), event.clientX - box.left, event.clientY - box.top);
  }

  down(event) {
    if (event.target.closest(".panel, .tools, canvas, .found") || event.button > 0) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pointers.size === 1) Object.assign(this, { dragged: false, pressed: event });
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, now);
    else if (this.dragged || Math.hypot(now.x - before.x, now.y - before.y) > 3) this.drag(event, before, now);
    else return;
    this.pointers.set(event.pointerId, now);
  }

  drag(event, before, now) {
    if (!this.dragged) this.stage.setPointerCapture(event.pointerId);
    this.dragged = true;
    this.pan(now.x - before.x, now.y - before.y);
  }

  pinch(moved, before, now) {
    this.dragged = true;
    const [other] = [...this.pointers].filter(([id]) => id !== moved).map(([, point]) => point);
    const box = this.stage.getBoundingClientRect();
    const apart = point => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    const middle = point => ({ x: (point.x + other.x) / 2 - box.left, y: (point.y + other.y) / 2 - box.top });
    this.zoom(apart(now) / apart(before), middle(before).x, middle(before).y);
    this.pan(middle(now).x - middle(before).x, middle(now).y - middle(before).y);
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size || this.dragged || event.type !== "pointerup") return;
    if (event.target.closest(".toggle")) this.onBox(event, key => this.toggle(key));
    else if (!this.onBox(event, key => this.choose(key))) this.choose(null);
  }

  onBox(event, act) {
    const shape = event.target.closest(".box");
    if (shape) act(shape.dataset.key);
    return Boolean(shape);
  }

  toggleIfOpens(key) {
    if (this.drawing.places.get(key).box.opens) this.toggle(key);
  }

  mapMove(event) {
    const box = this.map.getBoundingClientRect();
    const x = (event.clientX - box.left) / this.mapScale, y = (event.clientY - box.top) / this.mapScale;
    this.view.x = this.stage.clientWidth / 2 - x * this.view.scale;
    this.view.y = this.stage.clientHeight / 2 - y * this.view.scale;
    this.moved();
  }

  tool(event) {
    const acts = {
      fit: () => this.fit(), larger: () => this.zoom(1.25), smaller: () => this.zoom(0.8),
      open: () => this.openAll(), close: () => this.closeAll(), theme: () => this.switchTheme(),
    };
    const button = event.target.closest("[data-tool]");
    if (button) acts[button.dataset.tool]();
  }

  switchTheme() {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    this.drawMap();
  }

  key(event) {
    const typing = event.target.closest && event.target.closest("input, textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const onButton = event.target.closest && event.target.closest("button");
    const acts = {
      f: () => this.fit(), "+": () => this.zoom(1.25), "=": () => this.zoom(1.25), "-": () => this.zoom(0.8),
      Escape: () => this.escape(), "/": () => this.place.querySelector(".search input").focus(),
    };
    const walks = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].includes(event.key);
    if (walks && (this.chosen || this.place.contains(event.target))) this.walk(event.key);
    else if ((event.key === "Enter" || event.key === " ") && this.chosen && !onButton) this.toggleIfOpens(this.chosen);
    else if (acts[event.key]) acts[event.key]();
    else return;
    event.preventDefault();
  }

  escape() {
    if (this.matches) this.showMatches(null);
    else this.choose(null);
  }
}

const depth = box => (box.owner ? 1 + depth(box.owner) : 0);

const topmost = boxes => [...boxes].sort((one, other) => one.y - other.y || one.x - other.x)[0];

function nearest(boxes, here, drawing) {
  const distance = box => Math.abs(drawing.places.get(box.key).x + box.w / 2 - here.x - here.w / 2);
  return [...boxes].sort((one, other) => distance(one) - distance(other))[0];
}

// -- search -----------------------------------------------------------------------------------

class Search {
  constructor(viewer, place) {
    Object.assign(this, { viewer, found: [], at: -1 });
    this.input = place.querySelector("input");
    this.list = place.querySelector(".found");
    this.input.addEventListener("input", () => this.run());
    this.input.addEventListener("keydown", event => this.key(event));
    this.list.addEventListener("click", event => this.click(event));
    this.input.addEventListener("blur", () => setTimeout(() => { this.list.hidden = true; }, 200));
    this.input.addEventListener("focus", () => { this.list.hidden = !this.found.length; });
  }

  run() {
    const words = this.input.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const { vertices } = this.viewer.contents;
    const all = words.length ? vertices.filter(each => this.matches(each, words)) : [];
    this.found = all;
    this.at = -1;
    this.viewer.showMatches(new Set(all.map(each => each.at)));
    this.viewer.say(words.length ? `${all.length} found` : "");
    this.fill(words.length > 0);
  }

  matches(vertex, words) {
    vertex.searched ??= [vertex.title, vertex.op, vertex.name, vertex.assigned, vertex.text, vertex.file && lineName(vertex),
      typesText(vertex.types), ...(vertex.outputs || [])].filter(Boolean).join(" ").toLowerCase();
    return words.every(word => vertex.searched.includes(word));
  }

  fill(isAsked) {
    const rows = this.found.slice(0, MOST_FOUND).map((vertex, at) => {
      const row = document.createElement("li");
      row.setAttribute("role", "option");
      row.id = `found${at}`;
      row.dataset.at = at;
      const title = document.createElement("b");
      title.textContent = shortTitle(vertex);
      row.append(title, ` ${this.about(vertex)}`);
      return row;
    });
    const more = this.found.length - rows.length;
    if (more > 0 || (isAsked && !rows.length)) {
      const note = document.createElement("li");
      note.className = "note";
      note.textContent = more > 0 ? `and ${more} more` : "nothing found";
      rows.push(note);
    }
    this.list.replaceChildren(...rows);
    this.list.hidden = !rows.length;
    this.input.setAttribute("aria-expanded", !this.list.hidden);
  }

  about(vertex) {
    if (vertex.name && vertex.name.includes("/")) return vertex.name;
    return vertex.text && vertex.text !== vertex.title ? vertex.text : typesText(vertex.types);
  }

  key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, Enter: event.shiftKey ? -1 : 1 };
    if (event.key === "Escape") {
      this.input.value = "";
      this.run();
      this.input.blur();
    } else if (steps[event.key] && this.found.length) this.jump(this.at + steps[event.key]);
    else return;
    event.preventDefault();
  }

  click(event) {
    const row = event.target.closest("[data-at]");
    if (row) this.jump(Number(row.dataset.at));
  }

  jump(at) {
    this.at = (at + this.found.length) % this.found.length;
    const { viewer } = this;
    const key = viewer.reveal(this.found[this.at].at);
    viewer.choose(key);
    viewer.center(key);
    viewer.showMatches(viewer.matches);
    this.input.focus();
    this.list.querySelectorAll("[aria-selected]").forEach(each => each.removeAttribute("aria-selected"));
    const row = this.list.querySelector(`[data-at="${this.at}"]`);
    if (!row) return;
    row.setAttribute("aria-selected", true);
    row.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", row.id);
  }
}

const begin = place => { place.viewer = new Viewer(place); };
document.querySelectorAll(".graph-viewer").forEach(begin);
// Of an element that a page adds later.
document.addEventListener("graph-viewer", event => begin(event.target));
