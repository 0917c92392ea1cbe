// The WebAssembly module: its memory, and calls with the arguments that definitions.js lists.
import { KERNELS } from "./definitions.js";

const VIEWS = {
  u1: Uint8Array, i2: Int16Array, u2: Uint16Array, i4: Int32Array, u4: Uint32Array,
  i8: BigInt64Array, u8: BigUint64Array, f8: Float64Array,
};
const PAGE = 65536;
const MAX_PAGES = 32768;

/** The browser cannot run the engine. */
export class Unsupported extends Error {}

let compiled = null;

/** Compile the module from its bytes, once. */
export async function compileKernels(load) {
  if (typeof WebAssembly !== "object") {
    throw new Unsupported("This browser has no WebAssembly, which the engine needs.");
  }
  compiled ??= WebAssembly.compile(await load()).catch((error) => {
    compiled = null;
    const reason = error instanceof WebAssembly.CompileError;
    throw new Unsupported(
      reason ? "This browser lacks the vector instructions (SIMD) that the engine needs." : error.message,
    );
  });
  return compiled;
}

/** An array in the module's memory: [dtype, shape] as NumPy has them, in C order. */
export class Block {
  constructor(kernels, dtype, shape, offset) {
    this.kernels = kernels;
    this.dtype = dtype;
    this.shape = shape;
    this.offset = offset;
    this.length = shape.reduce((product, size) => product * size, 1);
    this.view = null;
  }

  /** A typed array over it; take it anew after anything was allocated. */
  get data() {
    const { buffer } = this.kernels.memory;
    if (this.view?.buffer !== buffer) {
      const record = /^record(\d+)$/.exec(this.dtype);
      const length = record ? (this.length * Number(record[1])) / 8 : this.length;
      this.view = new VIEWS[record ? "i8" : this.dtype](buffer, this.offset, length);
    }
    return this.view;
  }

  /** The same memory as another type or shape, from an element on. */
  as(dtype, shape, from = 0) {
    return new Block(this.kernels, dtype, shape, this.offset + from * itemSize(this.dtype));
  }

  /** Rows [from, to) of it. */
  rows(from, to) {
    const width = this.length / this.shape[0];
    return this.as(this.dtype, [to - from, ...this.shape.slice(1)], from * width);
  }

  fill(value) {
    this.data.fill(value);
    return this;
  }
}

function itemSize(dtype) {
  const record = /^record(\d+)$/.exec(dtype);
  return record ? Number(record[1]) : VIEWS[dtype].BYTES_PER_ELEMENT;
}

/** One instance of the module with a memory of its own. */
export class Kernels {
  constructor(module) {
    this.memory = new WebAssembly.Memory({ initial: 16, maximum: MAX_PAGES });
    this.exports = new WebAssembly.Instance(module, { env: { memory: this.memory } }).exports;
    this.searches = 0; // that wait to go on
    this.cleared();
  }

  /** Forget all arrays: their memory is used again. */
  cleared() {
    this.at = this.exports.__heap_base.value;
    this.result = this.allocate("i8", [8]);
    return this;
  }

  /** Bytes taken from the browser, which never go back. */
  get bytes() {
    return this.memory.buffer.byteLength;
  }

  /** Room for an array; what is in it is not defined. */
  allocate(dtype, shape) {
    const start = (this.at + 63) & ~63;
    const end = start + itemSize(dtype) * shape.reduce((product, size) => product * size, 1);
    const missing = Math.ceil((end + PAGE - this.memory.buffer.byteLength) / PAGE);
    if (missing > 0) {
      try {
        this.memory.grow(missing);
      } catch {
        throw new Unsupported(`The browser has no memory left for this game (${end >> 20} MB are needed).`);
      }
    }
    this.at = end;
    return new Block(this, dtype, shape, start);
  }

  zeros(dtype, shape) {
    const block = this.allocate(dtype, shape);
    block.data.fill(/[iu]8|record/.test(dtype) ? 0n : 0);
    return block;
  }

  from(dtype, shape, values) {
    const block = this.allocate(dtype, shape);
    block.data.set(values);
    return block;
  }

  /** A kernel with its arguments, named as in KERNELS; `run` calls it. */
  prepare(name, given) {
    return new Call(this, name, given);
  }

  /** Call a kernel once. */
  call(name, given) {
    const before = this.at;
    const results = this.prepare(name, given).run();
    this.at = before;
    return results;
  }
}

/** A kernel and its arguments in memory: arrays stay where they are, numbers can be set anew. */
class Call {
  constructor(kernels, name, given) {
    this.kernels = kernels;
    this.name = name;
    this.slotOf = {};
    const slots = [];
    for (const [path, type] of Object.entries(KERNELS[name].arguments)) {
      const value = path.split(".").reduce((found, field) => found?.[field], given);
      if (value === undefined || value === null) throw new Error(`${name}: no argument ${path}`);
      this.slotOf[path] = slots.length;
      if (typeof type === "string") slots.push(BigInt.asIntN(64, BigInt(value)));
      else slots.push(...arraySlots(name, path, type, value));
    }
    this.slots = kernels.from("i8", [slots.length], slots);
    this.parts = KERNELS[name].result.length;
  }

  set(path, value) {
    this.slots.data[this.slotOf[path]] = BigInt.asIntN(64, BigInt(value));
  }

  /** What the kernel returns, as BigInts. */
  run() {
    const { kernels, name, slots } = this;
    const status = kernels.exports[name](kernels.result.offset, slots.offset);
    if (status) throw new Error(`kernel ${name} failed (${status})`);
    return kernels.result.data.subarray(0, this.parts);
  }
}

// Numba passes an array as meminfo, parent, nitems, itemsize, data, shape and strides.
function arraySlots(name, path, [dtype, dimensions], block) {
  if (!(block instanceof Block) || block.dtype !== dtype || block.shape.length !== dimensions) {
    throw new Error(`${name}: ${path} must be an array of ${dtype} with ${dimensions} dimensions`);
  }
  const size = itemSize(dtype);
  const { shape } = block;
  const strides = block.strides ??
    shape.map((_, at) => shape.slice(at + 1).reduce((product, length) => product * length, size));
  return [0, 0, block.length, size, block.offset, ...shape, ...strides].map(BigInt);
}

/** A table [answer, guess] seen as [guess, answer]: columns instead of rows. */
export function transposed(block) {
  const [rows, columns] = block.shape;
  const turned = block.as(block.dtype, [columns, rows]);
  const size = itemSize(block.dtype);
  turned.strides = [size, size * columns];
  return turned;
}
