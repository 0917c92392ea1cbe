// Line drawings, 24 by 24.
import { html } from "./lib.js";

const PATHS = {
  play: "M4 4h7v7H4zM4 14h7v6H4zM14 4h6v7h-6zM14 17a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
  assist: "M9.5 18h5M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.5 1.1 1.2 1.1 2v.2h5v-.2c0-.8.4-1.5 1.1-2A6 6 0 0 0 12 3z",
  analyse: "M4 20V4M4 20h16M8 15l4-5 3 3 5-7",
  explore: "M12 4v4M12 8H6v4M12 8h6v4M4 12h4v4H4zM16 12h4v4h-4zM10 2h4v2h-4zM12 8v4M10 12h4v4h-4z",
  history: "M4 5h16v15H4zM4 9.5h16M8.5 3v4M15.5 3v4M8 14l2.6 2.6L16 12",
  about: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 11v5.5M12 7.6v.1",
  help: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9.4 9.6a2.7 2.7 0 1 1 3.9 2.5c-.9.5-1.3 1-1.3 1.9M12 16.9v.1",
  all: "M3 13l4 4L15 8M11 16l1.5 1.5L21 8",
  file: "M6 3h8l4 4v14H6zM14 3v5h5",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0M7 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
  back: "M9 6l-6 6 6 6M3 12h18",
  erase: "M9 5h11v14H9l-6-7zM12 9.5l5 5M17 9.5l-5 5",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  remove: "M6 6l12 12M18 6L6 18",
  share: "M12 15V4M8 7.5L12 4l4 3.5M6 12v7h12v-7",
  again: "M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5",
  next: "M9 6l6 6-6 6",
  plus: "M12 5v14M5 12h14",
};

export const Icon = ({ name }) => html`
  <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;

const MARKS = { G: "M5 12.5l4.5 4.5L19 7.5", Y: "M3 12h18M7 8l-4 4 4 4M17 8l4 4-4 4", B: "M6 6l12 12M18 6L6 18" };

/** The sign of a tile's state, for those who do not see its colour. */
export const Mark = ({ state }) => html`
  <svg class="mark" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="3.2"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${MARKS[state]} /></svg>`;

export const Logo = () => html`
  <svg viewBox="0 0 34 34" aria-hidden="true">
    <rect x="1" y="1" width="14" height="14" rx="4.5" fill="var(--right)" />
    <circle cx="26" cy="8" r="7" fill="var(--near)" />
    <rect x="1" y="19" width="14" height="14" rx="2" fill="var(--absent)" stroke="var(--tile-line)" />
    <rect x="19" y="19" width="14" height="14" rx="4.5" fill="var(--right)" />
  </svg>`;
