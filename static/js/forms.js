// Forms: one press counts once, a wait shows, a costly press asks first, and nothing that was typed is lost.

import { csrfToken, toast, word } from "./page.js";
import { keepWhatIsBegun } from "./refresh.js";

const SHOW_AFTER_MS = 300;
const busy = new WeakMap(); // form → {button, label, timer}

function begin(form, button) {
  const entry = { button };
  busy.set(form, entry);
  form.dataset.sending = "";
  if (!button) return;
  entry.timer = setTimeout(() => {
    entry.label = [...button.childNodes];
    button.style.minInlineSize = `${button.offsetWidth}px`;
    button.setAttribute("aria-busy", "true");
    button.setAttribute("aria-disabled", "true");
    button.replaceChildren(button.dataset.busy ?? word("sending"));
  }, SHOW_AFTER_MS);
}

function end(form) {
  const entry = busy.get(form);
  busy.delete(form);
  delete form.dataset.sending;
  if (!entry?.button) return;
  clearTimeout(entry.timer);
  if (!entry.label) return;
  entry.button.replaceChildren(...entry.label);
  entry.button.removeAttribute("aria-busy");
  entry.button.removeAttribute("aria-disabled");
  entry.button.style.minInlineSize = "";
}

/** <button data-confirm="id">: the <dialog id="id"> asks first; its button with value="go" goes on. */
function confirmFirst(event) {
  const button = event.target.closest?.("button[data-confirm]");
  if (!button) return;
  if (button.dataset.confirmed) {
    delete button.dataset.confirmed;
    return;
  }
  const dialog = document.getElementById(button.dataset.confirm);
  if (!dialog?.showModal) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  dialog.returnValue = "";
  dialog.addEventListener(
    "close",
    () => {
      if (dialog.returnValue !== "go" || !button.isConnected) return;
      button.dataset.confirmed = "yes";
      button.click();
    },
    { once: true },
  );
  dialog.showModal();
}

function plainForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || form.matches("[hx-post]")) return;
    if (busy.has(form)) event.preventDefault();
    else begin(form, event.submitter);
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) document.querySelectorAll("form").forEach(end);
  });
}

const formOf = (event) => event.detail.elt?.closest?.("form");

function htmxForms() {
  document.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers["X-CSRFToken"] = csrfToken();
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = formOf(event);
    if (!form || event.detail.requestConfig.verb === "get") return;
    if (busy.has(form)) event.preventDefault();
    else begin(form, event.detail.requestConfig.triggeringEvent?.submitter ?? form.querySelector("button:not([type=button])"));
  });
  document.addEventListener("htmx:afterRequest", (event) => formOf(event) && end(formOf(event)));
  for (const kind of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
    document.addEventListener(kind, (event) => {
      if (event.detail.requestConfig?.verb !== "get") toast(word("unsent"));
    });
  }
}

export function startForms() {
  document.addEventListener("click", confirmFirst, { capture: true });
  plainForms();
  htmxForms();
  keepWhatIsBegun();
}
