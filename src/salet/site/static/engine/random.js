// NumPy's default_rng(seed): PCG64, seeded by a SeedSequence. The same seed draws the same.

const M32 = 0xffffffffn;
const M64 = (1n << 64n) - 1n;
const M128 = (1n << 128n) - 1n;
const MULTIPLIER = 47026247687942121848144207491837523525n;

export class Random {
  constructor(seed) {
    const [a, b, c, d] = seedWords(BigInt(seed), 4);
    this.increment = (((c << 64n) | d) << 1n | 1n) & M128;
    this.state = 0n;
    this.step();
    this.state = (this.state + ((a << 64n) | b)) & M128;
    this.step();
    this.half = null;
  }

  step() {
    this.state = (this.state * MULTIPLIER + this.increment) & M128;
  }

  /** The next 64 bits. */
  next64() {
    this.step();
    const high = this.state >> 64n;
    const x = (high ^ this.state) & M64;
    const turn = high >> 58n;
    return ((x >> turn) | (x << (64n - turn))) & M64;
  }

  /** The next 32 bits; every other call uses what the one before left. */
  next32() {
    if (this.half !== null) {
      const kept = this.half;
      this.half = null;
      return kept;
    }
    const both = this.next64();
    this.half = both >> 32n;
    return both & M32;
  }

  /** rng.integers(count) */
  below(count) {
    const range = BigInt(count);
    if (range === 1n) return 0;
    if (range > M32) throw new RangeError("at most 2 ** 32 numbers");
    let product = this.next32() * range;
    if ((product & M32) < range) {
      const least = ((M32 + 1n) - range) % range;
      while ((product & M32) < least) product = this.next32() * range;
    }
    return Number(product >> 32n);
  }

  /** rng.permutation(count) */
  permutation(count) {
    const order = Int32Array.from({ length: count }, (_, at) => at);
    for (let i = count - 1; i > 0; i--) {
      const mask = BigInt(2 ** (32 - Math.clz32(i)) - 1);
      let j;
      do j = Number(this.next32() & mask); while (j > i);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  }
}

/** rng.integers(0, 1 << 64, (count, 2), uint64) of default_rng(seed), into a BigUint64Array. */
export function fillKeys(out, random) {
  for (let i = 0; i < out.length; i++) out[i] = random.next64();
}

// SeedSequence: a pool of four words, mixed with the words of the seed
function seedWords(seed, count) {
  let hash = 0x43b0d7e5n;
  const mixIn = (value) => {
    value = (value ^ hash) & M32;
    hash = (hash * 0x931e8875n) & M32;
    value = (value * hash) & M32;
    return value ^ (value >> 16n);
  };
  const mix = (x, y) => {
    const value = (0xca01f9ddn * x - 0x4973f715n * y) & M32;
    return value ^ (value >> 16n);
  };
  const entropy = [];
  do {
    entropy.push(seed & M32);
    seed >>= 32n;
  } while (seed);
  const pool = [0, 1, 2, 3].map((at) => mixIn(entropy[at] ?? 0n));
  for (let from = 0; from < 4; from++) {
    for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mix(pool[to], mixIn(pool[from]));
  }
  for (let from = 4; from < entropy.length; from++) {
    for (let to = 0; to < 4; to++) pool[to] = mix(pool[to], mixIn(entropy[from]));
  }
  hash = 0x8b51f9ddn;
  const words = [];
  for (let at = 0; at < 2 * count; at++) {
    let value = pool[at % 4] ^ hash;
    hash = (hash * 0x58f38dedn) & M32;
    value = (value * hash) & M32;
    words.push(value ^ (value >> 16n));
  }
  return Array.from({ length: count }, (_, at) => words[2 * at] | (words[2 * at + 1] << 32n));
}
