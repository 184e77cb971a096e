// The drawing of Pile Up Donuts!, Canvas 2D, no image file. A donut is a real torus seen from above at PHI: its outline, the edge of the
// icing and each sprinkle are points of that torus, so that light and overlap are right. Each look is baked once into a sprite; a frame
// only moves sprites.

const D = Math.PI / 180, PHI = 25 * D, S = Math.sin(PHI), C = Math.cos(PHI), TAU = Math.PI * 2;
const R = .33, r = .17, K = .92; // radii of the torus and its flattening, in widths

// STEP is the height of one donut in a pile, in widths.
export const STEP = 2 * r * K * C * .86;

// point returns where the torus is at angle th around the hole and ps around the dough.
const point = (th, ps) => {
  const q = R + r * Math.cos(ps), z = K * r * Math.sin(ps);
  return [q * Math.cos(th), q * Math.sin(th) * S - z * C];
};
const rim = th => Math.atan(-K * Math.sin(th) * C / S); // where the outside turns away from the eye
const lip = th => Math.PI + rim(th); // where the near wall of the hole hides the far one

// fade gives a colour "#rrggbb" an opacity.
export const fade = (hex, a) => `rgba(${[1, 3, 5].map(k => parseInt(hex.slice(k, k + 2), 16)).join()},${a})`;

// rng returns a generator of 0 … 1 for the looks of things. Nothing that counts comes from it.
export const rng = seed => () => {
  seed |= 0; seed = seed + 0x6D2B79F5 | 0;
  let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
  return ((t ^ t >>> 14) >>> 0) / 4294967296;
};

const DOUGH = { plain: ["#f0bd78", "#d9924a", "#a8622c", "#fbe3b4"], cocoa: ["#8a5236", "#68371f", "#421f12", "#a8724c"] };
// Told apart by topping as well as by colour.
const FLAVOURS = {
  sucre: { glaze: ["#fffdfa", "#f4ebe2", "#cdb8a6"], top: "coconut", ink: ["#fff", "#fffaf2"], dough: "plain" },
  framboise: { glaze: ["#ff7fa6", "#e8457f", "#b3225c"], top: "sprinkles", ink: ["#fff", "#ffe3ec", "#fff6d8"], dough: "plain" },
  chocolat: { glaze: ["#7b4630", "#5a2c1c", "#38170d"], top: "nuts", ink: ["#e6b878", "#c98f4e", "#f3d3a0"], dough: "plain" },
  vanille: { glaze: ["#fffaf0", "#f6e7cf", "#d6b98f"], top: "sprinkles", ink: ["#e0477f", "#3b45d1", "#f6b21b", "#17907a", "#7a52c9"], dough: "plain" },
  coco: { glaze: ["#ffd9e2", "#fbb9c9", "#d98a9f"], top: "coconut", ink: ["#fff", "#fffaf4"], dough: "cocoa" },
  cafe: { glaze: ["#c39a77", "#a2744f", "#724a2c"], top: "zigzag", ink: ["#fff1dc"], dough: "cocoa" },
  pistache: { glaze: ["#c4e08f", "#9cc65a", "#6a9433"], top: "nuts", ink: ["#5c7f2c", "#7d9f42", "#e9f3c8"], dough: "plain" },
  myrtille: { glaze: ["#8e86ee", "#5f58c9", "#3b3590"], top: "pearls", ink: ["#fff"], dough: "plain" },
  menthe: { glaze: ["#a5e6d3", "#62c9ae", "#2d8f78"], top: "nuts", ink: ["#4a2417", "#5e3020", "#3a190f"], dough: "cocoa" },
  citron: { glaze: ["#ffef9e", "#fbdc5c", "#d5a513"], top: "zigzag", ink: ["#fffdf2"], dough: "plain" },
  caramel: { glaze: ["#eeb264", "#d0832f", "#97551a"], top: "stripes", ink: ["#6b3313"], dough: "plain" },
  miel: { glaze: ["#ffd95e", "#f6b21b", "#c07c06"], top: "leaf", ink: ["#fff6d8"], dough: "plain" },
};

// path follows f over an angle, closed or not.
function path(c, f, from = 0, to = TAU, n = 120) {
  for (let k = 0; k <= n; k++) { const [x, y] = f(from + (to - from) * k / n); k ? c.lineTo(x, y) : c.moveTo(x, y); }
}

// outline is the edge of a whole donut of width W.
export function outline(c, W) {
  c.beginPath();
  path(c, th => { const [x, y] = point(th, rim(th)); return [x * W, y * W]; });
  c.closePath();
}

function band(c, W, t0, t1, lo, hi, n = 40) {
  c.beginPath();
  for (let k = 0; k <= n; k++) { const th = t0 + (t1 - t0) * k / n, [x, y] = point(th, lo(th, k / n)); k ? c.lineTo(x * W, y * W) : c.moveTo(x * W, y * W); }
  for (let k = n; k >= 0; k--) { const th = t0 + (t1 - t0) * k / n, [x, y] = point(th, hi(th, k / n)); c.lineTo(x * W, y * W); }
  c.closePath();
}

function ramp(c, [x0, y0, x1, y1], stops) {
  const g = c.createLinearGradient(x0, y0, x1, y1);
  for (const [at, colour] of stops) g.addColorStop(at, colour);
  return g;
}

const flood = (c, W, style, alpha = 1) => { c.globalAlpha = alpha; c.fillStyle = style; c.fillRect(-W, -W, 2 * W, 2 * W); c.globalAlpha = 1; };

// paint draws one donut, the centre of its torus at the origin.
function paint(c, W, name, seed) {
  const f = FLAVOURS[name], d = DOUGH[f.dough], rand = rng(seed * 7919 + 13), H = .3 * W;
  dough(c, W, H, d, seed);
  const ice = icing(W, rand);
  glaze(c, W, H, f, d, ice);
  c.save(); ice.outer(c); ice.hole(c); c.clip("evenodd");
  form(c, W, f);
  toppings(c, W, f, rand, ice.edge);
  c.restore();
  wet(c, W, ice);
  c.save(); outline(c, W); c.clip(); // light that comes back under the right side
  c.globalAlpha = .5; c.strokeStyle = "#ffd9a8"; c.lineWidth = .012 * W; c.beginPath();
  path(c, th => { const [x, y] = point(th, rim(th)); return [x * W, y * W]; }, 18 * D, 80 * D, 30);
  c.stroke(); c.restore();
}

function dough(c, W, H, d, seed) {
  outline(c, W); c.fillStyle = ramp(c, [0, -H, 0, H], [[0, d[0]], [.52, d[1]], [1, d[2]]]); c.fill();
  c.save(); outline(c, W); c.clip();
  for (const [w, a] of [[13, .28], [9, .45], [5, .75]]) { // the pale line where it floated in the oil
    const wob = th => (-27 + Math.sin(th * 5 + seed) * 2.5) * D;
    c.globalAlpha = a; c.fillStyle = d[3]; band(c, W, -12 * D, 192 * D, th => wob(th) - w * D, th => wob(th) + w * D); c.fill();
  }
  flood(c, W, ramp(c, [-.5 * W, 0, .5 * W, 0], [[0, "rgba(255,236,190,.34)"], [.35, "rgba(255,236,190,0)"], [.62, "rgba(70,24,10,0)"], [1, "rgba(70,24,10,.42)"]]));
  c.fillStyle = ramp(c, [0, .1 * W, 0, H], [[0, "rgba(70,24,10,0)"], [1, "rgba(60,18,8,.5)"]]); c.fillRect(-W, 0, 2 * W, W);
  c.restore();
}

// icing returns the shape of the icing, whose lower edge runs in drips.
function icing(W, rand) {
  const n = 6 + Math.floor(rand() * 2), drips = [];
  for (let k = 0; k < n; k++) drips.push({ at: (8 + (k + .25 + rand() * .5) * 164 / n) * D, w: .105 + rand() * .055, a: (12 + rand() * 27) * D });
  const ph = rand() * 6, inPh = rand() * 6;
  const edge = th => {
    let e = 17 * D + Math.sin(th * 3 + ph) * 4 * D;
    for (const q of drips) { const x = (th - q.at) / q.w, y = x / 2.1; e -= q.a * Math.exp(-(x ** 4)) + q.a * .28 * Math.exp(-y * y); }
    return e;
  };
  const inner = th => Math.min((148 + 2.5 * Math.sin(th * 3 + inPh)) * D, lip(th));
  return {
    drips, edge,
    outer(c, dy = 0) { c.beginPath(); path(c, th => { const [x, y] = point(th, Math.max(edge(th), rim(th))); return [x * W, y * W + dy]; }, 0, TAU, 220); c.closePath(); },
    hole(c) { path(c, th => { const [x, y] = point(th, inner(th + TAU)); return [x * W, y * W]; }, 0, -TAU); c.closePath(); },
  };
}

function glaze(c, W, H, f, d, ice) {
  c.save(); outline(c, W); c.clip();
  ice.outer(c, .016 * W); c.fillStyle = "rgba(70,20,10,.38)"; c.fill();
  ice.outer(c, .007 * W); c.fillStyle = f.glaze[2]; c.fill();
  ice.outer(c); ice.hole(c); c.fillStyle = ramp(c, [-.3 * W, -H, .2 * W, .2 * W], [[0, f.glaze[0]], [.45, f.glaze[1]], [1, f.glaze[1]]]); c.fill("evenodd");
  c.restore();
  c.save(); c.beginPath(); ice.hole(c); c.clip(); // the far wall of the hole
  flood(c, W, ramp(c, [0, -.13 * W, 0, .03 * W], [[0, d[1]], [.5, d[2]], [1, "#2a100a"]]));
  flood(c, W, ramp(c, [-.2 * W, 0, .2 * W, 0], [[0, "rgba(40,12,6,.55)"], [.5, "rgba(40,12,6,0)"]]));
  c.restore();
}

function form(c, W, f) {
  const dark = f.glaze[2];
  flood(c, W, ramp(c, [0, -.02 * W, 0, .27 * W], [[0, fade(dark, 0)], [1, dark]]), .42);
  flood(c, W, ramp(c, [-.5 * W, 0, .5 * W, 0], [[.5, fade(dark, 0)], [.8, fade(dark, .45)], [1, dark]]), .8);
  c.globalAlpha = .55; c.fillStyle = f.glaze[0];
  band(c, W, 100 * D, 262 * D, (t, u) => (52 - 24 * Math.sin(u * Math.PI)) * D, (t, u) => (66 + 26 * Math.sin(u * Math.PI)) * D); c.fill();
  c.globalAlpha = .3; c.fillStyle = dark;
  band(c, W, 20 * D, 160 * D, (t, u) => (112 - 8 * Math.sin(u * Math.PI)) * D, () => 140 * D); c.fill();
  c.globalAlpha = 1;
}

// wet is the light on the icing: crisp shapes, and a glint on each drip.
function wet(c, W, ice) {
  c.save(); ice.outer(c); ice.hole(c); c.clip("evenodd"); c.fillStyle = "#fff";
  for (const [t0, t1, mid, w, a] of [[118, 158, 47, 6.5, .78], [164, 172, 47, 4.5, .7], [210, 300, 84, 5, .5], [36, 62, 36, 3, .32]]) {
    const wide = u => w * Math.sin(u * Math.PI) ** .7;
    c.globalAlpha = a; band(c, W, t0 * D, t1 * D, (t, u) => (mid - wide(u)) * D, (t, u) => (mid + wide(u)) * D); c.fill();
  }
  for (const q of ice.drips) {
    const [x, y] = point(q.at - .03, ice.edge(q.at) + 12 * D);
    c.globalAlpha = x < .15 ? .6 : .3; c.beginPath(); c.ellipse(x * W - .008 * W, y * W, .007 * W, .021 * W, .1, 0, TAU); c.fill();
  }
  c.restore();
}

function toppings(c, W, f, rand, edge) {
  const pick = () => f.ink[Math.floor(rand() * f.ink.length)];
  // scatter puts count things on what one sees of the icing, each with its shadow.
  const scatter = (count, lo, hi, gap, draw) => {
    for (let k = 0; k < count; k++) {
      const p = spot(rand, edge, lo, hi, gap);
      if (!p) continue;
      const look = draw();
      c.save(); c.translate(p[0] * W, p[1] * W);
      c.save(); c.translate(.004 * W, .009 * W); c.globalAlpha = .32; c.fillStyle = c.strokeStyle = f.glaze[2]; look(true); c.restore();
      look(false); c.restore();
    }
  };
  switch (f.top) {
    case "sprinkles": return scatter(64, 4, 140, 9, () => sprinkle(c, W, rand() * Math.PI, pick()));
    case "nuts": return scatter(74, 4, 138, 6, () => nut(c, W, rand, pick()));
    case "pearls": return scatter(54, 6, 138, 7, () => pearl(c, (.009 + rand() * .008) * W));
    case "coconut": return scatter(120, 2, 142, 5, () => shred(c, W, rand, pick()));
    case "leaf": return scatter(30, 14, 140, 6, () => { const a = rand() * 6; return shadow => { if (shadow) return; c.fillStyle = "#fff3c4"; star(c, .014 * W, a); c.fill(); }; });
    default: return piped(c, W, f);
  }
}

// spot finds a point of the icing that one sees, null if none is found.
function spot(rand, edge, lo, hi, gap) {
  for (let k = 0; k < 40; k++) {
    const th = rand() < .55 ? rand() * Math.PI : rand() * TAU, ps = (lo + rand() * (hi - lo)) * D;
    if (ps < lip(th) - gap * D && ps > rim(th) + gap * D && ps > edge(th) + gap * D) return point(th, ps);
  }
  return null;
}

function sprinkle(c, W, a, colour) {
  const l = .021 * W, dx = l * Math.cos(a), dy = l * Math.sin(a) * .8;
  const line = (x0, y0, x1, y1) => { c.beginPath(); c.moveTo(x0, y0); c.lineTo(x1, y1); c.stroke(); };
  return shadow => {
    c.lineCap = "round"; c.lineWidth = .019 * W;
    if (!shadow) c.strokeStyle = colour;
    line(-dx, -dy, dx, dy);
    if (shadow || colour === "#fff") return;
    c.globalAlpha = .5; c.lineWidth = .006 * W; c.strokeStyle = "#fff"; line(-dx, -dy - .004 * W, .3 * dx, .3 * dy - .004 * W); c.globalAlpha = 1;
  };
}

function nut(c, W, rand, colour) {
  const size = (.010 + rand() * .016) * W, corners = [0, 1, 2, 3, 4].map(q => [(q + rand() * .5) * TAU / 5, size * (.7 + rand() * .6)]);
  return shadow => {
    if (!shadow) c.fillStyle = colour;
    c.beginPath(); for (const [a, l] of corners) c.lineTo(l * Math.cos(a), l * Math.sin(a) * .8); c.closePath(); c.fill();
  };
}

function pearl(c, size) {
  return shadow => {
    if (!shadow) {
      const g = c.createRadialGradient(-size * .3, -size * .4, 0, 0, 0, size);
      g.addColorStop(0, "#fff"); g.addColorStop(1, "#cfd0f5"); c.fillStyle = g;
    }
    c.beginPath(); c.arc(0, 0, size, 0, TAU); c.fill();
  };
}

function shred(c, W, rand, colour) {
  const a = rand() * TAU, l = (.014 + rand() * .02) * W, b = (rand() - .5) * l;
  return shadow => {
    c.lineCap = "round"; c.lineWidth = .0085 * W;
    if (!shadow) c.strokeStyle = colour;
    c.beginPath(); c.moveTo(-l * Math.cos(a), -l * Math.sin(a) * .7); c.quadraticCurveTo(b, b * .6, l * Math.cos(a), l * Math.sin(a) * .7); c.stroke();
  };
}

// piped is a line of icing over the icing: zigzag or stripes.
function piped(c, W, f) {
  const at = f.top === "zigzag" ? th => 76 + 56 * Math.sin(th * 13) : th => 76 + 62 * Math.max(-1, Math.min(1, 1.6 * Math.sin(th * 10 + 1)));
  const line = () => {
    let pen = false;
    c.beginPath();
    for (let k = 0; k <= 700; k++) {
      const th = TAU * k / 700, ps = at(th) * D;
      if (ps > lip(th) || ps < rim(th)) { pen = false; continue; }
      const [x, y] = point(th, ps);
      pen ? c.lineTo(x * W, y * W) : c.moveTo(x * W, y * W); pen = true;
    }
    c.stroke();
  };
  c.lineJoin = c.lineCap = "round";
  for (const [dx, dy, alpha, style, width] of [[.004, .009, .3, f.glaze[2], .022], [0, 0, 1, f.ink[0], .02], [-.003, -.005, .45, "#fff", .006]]) {
    c.save(); c.translate(dx * W, dy * W); c.globalAlpha = alpha; c.strokeStyle = style; c.lineWidth = width * W; line(); c.restore();
  }
}

// star is a star of five points.
export function star(c, size, a) {
  c.beginPath();
  for (let k = 0; k < 10; k++) { const t = a + Math.PI * k / 5, q = k % 2 ? size * .5 : size; c.lineTo(q * Math.sin(t), -q * Math.cos(t)); }
  c.closePath();
}

// emblem is what a star donut wears, white-edged on any flavour.
function emblem(c, W) {
  const [x, y] = point(94 * D, 22 * D);
  c.save(); c.translate(x * W, y * W); c.rotate(-.12); c.lineJoin = "round";
  c.save(); c.fillStyle = "rgba(60,20,0,.45)"; c.translate(.006 * W, .014 * W); star(c, .158 * W, 0); c.fill(); c.restore();
  for (const [size, width, colour] of [[.138, .03, "#fffaf0"], [.098, .012, "#f08a1c"]]) {
    c.fillStyle = c.strokeStyle = colour; c.lineWidth = width * W; star(c, size * W, 0); c.fill(); c.stroke();
  }
  c.fillStyle = "rgba(255,255,255,.7)"; c.translate(-.02 * W, -.022 * W); star(c, .034 * W, .2); c.fill();
  c.restore();
}

// shade is the shadow that a donut casts on the one below, kept inside that one.
function shade(c, W) {
  c.save(); outline(c, W); c.clip(); c.translate(0, -STEP * W * .36);
  const g = c.createRadialGradient(0, 0, W * .2, 0, 0, W * .52);
  g.addColorStop(0, "rgba(60,14,30,.3)"); g.addColorStop(.75, "rgba(60,14,30,.3)"); g.addColorStop(1, "rgba(60,14,30,0)");
  c.scale(1, .43); c.fillStyle = g; c.beginPath(); c.arc(0, 0, W * .54, 0, TAU); c.fill(); c.restore();
}

// bitmap draws once what frames will move. A bitmap is drawn here and now; a canvas would keep the strokes for the first frame that shows it.
export function bitmap(w, h, dpr, draw) {
  const sheet = new OffscreenCanvas(Math.ceil(w * dpr), Math.ceil(h * dpr)), c = sheet.getContext("2d");
  c.scale(dpr, dpr);
  draw(c);
  return sheet.transferToImageBitmap();
}

// bake is a bitmap of w by h widths around an origin at (ox, oy) widths.
const bake = (W, dpr, [w, h, ox, oy], draw) => bitmap(W * w, W * h, dpr, c => { c.translate(W * ox, W * oy); draw(c); });

const BOX = [1.08, .66, .54, .33], DOILY = [1.3, .5, .65, .22];
const LOOKS = 3; // drips and sprinkles of a flavour fall in as many ways

// Baker keeps the sprites of one size.
export class Baker {
  constructor(W, dpr, dark) { this.W = W; this.dpr = dpr; this.dark = dark; this.kept = new Map(); }

  sprite(key, box, draw) {
    let s = this.kept.get(key);
    if (!s) { s = bake(this.W, this.dpr, box, draw); this.kept.set(key, s); }
    return s;
  }

  // donut is the sprite of a donut; shaded: another one stands on it. Star and shadow are laid on the flavour, which is the dear part.
  donut({ flavour, star: starred }, n, shaded) {
    const look = n % LOOKS, plain = this.sprite(flavour + look, BOX, c => paint(c, this.W, flavour, look));
    if (!starred && !shaded) return plain;
    return this.sprite([flavour, look, starred, shaded].join(), BOX, c => {
      c.drawImage(plain, -this.W * BOX[2], -this.W * BOX[3], plain.width / this.dpr, plain.height / this.dpr);
      if (starred) emblem(c, this.W);
      if (shaded) shade(c, this.W);
    });
  }

  // warm bakes every flavour while nothing else is to do, so that no frame has to.
  warm() {
    const left = Object.keys(FLAVOURS).flatMap(flavour => Array.from({ length: LOOKS }, (_, look) => [flavour, look]));
    const idle = globalThis.requestIdleCallback ?? (f => setTimeout(() => f({ timeRemaining: () => 8 }), 30));
    const bakeOn = deadline => {
      do { const [flavour, look] = left.pop(); for (const shaded of [false, true]) this.donut({ flavour, star: false }, look, shaded); } while (left.length && deadline.timeRemaining() > 8);
      if (left.length) idle(bakeOn);
    };
    idle(bakeOn);
  }

  // put draws a donut, the centre of its torus at (x, y), squashed by s.
  put(c, item, n, x, y, tilt, s = 1, shaded = false) {
    const W = this.W, sprite = this.donut(item, n, shaded);
    if (tilt === 0 && s === 1) { c.drawImage(sprite, x - W * .54, y - W * .33, W * 1.08, W * .66); return; }
    const cos = Math.cos(tilt), sin = Math.sin(tilt), d = this.dpr;
    c.setTransform(d * cos * (2 - s), d * sin * (2 - s), -d * sin * s, d * cos * s, d * x, d * y);
    c.drawImage(sprite, -W * .54, -W * .33, W * 1.08, W * .66);
    c.setTransform(d, 0, 0, d, 0, 0);
  }

  // doily draws the paper that marks a level.
  doily(c, x, y, tilt) {
    const W = this.W, d = this.dpr, sprite = this.sprite("doily", DOILY, q => doily(q, W, this.dark));
    const cos = Math.cos(tilt), sin = Math.sin(tilt);
    c.setTransform(d * cos, d * sin, -d * sin, d * cos, d * x, d * y);
    c.drawImage(sprite, -W * .65, -W * .22, W * 1.3, W * .5);
    c.setTransform(d, 0, 0, d, 0, 0);
  }
}

function doily(c, W, dark) {
  const a = .585 * W, b = .185 * W, n = 30;
  const edge = dy => { c.beginPath(); path(c, t => { const q = 1 + .035 * Math.abs(Math.sin(t * n / 2)); return [a * q * Math.cos(t), b * q * Math.sin(t) + dy]; }, 0, TAU, n * 8); c.closePath(); };
  c.fillStyle = "rgba(60,14,30,.22)"; edge(.03 * W); c.fill();
  c.fillStyle = dark ? "#b9aed4" : "#d9c7d2"; edge(.012 * W); c.fill();
  c.fillStyle = dark ? "#efe8fa" : "#fffdfb"; edge(0); c.fill();
  c.fillStyle = dark ? "rgba(60,40,110,.4)" : "rgba(224,71,127,.32)";
  for (let k = 0; k < n; k++) { const t = TAU * (k + .5) / n; c.beginPath(); c.ellipse(a * .955 * Math.cos(t), b * .955 * Math.sin(t), .012 * W, .007 * W, 0, 0, TAU); c.fill(); }
}
