// Which states are in memory (scopes, value.js): they are laid out when they are first searched, and
// dropped, the one that was not used for longest first, where all together would take too much. A
// browser is slow to take memory back, so that of dropped scopes is used again.
import { Kernels } from "./kernels.js";

const MAX_BYTES = 100 * 2 ** 20; // of all memory, by estimates that can be a fifth too low

export class Engine {
  constructor(maxBytes = MAX_BYTES) {
    this.module = null; // the compiled kernels
    this.maxBytes = maxBytes;
    this.scopes = []; // used last is last
    this.spare = []; // kernels of dropped scopes
    this.passing = null;
    this.retired = []; // the same, but a search of this question may still go on in them
  }

  get bytes() {
    const kernels = [...this.scopes.map((scope) => scope.kernels), ...this.spare, this.passing].filter(Boolean);
    return kernels.reduce((sum, one) => sum + one.bytes, 0);
  }

  /** A question begins, so no search of an earlier one goes on. */
  begin() {
    for (const { kernels } of this.scopes) kernels.searches = 0;
    for (const kernels of this.retired) kernels.searches = 0;
    this.spare.push(...this.retired.splice(0));
  }

  /** The smallest scope of an evaluator that holds a state, or null. */
  scopeOf(evaluator, state) {
    const found = this.scopes.findLast((scope) => scope.evaluator === evaluator && scope.holds(state));
    if (!found) return null;
    this.scopes.splice(this.scopes.indexOf(found), 1);
    this.scopes.push(found);
    return found;
  }

  /** Kernels with room for so many bytes; scopes are dropped for it where that is needed. */
  kernels(bytes) {
    for (;;) {
      const best = this.fitting(bytes);
      const more = Math.max(0, bytes - (best?.bytes ?? 0));
      if (this.bytes + more > this.maxBytes) {
        if (this.scopes.length) {
          this.drop();
          continue;
        }
        this.spare = best ? [best] : [];
      }
      if (!best) return new Kernels(this.module);
      this.spare.splice(this.spare.indexOf(best), 1);
      return best.cleared();
    }
  }

  /** Kernels for what is counted in passing, at once. */
  scratch() {
    this.passing ??= new Kernels(this.module);
    return this.passing.cleared();
  }

  /** The same for what pauses between blocks: `use` has it alone until it is done. */
  *alone(use) {
    const kernels = this.scratch();
    this.passing = null;
    const result = yield* use(kernels);
    this.passing = kernels;
    return result;
  }

  drop() {
    const { kernels } = this.scopes.shift();
    (kernels.searches ? this.retired : this.spare).push(kernels);
  }

  /** The smallest spare memory with room for so many bytes, or the largest. */
  fitting(bytes) {
    const sorted = [...this.spare].sort((a, b) => a.bytes - b.bytes);
    return sorted.find((one) => one.bytes >= bytes) ?? sorted.at(-1) ?? null;
  }

  added(scope) {
    this.scopes.push(scope);
    return scope;
  }
}
