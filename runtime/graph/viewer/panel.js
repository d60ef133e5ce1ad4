// The side panel: everything that the page knows of one box, with links to its neighbours.

class Panel {
  // `visit` shows a vertex, `source` is the view of the source code.
  constructor(place, contents, visit, source, close) {
    Object.assign(this, { place, contents, visit, source, close });
  }

  hide() {
    this.place.hidden = true;
  }

  show(box) {
    this.place.hidden = false;
    this.parts = [];
    this.heading(box);
    if (box.group) this.members(box.group);
    else if (box.kind === "result") this.links("Value", box.edges.map(([from, output]) => [from, output]));
    else this.vertex(this.contents.vertices[box.vertex]);
    this.place.replaceChildren(...this.parts);
  }

  add(name, text, kind = "") {
    const made = document.createElement(name);
    made.textContent = text;
    if (kind) made.className = kind;
    this.parts.push(made);
    return made;
  }

  heading(box) {
    const button = this.add("button", "×", "close");
    button.setAttribute("aria-label", "close the panel");
    button.addEventListener("click", this.close);
    this.add("h2", box.title);
  }

  members(group) {
    const words = { scope: "Name scope", line: "Nodes of one line", lines: "Nodes of several lines" };
    this.add("p", words[group.kind], "kind");
    this.links("Nodes", group.members.slice(0, 200).map(at => [at, 0]));
  }

  vertex(vertex) {
    this.add("p", this.kindOf(vertex), "kind");
    if (vertex.assigned) this.row("Assigned to", vertex.assigned);
    if (vertex.name) this.row("Name in TensorFlow", vertex.name);
    this.line(vertex);
    this.types(vertex);
    this.table("Attributes", vertex.attrs || []);
    if (vertex.effect) this.row("Effect", vertex.effect);
    if (vertex.outer) this.links("Value from outside", [vertex.outer]);
    if (vertex.outside) this.row("Value from outside", vertex.outside);
    this.links("Inputs", vertex.from);
    this.links("Used by", this.uses(vertex));
    this.links("Runs after", (vertex.after || []).map(at => [at, 0, ""]));
  }

  kindOf(vertex) {
    const words = { input: "input", capture: "captured value", constant: "constant" };
    return words[vertex.kind] || `op ${vertex.op}`;
  }

  row(name, text) {
    this.add("h3", name);
    this.add("p", text, "value");
  }

  line(vertex) {
    if (!vertex.line) return;
    this.add("h3", lineName(vertex));
    if (!this.source.has(vertex)) {
      this.add("code", vertex.text || "", "code");
      return;
    }
    const button = this.add("button", vertex.text || `line ${vertex.line}`, "code");
    button.title = "show this line in the source";
    button.addEventListener("click", () => this.source.show(vertex));
  }

  types(vertex) {
    const rows = vertex.types.map(([dtype, shape, note], at) => {
      const name = (vertex.outputs || [])[at] || (vertex.types.length > 1 ? `output ${at}` : "dtype, shape");
      const marks = { weak: "weak dtype" }[note] || note;
      return [name, [dtype, shape === "[]" ? "scalar" : shape, marks].filter(Boolean).join(", ")];
    });
    this.table(rows.length > 1 ? "Outputs" : "Output", rows);
  }

  table(name, rows) {
    if (!rows.length) return;
    this.add("h3", name);
    const table = this.add("table", "");
    rows.forEach(([key, text]) => {
      const row = table.insertRow();
      row.insertCell().textContent = key;
      row.insertCell().textContent = text;
    });
  }

  uses(vertex) {
    const seen = new Set();
    return vertex.uses.filter(use => use.vertex !== undefined && !seen.has(use.vertex) && seen.add(use.vertex))
      .map(use => [use.vertex, 0, this.contents.vertices[use.vertex].from[use.at][2]]);
  }

  links(name, edges) {
    if (!edges.length) return;
    this.add("h3", name);
    const list = this.add("ul", "");
    edges.forEach(([at, output, label]) => {
      const vertex = this.contents.vertices[at];
      const link = document.createElement("button");
      link.className = "link";
      link.textContent = `${shortTitle(vertex)}${output ? `, output ${output}` : ""}`;
      link.addEventListener("click", () => this.visit(at));
      const item = document.createElement("li");
      if (label && label !== vertex.title) item.append(`${label}: `);
      item.append(link, ` ${typesText(vertex.types.slice(output, output + 1))}`);
      list.append(item);
    });
  }
}

// The lines of source code on the page: elements with data-line, in one with data-file.
class Source {
  constructor(page) {
    this.lines = new Map();
    page.querySelectorAll("[data-file] [data-line]").forEach(each => {
      const key = `${each.closest("[data-file]").dataset.file}:${each.dataset.line}`;
      if (!this.lines.has(key)) this.lines.set(key, each);
    });
  }

  find(vertex) {
    return this.lines.get(`${vertex.file}:${vertex.line}`);
  }

  has(vertex) {
    return Boolean(vertex.line && this.find(vertex));
  }

  mark(vertex) {
    this.lines.forEach(each => each.classList.remove("chosen"));
    const line = vertex && vertex.line ? this.find(vertex) : null;
    if (line) line.classList.add("chosen");
    return line;
  }

  show(vertex) {
    const line = this.mark(vertex);
    if (!line) return;
    const pane = line.closest("[data-pane]");
    if (pane && pane.hidden) document.querySelector(`[data-shows="${pane.dataset.pane}"]`).click();
    line.scrollIntoView({ block: "center" });
  }

  // Call `choose` with the file and line that the reader clicks on.
  onChoice(choose) {
    this.lines.forEach((each, key) => each.addEventListener("click", () => choose(key)));
  }
}
