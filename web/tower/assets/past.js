// A past round: shown again from what was stored, and computed again from what was published.

import { Scene, dropTime } from "./scene.js";
import { kept, promises } from "./choices.js";
import { check } from "./verify.js";

const $ = id => document.getElementById(id);
const cv = $("scene"), proof = JSON.parse(cv.dataset.proof), still = JSON.parse(cv.dataset.still);
const scene = new Scene($("sky"), cv);
scene.hideNext = true;
scene.setStill(kept("motion") === "less" || (kept("motion") === null && matchMedia("(prefers-reduced-motion: reduce)").matches));
scene.show(still.pile, still.fell);

const replay = $("replay");
if (replay) {
  replay.hidden = false;
  replay.addEventListener("click", async () => {
    replay.disabled = true;
    scene.show([]);
    for (const s of proof.series) {
      const fell = s.drop.fell < 0 ? null : s.drop.fell;
      $("replaying").textContent = `${s.n} / ${proof.series.length}`;
      scene.play(s.drop.items, fell);
      await new Promise(done => setTimeout(done, dropTime(s.drop.items.length, fell) + 300));
    }
    $("replaying").textContent = "";
    replay.disabled = false;
  });
}

const button = $("check");
if (button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const shown = promises(), t = proof.texts;
    let wrong = 0;
    for (const [k, s] of proof.series.entries()) {
      const fault = await check(proof.round, s, proof.slots[k]), seen = shown.get(`${proof.name}/${s.n}`);
      const other = seen !== undefined && seen !== s.commitment;
      if (fault || other) wrong++;
      const memory = seen === undefined ? t.unseen : other ? t.other : t.seen;
      document.querySelector(`[data-series="${k}"] .verdict`).textContent = (fault ? t[fault] : t.ok) + " " + memory;
    }
    $("verdict").textContent = `${proof.series.length - wrong} / ${proof.series.length}. ${wrong ? t.differs : t.ok}`;
  });
}
