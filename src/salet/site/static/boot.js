// Runs before anything is painted, so that a dark page never flashes white.
(() => {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("salet.look")) || {};
  } catch {
    // a browser that keeps nothing shows the defaults
  }
  const page = document.documentElement.dataset;
  page.theme = kept.theme || "auto";
  page.palette = kept.palette || "salet";
  page.symbols = kept.symbols || kept.palette === "contrast" ? "on" : "off";
})();
