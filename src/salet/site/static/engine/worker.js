// The Web Worker: questions in; updates, results and problems out. Files come from the page, which
// alone may load them when it was opened from a folder.
import { InputError } from "./errors.js";
import { Unsupported } from "./kernels.js";
import { Service } from "./service.js";

const waiting = new Map(); // path -> {promise, resolve, reject}
const running = new Map(); // id -> AbortController
const channel = new MessageChannel();
let resume = null;

channel.port1.onmessage = () => resume?.();

/** Let messages in: they come before this does. */
const pause = () => new Promise((resolve) => {
  resume = resolve;
  channel.port2.postMessage(null);
});

function load(path) {
  if (!waiting.has(path)) {
    const entry = {};
    entry.promise = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
    waiting.set(path, entry);
    self.postMessage({ need: path });
  }
  return waiting.get(path).promise;
}

const service = new Service(load, pause);
let turn = Promise.resolve(); // searches share memory: one at a time

const SEARCHING = new Set(["suggest", "suggestBoards", "hint", "rate", "analyse", "whatIf"]);

async function answer({ id, name, args }) {
  const control = new AbortController();
  running.set(id, control);
  try {
    if (SEARCHING.has(name)) {
      const before = turn;
      let leave;
      turn = new Promise((resolve) => { leave = resolve; });
      await before;
      try {
        if (control.signal.aborted) return;
        const search = service[name](...args, control.signal);
        for (;;) {
          const { done, value } = await search.next();
          if (control.signal.aborted) return;
          self.postMessage(done ? { id, result: value } : { id, update: value });
          if (done) return;
        }
      } finally {
        leave();
      }
    }
    self.postMessage({ id, result: await service[name](...args) });
  } catch (error) {
    if (!control.signal.aborted) self.postMessage({ id, problem: problemOf(error) });
  } finally {
    running.delete(id);
  }
}

function problemOf(error) {
  if (error instanceof InputError) return { message: error.message, row: error.row, kind: error.kind };
  if (error instanceof Unsupported) return { message: error.message, row: null, kind: "Unsupported" };
  return { message: `Something went wrong in the engine: ${error.message}`, row: null, kind: "Error" };
}

self.onmessage = ({ data }) => {
  if (data.need) {
    const entry = waiting.get(data.need);
    waiting.delete(data.need);
    if (data.error) entry?.reject(new InputError(data.error, "DataError"));
    else entry?.resolve(data.bytes);
  } else if (data.abort) running.get(data.id)?.abort();
  else answer(data);
};
