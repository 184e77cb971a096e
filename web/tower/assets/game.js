// The game on the page: it sends the forms, adds the part of the device, shows what the server answers and lets the tower move. Every word and figure
// comes from the server; the outcome is in the live region before the first donut lands.

import { Scene, dropTime } from "./scene.js";
import { Sound } from "./sound.js";
import { keep, kept, remember } from "./choices.js";

const game = document.getElementById("game"), said = document.getElementById("said");
const $ = id => document.getElementById(id);
const pause = ms => new Promise(done => setTimeout(done, ms));
const sound = new Sound();
const scene = new Scene($("sky"), $("scene"), name => { sound.play(name); if (name === "set") count(1); });
const PATIENCE = 15000, TRIES = 3; // of one request, in milliseconds; of sending it
let busy = false;

// count moves the number of donuts that have fallen, as they land.
function count(by) {
  const n = document.querySelector("[data-fallen]");
  if (scene.drop && n) n.textContent = Number(n.textContent) + by;
}

function draw(json) {
  const { pile, fell, open } = JSON.parse(json);
  scene.hideNext = !open;
  scene.show(pile, fell);
}

// ready lets the forms be sent: they say that this device has scripts, and add 16 bytes of its own to each draw.
function ready() {
  for (const form of game.querySelectorAll("form[data-act]")) {
    form.elements.device.value = "1";
    const button = form.querySelector("button"), wait = Number(button.dataset.wait);
    if (wait) hold(button, wait);
  }
}

// hold keeps a button until so many seconds have passed, and says so on it.
function hold(button, seconds) {
  const small = button.querySelector("small"), text = small.textContent, until = performance.now() + seconds * 1000;
  button.setAttribute("aria-disabled", "true");
  const tell = () => {
    const left = Math.ceil((until - performance.now()) / 1000);
    if (!button.isConnected) return;
    if (left <= 0) { small.textContent = text; button.removeAttribute("aria-disabled"); return; }
    small.textContent = text + ", " + game.dataset.wait.replace("%s", left);
    setTimeout(tell, 200);
  };
  tell();
}

// fresh makes the part of the device, once for each decision: a request that is sent again sends the same.
function fresh(form) {
  const field = form.elements.contribution;
  if (field && !field.value) field.value = Array.from(crypto.getRandomValues(new Uint8Array(16)), b => b.toString(16).padStart(2, "0")).join("");
}

game.addEventListener("submit", e => {
  const form = e.target.closest("form[data-act]");
  if (!form) return;
  e.preventDefault();
  const button = form.querySelector("button");
  if (busy || button.getAttribute("aria-disabled") === "true") return;
  fresh(form);
  act(form, button);
});
// A key that is held down decides nothing.
game.addEventListener("keydown", e => { if (e.repeat && (e.key === "Enter" || e.key === " ") && e.target.closest("form[data-act]")) e.preventDefault(); });

async function act(form, button) {
  busy = true;
  game.setAttribute("aria-busy", "true");
  const all = [...game.querySelectorAll("form[data-act] button")].filter(b => b.getAttribute("aria-disabled") !== "true");
  for (const b of all) b.setAttribute("aria-disabled", "true");
  button.classList.add("busy");
  if (form.dataset.act === "go") inView();
  const answer = await send(form);
  if (answer) await show(answer);
  else for (const b of all) b.removeAttribute("aria-disabled"); // the same request may be sent again
  button.classList.remove("busy");
  game.removeAttribute("aria-busy");
  busy = false;
}

// send asks the server, again where no answer comes: under the same key it counts once.
async function send(form) {
  const body = new URLSearchParams(new FormData(form));
  for (let tried = 1; ; tried++) {
    try {
      const r = await fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(PATIENCE) });
      const to = r.headers.get("HX-Redirect");
      if (to) { location.assign(to); return null; }
      const text = await r.text(), answer = new DOMParser().parseFromString(text, "text/html").getElementById("answer");
      if (answer) return answer;
      if (r.status < 500) { location.reload(); return null; }
    } catch { /* no answer: told below */ }
    say(navigator.onLine ? game.dataset.late : game.dataset.offline, true);
    if (tried === TRIES) return null;
    await pause(1000 * tried);
  }
}

// say tells a sentence; seen: to those who see it, too.
function say(text, seen) {
  said.textContent = text;
  let note = $("note");
  if (!seen) return;
  if (!note) { note = document.createElement("p"); note.id = "note"; note.className = "note warn"; $("panel").append(note); }
  note.textContent = text;
}

// inView brings the scene back where the buttons have moved it out of sight, as they do on a phone: below the bar that stays at the top.
function inView() {
  const bar = document.querySelector(".topbar").getBoundingClientRect().bottom, SLACK = 8;
  if (document.querySelector(".stage").getBoundingClientRect().top < bar - SLACK) scrollTo(0, 0);
}

// show swaps in an answer. A series comes down first; whatever it brings takes the same time, moved or not.
async function show(answer) {
  const d = answer.dataset, drop = d.drop && JSON.parse(d.drop);
  say(answer.querySelector("#words").textContent);
  remember(d.promise);
  if (drop) {
    inView();
    const fell = drop.fell < 0 ? null : drop.fell;
    $("note")?.remove();
    scene.play(drop.items, fell);
    await pause(dropTime(drop.items.length, fell));
  } else draw(d.still);
  for (const id of ["hud", "panel"]) $(id).replaceWith(answer.querySelector("#" + id));
  swapReading(answer.querySelector("#reading"));
  $("scene").setAttribute("aria-label", d.picture);
  document.title = d.title + " · tirage";
  purse(d);
  history.replaceState(null, "", d.url);
  scene.hideNext = !JSON.parse(d.still).open;
  scene.wake();
  if (d.above !== undefined) { scene.sprinkle(); sound.play("pass"); }
  ready();
  $("q").focus({ preventScroll: true });
}

// swapReading keeps open what the reader has opened.
function swapReading(next) {
  const old = $("reading"), open = [...old.querySelectorAll("details")].map(x => x.open);
  next.querySelectorAll("details").forEach((x, k) => { x.open = open[k] ?? false; });
  old.replaceWith(next);
}

function purse({ balance, net }) {
  for (const [name, text] of [["balance", balance], ["net", net]]) for (const b of document.querySelectorAll(`[data-${name}]`)) if (text && b.id !== "answer") b.textContent = text;
}

// The two switches on the scene.
function toggle(button, on, set) {
  const apply = value => { button.setAttribute("aria-pressed", value); set(value); };
  button.hidden = false;
  apply(on);
  button.addEventListener("click", () => apply(button.getAttribute("aria-pressed") !== "true"));
}
const less = matchMedia("(prefers-reduced-motion: reduce)");
toggle($("motion"), kept("motion") === "less" || (kept("motion") === null && less.matches), v => { scene.setStill(v); if (v !== less.matches || kept("motion")) keep("motion", v ? "less" : "full"); });
less.addEventListener("change", e => { if (kept("motion") === null) { scene.setStill(e.matches); $("motion").setAttribute("aria-pressed", e.matches); } });
toggle($("sound"), false, v => sound.turn(v));

remember(game.dataset.promise);
draw(game.dataset.still);
ready();
// A page that the back button brings up again may show what is over.
addEventListener("pageshow", e => { if (e.persisted) location.reload(); });
