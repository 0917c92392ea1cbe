// The server's API. Whatever goes wrong becomes one sentence.

export const MOST_SENT = 60_000; // characters; the server takes 64 kB

export class Problem extends Error {
  constructor(message, status = 0, row = null) {
    super(message);
    this.status = status;
    this.row = row;
  }
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(`/api${path}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("The server does not answer. Is `salet web` still running?");
  }
  if (response.ok) return response;
  let told = {};
  try {
    told = await response.json();
  } catch {
    // not one of our own answers
  }
  throw new Problem(told.detail || `The server answers ${response.status}.`, response.status, told.row);
}

function sent(body, signal) {
  const text = JSON.stringify(body);
  if (text.length > MOST_SENT) {
    const size = Math.round(text.length / 1024).toLocaleString("en");
    throw new Problem(`That is ${size} kB of text; a game is a few hundred characters.`, 413);
  }
  return { method: "POST", headers: { "content-type": "application/json" }, body: text, signal };
}

/** GET a path; lists of values become repeated parameters. */
export async function get(path, params = {}, signal) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of [value].flat()) if (one != null && one !== "") query.append(name, one);
  }
  return (await request(`${path}?${query}`, { signal })).json();
}

export async function post(path, body, signal) {
  return (await request(path, sent(body, signal))).json();
}

/** POST, and call `each` with every server-sent event as it comes. */
export async function stream(path, body, each, signal) {
  const response = await request(path, sent(body, signal));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (text + value).split(/\r?\n\r?\n/);
    text = events.pop();
    for (const event of events) {
      const lines = event.split(/\r?\n/);
      const kind = lines.find((line) => line.startsWith("event:"))?.slice(6).trim();
      const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5));
      if (!data.length) continue;
      const told = JSON.parse(data.join("\n"));
      if (kind === "problem") throw new Problem(told.detail, 422, told.row);
      each(told, kind);
    }
  }
}
