// The SVG of boxes and lines.

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, text = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== null) made.textContent = text;
  return made;
}

// Draws a root box into a layer, and knows where each box ended up.
class Drawing {
  constructor(layer, contents, root) {
    Object.assign(this, { contents, root, shapes: new Map(), places: new Map(), lines: [] });
    layer.replaceChildren();
    this.body(layer, root.bodies[0], 0, 0);
  }

  body(layer, body, x, y) {
    const inside = element("g", { transform: `translate(${round(x)} ${round(y)})` });
    const lines = element("g", { class: "lines" });
    inside.append(lines);
    layer.append(inside);
    body.lines.forEach(line => this.line(lines, line));
    body.boxes.forEach(box => this.box(inside, box, x, y, body));
  }

  line(layer, line) {
    const shape = element("path", { d: line.path, class: line.order ? "line order" : "line" });
    if (!line.leaves && !(line.end.group && line.end.open))
      shape.setAttribute("marker-end", line.order ? "url(#order-head)" : "url(#head)");
    layer.append(shape);
    this.lines.push({ ...line, shape });
  }

  box(layer, box, left, top, body) {
    const shape = element("g", {
      class: `box ${box.kind}${box.open ? " open" : ""}`,
      transform: `translate(${round(box.x)} ${round(box.y)})`,
      tabindex: -1, role: box.opens ? "button" : "img", "aria-label": this.spoken(box),
    });
    if (box.opens) shape.setAttribute("aria-expanded", Boolean(box.open));
    shape.dataset.key = box.key;
    const [x, y] = [left + box.x, top + box.y];
    this.shapes.set(box.key, shape);
    this.places.set(box.key, { box, x, y, w: box.w, h: box.h, body });
    shape.append(element("title", {}, this.spoken(box)));
    shape.append(element("rect", {
      class: "shape", width: round(box.w), height: round(box.h), rx: box.kind === "input" || box.kind === "capture" || box.kind === "result" ? 12 : 5,
    }));
    (box.open ? this.frame : this.label).call(this, shape, box, x, y);
    layer.append(shape);
  }

  label(shape, box) {
    const middle = (box.w - (box.opens ? 18 : 0)) / 2;
    const title = { class: "title", x: round(middle), y: box.small ? 16 : 16 };
    shape.append(element("text", title, cut(box.title, TITLE_FONT)));
    if (box.small)
      shape.append(element("text", { class: "small", x: round(middle), y: 31 }, cut(box.small, SMALL_FONT)));
    if (box.opens) this.toggle(shape, box, box.w - 13, box.h / 2);
  }

  frame(shape, box, x, y) {
    (box.inLabels || []).forEach((text, at) => this.port(shape, text, box.inX[at], 13));
    (box.outLabels || []).forEach((text, at) => this.port(shape, text, box.outX[at], box.h - 7));
    if (box.group) this.border(shape, box);
    this.toggle(shape, box, PAD + 6, box.titleY + 12);
    shape.append(element("text", { class: "title left", x: PAD + 20, y: box.titleY + 17 }, cut(box.title, TITLE_FONT)));
    box.bodies.forEach(body => {
      if (body.frameW) this.region(shape, body);
      this.body(shape, body, x + body.x, y + body.y, shape);
      const inside = shape.lastChild;
      inside.setAttribute("transform", `translate(${round(body.x)} ${round(body.y)})`);
    });
  }

  port(shape, text, x, y) {
    shape.append(element("text", { class: "port", x: round(x), y: round(y) }, cut(text, SMALL_FONT, 110)));
  }

  // The lines between the border of a group and its body.
  border(shape, box) {
    const [body] = box.bodies, low = body.y + body.h;
    const parts = [...box.inX.map(x => `M${round(x)} 0V${round(body.y)}`),
                   ...box.outX.map(x => `M${round(x)} ${round(low)}V${round(box.h)}`)];
    shape.append(element("path", { class: "line", d: parts.join("") || "M0 0" }));
  }

  region(shape, body) {
    const { frameX: x, frameY: y, frameW: w, frameH: h } = body;
    shape.append(element("rect", { class: "region", x: round(x), y: round(y), width: round(w), height: round(h), rx: 4 }));
    if (body.title)
      shape.append(element("text", { class: "word", x: round(x + 9), y: round(y + 15) }, body.title));
    if (body.loops) this.returning(shape, body);
    if (!body.boxes.length)
      shape.append(element("text", { class: "small", x: round(x + w / 2), y: round(y + h / 2 + 4) }, "nothing"));
  }

  // The arrow from the end of a loop's body back to its start.
  returning(shape, body) {
    const right = body.frameX + body.frameW - 12, low = body.y + body.h - 12, high = body.y + 12;
    const from = body.x + body.w + 4;
    const path = `M${round(from)} ${round(low)}H${round(right - 6)}q6 0 6 -6V${round(high + 6)}q0 -6 -6 -6H${round(from + 2)}`;
    shape.append(element("path", { class: "returning", d: path, "marker-end": "url(#loop-head)" }));
  }

  toggle(shape, box, x, y) {
    const button = element("g", { class: "toggle", transform: `translate(${round(x)} ${round(y)})` });
    button.append(element("circle", { r: 8 }));
    button.append(element("path", { d: box.open ? "M-4 0H4" : "M-4 0H4M0 -4V4" }));
    shape.append(button);
  }

  spoken(box) {
    const vertex = this.contents.vertices[box.vertex];
    const words = [box.title];
    if (box.group) words.push(`group of ${box.small}`);
    if (vertex) {
      if (vertex.title !== vertex.op && vertex.kind !== "input") words.push(vertex.kind === "capture" ? "captured value" : vertex.op);
      if (vertex.kind === "input") words.push("input");
      if (vertex.types.length) words.push(typesText(vertex.types));
      if (vertex.line) words.push(lineName(vertex));
    }
    return words.join(", ");
  }

  // Lines of a box: `end` for those that arrive, `start` for those that leave.
  linesOf(box, side) {
    return this.lines.filter(line => line[side] === box);
  }
}
