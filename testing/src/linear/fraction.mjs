// Exact fractions as texts "n/d" in lowest terms: the law adds by itself, with nothing of the ledger's own arithmetic.

export function fraction(num, den = 1n) {
  const divisor = greatest(num < 0n ? -num : num, den);
  return `${num / divisor}/${den / divisor}`;
}

export function plus(a, b) {
  const [x, y] = [parts(a), parts(b)];
  return fraction(x.num * y.den + y.num * x.den, x.den * y.den);
}

/** a − b, and 0 where that is less. */
export function rest(a, b) {
  const [x, y] = [parts(a), parts(b)];
  const num = x.num * y.den - y.num * x.den;
  return fraction(num > 0n ? num : 0n, x.den * y.den);
}

export function atMost(a, b) {
  const [x, y] = [parts(a), parts(b)];
  return x.num * y.den <= y.num * x.den;
}

export function parts(text) {
  const [num, den] = text.split("/");
  return { num: BigInt(num), den: BigInt(den) };
}

function greatest(a, b) {
  return b === 0n ? a : greatest(b, a % b);
}
