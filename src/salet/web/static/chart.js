// Lines over a plane; the axes are chosen by the data.
import { html } from "./lib.js";

/** Round steps: 1, 2 or 5 times a power of ten. */
export function ticks(low, high, about = 5) {
  const raw = (high - low) / about || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((one) => one * power >= raw) * power;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) found.push(at);
  return found;
}

/** series: [{ name, colour, dash, points: [[x, y], …], dots }]. */
export function Chart({ series, x, y, label, height = 260, width = 640 }) {
  const pad = { left: 52, right: 18, top: 14, bottom: 40 };
  const across = (value) => {
    const at = (one) => (x.log ? Math.log10(one) : one);
    return pad.left + ((at(value) - at(x.low)) / (at(x.high) - at(x.low) || 1)) * (width - pad.left - pad.right);
  };
  const down = (value) => height - pad.bottom - ((value - y.low) / (y.high - y.low || 1)) * (height - pad.top - pad.bottom);
  const columns = x.ticks ?? ticks(x.low, x.high);
  const lines = y.ticks ?? ticks(y.low, y.high, 4);
  const shape = (points) => points.map(([a, b], place) => `${place ? "L" : "M"}${across(a).toFixed(1)} ${down(b).toFixed(1)}`).join("");
  return html`
    <svg class="chart" viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${label}>
      ${lines.map((value) => html`<g key=${value}>
        <line class="axis" x1=${pad.left} x2=${width - pad.right} y1=${down(value)} y2=${down(value)} />
        <text x=${pad.left - 8} y=${down(value) + 4} text-anchor="end">${(y.show ?? String)(value)}</text></g>`)}
      ${columns.map((value) => html`<text key=${value} x=${across(value)} y=${height - pad.bottom + 18}
        text-anchor="middle">${(x.show ?? String)(value)}</text>`)}
      <text x=${(pad.left + width - pad.right) / 2} y=${height - 4} text-anchor="middle">${x.name}</text>
      ${series.map((one) => html`<g key=${one.name}>
        ${one.area && html`<path d=${`${shape(one.area)}Z`} fill=${one.colour} opacity="0.14" />`}
        ${one.points.length > 1 && html`<path d=${shape(one.points)} fill="none" stroke=${one.colour} stroke-width="2.5"
          stroke-linejoin="round" stroke-dasharray=${one.dash ?? "none"} />`}
        ${one.dots && one.points.map(([a, b, text]) => html`<g>
          <circle cx=${across(a)} cy=${down(b)} r="5" fill="var(--card)" stroke=${one.colour} stroke-width="2.5" />
          ${text && html`<text class="strong" x=${across(a)} y=${down(b) - 12} text-anchor="middle">${text}</text>`}</g>`)}
      </g>`)}
    </svg>`;
}
