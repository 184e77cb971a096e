// What every page does beside its words: clocks by the server's time, the reality check, forms that are sent once, sheets of shares that follow the
// sale. A page is whole without it.

const strip = document.querySelector("[data-now]");
const french = document.documentElement.lang === "fr";
const nb = "\u00a0";

// The server's clock: what it said when the page was made, and what has gone by since on a clock that nobody sets.
const skew = strip ? Number(strip.dataset.now) - performance.timeOrigin - (performance.getEntriesByType("navigation")[0]?.responseStart ?? 0) : 0;
export const now = () => performance.timeOrigin + performance.now() + skew;

const paris = new Intl.DateTimeFormat("fr-FR", { timeZone: "Europe/Paris", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const two = n => String(n).padStart(2, "0");

// left writes what is left as the server does.
export function left(ms) {
  const s = Math.max(0, Math.floor(ms / 1000)), days = Math.floor(s / 86400), m = Math.floor(s / 60) % 60;
  if (days >= 2) return `${days} ${french ? "jours" : "days"} ${Math.floor(s / 3600) % 24} h`;
  if (s >= 3600) return `${Math.floor(s / 3600)}${nb}h ${two(m)}${nb}min ${two(s % 60)}${nb}s`;
  if (s >= 60) return `${m}${nb}min ${two(s % 60)}${nb}s`;
  return `${s}${nb}s`;
}

function lasted(ms) {
  const m = Math.max(0, Math.floor(ms / 60000));
  return m >= 60 ? `${Math.floor(m / 60)}${nb}h${nb}${two(m % 60)}` : `${m}${nb}min`;
}

const set = (el, text) => { if (el.textContent !== text) el.textContent = text; };

function tick() {
  const t = now();
  for (const el of document.querySelectorAll("[data-clock]")) set(el, paris.format(t));
  for (const el of document.querySelectorAll("[data-session]")) set(el, lasted(t - Number(el.dataset.session)));
  for (const el of document.querySelectorAll("[data-until]")) {
    const ms = Number(el.dataset.until) - t;
    set(el, ms > 0 ? left(ms) : el.dataset.closed);
  }
  if (strip?.dataset.check && t >= Number(strip.dataset.check)) {
    delete strip.dataset.check;
    openCheck();
  }
  setTimeout(tick, 1000 - (t % 1000) + 5);
}
if (strip) tick();

// The reality check opens over the page when it is due; it closes by its own buttons alone.
async function openCheck() {
  const answer = await fetch("/check", { headers: { "HX-Request": "true" } }).catch(() => null);
  const place = document.getElementById("check");
  if (answer?.redirected) { location.reload(); return; } // the session has ended
  if (!answer?.ok || !place) return;
  place.innerHTML = await answer.text();
  modal(place);
}
function modal(root) {
  for (const d of root.querySelectorAll("dialog[data-modal]")) {
    d.close();
    d.addEventListener("cancel", e => e.preventDefault());
    d.showModal();
  }
}
modal(document);

// A form is sent once: pressed twice it waits, and the key that it carries makes a repetition harmless. A page that the back button brings back is
// asked for again, so that it shows what is so now.
document.addEventListener("submit", e => {
  const form = e.target;
  if (form.method !== "post" || e.defaultPrevented) return;
  if (form.dataset.sent) { e.preventDefault(); return; }
  form.dataset.sent = "1";
  form.setAttribute("aria-busy", "true");
  e.submitter?.classList.add("busy");
  setTimeout(() => { delete form.dataset.sent; form.removeAttribute("aria-busy"); e.submitter?.classList.remove("busy"); }, 15000);
});
document.addEventListener("keydown", e => { if (e.key === "Enter" && e.repeat) e.preventDefault(); });
addEventListener("pageshow", e => { if (e.persisted) location.reload(); });

// Without a network the page says so, and from when on what it shows may be old. A form that would be lost stays as it was filled in.
const line = document.createElement("p");
line.className = "offline";
line.setAttribute("role", "status");
function offline() {
  if (navigator.onLine) { line.remove(); return; }
  const at = paris.format(now());
  line.textContent = french ? `Vous êtes hors ligne : rien n’est envoyé ni débité. Ce que vous voyez date de ${at}.` : `You are offline: nothing is sent or taken. What you see is from ${at}.`;
  if (strip) strip.after(line);
  else document.querySelector("main")?.prepend(line);
}
addEventListener("offline", offline);
addEventListener("online", offline);
document.addEventListener("submit", e => {
  if (navigator.onLine) return;
  e.preventDefault();
  offline();
  line.scrollIntoView({ block: "nearest" });
}, true);

// A sheet of shares follows the sale: one path changes, not a page.
export function cells(from, to, total) {
  const cols = total >= 300 ? 33 : 25;
  from = Math.max(0, Math.min(from, total)); to = Math.max(0, Math.min(to, total));
  const rect = (x0, y0, x1, y1) => x1 > x0 && y1 > y0 ? `M${x0 * 10} ${y0 * 10}h${(x1 - x0) * 10}v${(y1 - y0) * 10}h-${(x1 - x0) * 10}z` : "";
  let first = Math.floor(from / cols), path = "";
  const last = Math.floor(to / cols);
  if (first === last) return rect(from % cols, first, to % cols, first + 1);
  if (from % cols) { path += rect(from % cols, first, cols, first + 1); first++; }
  return path + rect(0, first, cols, last) + rect(0, last, to % cols, last + 1);
}
export function drawPlanche(svg, sold, want = 0) {
  const total = Number(svg.dataset.total), mine = Number(svg.dataset.mine ?? 0);
  const put = (name, a, b) => svg.querySelector(`[data-cells=${name}]`).setAttribute("d", cells(a, b, total));
  svg.dataset.sold = sold;
  put("sold", 0, sold); put("mine", sold, sold + mine); put("want", sold + mine, sold + mine + want); put("free", sold + mine + want, total);
}
