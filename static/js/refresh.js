// A part of the page that is fetched again because something happened must not take away what is begun in it: text
// half written, a chosen file, an open question, a press that is on its way.

let composing = null;
let postponed = null; // the part that is to be fetched again as soon as nothing holds it
let kept = null;

const nameOf = (field) => `${field.form?.getAttribute("action") ?? ""} ${field.name} ${field.type === "radio" || field.type === "checkbox" ? field.value : ""}`;
const titleOf = (details) => details.querySelector("summary")?.textContent ?? "";

/** What a button, link or field is, for finding the one in its place after a swap. */
function likeness(element) {
  const verb = element.form?.elements.namedItem("verb")?.value ?? "";
  const words = element.matches("input, textarea, select") ? "" : element.textContent.trim();
  return [element.tagName, element.getAttribute("href"), nameOf(element), verb, element.value, words].join(" ");
}

function changed(field) {
  if (!field.name || field.type === "hidden") return false;
  if (field.type === "file") return field.files.length > 0;
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.tagName === "SELECT") return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field.value !== field.defaultValue;
}

/** An input method is open in `part`, or a dialog, or a form of it waits for its answer, which a swap would lose. */
const holds = (part) => part.contains(composing) || part.querySelector("dialog[open], form[data-sending]") !== null;

/** Once what was going on has had its say: fetch what was postponed, unless an answer has replaced it. */
function resume() {
  setTimeout(() => {
    if (!postponed?.isConnected) postponed = null;
    if (!postponed || holds(postponed)) return;
    postponed = null;
    document.body.dispatchEvent(new CustomEvent("live:resync", { detail: {}, bubbles: true }));
  });
}

/** Take note of what `part` holds. A form that was just sent (`sender`) starts anew. */
function note(part, sender) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  return {
    refresh: !sender,
    fields: [...part.querySelectorAll("input, textarea, select")].filter((field) => field.form !== sender && changed(field)),
    details: new Map([...part.querySelectorAll("details")].map((details) => [titleOf(details), details.open])),
    focused,
    likeness: focused && likeness(focused),
  };
}

function restore({ refresh, fields, details, focused, likeness: sought }) {
  for (const field of document.querySelectorAll("input, textarea, select")) {
    const old = fields.find((one) => one !== field && !one.isConnected && nameOf(one) === nameOf(field));
    if (!old) continue;
    if (field.type === "file") bring(old, field);
    else if (field.type === "checkbox" || field.type === "radio") field.checked = old.checked;
    else field.value = old.value;
  }
  for (const box of document.querySelectorAll("details")) {
    const open = details.get(titleOf(box));
    if (open || (refresh && open === false)) box.open = open;
  }
  if (!focused || document.activeElement !== document.body) return;
  const successor = focused.isConnected ? focused : [...document.querySelectorAll(focused.tagName)].find((one) => likeness(one) === sought);
  successor?.focus({ preventScroll: true });
}

/** Nothing but the visitor can choose a file, so the field that has one takes the place of the new one. */
function bring(old, field) {
  for (const name of old.getAttributeNames()) if (!field.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of field.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  field.replaceWith(old);
}

export function keepWhatIsBegun() {
  document.addEventListener("compositionstart", (event) => (composing = event.target));
  document.addEventListener("compositionend", () => {
    composing = null;
    resume();
  });
  document.addEventListener("close", resume, { capture: true }); // of a dialog; it doesn't bubble
  document.addEventListener("htmx:afterRequest", resume);
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, requestConfig } = event.detail;
    const refresh = requestConfig?.verb === "get";
    if (refresh && holds(target)) {
      event.detail.shouldSwap = false;
      postponed = target;
    } else if (event.detail.shouldSwap) kept = note(target, refresh ? null : requestConfig?.elt.closest("form"));
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (kept) restore(kept);
    kept = null;
  });
}
