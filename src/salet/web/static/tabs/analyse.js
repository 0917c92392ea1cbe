import { html } from "../lib.js"; export const Analyse = () => html`<p>analyse</p>`;
