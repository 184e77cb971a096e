// The page /verify/: reads a file that is dropped or chosen, lets the module check it, and shows what it says. Nothing is sent anywhere.
import "./wasm_exec.js";

const main = document.getElementById("verify");
const words = main.dataset;
const show = (id, text) => { document.getElementById(id).textContent = text; };

// The kind of a file, by how it begins; "" when it is none of ours.
function kindOf(text) {
  const head = text.slice(0, 400);
  for (const kind of ["receipt", "draw", "round"]) {
    if (head.includes(`"tirage/${kind}/`)) return kind;
  }
  return /^\S+\/node-\d+\n\d+\n/.test(text) ? "checkpoint" : "";
}

function result(verdict, ok, lines) {
  const title = document.getElementById("verdict");
  title.hidden = verdict === "";
  title.textContent = verdict;
  title.className = ok ? "right" : "wrong";
  document.getElementById("lines").replaceChildren(...lines.map((line) => {
    const item = document.createElement("li");
    item.className = line.ok ? "" : "no";
    const mark = document.createElement("b");
    mark.textContent = line.ok ? "✓ " : "✗ ";
    item.append(mark, line.text);
    return item;
  }));
}

async function check(file) {
  result("", true, []);
  show("status", words.wait);
  const text = await file.text();
  const kind = kindOf(text);
  if (kind === "") {
    show("status", words.unknown);
    return;
  }
  const answer = JSON.parse(globalThis.tirageVerify(kind, text, document.getElementById("key").value, words.lang));
  show("status", file.name);
  if (answer.error) result(answer.error, false, []);
  else result(answer.verdict, answer.ok, answer.lines);
}

async function start() {
  const go = new Go();
  const module = await WebAssembly.instantiateStreaming(fetch("/verify/verify.wasm"), go.importObject);
  go.run(module.instance);
  show("status", words.ready);
  const input = document.getElementById("file");
  input.addEventListener("change", () => { if (input.files.length) check(input.files[0]); });
  main.addEventListener("dragover", (event) => { event.preventDefault(); main.classList.add("over"); });
  main.addEventListener("dragleave", () => main.classList.remove("over"));
  main.addEventListener("drop", (event) => {
    event.preventDefault();
    main.classList.remove("over");
    if (event.dataTransfer.files.length) check(event.dataTransfer.files[0]);
  });
  main.dataset.started = "yes";
}

start().catch(() => show("status", words.failed));
