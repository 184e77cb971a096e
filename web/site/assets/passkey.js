// Passkeys: the device signs, the API checks. Where the browser knows none, the buttons stay hidden.
const french = document.documentElement.lang === "fr";
const supported = window.PublicKeyCredential?.parseRequestOptionsFromJSON && PublicKeyCredential.parseCreationOptionsFromJSON;

async function call(path, body) {
  const answer = await fetch(`/api/v1${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: body ? JSON.stringify(body) : undefined });
  if (!answer.ok) {
    const problem = await answer.json().catch(() => null);
    throw new Error(problem?.detail ?? String(answer.status));
  }
  return answer.json();
}

function run(button, f) {
  button.hidden = false;
  const say = document.createElement("p");
  say.setAttribute("role", "status");
  button.after(say);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try { await f(); } catch (e) {
      say.textContent = e.name === "NotAllowedError"
        ? (french ? "La clé n’a pas été donnée. Rien n’a changé." : "No key was given. Nothing has changed.")
        : (french ? "La clé n’a pas été acceptée. Rien n’a changé." : "The key was not accepted. Nothing has changed.");
    }
    button.disabled = false;
  });
}

const login = document.querySelector("[data-passkey=login]"), add = document.querySelector("[data-passkey=add]");
if (supported && login) run(login, async () => {
  const begun = await call("/sessions/passkey/options");
  const key = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(begun.options.publicKey ?? begun.options) });
  await call("/sessions/passkey", { ceremony: begun.ceremony, response: key.toJSON() });
  location.href = login.dataset.next || "/";
});
if (supported && add) run(add, async () => {
  const begun = await call("/me/passkeys/options");
  const key = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(begun.options.publicKey ?? begun.options) });
  await call("/me/passkeys", { ceremony: begun.ceremony, name: document.querySelector("#passkey-name").value.trim() || navigator.platform, response: key.toJSON() });
  location.reload();
});
