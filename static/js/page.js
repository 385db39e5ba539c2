// Small things that several parts share: words in the reader's language, cookies, telling, posting.

const words = document.getElementById("words")?.dataset ?? {};

/** A sentence from includes/words.html, with {name}s filled in. */
export function word(key, facts = {}) {
  return (words[key] ?? "").replace(/\{(\w+)\}/g, (_, name) => facts[name]);
}

/** Have a screen reader say something, politely. */
export function say(text) {
  const place = document.getElementById("say");
  if (place) place.textContent = text;
}

/** The CSRF secret as it is now: a sign-in in another tab changes the cookie, not this page. */
export function csrfToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
}

/** POST fields to an address of ours; resolves to the Response, or null when there was no answer. */
export async function post(url, fields) {
  try {
    return await fetch(url, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { "X-CSRFToken": csrfToken() },
      credentials: "same-origin",
      keepalive: true,
    });
  } catch {
    return null;
  }
}

/** Show a toast for 8 seconds, longer while it is pointed at or holds the focus. `link` is {href, text} or nothing. */
export function toast(text, link) {
  const place = document.getElementById("toasts");
  if (!place) return;
  const box = document.createElement("p");
  box.className = "toast";
  const span = document.createElement("span");
  span.textContent = text;
  box.append(span);
  if (link) {
    const a = document.createElement("a");
    a.href = link.href;
    a.textContent = link.text;
    box.append(a);
  }
  place.replaceChildren(box);
  const close = () => setTimeout(() => (box.matches(":hover, :focus-within") ? close() : box.remove()), 8000);
  close();
}
