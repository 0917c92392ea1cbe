// Equations and primes, made by rules: salet/game/numbers.py.

/** All equations of that many characters, sorted. */
export function equations(length) {
  const found = [];
  for (let result = 1; result < length - 3; result++) {
    for (const digits of operandLengths(length - 1 - result)) extend(digits, 0, "", SUM, result, found);
  }
  return found.sort((a, b) => (a < b ? -1 : 1));
}

/** The digits of two or more operands whose expression has `length` characters. */
function operandLengths(length) {
  const found = [];
  for (let first = 1; first < length - 1; first++) {
    const rest = length - first - 1;
    found.push([first, rest], ...operandLengths(rest).map((others) => [first, ...others]));
  }
  return found;
}

const SUM = { above: 0, below: 1, sign: 1, numerator: 0, denominator: 1 }; // terms so far, and the last one

const closed = ({ above, below, sign, numerator, denominator }) =>
  [above * denominator + sign * numerator * below, below * denominator];

function next(sum, operator, operand) {
  if (operator === "*") return { ...sum, numerator: sum.numerator * operand };
  if (operator === "/") return { ...sum, denominator: sum.denominator * operand };
  const [above, below] = closed(sum);
  return { above, below, sign: operator === "-" ? -1 : 1, numerator: operand, denominator: 1 };
}

function extend(digits, at, text, sum, result, found) {
  if (at === digits.length) {
    const [above, below] = closed(sum);
    const value = above / below;
    const fits = above % below === 0 && value >= (result === 1 ? 0 : 10 ** (result - 1)) && value < 10 ** result;
    if (fits) found.push(`${text}=${Math.abs(value)}`);
    return;
  }
  for (const operator of at ? "+-*/" : "+") {
    for (let operand = 10 ** (digits[at] - 1); operand < 10 ** digits[at]; operand++) {
      extend(digits, at + 1, `${text}${at ? operator : ""}${operand}`, next(sum, operator, operand), result, found);
    }
  }
}

/** All primes of that many digits, ascending. */
export function primes(digits) {
  const limit = 10 ** digits;
  const composite = new Uint8Array(limit);
  const found = [];
  for (let number = 2; number < limit; number++) {
    if (composite[number]) continue;
    if (number >= limit / 10) found.push(String(number));
    for (let multiple = number * number; multiple < limit; multiple += number) composite[multiple] = 1;
  }
  return found;
}
