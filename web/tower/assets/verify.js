// A series computed again from what was published, in the browser: nobody has to believe the page. The specification is that of the packages
// tirage/fairness (how the numbers come) and tirage/rules/ladder (what they mean); HMAC-SHA-256 is the browser's own.

const utf8 = new TextEncoder();
const hex = bytes => Array.from(new Uint8Array(bytes), b => b.toString(16).padStart(2, "0")).join("");
const bytes = text => Uint8Array.from(text.match(/../g) ?? [], x => parseInt(x, 16));
const short = n => [n >> 8 & 255, n & 255];

// derive is HMAC-SHA-256(key: secret, message: label ‖ 0x00 ‖ context).
async function derive(secret, label, context) {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, Uint8Array.from([...utf8.encode(label), 0, ...context])));
}

// commitment to the secret of series n of a round.
export const commitment = async (secret, round, n) => hex(await derive(secret, "tirage/1 commitment", utf8.encode(`ladder/${round}/${n}`)));

// numbers gives those of a series one by one: words of 4 bytes from the blocks, those at the top dropped so that each number is as likely.
function numbers(secret, round, n, contribution) {
  let block = [], used = 32, next = 0;
  const word = async () => {
    if (used === 32) { block = await derive(secret, "tirage/1 ladder", [...bytes(round), ...short(n), ...contribution, ...short(next++)]); used = 0; }
    const w = ((block[used] * 256 + block[used + 1]) * 256 + block[used + 2]) * 256 + block[used + 3];
    used += 4;
    return w;
  };
  return async below => {
    const most = 2 ** 32 - 2 ** 32 % below;
    for (;;) { const w = await word(); if (w < most) return w % below; }
  };
}

// item reads an integer as one donut: the quotient says whether it holds, the remainder what it looks like.
async function item(uniform, { stable, star, kinds, weights, values }) {
  const weight = weights.reduce((a, b) => a + b, 0), faces = weight * star[1], u = await uniform(stable[1] * faces);
  const face = u % faces, starred = face < star[0] * weight;
  let rest = (starred ? face : face - star[0] * weight) % weight, kind = 0;
  while (rest >= weights[kind]) rest -= weights[kind++];
  return { value: values[kind], kind: kinds[kind], stable: Math.floor(u / faces) < stable[0], star: starred };
}

// check computes series again. It returns "", or the name of what is wrong: "opens", "differs".
export async function check(round, series, slots) {
  const secret = bytes(series.secret), uniform = numbers(secret, round, series.n, bytes(series.contribution));
  if (await commitment(secret, round, series.n) !== series.commitment) return "opens";
  for (const [k, slot] of slots.entries()) {
    const want = await item(uniform, slot), given = series.items[k];
    if (!given || ["value", "kind", "stable", "star"].some(x => given[x] !== want[x])) return "differs";
  }
  return series.items.length === slots.length ? "" : "differs";
}
