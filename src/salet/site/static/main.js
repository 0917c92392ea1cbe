// The shell: name, tabs, looks, and the tab that the address names.
import { html, render, useEffect, useLayoutEffect, useRef, useState } from "./lib.js";
import { DropZone } from "./drop.js";
import { registerOwnLists } from "./games.js";
import { Icon, Logo } from "./icons.js";
import { Dialog, Segments } from "./parts.js";
import { useRoute } from "./route.js";
import { useLook } from "./store.js";
import { About } from "./tabs/about.js";
import { Analyse } from "./tabs/analyse.js";
import { Assist } from "./tabs/assist.js";
import { Explore } from "./tabs/explore.js";
import { History } from "./tabs/history.js";
import { Play } from "./tabs/play.js";
import { useUpdate } from "./update.js";

const PAGES = {
  play: ["Play", Play],
  assist: ["Assist", Assist],
  analyse: ["Analyse", Analyse],
  explore: ["Explore", Explore],
  history: ["History", History],
  about: ["About", About],
};

function Looks() {
  const [look, change] = useLook();
  const [open, setOpen] = useState(false);
  return html`
    <button type="button" class="button icon plain" aria-label="Settings" aria-haspopup="dialog"
      onClick=${() => setOpen(true)}><${Icon} name="settings" /></button>
    <${Dialog} open=${open} title="Settings" onClose=${() => setOpen(false)}>
      <${Segments} legend="Light" value=${look.theme} onChange=${(theme) => change({ theme })}
        options=${[["auto", "As the system"], ["light", "Day"], ["dark", "Night"]]} />
      <${Segments} legend="Colours of tiles" value=${look.palette}
        onChange=${(palette) => change({ palette })}
        options=${[["salet", "salet"], ["classic", "Classic"], ["contrast", "High contrast"]]} />
      <${Segments} legend="Signs on tiles" value=${look.symbols ? "on" : "off"}
        onChange=${(wish) => change({ symbols: wish === "on" })}
        options=${[["off", "Off"], ["on", "On"]]} />
      <${Segments} legend="Keys on the screen" value=${look.keys} onChange=${(keys) => change({ keys })}
        options=${[["qwerty", "QWERTY"], ["qwertz", "QWERTZ"], ["azerty", "AZERTY"]]} />
      <p class="small soft">A rounded square is a letter in its right place, a circle one that
        stands elsewhere, a flat square one that is not in the word. Everything you set, and your
        games, stay in this browser.</p>
    <//>`;
}

function App() {
  const { tab, params, left } = useRoute();
  const [title, Page] = PAGES[tab];
  const update = useUpdate();
  useEffect(() => { document.title = `${title} · salet`; }, [tab]);
  const before = useRef(tab);
  useLayoutEffect(() => { // another tab begins at its top
    if (before.current !== tab) scrollTo(0, 0);
    before.current = tab;
  }, [tab]);
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
        ${update && html`<p class="note calm row between" role="status">A new version is ready.
          <button type="button" class="button small" onClick=${update}>Change to it</button></p>`}
        <${Page} key=${tab} params=${params} />
      </main>
      <footer class="foot">salet is free software and not affiliated with The New York Times, whose
        trademark Wordle is. Everything happens in this page; nothing you do leaves your device.</footer>
      <${DropZone} />
    </div>`;
}

const root = document.getElementById("app");

// lists of one's own first: a link may name one
registerOwnLists().catch(() => null).then(() => {
  root.replaceChildren();
  render(html`<${App} />`, root);
});
