// Notices on a browser while no page is open: lets this browser be told, and says which of those in the list it is.

import { post } from "./page.js";

const box = document.querySelector("[data-push]");

function show(state) {
  for (const element of box.querySelectorAll("[data-push-state]")) {
    element.hidden = !state.split(" ").includes(element.dataset.pushState);
  }
}

const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

async function fingerprint(endpoint) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The entry of this browser in the list, if it is there. */
async function entry() {
  const worker = await navigator.serviceWorker.getRegistration(box.dataset.pushWorker);
  const subscription = await worker?.pushManager.getSubscription();
  if (!subscription) return null;
  return document.querySelector(`[data-push-browser="${await fingerprint(subscription.endpoint)}"]`);
}

async function subscribe() {
  const worker = await navigator.serviceWorker.register(box.dataset.pushWorker);
  await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: box.dataset.push };
  const made = await worker.pushManager.getSubscription();
  if (made && toText(made.options.applicationServerKey) !== box.dataset.push) await made.unsubscribe();
  const subscription = await worker.pushManager.subscribe(options);
  const answer = await post(box.dataset.pushSubscribe, {
    endpoint: subscription.endpoint,
    p256dh: toText(subscription.getKey("p256dh")),
    auth: toText(subscription.getKey("auth")),
  });
  if (!answer?.ok) throw new Error("not stored");
}

async function start() {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    show("unsupported");
    return;
  }
  const own = await entry();
  if (own) own.querySelector("[data-push-here]").hidden = false;
  else show(Notification.permission === "denied" ? "denied" : "off");
  box.querySelector("button[data-push-state]").addEventListener("click", async () => {
    if ((await Notification.requestPermission()) !== "granted") {
      show("denied");
      return;
    }
    try {
      await subscribe();
      location.reload();
    } catch {
      show("off failed");
    }
  });
}

if (box) start();
