// The moderators' desk by keyboard. A key does what the element with that `aria-keyshortcuts` does; j and k step
// through what is marked `data-step`; "?" lists the keys. None of it is active in a text field or while a dialog is
// open, and all of it can be switched off, since single keys get in the way of speech input. Tab reaches everything.

const OFF = "desk-keys-off";
const TEXT = "input:not([type=radio], [type=checkbox], [type=button], [type=submit]), textarea, select, [contenteditable]";

const help = document.getElementById("keys");
const opener = document.getElementById("keys-open");
const toggle = document.getElementById("keys-on");

function remembered() {
  try {
    return localStorage.getItem(OFF) === "yes";
  } catch {
    return false; // no storage in this browser: keys are on
  }
}

function remember(off) {
  try {
    if (off) localStorage.setItem(OFF, "yes");
    else localStorage.removeItem(OFF);
  } catch {
    // for this page only, then
  }
}

/** Act on an element as its key says: fields get the focus, choices are chosen, all else is pressed. */
function use(element) {
  const control = element.matches("label") ? element.control : element;
  if (control.matches(TEXT)) {
    control.focus();
    return;
  }
  if (control.matches("input")) control.focus();
  control.click();
}

/** Move the focus to the next (1) or previous (-1) of the page's steps. */
function step(by) {
  const steps = [...document.querySelectorAll("[data-step]")].filter((one) => one.checkVisibility());
  if (!steps.length) return;
  const here = document.activeElement;
  let place = steps.indexOf(here);
  if (place < 0 && here !== document.body) {
    // from somewhere between two steps: go on from the one before
    place = steps.findLastIndex((one) => one.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (by < 0) place += 1;
  } else if (place < 0) place = by < 0 ? steps.length : -1;
  steps[Math.min(Math.max(place + by, 0), steps.length - 1)].focus();
}

function inText(event) {
  const { target } = event;
  if (event.key === "Escape" && !event.isComposing) target.blur();
  if (event.key === "Enter" && event.ctrlKey) target.form?.matches("[data-desk-form]") && target.form.querySelector("[aria-keyshortcuts~=s]")?.click();
}

function onKey(event) {
  if (document.querySelector("dialog[open]")) return;
  if (event.target.matches?.(TEXT)) {
    inText(event);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat || event.key.length !== 1) return;
  if (remembered() && event.key !== "?") return;
  if (event.key === "j" || event.key === "k") {
    event.preventDefault();
    step(event.key === "j" ? 1 : -1);
    return;
  }
  const found = [...document.querySelectorAll(`[aria-keyshortcuts~="${CSS.escape(event.key)}"]`)].find((one) => one.checkVisibility());
  if (!found) return;
  event.preventDefault();
  use(found);
}

/** Put a template's text where the cursor is, or at the end. */
function insert(box) {
  const select = box.querySelector("select");
  const field = document.getElementById(box.dataset.templates);
  if (!select.value) return;
  const gap = field.value && !field.value.endsWith("\n") && field.selectionStart === field.value.length ? "\n" : "";
  field.setRangeText(gap + select.value, field.selectionStart, field.selectionEnd, "end");
  select.value = "";
  field.focus();
}

for (const box of document.querySelectorAll("[data-templates]")) {
  box.hidden = false;
  box.querySelector("button").addEventListener("click", () => insert(box));
  box.querySelector("select").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey) return;
    event.preventDefault();
    insert(box);
  });
}

if (opener && help) {
  opener.hidden = false;
  toggle.checked = !remembered();
  opener.addEventListener("click", () => help.showModal());
  toggle.addEventListener("change", () => remember(!toggle.checked));
  document.addEventListener("keydown", onKey);
}
