// Boxes: what the picture shows of the contents, for one choice of opened boxes.
//
// A box stands for a vertex, a group, or a result of a graph. Its key is the path of opened boxes
// around it and its own part, so that a graph that is called twice has boxes for each call:
// "v7", "v7/v12", "v7/g3". An open box holds bodies: a group has one, a statement one per region.

const TITLE_FONT = "600 13px Helvetica, Arial, sans-serif";
const SMALL_FONT = "11px Helvetica, Arial, sans-serif";
const LONGEST = 230, PAD = 12, MOST_RESULTS = 10;

// -- the contents with the links that drawing needs -------------------------------------------

function prepared(contents) {
  const { graphs, vertices } = contents;
  vertices.forEach((vertex, at) => Object.assign(vertex, { at, uses: [], holder: null }));
  graphs.forEach((graph, at) => Object.assign(graph, { at, holder: null, holders: [] }));
  vertices.forEach(vertex => {
    vertex.from.forEach(([from, output], at) =>
      vertices[from].uses.push({ vertex: vertex.at, output, at }));
    // A called graph has a holder for each call; links lead into the first one.
    regionsOf(vertex).forEach(region => {
      graphs[region].holder ??= vertex.at;
      graphs[region].holders.push(vertex.at);
    });
  });
  let number = 0;
  const enter = (graph, items, holder) => items.forEach(item => {
    if (typeof item === "number") {
      vertices[item].holder = holder;
      return;
    }
    Object.assign(item, { number: number++, holder, graph: graph.at });
    enter(graph, item.items, item);
    item.members = item.items.flatMap(each => typeof each === "number" ? [each] : each.members);
  });
  graphs.forEach(graph => {
    enter(graph, graph.items, null);
    graph.results.forEach(([from, output], at) => {
      vertices[from].uses.push({ result: at, graph: graph.at, output });
    });
    graph.inputs.forEach(input => settle(contents, graph, vertices[input]));
  });
  return contents;
}

// A captured value is shown in the innermost group that holds all of its uses.
function settle(contents, graph, input) {
  if (input.kind !== "capture" || !input.uses.length) return;
  if (input.uses.some(use => use.vertex === undefined)) return;
  const around = use => {
    const found = [];
    for (let group = contents.vertices[use.vertex].holder; group; group = group.holder)
      found.unshift(group);
    return found;
  };
  const paths = input.uses.map(around);
  let depth = 0;
  while (paths[0][depth] && paths.every(path => path[depth] === paths[0][depth])) depth++;
  input.holder = depth ? paths[0][depth - 1] : null;
  if (!input.holder) return;
  for (let group = input.holder; group; group = group.holder) group.members.push(input.at);
  (input.holder.captured = input.holder.captured || []).push(input.at);
}

// -- building ---------------------------------------------------------------------------------

class Boxes {
  constructor(contents, isOpen) {
    this.contents = contents;
    this.isOpen = isOpen;
    this.all = new Map();
  }

  root() {
    const body = this.graphBody(this.contents.graphs[0], "", null);
    return { key: "", bodies: [body], w: body.w, h: body.h, kind: "root" };
  }

  // A graph: inputs on top, results at the bottom.
  graphBody(graph, path, owner) {
    const inputs = graph.inputs.map(at => this.contents.vertices[at]);
    const shown = inputs.filter(each =>
      !each.holder && (each.uses.length || (graph.kind === "graph" && each.kind === "input")));
    const boxes = [...shown.map(each => this.vertexBox(each, path, owner)),
                   ...graph.items.map(item => this.itemBox(item, path, owner))];
    const results = this.resultBoxes(graph, path, owner);
    return this.body(graph, [...boxes, ...results], [], []);
  }

  groupBody(group, path, owner) {
    const captured = (group.captured || []).map(at => this.contents.vertices[at]);
    const boxes = [...captured.map(each => this.vertexBox(each, path, owner)),
                   ...group.items.map(item => this.itemBox(item, path, owner))];
    const ports = this.ports(group);
    return this.body(this.contents.graphs[group.graph], boxes, ports.into, ports.out);
  }

  itemBox(item, path, owner) {
    return typeof item === "number"
      ? this.vertexBox(this.contents.vertices[item], path, owner)
      : this.groupBox(item, path, owner);
  }

  resultBoxes(graph, path, owner) {
    const many = graph.results.length > MOST_RESULTS;
    const rows = many ? [graph.results] : graph.results.map(each => [each]);
    return rows.map((edges, at) => {
      const label = many ? `${edges.length} results` : resultTitle(graph, edges[0][2], at, rows.length);
      const box = this.plain(`${path}r${graph.at}.${at}`, "result", label, "", owner);
      Object.assign(box, { pin: "last", edges, graph: graph.at });
      return box;
    });
  }

  plain(key, kind, title, small, owner) {
    const w = Math.max(34, textWidth(cut(title, TITLE_FONT), TITLE_FONT),
                       textWidth(cut(small, SMALL_FONT), SMALL_FONT)) + 18;
    const box = { key, kind, title, small, owner, w, h: small ? 38 : 24, bodies: [] };
    this.all.set(key, box);
    return box;
  }

  vertexBox(vertex, path, owner) {
    const key = `${path}v${vertex.at}`;
    const kind = vertex.effect && vertex.effect !== "read" ? "effect" : vertex.kind;
    const small = vertex.kind === "constant" || vertex.kind === "capture" ? "" : [vertex.assigned, typesText(vertex.types)].filter(Boolean).join(": ");
    const box = this.plain(key, kind, shortTitle(vertex), small, owner);
    Object.assign(box, { vertex: vertex.at, members: [vertex.at] });
    if (vertex.kind === "input") box.pin = "first";
    const inside = regionsOf(vertex);
    if (inside.length) this.statementBox(box, vertex, inside);
    box.inX = box.inX || evenly(vertex.from.length, box.w);
    box.outX = box.outX || evenly(vertex.types.length, box.w);
    return box;
  }

  statementBox(box, vertex, inside) {
    const called = vertex.calls !== undefined;
    box.kind = called ? "call" : vertex.op === "while_loop" ? "loop" : vertex.op === "cond" || vertex.op === "switch_case" ? "branch" : "statement";
    box.opens = true;
    const count = inside.reduce((sum, at) => sum + nodesIn(this.contents, at), 0);
    box.small = counted(count, "node");
    box.w = Math.max(box.w, textWidth(box.small, SMALL_FONT) + 18) + 22;
    if (!this.isOpen(box)) return;
    box.open = true;
    box.bodies = inside.map(at => {
      const graph = this.contents.graphs[at];
      const body = this.graphBody(graph, `${box.key}/`, box);
      return Object.assign(body, { title: called ? "" : graph.title, loops: graph.kind === "body" });
    });
    const labels = vertex.from.map(edge => edge[2]), outputs = vertex.outputs || [];
    this.frame(box, labels.length > 16 ? [] : labels, outputs.length > 16 ? [] : outputs);
    box.inX = box.inLabels.length ? box.inX : evenly(labels.length, box.w);
    box.outX = box.outLabels.length ? box.outX : evenly(vertex.types.length, box.w);
  }

  // The frame of an open statement: labelled operands, its title, its bodies, labelled results.
  frame(box, labels, outputs) {
    const [inX, inWidth] = spaced(labels), [outX, outWidth] = spaced(outputs);
    const head = textWidth(cut(box.title, TITLE_FONT), TITLE_FONT) + 60;
    let x = PAD;
    const top = (labels.length ? 17 : 4) + 26;
    for (const body of box.bodies) {
      const title = body.title ? 22 : 6;
      body.frameW = Math.max(body.w + 2 * PAD + (body.loops ? 22 : 0), textWidth(body.title || "", SMALL_FONT) + 30, 60);
      body.frameH = body.h + title + PAD;
      [body.frameX, body.frameY] = [x, top];
      body.x = x + (body.frameW - body.w - (body.loops ? 22 : 0)) / 2;
      body.y = top + title;
      x += body.frameW + PAD;
    }
    const tall = Math.max(...box.bodies.map(body => body.frameH));
    box.bodies.forEach(body => { body.frameH = tall; });
    box.w = Math.max(x, inWidth, outWidth, head);
    const spare = (box.w - x) / 2;
    box.bodies.forEach(body => { body.frameX += spare; body.x += spare; });
    box.h = top + tall + (outputs.length ? 22 : PAD);
    const shift = (positions, width) => positions.map(each => each + (box.w - width) / 2);
    Object.assign(box, { inLabels: labels, outLabels: outputs, titleY: labels.length ? 17 : 2 });
    Object.assign(box, { inX: shift(inX, inWidth), outX: shift(outX, outWidth) });
  }

  groupBox(group, path, owner) {
    const key = `${path}g${group.number}`;
    const nodes = group.members.filter(at => this.contents.vertices[at].kind !== "capture").length;
    const box = this.plain(key, "group", group.title, counted(nodes, "node"), owner);
    box.w += 22;
    const ports = this.ports(group);
    Object.assign(box, { group, members: group.members, opens: true, ports });
    if (this.isOpen(box)) {
      box.open = true;
      const body = this.groupBody(group, path, box);
      body.x = PAD;
      body.y = 28;
      const head = textWidth(cut(box.title, TITLE_FONT), TITLE_FONT) + 60;
      const spare = Math.max(0, head - body.w - 2 * PAD) / 2;
      body.x += spare;
      Object.assign(box, { bodies: [body], titleY: 2 });
      box.w = body.w + 2 * (PAD + spare);
      box.h = body.h + 28 + PAD;
      box.inX = body.intoX.map(each => each + body.x);
      box.outX = body.outX.map(each => each + body.x);
    } else {
      box.inX = evenly(ports.into.length, box.w);
      box.outX = evenly(ports.out.length, box.w);
    }
    return box;
  }

  // The values that enter and leave a group.
  ports(group) {
    if (group.ports) return group.ports;
    const inside = new Set(group.members), into = new Map(), out = new Map();
    group.members.forEach(at => {
      const vertex = this.contents.vertices[at];
      vertex.from.filter(([from]) => !inside.has(from)).forEach(([from, output]) =>
        into.set(`${from}:${output}`, [from, output]));
      vertex.uses.filter(use => use.vertex === undefined || !inside.has(use.vertex))
        .forEach(use => out.set(`${at}:${use.output}`, [at, use.output]));
    });
    group.ports = { into: [...into.values()], out: [...out.values()] };
    return group.ports;
  }

  // Place boxes and the lines between them; values from outside of a group enter at its border.
  body(graph, boxes, into, out) {
    const port = pin => ({ w: 2, h: 0, pin, kind: "port" });
    const entries = into.map(() => port("first")), exits = out.map(() => port("last"));
    const cells = [...entries, ...boxes, ...exits];
    const home = new Map();
    cells.forEach((box, at) => (box.members || []).forEach(vertex => home.set(vertex, at)));
    const start = (vertex, output) => {
      const at = home.get(vertex);
      if (at === undefined) {
        const entry = into.findIndex(each => each[0] === vertex && each[1] === output);
        return entry < 0 ? null : { from: entry, fromX: 1 };
      }
      return { from: at, fromX: outOf(cells[at], vertex, output) };
    };
    const lines = [];
    const connect = (vertex, output, to, toX, extra) => {
      const from = start(vertex, output);
      if (from && from.from !== to) lines.push({ ...from, to, toX, ...extra, value: [vertex, output] });
    };
    cells.forEach((box, to) => this.arrivals(box, connect, to));
    out.forEach(([vertex, output], at) =>
      connect(vertex, output, entries.length + boxes.length + at, 1, { leaves: true }));
    this.order(cells, home, lines);
    return this.placed(graph, cells, lines, entries.length, exits.length);
  }

  arrivals(box, connect, to) {
    if (box.kind === "result")
      box.edges.forEach(([vertex, output]) => connect(vertex, output, to, box.w / 2, {}));
    else if (box.group)
      box.ports.into.forEach(([vertex, output], at) => connect(vertex, output, to, box.inX[at], {}));
    else if (box.vertex !== undefined)
      this.contents.vertices[box.vertex].from.forEach(([vertex, output], at) =>
        connect(vertex, output, to, box.inX[at], {}));
  }

  // The order of effects, once for two boxes.
  order(cells, home, lines) {
    const seen = new Set();
    cells.forEach((box, to) => (box.members || []).forEach(vertex =>
      (this.contents.vertices[vertex].after || []).forEach(earlier => {
        const from = home.get(earlier);
        if (from === undefined || from === to || seen.has(`${from} ${to}`)) return;
        seen.add(`${from} ${to}`);
        lines.push({ from, to, fromX: cells[from].w / 2, toX: box.w / 2, order: true });
      })));
  }

  placed(graph, cells, lines, entries, exits) {
    const drawn = layered(cells, lines);
    cells.forEach((box, at) => Object.assign(box, drawn.boxes[at]));
    return {
      graph: graph.at, w: drawn.w, h: drawn.h,
      boxes: cells.slice(entries, cells.length - exits),
      lines: lines.map((line, at) => ({ ...line, path: drawn.paths[at], start: cells[line.from], end: cells[line.to] })),
      intoX: cells.slice(0, entries).map(cell => cell.x + 1),
      outX: cells.slice(cells.length - exits, cells.length).map(cell => cell.x + 1),
    };
  }
}

// -- small helpers ----------------------------------------------------------------------------

const regionsOf = vertex =>
  vertex.regions || (vertex.calls !== undefined ? [vertex.calls] : []);

function outOf(box, vertex, output) {
  if (!box.group) return box.outX ? box.outX[output] ?? box.w / 2 : box.w / 2;
  const at = box.ports.out.findIndex(each => each[0] === vertex && each[1] === output);
  return at < 0 ? box.w / 2 : box.outX[at];
}

function evenly(count, width) {
  return Array.from({ length: count }, (_, at) => width * (at + 1) / (count + 1));
}

function resultTitle(graph, name, at, count) {
  const number = count > 1 ? `result ${at + 1}` : "result";
  return graph.kind !== "graph" ? name || number : name ? `${number}: ${name}` : number;
}

// Places for labels in a row: each gets room for its text.
function spaced(labels) {
  let x = PAD;
  const places = labels.map(label => {
    const width = Math.max(20, textWidth(cut(label, SMALL_FONT, 110), SMALL_FONT) + 14);
    x += width;
    return x - width / 2;
  });
  return [places, x + PAD];
}

const nodeCounts = new Map();

function nodesIn(contents, at) {
  if (nodeCounts.has(at)) return nodeCounts.get(at);
  const count = item => typeof item !== "number" ? item.items.reduce((sum, each) => sum + count(each), 0)
    : 1 + (contents.vertices[item].regions || []).reduce((sum, each) => sum + nodesIn(contents, each), 0);
  nodeCounts.set(at, contents.graphs[at].items.reduce((sum, item) => sum + count(item), 0));
  return nodeCounts.get(at);
}

const counted = (number, noun) => number === 1 ? `1 ${noun}` : `${number} ${noun}s`;

const typeText = ([dtype, shape]) =>
  shape === "[]" ? dtype : shape === "any rank" ? `${dtype}, any rank` : `${dtype}${shape}`;

// A line as messages name it; a cell of a notebook is `Cell In[8]`.
const lineName = ({ file, line }) => file.startsWith("Cell ") ? `${file}, line ${line}` : `${file}:${line}`;
const typesText = types => types.map(typeText).join(", ");

// The last parts of a variable's path name it well enough in the picture.
function shortTitle(vertex) {
  const parts = vertex.title.split("/");
  return vertex.kind === "capture" && parts.length > 2 ? parts.slice(-2).join("/") : vertex.title;
}

const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();

function textWidth(text, font) {
  const key = font + text;
  if (!widths.has(key)) {
    pen.font = font;
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}

// A text that fits in a box; the panel shows all of it.
function cut(text, font, longest = LONGEST) {
  if (textWidth(text, font) <= longest) return text;
  let length = text.length;
  while (length > 1 && textWidth(`${text.slice(0, length)}…`, font) > longest)
    length = Math.min(length - 1, Math.ceil(length * 0.9));
  return `${text.slice(0, length)}…`;
}
