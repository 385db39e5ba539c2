// When an opponent is found: a sound, the tab's title, and a browser notification if it is allowed.
//
// It starts from the notice of a made match, so it works on every page. A button with data-ask-notify asks for the
// browser's permission; an element with data-notify="granted|denied|default|none" shows only in that state.

import { toast, word } from "./page.js";
import { flashTitle } from "./title.js";

const FOUND = "ratematch.match_made";
let audio = null;

/** Sound is allowed only after something was pressed on the page, so the context is made then. */
function wakeAudio() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}

/** Ring once, however many tabs are told: the first of those that may make a sound takes it on. */
function chime() {
  if (!("sound" in document.body.dataset) || audio?.state !== "running") return;
  if (!navigator.locks) {
    ring();
    return;
  }
  navigator.locks.request("banzuke-chime", { ifAvailable: true }, (lock) => {
    if (!lock) return undefined;
    ring();
    return new Promise((done) => setTimeout(done, 1000));
  });
}

/** Two notes, a fifth apart, as from struck wood. */
function ring() {
  [587.33, 880].forEach((pitch, i) => {
    const at = audio.currentTime + i * 0.18;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.4, at + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.7);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.75);
  });
}

/** Tell by every means there is. `url` is where to look; tabs share a notification by `tag`. */
function announce(text, body, url, tag) {
  chime();
  flashTitle(text);
  if (location.pathname !== url) toast(text, url ? { href: url, text: word("look") } : undefined);
  if (!document.hidden || !window.Notification || Notification.permission !== "granted") return;
  try {
    const note = new Notification(text, { body, tag });
    note.onclick = () => {
      window.focus();
      if (url) location.assign(url);
      note.close();
    };
  } catch {
    // some phones allow notifications from service workers only; sound and title are there
  }
}

function showPermission() {
  const state = window.Notification?.permission ?? "none";
  for (const element of document.querySelectorAll("[data-notify]")) {
    element.hidden = !element.dataset.notify.split(" ").includes(state);
  }
}

export function startNotify() {
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wakeAudio, { capture: true });
  document.body.addEventListener("live:notice", ({ detail }) => {
    if (detail.kind === FOUND) announce(word("found"), word("foundBody"), detail.url, detail.url);
  });
  showPermission();
  document.addEventListener("htmx:afterSwap", showPermission);
  document.addEventListener("click", async (event) => {
    if (!event.target.closest("[data-ask-notify]")) return;
    await Notification.requestPermission();
    showPermission();
  });
}
