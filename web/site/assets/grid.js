// The number grid: the price, the format, the number of combinations and the odds follow each tap.
const form = document.querySelector("[data-board]");
if (form) {
  const french = document.documentElement.lang === "fr";
  const price = BigInt(form.dataset.price), total = BigInt(form.dataset.total);
  const formats = new Map(form.dataset.formats.split(",").map(f => f.split("=")));
  const status = form.querySelector("[data-summary]"), idle = status.textContent;
  const boxes = of => [...form.querySelectorAll(`[data-of=${of}] input`)];
  const main = boxes("main"), extra = boxes("extra");
  const limits = { main: Number(form.dataset.main), extra: Number(form.dataset.extra) };
  const smallest = [...formats.keys()].map(f => f.split("x").map(Number)).sort((a, b) => a[0] - b[0] || a[1] - b[1])[0];
  const group = n => String(n).replace(/\B(?=(\d{3})+$)/g, french ? "\u202f" : ",");
  const money = c => {
    const whole = group(c / 100n), cents = String(c % 100n).padStart(2, "0");
    return french ? `${whole},${cents}\u00a0€` : `€${whole}.${cents}`;
  };
  const oneIn = n => { // total / n, rounded half up to the hundredth
    const h = (total * 200n + n) / (2n * n), cents = h % 100n;
    const text = group(h / 100n) + (cents ? (french ? "," : ".") + String(cents).padStart(2, "0") : "");
    return french ? `1 chance sur\u00a0${text} au rang 1` : `1 in ${text} at rank 1`;
  };
  const say = () => {
    const a = main.filter(b => b.checked).length, b = extra.filter(x => x.checked).length;
    const n = formats.get(`${a}x${b}`);
    for (const [list, count, of] of [[main, a, "main"], [extra, b, "extra"]]) for (const box of list) box.disabled = !box.checked && count >= limits[of];
    if (n) {
      const count = BigInt(n), words = french ? (count > 1n ? "combinaisons" : "combinaison") : (count > 1n ? "combinations" : "combination");
      status.textContent = `${a} × ${b}${french ? "\u00a0: " : ": "}${group(count)} ${words}, ${money(price * count)}. ${oneIn(count)}.`;
    } else if (a === 0 && b === 0) status.textContent = idle;
    else status.textContent = a >= smallest[0] && b >= smallest[1]
      ? (french ? `Le format ${a} × ${b} n’est pas vendu. Retirez un numéro.` : `The format ${a} × ${b} is not sold. Take a number away.`)
      : (french ? `${a} et ${b} choisis, il en faut au moins ${smallest[0]} et ${smallest[1]}.` : `${a} and ${b} chosen, at least ${smallest[0]} and ${smallest[1]} are needed.`);
  };
  form.addEventListener("change", say);
  const random = n => { // without bias
    const most = 2 ** 32 - 2 ** 32 % n, b = new Uint32Array(1);
    do crypto.getRandomValues(b); while (b[0] >= most);
    return b[0] % n;
  };
  const fill = (list, want) => {
    for (const b of list) b.checked = b.disabled = false;
    const left = [...list];
    for (let i = 0; i < want; i++) left.splice(random(left.length), 1)[0].checked = true;
  };
  const flash = form.querySelector("[data-flash]"), clear = form.querySelector("[data-clear]");
  flash.hidden = clear.hidden = false;
  flash.addEventListener("click", () => { fill(main, smallest[0]); fill(extra, smallest[1]); say(); });
  clear.addEventListener("click", () => { fill(main, 0); fill(extra, 0); say(); });
  if (main.some(b => b.checked) || extra.some(b => b.checked)) say();
}
