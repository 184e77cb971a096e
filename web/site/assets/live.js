// Sheets of shares follow the sale: the server tells what is sold, one path of the drawing changes.
import { drawPlanche } from "./kit.js";

const french = document.documentElement.lang === "fr";
const group = n => String(n).replace(/\B(?=(\d{3})+$)/g, french ? "\u202f" : ",");
const places = new Map([...document.querySelectorAll("[data-stock]")].map(el => [el.dataset.stock, el]));
const held = new Map(); // what is told at most every few seconds to whoever hears the page

function show(p) {
  const el = places.get(`${p.draw}/${p.type}`);
  if (!el) return;
  const open = p.opened * p.shares - p.sold;
  const left = open > 0 ? Math.min(open, p.shares) : p.opened < p.max_packs ? p.shares : 0;
  const svg = el.closest("article, .packpage")?.querySelector(".planche");
  const want = Number(document.querySelector(".buy input:checked")?.value ?? 0);
  if (svg) drawPlanche(svg, p.shares - left, svg.closest(".packpage") ? Math.min(want, left) : 0);
  const number = el.querySelector("[data-left]"), bold = el.querySelector("b");
  if (number) number.textContent = group(left);
  else if (bold && left > 0) bold.textContent = french ? `${group(left)} ${left > 1 ? "parts restantes" : "part restante"}` : `${group(left)} ${left > 1 ? "shares" : "share"} left`;
}

if (places.size > 0) {
  const stream = new EventSource("/api/v1/events");
  stream.addEventListener("pack", e => {
    const p = JSON.parse(e.data), key = `${p.draw}/${p.type}`;
    if (held.has(key)) { held.set(key, p); return; }
    held.set(key, null);
    show(p);
    setTimeout(() => { const last = held.get(key); held.delete(key); if (last) show(last); }, 2000);
  });
  // What was live and is so no more says it; the stream comes back by itself.
  const stale = old => places.forEach(el => { if (old) el.dataset.stale = french ? "mise à jour interrompue" : "no longer updated"; else delete el.dataset.stale; });
  stream.addEventListener("error", () => stale(true));
  stream.addEventListener("open", () => stale(false));
  addEventListener("pagehide", () => stream.close());
}
