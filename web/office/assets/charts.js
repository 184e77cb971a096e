// Charts of the back office. A chart draws the table that stands beside it and holds no figure of its own: the rows are its places, the columns with an ink its
// series, each cell's <data value> a value. Where no script runs the tables are all there is, and enough.
import uPlot from "./uplot.js";

const french = document.documentElement.lang === "fr";
const ink = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const plain = new Intl.NumberFormat(french ? "fr-FR" : "en-GB", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat(french ? "fr-FR" : "en-GB", { notation: "compact", maximumFractionDigits: 1 });

// hatched is the second series of a chart, told apart without its colour.
function hatched(context, colour) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const c = tile.getContext("2d");
  c.fillStyle = ink("--sheet");
  c.fillRect(0, 0, 8, 8);
  c.strokeStyle = colour;
  c.lineWidth = 3.5;
  c.beginPath();
  for (const d of [-8, 0, 8]) { c.moveTo(d - 2, 10); c.lineTo(d + 10, -2); }
  c.stroke();
  return context.createPattern(tile, "repeat");
}

function read(table) {
  const heads = [...table.tHead.rows[0].cells];
  const columns = heads.map((th, i) => ({ i, ink: th.dataset.ink })).filter(c => c.ink);
  const rows = [...table.tBodies[0].rows];
  return {
    labels: rows.map(r => r.cells[0].dataset.short ?? r.cells[0].textContent.trim()),
    series: columns.map(c => ({ ink: c.ink, values: rows.map(r => Number(r.cells[c.i].querySelector("data").value) / Number(table.dataset.unit)) })),
  };
}

function draw(box) {
  const { labels, series } = read(document.getElementById(box.dataset.chart));
  // Stacked: each series reaches up to the sum of those before it, and the highest is drawn first.
  const sums = [];
  for (const s of series) sums.push(s.values.map((n, i) => n + (sums.at(-1)?.[i] ?? 0)));
  const leaning = labels.length <= 16 && step(box.clientWidth, labels) > 1;
  const text = ink("--ink-2"), line = ink("--rule"), font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const bars = uPlot.paths.bars({ size: [0.62, 56], gap: 1 });
  const axis = { stroke: text, font, ticks: { show: false } };
  box.replaceChildren();
  return new uPlot({
    width: box.clientWidth, height: 240, legend: { show: false }, cursor: { show: false }, padding: [8, 4, 0, 0],
    scales: { x: { time: false, range: [-0.6, labels.length - 0.4] }, y: { range: (_, min, max) => [Math.min(0, min), max > 0 || min < 0 ? Math.max(max, 0) : 10] } },
    axes: [
      {
        ...axis, grid: { show: false }, splits: () => labels.map((_, i) => i), rotate: leaning ? 35 : 0, size: leaning ? 96 : 28,
        values: (u, at) => at.map(i => (leaning || i % step(u.width, labels) === 0 ? labels[i] : "")),
      },
      { ...axis, grid: { stroke: line, width: 1 }, size: 60, values: (_, at) => at.map(n => (Math.abs(n) >= 10000 ? short : plain).format(n)) },
    ],
    series: [{}, ...series.map((s, i) => ({
      paths: bars, points: { show: false }, width: 0, fill: u => (i === 1 ? hatched(u.ctx, ink(s.ink)) : ink(s.ink)),
    })).reverse()],
  }, [labels.map((_, i) => i), ...sums.reverse()], box);
}

// step is how many places share one label where those of all would run into each other.
function step(width, labels) {
  const longest = Math.max(...labels.map(l => l.length)) * 7 + 10;
  return Math.max(1, Math.ceil((longest * labels.length) / (width - 70)));
}

for (const box of document.querySelectorAll("[data-chart]")) {
  box.hidden = false;
  let chart = draw(box);
  const again = () => { chart.destroy(); chart = draw(box); };
  new ResizeObserver(() => { if (Math.abs(box.clientWidth - chart.width) > 2) again(); }).observe(box);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  document.fonts?.ready.then(again);
}
