// Installed and offline: the service worker, and the change to a new version when the player wants it.
import { useEffect, useState } from "./lib.js";

/** A function that changes to the new version, once there is one. */
export function useUpdate() {
  const [waiting, setWaiting] = useState(null);
  useEffect(() => {
    if (!navigator.serviceWorker || !/^https?:$/.test(location.protocol)) return;
    const watch = (worker) => worker?.addEventListener("statechange", () => {
      if (worker.state === "installed" && navigator.serviceWorker.controller) setWaiting(worker);
    });
    navigator.serviceWorker.register("sw.js").then((registration) => {
      if (!registration) return; // blocked by the browser's settings
      if (registration.waiting && navigator.serviceWorker.controller) setWaiting(registration.waiting);
      watch(registration.installing);
      registration.addEventListener("updatefound", () => watch(registration.installing));
    }, () => null); // without it the page works online
  }, []);
  return waiting && (() => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    waiting.postMessage("take over");
  });
}
