// Sharing: the device's own sheet, else the clipboard, else text to mark and copy.
import { html, useEffect, useRef, useState } from "./lib.js";
import { Icon } from "./icons.js";
import { Dialog } from "./parts.js";

/** Where others find this page: what the site was built for, else where it is now. */
export function publicAddress() {
  const told = document.querySelector('meta[name="salet-address"]')?.content;
  return told || location.href.split("#")[0];
}

/** Whether a link to this page works on another device. */
export const isReachable = () => {
  const { protocol, hostname } = new URL(publicAddress());
  return /^https?:$/.test(protocol) && !/^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(hostname);
};

/** A button that hands text to others. `text` is called when it is pressed; `note` stands below the text
 * where that has to be shown. */
export function ShareButton({ text, children, icon = "share", kind = "", title = "Share", note = "" }) {
  const [told, setTold] = useState("");
  const [shown, setShown] = useState("");
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const say = (what) => {
    setTold(what);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTold(""), 2500);
  };
  const share = async () => {
    const given = text();
    const onPhone = matchMedia("(pointer: coarse)").matches;
    if (onPhone && navigator.share) {
      try {
        return await navigator.share({ text: given });
      } catch (error) {
        if (error.name === "AbortError") return undefined; // thought better of it
      }
    }
    if (note) return setShown(given);
    try {
      await navigator.clipboard.writeText(given);
      return say("Copied");
    } catch {
      return setShown(given);
    }
  };
  return html`
    <button type="button" class="button ${kind}" onClick=${share}><${Icon} name=${icon} />${children}</button>
    <span class="toasts" role="status">${told && html`<span class="toast">${told}</span>`}</span>
    <${Dialog} open=${Boolean(shown)} title=${title} onClose=${() => setShown("")}>
      <${ToCopy} text=${shown} />
      ${note && html`<p class="small soft">${note}</p>`}
    <//>`;
}

/** Text in a field, marked, for where pages may not copy. */
function ToCopy({ text }) {
  const field = useRef();
  const [done, setDone] = useState(false);
  useEffect(() => { field.current.focus(); field.current.select(); }, []);
  const copy = async () => {
    field.current.select();
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
    } catch {
      setDone(Boolean(document.execCommand?.("copy")));
    }
  };
  return html`
    <textarea ref=${field} class="input" rows=${Math.min(12, text.split("\n").length + 1)} readonly
      aria-label="Text to copy">${text}</textarea>
    <div class="row"><button type="button" class="button main" onClick=${copy}>Copy</button>
      <span role="status" class="soft small">${done ? "Copied" : "Or mark the text and copy it yourself."}</span></div>`;
}
