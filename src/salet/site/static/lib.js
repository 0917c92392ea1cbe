// Preact with templates instead of JSX: nothing needs to be built.
import { h, render } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export const html = htm.bind(h);
export { h, render };
export {
  useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState,
} from "./vendor/hooks.js";
