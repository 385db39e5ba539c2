// Live updates: one event stream for all tabs of a browser, since browsers allow six connections to a host.
//
// The tab that holds the lock "banzuke-live" reads the stream and passes everything on by a BroadcastChannel. When it
// goes, the next tab in line gets the lock and resumes after the last event that anybody saw. Where there are no locks
// (plain http on a local network) each tab reads for itself.
//
// A part of a page that shows something live listens on document.body for `live:<verb>`, with the facts in
// event.detail, and for `live:resync`, "look at everything again". With htmx: hx-trigger="live:match from:body".

import { post } from "./page.js";

const VERBS = ["match", "queue", "room", "rooms", "chat", "notice", "ladder", "resync"];
const ACTIVE_MS = 60_000; // somebody who did something in the last minute is there
const ASLEEP_MS = 90_000; // background tabs may tick once a minute only; a longer gap was sleep
const AWAY_MS = 30_000; // a tab looked at again after so long refreshes, whatever the stream may have told it

let lastId = "";
let lastInput = 0;
let toldInput = 0;
let channel = null;

function tell(verb, facts) {
  document.body.dispatchEvent(new CustomEvent(`live:${verb}`, { detail: facts, bubbles: true }));
}

function beat(active) {
  return post(document.body.dataset.presence, { active: active ? "1" : "0" });
}

/** Read the stream until the page goes. EventSource reconnects by itself, but gives up after an error status. */
function read(url) {
  let failures = 0;
  let source;
  const open = () => {
    source = new EventSource(lastId ? `${url}?last_event_id=${encodeURIComponent(lastId)}` : url);
    source.onopen = () => (failures = 0);
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return;
      failures += 1;
      setTimeout(open, Math.min(60_000, 1000 * 2 ** failures));
    };
    for (const verb of VERBS) {
      source.addEventListener(verb, (event) => {
        lastId = event.lastEventId || lastId;
        const facts = JSON.parse(event.data);
        channel?.postMessage({ verb, facts, id: lastId });
        tell(verb, facts);
      });
    }
    // Timers of background tabs are throttled, messages of a stream are not: so the ping is what the heart beats to.
    source.addEventListener("ping", () => beat(Date.now() - lastInput < ACTIVE_MS));
  };
  open();
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && source.readyState === EventSource.CLOSED && open());
}

function share(url) {
  channel = new BroadcastChannel("banzuke-live");
  channel.onmessage = ({ data }) => {
    if (data.input) {
      lastInput = Date.now();
    } else {
      lastId = data.id || lastId;
      tell(data.verb, data.facts);
    }
  };
  navigator.locks.request("banzuke-live", () => {
    read(url);
    return new Promise(() => {}); // held until this page is gone
  });
}

function watchInput() {
  const noted = () => {
    lastInput = Date.now();
    if (lastInput - toldInput < 10_000) return;
    toldInput = lastInput;
    channel?.postMessage({ input: true });
  };
  for (const kind of ["pointerdown", "keydown", "scroll"]) {
    addEventListener(kind, noted, { passive: true, capture: true });
  }
}

function watchSleep() {
  let seen = Date.now();
  let hiddenAt = 0;
  setInterval(() => {
    if (Date.now() - seen > ASLEEP_MS) tell("resync", {});
    seen = Date.now();
  }, 10_000);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (hiddenAt && Date.now() - hiddenAt > AWAY_MS) tell("resync", {});
  });
  addEventListener("pageshow", (event) => event.persisted && tell("resync", {}));
}

export function startLive() {
  const url = document.body.dataset.live;
  if (!url) return;
  lastInput = Date.now();
  beat(true);
  watchInput();
  watchSleep();
  if (navigator.locks && window.BroadcastChannel) share(url);
  else read(url);
}
