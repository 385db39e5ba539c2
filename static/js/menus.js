// Menus are <details class="menu">; they close on Escape and when something else is chosen. Also: small switches.

import { post, toast, word } from "./page.js";

export function startMenus() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("focusin", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  // <button data-copy="id">: copy an element's text
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button || !navigator.clipboard) return;
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
    toast(word("copied"));
  });

  // <input type="checkbox" data-post="/address/" name="sound">: stored at once, taken back when it can't be
  document.addEventListener("change", async (event) => {
    const box = event.target.closest("input[type=checkbox][data-post]");
    if (!box) return;
    const answer = await post(box.dataset.post, box.checked ? { [box.name]: "on" } : {});
    if (!answer?.ok) {
      box.checked = !box.checked;
      toast(word("unsent"));
    } else if (box.name === "sound") {
      if (box.checked) document.body.dataset.sound = "on";
      else delete document.body.dataset.sound;
    }
  });

  const zone = document.querySelector("input[data-guess='time-zone']");
  if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
