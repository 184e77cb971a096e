// What a person chose on this device: sound, motion; and the commitments that the device was shown, so that a past round can be checked against them.

const PROMISES = "tirage.promises", KEPT = 200;

export function kept(name) { try { return localStorage.getItem("tirage." + name); } catch { return null; } }
export function keep(name, value) { try { localStorage.setItem("tirage." + name, value); } catch { /* the device keeps nothing: the choice lasts as long as the page */ } }

// promises returns the commitments that were shown, by "ROUND/N".
export function promises() { try { return new Map(JSON.parse(localStorage.getItem(PROMISES) ?? "[]")); } catch { return new Map(); } }

// remember keeps a commitment, "ROUND/N HEX". The first one that was shown stands.
export function remember(text) {
  if (!text) return;
  const [of, commitment] = text.split(" "), all = promises();
  if (all.has(of)) return;
  all.set(of, commitment);
  try { localStorage.setItem(PROMISES, JSON.stringify([...all].slice(-KEPT))); } catch { /* as above */ }
}
