// Keeps the whole site, so that it opens offline. A new version is loaded whole beside the old one and
// takes over when the page asks for it or when no page of the old one is open.
const OURS = `salet ${self.registration.scope} `; // an origin may hold several sites
const CACHE = OURS + "VERSION";
const FILES = ["FILES"];

self.addEventListener("install", (event) => {
  const load = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES.map((path) => new Request(path, { cache: "no-cache" })));
  };
  event.waitUntil(load());
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(OURS) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener("message", ({ data }) => data === "take over" && self.skipWaiting());

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  const answer = async () => {
    const cache = await caches.open(CACHE);
    const page = request.url.split(/[?#]/)[0].replace(/index\.html$/, "") === self.registration.scope;
    return (await cache.match(page ? "./" : request)) ?? fetch(request);
  };
  event.respondWith(answer());
});
