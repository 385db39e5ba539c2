// Shows what the site sends to this browser, and opens it when it is pressed. It keeps nothing and fetches nothing.

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("push", (event) => {
  const { title, body, tag, url, lang } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, lang, renotify: true, data: { url } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url } = event.notification.data;
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then(async (pages) => {
      const page = pages.find((each) => "navigate" in each);
      if (!page) return self.clients.openWindow(url);
      await page.focus();
      return page.navigate(url).catch(() => self.clients.openWindow(url)); // pages that it doesn't control
    }),
  );
});
