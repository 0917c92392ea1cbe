// Numbers and text as Python writes them: rounding is exact, halves go to the even digit.

/** |x| times 10 ** decimals, rounded half to even, as a BigInt. */
function scaled(x, decimals) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  const bits = view.getBigUint64(0);
  const raw = Number(bits >> 52n);
  let numerator = (bits & 0xfffffffffffffn) | (raw ? 1n << 52n : 0n);
  const exponent = (raw || 1) - 1075;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (decimals >= 0) numerator *= 10n ** BigInt(decimals);
  else denominator *= 10n ** BigInt(-decimals);
  return halfEven(numerator, denominator);
}

function halfEven(numerator, denominator) {
  const whole = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  return twice > denominator || (twice === denominator && whole & 1n) ? whole + 1n : whole;
}

const sign = (x) => (x < 0 || Object.is(x, -0) ? "-" : "");

/** f"{x:.{decimals}f}" */
export function fixed(x, decimals) {
  const digits = scaled(x, decimals).toString().padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return sign(x) + digits.slice(0, point) + (decimals ? `.${digits.slice(point)}` : "");
}

/** f"{x:.{precision}g}" */
export function general(x, precision) {
  if (x === 0) return `${sign(x)}0`;
  let exponent = Math.floor(Math.log10(Math.abs(x)));
  if (10 ** exponent > Math.abs(x)) exponent--;
  let digits = scaled(x, precision - 1 - exponent).toString();
  if (digits.length > precision) {
    exponent++;
    digits = scaled(x, precision - 1 - exponent).toString();
  } else if (digits.length < precision) {
    exponent--;
    digits = scaled(x, precision - 1 - exponent).toString();
  }
  if (exponent < -4 || exponent >= precision) {
    const rest = digits.slice(1).replace(/0+$/, "");
    const power = `${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
    return `${sign(x)}${digits[0]}${rest && `.${rest}`}e${power}`;
  }
  const text = exponent >= 0
    ? `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`
    : `0.${"0".repeat(-exponent - 1)}${digits}`;
  return sign(x) + text.replace(/\.?0+$/, "");
}

/** f"{count:,}" */
export const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

/** round(x) */
export function rounded(x) {
  const whole = Number(scaled(x, 0));
  return x < 0 ? -whole : whole;
}

/** round(x, decimals) */
export const roundedTo = (x, decimals) => Number(fixed(x, decimals));

const BLANK = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const ENDS = new RegExp(`^${BLANK}+|${BLANK}+$`, "g");
const BLANKS = new RegExp(`${BLANK}+`);

/** text.strip() */
export const strip = (text) => text.replace(ENDS, "");

/** text.split() */
export const split = (text) => strip(text).split(BLANKS).filter(Boolean);

/** text.splitlines() */
export function splitLines(text) {
  const lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
  if (lines[lines.length - 1] === "") lines.pop();
  return lines;
}
