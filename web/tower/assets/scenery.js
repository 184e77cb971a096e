// What stands behind the tower: sky, sun or moon, clouds, two rows of roofs, the counter with its cake stand. The layers are baked for one
// size; they are put together again only when the camera moves.

import { bitmap, rng } from "./art.js";

const TAU = Math.PI * 2;
const PARALLAX = { clouds: .08, far: .1, near: .15 };

const LIGHT = {
  sky: ["#f7c6d3", "#fbdadb", "#ffeccb"], disc: "#ffc23d", glow: "rgba(255,194,61,.25)", cloud: "rgba(255,255,255,.72)",
  far: "#dcb7d3", far2: "#e8c8dc", near: "#7c78c9", near2: "#918dd6", lit: "#ffe8ae", counter: "#2c2a6b", edge: "#5b57b3",
  stand: "#fffdfb", stand2: "#d7c3d4", flag: "#1c1a3a", flagInk: "#fff", pole: "#1c1a3a", ghost: "rgba(28,26,58,.5)",
};
const DARK = {
  sky: ["#15123a", "#3a1f52", "#7a3557"], disc: "#ffe6a6", glow: "rgba(255,230,166,.16)", cloud: "rgba(150,130,210,.28)",
  far: "#3d2a66", far2: "#4a3378", near: "#221b4a", near2: "#2d2560", lit: "#ffc84a", counter: "#0e0c20", edge: "#4a3f86",
  stand: "#cfc6ea", stand2: "#8a7fb8", flag: "#ffc84a", flagInk: "#1c1a3a", pole: "#e9e2f5", ghost: "rgba(255,255,255,.55)",
};

// inks returns the colours of the scene.
export const inks = dark => dark ? DARK : LIGHT;

export class Scenery {
  constructor(w, h, dpr, dark) {
    const wide = w > 560;
    Object.assign(this, { w, h, dpr, ink: inks(dark), wide });
    this.sky = this.layer(0, h, c => this.paintSky(c, dark));
    this.clouds = this.layer(0, h * .8, c => this.paintClouds(c));
    const far = h * (wide ? .8 : .92), near = h * (wide ? .93 : 1.03), kf = wide ? 1.05 : .75, kn = wide ? 1.35 : .95;
    this.far = this.layer(far - 160 * kf, h, c => this.roofs(c, far, kf, this.ink.far, this.ink.far2, null, 11));
    this.near = this.layer(near - 160 * kn, h, c => this.roofs(c, near, kn, this.ink.near, this.ink.near2, this.ink.lit, 29));
  }

  // layer bakes what lies between two heights of the scene, over its whole width.
  layer(top, bottom, draw) {
    top = Math.max(0, Math.floor(top));
    const sheet = bitmap(this.w, bottom - top, this.dpr, c => { c.translate(0, -top); draw(c); });
    return { sheet, top, height: sheet.height / this.dpr };
  }

  // draw puts the layers together; up is how far the camera has risen, stand where the cake stand is: {x, y, W}.
  draw(c, up, stand) {
    this.put(c, this.sky, 0);
    this.put(c, this.clouds, up * PARALLAX.clouds);
    this.put(c, this.far, up * PARALLAX.far);
    this.put(c, this.near, up * PARALLAX.near);
    if (stand.y < this.h + stand.W) this.counter(c, stand);
  }

  put(c, { sheet, top, height }, dy) { if (top + dy < this.h) c.drawImage(sheet, 0, top + dy, this.w, height); }

  paintSky(c, dark) {
    const { w, h, wide, ink } = this, g = c.createLinearGradient(0, 0, 0, h);
    ink.sky.forEach((s, k) => g.addColorStop(k / 2, s));
    c.fillStyle = g; c.fillRect(0, 0, w, h);
    if (dark) {
      const q = rng(5);
      c.fillStyle = "#fff";
      for (let k = 0; k < 60; k++) { c.globalAlpha = .25 + q() * .5; c.beginPath(); c.arc(q() * w, q() * h * .7, q() * 1.3, 0, TAU); c.fill(); }
      c.globalAlpha = 1;
    }
    const x = w * (wide ? .76 : .8), y = h * (wide ? .27 : .36), r = Math.min(w, h) * (wide ? .19 : .3);
    for (const [size, style] of [[1.28, ink.glow], [1, ink.disc]]) { c.fillStyle = style; c.beginPath(); c.arc(x, y, r * size, 0, TAU); c.fill(); }
  }

  paintClouds(c) {
    const { w, h, wide } = this, k = wide ? 1 : .8;
    for (const [x, y, size] of [[wide ? .3 : .42, wide ? .2 : .17, .9], [.88, wide ? .4 : .5, 1.15], [.12, wide ? .55 : .66, 1]]) this.cloud(c, w * x, h * y, size * k);
  }

  cloud(c, x, y, k) {
    c.fillStyle = this.ink.cloud; c.beginPath();
    for (const [a, b, r] of [[-52, 6, 15], [-24, -8, 28], [14, -14, 34], [48, 0, 21], [70, 8, 13]]) { c.moveTo(x + a * k + r * k, y + b * k); c.arc(x + a * k, y + b * k, r * k, 0, TAU); }
    c.rect(x - 52 * k, y + 2 * k, 122 * k, 19 * k); c.fill();
  }

  // roofs is a street of mansards with their chimneys; some windows are lit.
  roofs(c, y, k, body, roof, lit, seed) {
    const q = rng(seed);
    for (let x = -30 * k; x < this.w + 40;) {
      const bw = (62 + q() * 70) * k, rise = (40 + q() * 60) * k, rh = (24 + q() * 16) * k, top = y - rise;
      c.fillStyle = body; c.fillRect(x, top, bw + 1, this.h - top + 4);
      c.fillStyle = roof; c.beginPath(); c.moveTo(x - 3 * k, top); c.lineTo(x + 9 * k, top - rh); c.lineTo(x + bw - 9 * k, top - rh); c.lineTo(x + bw + 3 * k, top); c.fill();
      c.fillStyle = body;
      for (let j = 2 + Math.floor(q() * 2); j > 0; j--) {
        const cx = x + (16 + q() * (bw / k - 40)) * k, cy = top - rh;
        c.fillRect(cx, cy - 13 * k, 13 * k, 14 * k); c.fillRect(cx + 1.5 * k, cy - 18 * k, 3.5 * k, 6 * k); c.fillRect(cx + 8 * k, cy - 18 * k, 3.5 * k, 6 * k);
      }
      if (lit) this.windows(c, q, x, top, bw, rh, k, roof, lit);
      x += bw;
    }
  }

  windows(c, q, x, top, bw, rh, k, roof, lit) {
    const n = Math.max(2, Math.floor(bw / (24 * k)));
    for (let j = 0; j < n; j++) {
      const wx = x + bw * (j + .5) / n - 4 * k;
      c.fillStyle = q() < .42 ? lit : roof; c.fillRect(wx, top - rh * .66, 8 * k, rh * .46);
      for (let row = 0; row < 6; row++) { c.fillStyle = q() < .3 ? lit : roof; c.fillRect(wx, top + (13 + row * 27) * k, 8 * k, 14 * k); }
    }
  }

  counter(c, { x, y, W }) {
    const { ink, w, h } = this, plate = y + .2 * W;
    const oval = (oy, rx, ry, style) => { c.fillStyle = style; c.beginPath(); c.ellipse(x, oy, rx * W, ry * W, 0, 0, TAU); c.fill(); };
    c.fillStyle = ink.counter; c.fillRect(0, plate + W * .34, w, h);
    c.fillStyle = ink.edge; c.fillRect(0, plate + W * .34, w, 7);
    oval(plate + W * .44, .6, .08, "rgba(20,8,40,.3)");
    c.fillStyle = ink.stand2; c.beginPath(); c.moveTo(x - W * .12, plate); c.quadraticCurveTo(x - W * .05, plate + W * .25, x - W * .36, plate + W * .42);
    c.lineTo(x + W * .36, plate + W * .42); c.quadraticCurveTo(x + W * .05, plate + W * .25, x + W * .12, plate); c.fill();
    oval(plate + W * .42, .37, .07, ink.stand); oval(plate + W * .035, .78, .2, ink.stand2); oval(plate, .78, .19, ink.stand);
  }
}
