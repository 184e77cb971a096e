// Runs the module of the page on the shared vectors, as a browser does: node run.cjs ASSETS MODULE VECTORS → one JSON line for each vector and language.
"use strict";
const fs = require("fs");
const [assets, wasm, vectors] = process.argv.slice(2);
require("vm").runInThisContext(fs.readFileSync(assets + "/wasm_exec.js", "utf8"));
const go = new Go();
WebAssembly.instantiate(fs.readFileSync(wasm), go.importObject).then(({ instance }) => {
  go.run(instance);
  const all = JSON.parse(fs.readFileSync(vectors, "utf8"));
  for (const v of all.vectors) {
    for (const lang of ["fr", "en"]) {
      const a = JSON.parse(globalThis.tirageVerify(v.kind, v.text, all.key, lang));
      const text = a.verdict + "\n" + (a.lines || []).map((l) => "  " + (l.ok ? "✓ " : "✗ ") + l.text + "\n").join("");
      console.log(JSON.stringify({ name: v.name, lang, ok: a.ok, text }));
    }
  }
  console.log(JSON.stringify({ name: "no key", ok: false, text: JSON.parse(globalThis.tirageVerify("receipt", "{}", "", "fr")).error }));
  process.exit(0);
});
