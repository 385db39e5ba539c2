// The tab's title: its own words, a running clock before them, and for a while the news that something happened.

let own = document.title;
let clock = "";
let news = "";
let timer = 0;

function show() {
  document.title = news || (clock ? `(${clock}) ${own}` : own);
}

/** Put a running clock before the title; "" takes it away. */
export function setTitleClock(text) {
  if (text === clock) return;
  clock = text;
  show();
}

/** Let the title alternate with `text` until the page is looked at. */
export function flashTitle(text) {
  clearInterval(timer);
  if (!document.hidden) return;
  timer = setInterval(() => {
    news = news ? "" : text;
    show();
  }, 1000);
  news = text;
  show();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  clearInterval(timer);
  news = "";
  show();
});
