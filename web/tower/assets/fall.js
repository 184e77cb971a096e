// The collapse: a wave runs down from the donut that slipped. Each keeps its own path, spin and side, falls as a body falls, bounces once
// and comes to rest on the counter or beyond its edge; the camera comes down with them. The end is a still picture, the same after a reload.

import { rng } from "./art.js";

const CRUMBS = 70, CRUMB_INKS = ["#d9924a", "#fbe3b4", "#fff", "#e8457f", "#5a2c1c"];
const TAU = Math.PI * 2;

export class Fall {
  // TIME is how long it takes, in milliseconds.
  static TIME = 1400;

  // at(n) is where donut n stood, with the camera at the ground.
  constructor({ baker, pile, at, start, up, series, cx, base, w, h, wide }) {
    Object.assign(this, { baker, pile, start, up, w, h, W: baker.W });
    const q = rng(77), N = pile.length, W = this.W, seconds = Fall.TIME / 1000;
    const wave = Math.min(.022, .3 / Math.max(1, N)), tallest = base - at(Math.max(0, N - 1))[1] + W;
    this.gravity = Math.max(13 * W, 2 * tallest / .81); // the whole tower is down in .9 s
    const slots = this.slots(cx, base, wide, q);
    this.bodies = pile.map((item, n) => {
      const [x, y, a] = at(n), side = n % 3 === 0 ? -1 : 1, rest = slots[n] ?? this.beyond(side, q), wait = (N - 1 - n) * wave + .02;
      const hop = -W * (.4 + 1.3 * n / N) * (.7 + q() * .5), T = Math.min(flight(hop, this.gravity, rest.y - y), seconds - wait - .18);
      return { item, n, x, y, a, wait, T, rest, hop, pull: 2 * (rest.y - y - hop * T) / (T * T), turn: rest.a - a + side * TAU * (n / N > .6 ? 1 : 0) };
    });
    this.papers = pile.flatMap((_, n) => {
      if (n === 0 || n % series) return [];
      const [x, y, a] = at(n);
      return [{ x, y: y + .2 * W, a, wait: (N - 1 - n) * wave, to: x + (q() - .5) * 3 * W, ground: base + (.46 + q() * .2) * W, end: (q() - .5) * .5 }];
    });
    this.crumbs = Array.from({ length: CRUMBS }, (_, k) => {
      const [x, y] = at(Math.floor(Math.max(0, N - 16) + q() * Math.min(N, 16)));
      return { x, y, vx: (q() - .5) * W * 4.4, vy: (q() - .75) * W * 3.4, size: (1 + q() * 3) * W / 130, a: q() * 6, round: k % 3 === 0, ink: CRUMB_INKS[k % 5] };
    });
  }

  // slots are the places of a heap on the counter, from the bottom up; those in the middle first.
  slots(cx, base, wide, q) {
    const W = this.W, left = (wide ? 168 : 100) + .42 * W, right = this.w - .4 * W, apart = (wide ? .74 : .52) * W, list = [];
    const row0 = Math.max(1, Math.floor((right - left) / apart) + 1), mid = Math.min(Math.max(cx, left + (row0 - 1) * apart / 2), right - (row0 - 1) * apart / 2);
    for (let r = 0; r < row0 && r < 6; r++) {
      const row = [];
      for (let k = 0; k < row0 - r; k++) {
        row.push({ x: mid + (k - (row0 - r - 1) / 2) * apart + (q() - .5) * .16 * W, y: base + (wide ? .5 : .4) * W - r * .3 * W + (q() - .5) * .08 * W, a: (q() - .5) * (r ? .9 : .5) });
      }
      list.push(...row.sort((a, b) => Math.abs(a.x - cx) - Math.abs(b.x - cx)));
    }
    return list;
  }

  // beyond is where a donut goes that the counter has no room for: out of the picture.
  beyond(side, q) { return { x: side < 0 ? -this.W : this.w + this.W * (.2 + q()), y: this.h + this.W, a: side * 3 }; }

  seconds(now) { return Math.min((now - this.start) / 1000, Fall.TIME / 1000); }
  over(now) { return now - this.start >= Fall.TIME; }

  // camera returns how high the camera is: it comes down as the tower does.
  camera(now) {
    const u = Math.min(1, this.seconds(now) / .95);
    return this.up * (1 - (u < .5 ? 2 * u * u : 1 - 2 * (1 - u) ** 2));
  }

  draw(c, now) {
    const t = this.seconds(now), up = this.camera(now);
    for (const p of this.papers) this.paper(c, p, t, up);
    for (const b of this.bodies) this.body(c, b, t, up);
    if (t < Fall.TIME / 1000) for (const k of this.crumbs) this.crumb(c, k, t, up);
  }

  body(c, b, t, up) {
    const W = this.W, k = t - b.wait;
    let x = b.x, y = b.y, a = b.a, s = 1;
    if (k >= b.T) {
      const after = k - b.T, u = Math.min(1, after / .18);
      x = b.rest.x; y = b.rest.y - Math.sin(Math.PI * u) * .1 * W; a = b.a + b.turn; s = 1 - .1 * Math.max(0, 1 - after / .09);
    } else if (k > 0) {
      const u = k / b.T;
      x += (b.rest.x - b.x) * u; y += b.hop * k + b.pull * k * k / 2; a += b.turn * u;
    }
    y += up;
    if (y > -W && y < this.h + W && x > -W && x < this.w + W) this.baker.put(c, b.item, b.n, x, y, a, s, k <= 0);
  }

  paper(c, p, t, up) {
    const k = Math.max(0, t - p.wait), u = Math.min(1, k / Math.max(.2, Fall.TIME / 1000 - p.wait)), down = 1 - (1 - u) ** 2;
    this.baker.doily(c, p.x + (p.to - p.x) * u + Math.sin(u * 9) * .2 * this.W * (1 - u), p.y + (p.ground - p.y) * down + up, p.a + (p.end - p.a) * u + Math.sin(u * 7) * .5 * (1 - u));
  }

  crumb(c, k, t, up) {
    const x = k.x + k.vx * t, y = k.y + k.vy * t + this.gravity * .45 * t * t + up, s = k.size;
    if (y > this.h) return;
    c.fillStyle = k.ink;
    if (k.round) { c.beginPath(); c.arc(x, y, s, 0, TAU); c.fill(); } else { c.fillRect(x - s, y - s * .6, 2 * s, 1.2 * s); }
  }
}

// flight is how long a body takes that leaves at speed v and is pulled down by g, to fall by d.
function flight(v, g, d) { return (-v + Math.sqrt(Math.max(0, v * v + 2 * g * d))) / g; }
