// Which states are in memory (scopes, value.js): they are laid out when they are first searched, and
// dropped, the one that was not used for longest first, where all together would take too much.

const MAX_BYTES = 132 * 2 ** 20; // of all scopes, so that a page stays below 150 MB

export class Engine {
  constructor(maxBytes = MAX_BYTES) {
    this.module = null; // the compiled kernels
    this.maxBytes = maxBytes;
    this.scopes = []; // used last is last
  }

  get bytes() {
    return this.scopes.reduce((sum, scope) => sum + scope.bytes, 0);
  }

  /** The smallest scope of an evaluator that holds a state, or null. */
  scopeOf(evaluator, state) {
    const found = this.scopes.findLast((scope) => scope.evaluator === evaluator && scope.holds(state));
    if (!found) return null;
    this.scopes.splice(this.scopes.indexOf(found), 1);
    this.scopes.push(found);
    return found;
  }

  makeRoom(bytes) {
    while (this.scopes.length && this.bytes + bytes > this.maxBytes) this.scopes.shift();
  }

  added(scope) {
    this.scopes.push(scope);
    return scope;
  }
}
