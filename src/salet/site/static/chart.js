// Lines over a plane; the axes are chosen by the data.
import { html, useLayoutEffect, useRef, useState } from "./lib.js";

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
export function Chart({ series, x, y, label, height = 260 }) {
  const frame = useRef();
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    // drawn in the pixels that there are, so that letters keep their size on a phone
    const watch = new ResizeObserver(([{ contentRect }]) => setWidth(Math.max(240, contentRect.width)));
    watch.observe(frame.current);
    return () => watch.disconnect();
  }, []);
  const pad = { left: 46, right: 12, top: 14, bottom: 40 };
  const across = (value) => {
    const at = (one) => (x.log ? Math.log10(one) : one);
    return pad.left + ((at(value) - at(x.low)) / (at(x.high) - at(x.low) || 1)) * (width - pad.left - pad.right);
  };
  const down = (value) => height - pad.bottom - ((value - y.low) / (y.high - y.low || 1)) * (height - pad.top - pad.bottom);
  const columns = x.ticks ?? ticks(x.low, x.high);
  const lines = y.ticks ?? ticks(y.low, y.high, 4);
  const shape = (points) => points.map(([a, b], place) => `${place ? "L" : "M"}${across(a).toFixed(1)} ${down(b).toFixed(1)}`).join("");
  const anchor = (place, count) => (place === 0 ? "start" : place === count - 1 ? "end" : "middle");
  return html`<div ref=${frame}>
    <svg class="chart" height=${height} viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${label}>
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
        ${one.dots && one.points.map(([a, b, text], place) => html`<g key=${place}>
          <circle cx=${across(a)} cy=${down(b)} r="5" fill="var(--card)" stroke=${one.colour} stroke-width="2.5" />
          ${text && html`<text class="strong" x=${across(a)} y=${down(b) - 12}
            text-anchor=${anchor(place, one.points.length)}>${text}</text>`}</g>`)}
      </g>`)}
    </svg></div>`;
}
