// The tower: how it stands, sways, grows by five and comes down. It shows what the server has stored, and nothing of what is to come: it moves
// alike at every level and before every outcome.

import { Baker, STEP, bitmap, outline, rng } from "./art.js";
import { Scenery, inks } from "./scenery.js";
import { Fall } from "./fall.js";

// Times in milliseconds.
const TIME = { rise: 360, lead: 200, fall: 420, apart: 160, spring: 180, sugar: 900 };
// SERIES is the number of donuts between two doilies.
const SERIES = 5;
const GAP = .1; // room that a doily takes, in widths
const SWAY = { period: 5.5, reach: .16, bend: 2.2 };

const clamp = (x, lo = 0, hi = 1) => Math.min(hi, Math.max(lo, x));
const ease = u => 1 - (1 - clamp(u)) ** 3;

// dropTime is how long a series takes to come down, with the collapse where item number fell (from 0) does not hold.
export function dropTime(count, fell) {
  const last = fell ?? count - 1;
  return TIME.lead + TIME.apart * last + TIME.fall + (fell === null ? TIME.spring + TIME.rise : Fall.TIME);
}

export class Scene {
  // The sky lies on a canvas of its own: it is drawn again only when the camera moves.
  constructor(sky, tower, sound) {
    Object.assign(this, { sky, tower, sound, pile: [], drop: null, fall: null, sugar: null, up: 0, tall: SERIES, still: false, frames: 0 });
    const q = rng(20190625);
    this.jitter = Array.from({ length: 64 }, () => [(q() - .5) * .075, (q() - .5) * .05]);
    new ResizeObserver(() => this.resize()).observe(tower);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
    document.fonts?.load("700 16px Besley").then(() => this.wake());
  }

  // show puts a tower there at once. fell: it has come down.
  show(pile, fell = false) {
    Object.assign(this, { pile, drop: null, fall: null, sugar: null, tall: Math.max(SERIES, pile.length) });
    this.resize();
    if (fell) this.fall = this.collapse(-Infinity);
    this.wake();
  }

  // play drops the items of a series; fell is the number of the first one that does not hold, or null.
  play(items, fell) {
    if (this.fall) this.show([]);
    const now = performance.now(), count = fell === null ? items.length : fell + 1;
    if (this.still) {
      this.show([...this.pile, ...items.slice(0, count)], fell !== null);
      return;
    }
    this.drop = { items: items.slice(0, count), fell, at: now + TIME.lead, from: this.pile.length, heard: 0 };
    this.raise(this.pile.length + items.length, .45 * this.W, now);
    this.drop.tall = this.tall;
    this.wake();
  }

  // sprinkle lets a little sugar settle: a level is passed whose gain is above the stake.
  sprinkle() { if (!this.still) { this.sugar = performance.now(); this.wake(); } }

  setStill(still) { this.still = still; if (this.drop || this.fall) this.finish(); this.wake(); }

  // finish takes what moves to its end.
  finish() {
    const d = this.drop;
    if (d) this.show([...this.pile, ...d.items], d.fell !== null); else if (this.fall) this.fall.start = -Infinity;
  }

  resize() {
    const w = this.tower.clientWidth, h = this.tower.clientHeight, dpr = Math.min(2, devicePixelRatio || 1);
    if (!w || !h) return;
    const dark = getComputedStyle(document.documentElement).colorScheme.includes("dark"), wide = w > 560;
    for (const cv of [this.sky, this.tower]) { cv.width = Math.round(w * dpr); cv.height = Math.round(h * dpr); }
    const W = Math.round(wide ? Math.min(132, h / 5.6) : Math.min(150, h / 2.9));
    if (!this.baker || this.baker.W !== W || this.baker.dpr !== dpr || this.baker.dark !== dark) { this.baker = new Baker(W, dpr, dark); this.baker.warm(); this.dashes = null; }
    Object.assign(this, {
      w, h, dpr, dark, wide, W, ink: inks(dark), step: STEP * W, cx: Math.round(w * (wide ? .54 : .61)),
      base: h - (wide ? .8 : .66) * W, head: wide ? h * .17 : STEP * W * 2.9 + 14,
    });
    this.scenery = new Scenery(w, h, dpr, dark);
    this.c = this.tower.getContext("2d"); this.bg = this.sky.getContext("2d", { alpha: false });
    for (const c of [this.c, this.bg]) c.setTransform(dpr, 0, 0, dpr, 0, 0);
    this.up = this.fall ? 0 : this.height(this.pile.length, this.head + .3 * W);
    this.camera = null;
    if (this.fall) this.fall = this.collapse(-Infinity);
    this.drawnAt = null;
    this.wake();
  }

  // rise is how high above the plate the centre of donut n is.
  rise(n) { return n * this.step + Math.floor(n / SERIES) * GAP * this.W; }

  // height is how far the camera rises so that the top of n donuts keeps a distance from the edge.
  height(n, margin) { return Math.max(0, margin - this.base + this.rise(Math.max(0, n - 1))); }

  raise(n, margin, now) { this.camera = { from: this.up, to: Math.max(this.up, this.height(n, margin)), at: now }; }

  // at is where donut n stands: x, y, tilt. The tower leans as one body, and more with the height.
  at(n, lean) {
    const u = n / this.tall, [dx, turn] = this.jitter[n % 64];
    return [this.cx + dx * this.W + lean * this.W * SWAY.reach * u ** SWAY.bend, this.base - this.rise(n) + this.up, turn + lean * .05 * u ** 1.4];
  }

  lean(now) {
    if (this.still) return .4;
    const d = this.drop, t = now / 1000;
    let lean = Math.sin(t * 2 * Math.PI / SWAY.period);
    const landed = d && now - d.at - TIME.fall;
    if (landed > 0) { const s = (landed % TIME.apart) / 1000; lean += .1 * Math.exp(-6 * s) * Math.sin(14 * s); }
    return clamp(lean, -1, 1);
  }

  wake() { if (!this.asked) this.asked = requestAnimationFrame(now => { this.asked = 0; this.frame(now); }); }

  frame(now) {
    if (!this.baker) return;
    this.advance(now);
    this.background();
    this.c.clearRect(0, 0, this.w, this.h);
    if (this.fall) this.fall.draw(this.c, now); else this.stand(now);
    this.frames++;
    const resting = this.still || (this.fall && this.fall.over(now));
    if (!resting || this.camera) this.wake();
  }

  // advance moves the camera, and ends a drop whose time is over.
  advance(now) {
    if (this.camera) {
      const u = this.still ? 1 : (now - this.camera.at) / TIME.rise;
      this.up = this.camera.from + (this.camera.to - this.camera.from) * ease(u);
      if (u >= 1) this.camera = null;
    }
    const d = this.drop;
    if (d) this.sounds(d, now);
    if (d && now >= d.at + TIME.apart * (d.items.length - 1) + TIME.fall + (d.fell === null ? TIME.spring : 0)) {
      this.pile = [...this.pile, ...d.items];
      this.drop = null;
      if (d.fell === null) this.raise(this.pile.length, this.head + .3 * this.W, now); else { this.fall = this.collapse(now); this.sound?.("fall"); }
    }
    if (this.fall) this.up = this.fall.camera(now);
    const tall = Math.max(SERIES, this.pile.length);
    this.tall += (tall - this.tall) * (this.still ? 1 : .06);
  }

  sounds(d, now) {
    for (; d.heard < d.items.length && now >= d.at + TIME.apart * d.heard + TIME.fall; d.heard++) this.sound?.("set");
  }

  background() {
    if (this.drawnAt === this.up) return;
    this.drawnAt = this.up;
    this.scenery.draw(this.bg, this.up, { x: this.cx, y: this.base + this.up, W: this.W });
  }

  stand(now) {
    const { c, W, h } = this, lean = this.lean(now), N = this.pile.length;
    for (let n = 0; n < N; n++) {
      const [x, y, tilt] = this.at(n, lean);
      if (y > h + W) continue;
      if (n % SERIES === 0 && n) this.baker.doily(c, x, y + .2 * W, tilt * .7);
      const s = this.squash(n, now);
      this.baker.put(c, this.pile[n], n, x, y + .3 * W * (1 - s), tilt, s, n + 1 < N || this.landed(0, now));
    }
    if (this.drop) this.dropping(now, lean); else this.dashed(lean);
    for (let n = SERIES; n <= N; n += SERIES) this.flag(n, lean);
    this.sugaring(now, lean);
  }

  // landed reports whether item k of the series has reached the tower.
  landed(k, now) { const d = this.drop; return !!d && k < d.items.length && now >= d.at + TIME.apart * k + TIME.fall; }

  dropping(now, lean) {
    const { c, W } = this, d = this.drop;
    d.items.forEach((item, k) => {
      const n = d.from + k, u = (now - d.at - TIME.apart * k) / TIME.fall;
      if (u < 0) return;
      const [x, y, tilt] = this.at(n, lean), top = -W, s = this.squash(n, now);
      if (k === 0 && n && u >= 1) this.baker.doily(c, x, y + .2 * W, tilt * .7);
      this.baker.put(c, item, n, x, u < 1 ? top + (y - top) * u * u : y + .3 * W * (1 - s), tilt * clamp(u), s, this.landed(k + 1, now));
    });
  }

  // squash is how flat a donut is just now: the one that lands most, those under it less and a little later.
  squash(n, now) {
    const d = this.drop;
    if (!d || this.still) return 1;
    let s = 1;
    for (let k = 0; k < d.items.length; k++) {
      const below = d.from + k - n, u = (now - d.at - TIME.apart * k - TIME.fall - below * 14) / TIME.spring;
      if (below < 0 || below > 8 || u <= 0 || u >= 1) continue;
      s -= below === 0 ? .14 * (1 - u) ** 2 : .05 * Math.exp(-below * .35) * Math.sin(Math.PI * u);
    }
    return s;
  }

  // dashed outlines where the next five would lie, in line only: nothing is known of them.
  dashed(lean) {
    const N = this.pile.length;
    if (N >= 50 || this.hideNext) return;
    const { c, W, step, dpr } = this, [x, y] = N ? this.at(N - 1, lean) : [this.cx, this.base + this.up + step];
    const g = this.dashes ??= dashes(W, dpr, this.ink.ghost);
    c.globalAlpha = this.dark ? .7 : .6;
    c.drawImage(g, x - g.width / dpr / 2, y - .06 * W - step - g.height / dpr + .32 * W, g.width / dpr, g.height / dpr);
    c.globalAlpha = 1;
  }

  // flag names a level where it was passed.
  flag(n, lean) {
    const { c, W, ink } = this, top = n === this.pile.length && !this.drop;
    const [tx, ty, tilt] = this.at(top ? n - 1 : n, lean), x = tx + (top ? .5 : .57) * W, y = ty + (top ? -.03 : .2) * W + Math.sin(tilt) * W * .5;
    if (y < -W || y > this.h + W) return;
    const L = W * .15, fw = Math.max(26, W * .22), fh = Math.max(17, W * .145);
    c.strokeStyle = ink.pole; c.lineWidth = Math.max(1.5, W * .012); c.lineCap = "round";
    c.beginPath(); c.moveTo(x - W * .04, y); c.lineTo(x + L + 1, y - L * .2); c.stroke();
    c.save(); c.translate(x + L, y - L * .2); c.fillStyle = ink.flag;
    c.beginPath(); c.moveTo(0, -fh / 2); c.lineTo(fw, -fh / 2); c.lineTo(fw - fh * .32, 0); c.lineTo(fw, fh / 2); c.lineTo(0, fh / 2); c.closePath(); c.fill();
    c.fillStyle = ink.flagInk; c.font = `700 ${fh * .7}px Besley, serif`; c.textAlign = "center"; c.textBaseline = "middle"; c.fillText(n, fw * .44, fh * .05);
    c.restore();
  }

  sugaring(now, lean) {
    if (!this.sugar) return;
    const u = (now - this.sugar) / TIME.sugar, q = rng(24), { c, W } = this, [x, y] = this.at(Math.max(0, this.pile.length - 1), lean);
    if (u >= 1) { this.sugar = null; return; }
    c.fillStyle = this.dark ? "#f4ecff" : "#fff";
    for (let k = 0; k < 24; k++) {
      const dx = (q() - .5) * 1.1 * W, from = y - (.5 + q() * .5) * W, to = y + (q() - .6) * .3 * W;
      c.globalAlpha = Math.sin(Math.PI * u) * .9; c.beginPath(); c.arc(x + dx + Math.sin(u * 5 + k) * .03 * W, from + (to - from) * ease(u), W * .014, 0, 7); c.fill();
    }
    c.globalAlpha = 1;
  }

  // collapse starts the fall of the whole tower at an instant.
  collapse(start) {
    const lean = this.lean(start === -Infinity ? 0 : start), up = this.up;
    const at = n => { const [x, y, a] = this.at(n, lean); return [x, y - up, a]; };
    return new Fall({ baker: this.baker, pile: this.pile, at, start, up, series: SERIES, cx: this.cx, base: this.base, w: this.w, h: this.h, wide: this.wide });
  }
}

function dashes(W, dpr, ink) {
  const step = STEP * W, tall = step * (SERIES - 1) + .64 * W;
  return bitmap(W * 1.1, tall, dpr, q => {
    q.lineWidth = 1.6; q.setLineDash([5, 4]); q.strokeStyle = ink; q.lineJoin = "round";
    for (let n = 0; n < SERIES; n++) {
      q.save(); q.translate(W * .55, tall - .32 * W - n * step); outline(q, W * .98);
      q.globalCompositeOperation = "destination-out"; q.fill(); q.globalCompositeOperation = "source-over"; q.stroke();
      if (n === SERIES - 1) { q.beginPath(); q.ellipse(0, -.065 * W, .18 * W, .055 * W, 0, 0, 7); q.stroke(); }
      q.restore();
    }
    q.globalCompositeOperation = "destination-in";
    const g = q.createLinearGradient(0, 0, 0, tall);
    g.addColorStop(0, "rgba(0,0,0,.25)"); g.addColorStop(1, "#000"); q.fillStyle = g; q.fillRect(0, 0, W * 2, tall);
  });
}
