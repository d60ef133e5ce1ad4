// Layered layout: each box gets a rank, lines lead from rank to rank, and boxes of one rank are
// ordered and moved so that lines cross seldom and run straight.
//
// boxes   [{w, h, pin: "first" | "last" | undefined, floats: bool}], in an order without cycles
// lines   [{from, to, fromX, toX}]: positions of boxes, and where on the box a line is attached
// result  {w, h, boxes: [{x, y}], paths: [text of an SVG path]}

const GAP_X = 16, GAP_Y = 30, LANE = 8, SWEEPS = 10;

function layered(boxes, lines) {
  const ranks = ranked(boxes, lines);
  const { rows, links } = withLanes(boxes, lines, ranks);
  ordered(rows);
  straightened(rows);
  const left = Math.min(0, ...rows.flat().map(cell => cell.x));
  rows.flat().forEach(cell => { cell.x -= left; });
  const heights = rows.map(row => Math.max(0, ...row.map(cell => cell.h)));
  const tops = [];
  heights.reduce((top, height, rank) => {
    tops[rank] = top;
    return top + height + gapBetweenRanks(rows[rank], rows[rank + 1] || []);
  }, 0);
  const placed = boxes.map(() => null);
  rows.forEach((row, rank) => row.forEach(cell => {
    cell.y = tops[rank] + (cell.floats ? heights[rank] - cell.h : 0);
    if (cell.box !== undefined) placed[cell.box] = { x: cell.x, y: cell.y };
  }));
  const last = rows.length - 1;
  return {
    w: Math.max(0, ...rows.flat().map(cell => cell.x + cell.w)),
    h: last < 0 ? 0 : tops[last] + heights[last],
    boxes: placed,
    paths: links.map(link => pathOf(link, tops, heights)),
  };
}

// Little room is needed where lines only cross a border.
function gapBetweenRanks(row, next) {
  const lines = row.reduce((sum, cell) => sum + cell.down.length, 0);
  const isBorder = row.every(cell => cell.thin) || next.every(cell => cell.thin);
  return (isBorder ? GAP_Y / 2 : GAP_Y) + Math.min(30, lines);
}

// The longest path from the top gives the rank. Constants and other boxes that depend on nothing
// sink to the rank above the first box that uses them.
function ranked(boxes, lines) {
  const before = boxes.map(() => []), after = boxes.map(() => []);
  lines.filter(line => line.from < line.to).forEach(line => {
    before[line.to].push(line.from);
    after[line.from].push(line.to);
  });
  const rank = boxes.map(() => 0);
  boxes.forEach((box, at) => {
    if (box.pin !== "first") rank[at] = Math.max(0, ...before[at].map(each => rank[each] + 1));
  });
  const floats = [];
  boxes.forEach((box, at) => {
    floats[at] = !box.pin && after[at].length > 0 && before[at].every(each => floats[each]);
    box.floats = floats[at];
  });
  for (let at = boxes.length - 1; at >= 0; at--)
    if (floats[at]) rank[at] = Math.min(...after[at].map(each => rank[each])) - 1;
  const lowest = Math.max(0, ...rank.filter((_, at) => boxes[at].pin !== "last"));
  const last = Math.max(lowest, ...rank.filter((_, at) => boxes[at].pin === "last"));
  boxes.forEach((box, at) => { if (box.pin === "last") rank[at] = Math.max(last, lowest); });
  const least = Math.min(0, ...rank);
  return rank.map(each => each - least);
}

// A line over several ranks runs through a lane in each rank between; lines that start at one
// place share their lanes.
function withLanes(boxes, lines, ranks) {
  const rows = [];
  const add = (rank, cell) => {
    (rows[rank] = rows[rank] || []).push(cell);
    return Object.assign(cell, { up: [], down: [], x: 0, rank });
  };
  const cells = boxes.map((box, at) =>
    add(ranks[at], { box: at, w: box.w, h: box.h, floats: box.floats, thin: box.kind === "port" }));
  const lanes = new Map();
  const links = lines.map(line => {
    let [first, last] = [line.from, line.to], [firstX, lastX] = [line.fromX, line.toX];
    if (ranks[first] > ranks[last]) [first, last, firstX, lastX] = [last, first, lastX, firstX];
    const steps = [{ cell: cells[first], at: firstX }];
    for (let rank = ranks[first] + 1; rank < ranks[last]; rank++) {
      const key = `${first} ${firstX} ${rank}`;
      if (!lanes.has(key)) {
        const lane = add(rank, { w: LANE, h: 0, thin: true });
        lanes.set(key, lane);
        join(steps[steps.length - 1], { cell: lane, at: LANE / 2 });
      }
      steps.push({ cell: lanes.get(key), at: LANE / 2 });
    }
    const end = { cell: cells[last], at: lastX };
    join(steps[steps.length - 1], end);
    return [...steps, end];
  });
  for (let rank = 0; rank < rows.length; rank++) rows[rank] = rows[rank] || [];
  return { rows, links };
}

function join(upper, lower) {
  if (upper.cell.rank === lower.cell.rank) return;
  const isLane = upper.cell.box === undefined && lower.cell.box === undefined;
  const weight = isLane ? 6 : upper.cell.box === undefined || lower.cell.box === undefined ? 2 : 1;
  upper.cell.down.push({ cell: lower.cell, at: lower.at, own: upper.at, weight });
  lower.cell.up.push({ cell: upper.cell, at: upper.at, own: lower.at, weight });
}

// -- the order inside of a rank ---------------------------------------------------------------

function ordered(rows) {
  rows.forEach(packed);
  let best = rows.map(row => [...row]), fewest = crossings(rows);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const down = sweep % 2 === 0;
    for (const row of down ? rows.slice(1) : rows.slice(0, -1).reverse()) {
      const wish = new Map(row.map(cell => [cell, wished(cell, down ? cell.up : cell.down)]));
      row.sort((one, other) => wish.get(one) - wish.get(other));
      packed(row);
    }
    const found = crossings(rows);
    if (found < fewest) [best, fewest] = [rows.map(row => [...row]), found];
  }
  best.forEach((row, rank) => { rows[rank] = row; packed(row); });
}

function packed(row) {
  const width = row.reduce((sum, cell) => sum + cell.w + GAP_X, -GAP_X);
  row.reduce((x, cell) => {
    cell.x = x;
    return x + cell.w + GAP_X;
  }, -width / 2);
}

function wished(cell, links) {
  if (!links.length) return cell.x;
  const weight = links.reduce((sum, link) => sum + link.weight, 0);
  return links.reduce((sum, link) =>
    sum + (link.cell.x + link.at - link.own) * link.weight, 0) / weight;
}

function crossings(rows) {
  return rows.reduce((sum, row) => {
    const lines = row.flatMap(cell =>
      cell.down.map(link => [cell.x + link.own, link.cell.x + link.at]));
    lines.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    let found = 0;
    for (let at = 1; at < lines.length; at++)
      for (let earlier = 0; earlier < at; earlier++)
        if (lines[earlier][1] > lines[at][1]) found++;
    return sum + found;
  }, 0);
}

// -- positions inside of a rank ---------------------------------------------------------------

function straightened(rows) {
  for (let sweep = 0; sweep < 2 * SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const row of down ? rows : [...rows].reverse()) {
      const last = sweep >= 2 * SWEEPS - 2;
      spread(row, cell => last ? [...cell.up, ...cell.down] : down ? cell.up : cell.down);
    }
  }
}

// The places closest to the wished ones that keep order and distance: blocks of neighbours that
// would overlap move to the mean of their wishes (isotonic regression).
function spread(row, linksOf) {
  let offset = 0;
  const blocks = [];
  row.forEach((cell, at) => {
    const links = linksOf(cell);
    const weight = links.length ? links.reduce((sum, link) => sum + link.weight, 0) : 0.1;
    if (at > 0) offset += row[at - 1].w + gapBetween(row[at - 1], cell);
    cell.offset = offset;
    blocks.push({ cells: [cell], sum: (wished(cell, links) - offset) * weight, weight });
    while (blocks.length > 1 && mean(blocks[blocks.length - 2]) > mean(blocks[blocks.length - 1])) {
      const right = blocks.pop(), left = blocks[blocks.length - 1];
      left.cells.push(...right.cells);
      left.sum += right.sum;
      left.weight += right.weight;
    }
  });
  blocks.forEach(block => block.cells.forEach(cell => { cell.x = mean(block) + cell.offset; }));
}

const mean = block => block.sum / block.weight;

function gapBetween(left, right) {
  return left.box === undefined && right.box === undefined ? LANE / 2 : GAP_X;
}

// -- lines ------------------------------------------------------------------------------------

function pathOf(steps, tops, heights) {
  const [first] = steps;
  let x = first.cell.x + first.at;
  let text = `M${round(x)} ${round(first.cell.y + first.cell.h)}`;
  steps.slice(1).forEach((step, at) => {
    const above = steps[at].cell.rank, rank = step.cell.rank;
    const start = tops[above] + heights[above], end = tops[rank], middle = (start + end) / 2;
    const next = step.cell.x + step.at;
    text += `${at ? "" : vertical(first.cell.y + first.cell.h, start)}C${round(x)} ${round(middle)} ${round(next)} ${round(middle)} `;
    text += `${round(next)} ${round(end)}`;
    x = next;
    if (step.cell.box === undefined) text += `V${round(tops[rank] + heights[rank])}`;
  });
  const last = steps[steps.length - 1].cell;
  return text + vertical(tops[last.rank], last.y);
}

// Arrow heads take the direction of the last part, so that a part without length is left out.
const vertical = (from, to) => Math.abs(to - from) < 0.5 ? "" : `V${round(to)}`;

const round = number => Math.round(number * 10) / 10;
