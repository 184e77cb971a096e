// The choice of shares: stake, fraction, balance and sheet follow it.
import { drawPlanche } from "./kit.js";

const form = document.querySelector(".buy[data-price]");
if (form) {
  const french = document.documentElement.lang === "fr";
  const group = n => String(n).replace(/\B(?=(\d{3})+$)/g, french ? "\u202f" : ",");
  const money = c => {
    const sign = c < 0 ? "−" : "", a = Math.abs(c), whole = group(Math.floor(a / 100)), cents = String(a % 100).padStart(2, "0");
    return french ? `${sign}${whole},${cents}\u00a0€` : `${sign}€${whole}.${cents}`;
  };
  const set = (name, text) => { const el = form.querySelector(`[data-${name}]`); if (el) el.textContent = text; };
  const svg = document.querySelector(".packpage .planche");
  form.addEventListener("change", () => {
    const box = form.querySelector("input:checked");
    if (!box) return;
    const shares = Number(box.value), cents = Number(box.dataset.cents);
    set("stake", money(cents));
    set("fraction", `${group(shares)}/${group(form.dataset.total)}`);
    if (form.dataset.balance) set("after", money(Number(form.dataset.balance) - cents));
    if (svg) drawPlanche(svg, Number(svg.dataset.sold), shares);
  });
}
