// Running clocks: <time class="clock" data-seconds="78">1:18</time>
//
//   data-seconds  what the server says is left; counted down from the moment the element came, never by the date
//   data-up       count up from there instead (waiting)
//   data-title    also show it in the tab's title
//   data-say      have a screen reader say it at 60, 30 and 10 seconds
//
// A <progress> in the same [data-clock] or .status-clock box moves along. At zero `clock:zero` is sent from the
// element once, so that the page can fetch itself again.

import { say, word } from "./page.js";
import { setTitleClock } from "./title.js";

const SAID_AT = [60, 30, 10];
const running = new WeakMap();

function start(element) {
  const seconds = Number(element.dataset.seconds);
  running.set(element, { seconds, from: performance.now(), shown: null, seen: seconds, zero: false });
}

function digits(seconds) {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

function spoken(seconds, up) {
  const [m, s] = [Math.floor(seconds / 60), seconds % 60];
  return word(`${up ? "gone" : "left"}${m ? "M" : "S"}`, { m, s });
}

function show(element, state) {
  const up = "up" in element.dataset;
  const passed = (performance.now() - state.from) / 1000;
  const seconds = up ? Math.floor(state.seconds + passed) : Math.max(0, Math.ceil(state.seconds - passed));
  if (seconds !== state.shown) {
    state.shown = seconds;
    element.textContent = digits(seconds);
    element.setAttribute("datetime", `PT${seconds}S`);
    element.setAttribute("aria-label", spoken(seconds, up));
    const bar = element.closest("[data-clock], .status-clock")?.querySelector("progress");
    if (bar) bar.value = seconds;
    if ("say" in element.dataset && !up) {
      const mark = SAID_AT.find((at) => seconds <= at && at < state.seen);
      if (mark) say(spoken(seconds, up));
      state.seen = seconds;
    }
  }
  if (!up && seconds === 0 && !state.zero) {
    state.zero = true;
    element.dispatchEvent(new CustomEvent("clock:zero", { bubbles: true }));
  }
}

function tick() {
  let title = "";
  for (const element of document.querySelectorAll("time[data-seconds]")) {
    const told = `${element.dataset.seconds}`;
    if (!running.has(element) || running.get(element).told !== told) {
      start(element);
      running.get(element).told = told;
    }
    show(element, running.get(element));
    if ("title" in element.dataset && !title) title = element.textContent;
  }
  setTitleClock(title);
}

export function startClocks() {
  tick();
  setInterval(tick, 250);
  document.addEventListener("htmx:afterSwap", tick);
}
