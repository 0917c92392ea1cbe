// The shell: name, tabs, looks, and the tab that the address names.
import { html, render, useEffect, useRef } from "./lib.js";
import { Icon, Logo } from "./icons.js";
import { Segments } from "./parts.js";
import { useRoute } from "./route.js";
import { useLook } from "./store.js";
import { Analyse } from "./tabs/analyse.js";
import { Assist } from "./tabs/assist.js";
import { Explore } from "./tabs/explore.js";
import { Lab } from "./tabs/lab.js";
import { Play } from "./tabs/play.js";

const PAGES = {
  play: ["Play", Play],
  assist: ["Assist", Assist],
  analyse: ["Analyse", Analyse],
  explore: ["Explore", Explore],
  lab: ["Lab", Lab],
};

function Looks() {
  const [look, change] = useLook();
  const dialog = useRef();
  return html`
    <button type="button" class="button icon plain" aria-label="Settings" aria-haspopup="dialog"
      onClick=${() => dialog.current.showModal()}><${Icon} name="settings" /></button>
    <dialog ref=${dialog} aria-labelledby="looks"
      onClick=${(event) => event.target === dialog.current && dialog.current.close()}>
      <div class="stack">
        <header class="row between"><h2 id="looks">Settings</h2>
          <button type="button" class="button icon plain" aria-label="Close"
            onClick=${() => dialog.current.close()}><${Icon} name="remove" /></button></header>
        <${Segments} legend="Light" value=${look.theme} onChange=${(theme) => change({ theme })}
          options=${[["auto", "As the system"], ["light", "Day"], ["dark", "Night"]]} />
        <${Segments} legend="Colours of tiles" value=${look.palette}
          onChange=${(palette) => change({ palette })}
          options=${[["salet", "salet"], ["classic", "Classic"], ["contrast", "High contrast"]]} />
        <${Segments} legend="Signs on tiles" value=${look.symbols ? "on" : "off"}
          onChange=${(wish) => change({ symbols: wish === "on" })}
          options=${[["off", "Off"], ["on", "On"]]} />
        <p class="small soft">A rounded square is a letter in its right place, a circle one that
          stands elsewhere, a flat square one that is not in the word. Everything you set, and your
          statistics, stay in this browser.</p>
      </div>
    </dialog>`;
}

function App() {
  const { tab, params, left } = useRoute();
  const [title, Page] = PAGES[tab];
  useEffect(() => { document.title = `${title} · salet`; }, [tab]);
  return html`
    <div class="shell">
      <a class="skip" href="#content" onClick=${(event) => {
        event.preventDefault();
        document.getElementById("content").focus();
      }}>Skip to the content</a>
      <header class="top">
        <a class="brand" href="#/play"><${Logo} />salet</a>
        <nav class="nav" aria-label="Tabs">
          ${Object.entries(PAGES).map(([name, [text]]) => html`
            <a key=${name} href=${left[name] ?? `#/${name}`}
              aria-current=${name === tab ? "page" : null}><${Icon} name=${name} />${text}</a>`)}
        </nav>
        <${Looks} />
      </header>
      <main id="content" tabindex="-1">
        <h1 class="hidden">${title}</h1>
        <${Page} key=${tab} params=${params} />
      </main>
      <footer class="foot">salet is free software and not affiliated with The New York Times, whose
        trademark Wordle is. Nothing you do here leaves your own server.</footer>
    </div>`;
}

const root = document.getElementById("app");
root.replaceChildren();
render(html`<${App} />`, root);
