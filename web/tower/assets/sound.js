// Three short sounds of the same loudness: a donut is set down, a level is passed, the tower falls. Nothing between, no music, off until it is asked for.

const LOUDNESS = .12;

export class Sound {
  constructor() { this.on = false; }

  // turn makes the device's sound on demand: no browser lets a page sound before its user acted.
  turn(on) {
    this.on = on;
    if (on) { this.ctx ??= new AudioContext(); this.ctx.resume(); }
  }

  play(name) {
    if (!this.on || !this.ctx) return;
    const t = this.ctx.currentTime;
    if (name === "set") this.tone(t, "sine", 190, 95, .11);
    if (name === "pass") { this.tone(t, "triangle", 523, 523, .14); this.tone(t + .11, "triangle", 659, 659, .2); }
    if (name === "fall") this.rumble(t, .5);
  }

  gain(t, length) {
    const g = this.ctx.createGain();
    g.gain.setValueAtTime(LOUDNESS, t); g.gain.exponentialRampToValueAtTime(.0005, t + length);
    g.connect(this.ctx.destination);
    return g;
  }

  tone(t, type, from, to, length) {
    const o = this.ctx.createOscillator();
    o.type = type; o.frequency.setValueAtTime(from, t); o.frequency.exponentialRampToValueAtTime(to, t + length);
    o.connect(this.gain(t, length)); o.start(t); o.stop(t + length);
  }

  rumble(t, length) {
    const n = Math.ceil(this.ctx.sampleRate * length), buffer = this.ctx.createBuffer(1, n, this.ctx.sampleRate), data = buffer.getChannelData(0);
    for (let k = 0; k < n; k++) data[k] = Math.random() * 2 - 1;
    const s = this.ctx.createBufferSource(), low = this.ctx.createBiquadFilter();
    s.buffer = buffer; low.type = "lowpass"; low.frequency.setValueAtTime(520, t); low.frequency.exponentialRampToValueAtTime(90, t + length);
    s.connect(low).connect(this.gain(t, length)); s.start(t);
  }
}
