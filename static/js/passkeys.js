// Passkeys: a form with data-passkey asks the browser's authenticator first, and is sent with its answer.
//
//   add      makes a passkey       } options are in the element that data-options names
//   prove    shows who one is      }
//   sign-in  the same with no name given; options are fetched from the form's own address
//
// What needs a passkey is shown only where there can be one; elsewhere [data-passkey-unsupported] says so.

const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** WebAuthn has no ceremonies on plain http, except on localhost, nor on a site that is reached by a number. */
const supported = () =>
  Boolean(window.PublicKeyCredential) && isSecureContext && !/^[\d.]+$|:/.test(location.hostname);

function decoded(options) {
  const known = (list) => list?.map((key) => ({ ...key, id: toBytes(key.id) }));
  const keys = { ...options, challenge: toBytes(options.challenge) };
  if (options.user) keys.user = { ...options.user, id: toBytes(options.user.id) };
  if (options.excludeCredentials) keys.excludeCredentials = known(options.excludeCredentials);
  if (options.allowCredentials) keys.allowCredentials = known(options.allowCredentials);
  return keys;
}

function encoded(credential) {
  const { response } = credential;
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const answer = {};
  for (const part of parts) if (response[part]) answer[part] = toText(response[part]);
  if (response.getTransports) answer.transports = response.getTransports();
  return {
    type: credential.type,
    id: credential.id,
    rawId: toText(credential.rawId),
    response: answer,
    clientExtensionResults: credential.getClientExtensionResults(),
  };
}

async function optionsOf(form) {
  if (form.dataset.options) return JSON.parse(document.getElementById(form.dataset.options).textContent);
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`${answer.status} from ${form.action}`);
  return answer.json();
}

async function ask(form) {
  const options = await optionsOf(form);
  if (form.dataset.passkey !== "add") {
    return navigator.credentials.get({ publicKey: decoded(options.request_options.publicKey) });
  }
  const publicKey = decoded(options.creation_options.publicKey);
  const alone = form.elements.passwordless.checked;
  publicKey.authenticatorSelection = {
    ...publicKey.authenticatorSelection,
    residentKey: alone ? "required" : "discouraged",
    requireResidentKey: alone,
    ...(alone ? { userVerification: "required" } : {}),
  };
  return navigator.credentials.create({ publicKey });
}

function start(form) {
  const failed = form.querySelector("[data-passkey-failed]");
  const { credential } = form.elements;
  form.addEventListener("submit", async (event) => {
    if (credential.value) return;
    event.preventDefault();
    failed.hidden = true;
    try {
      credential.value = JSON.stringify(encoded(await ask(form)));
    } catch {
      failed.hidden = false; // cancelled, timed out, or refused: the browser doesn't say which
      return;
    }
    form.requestSubmit();
  });
  addEventListener("pageshow", () => (credential.value = ""));
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.hidden = !supported();
  if (supported()) start(form);
}
for (const element of document.querySelectorAll("[data-passkey-unsupported]")) element.hidden = supported();
