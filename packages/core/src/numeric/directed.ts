/** Double operations with a stated direction: "up" never lies below the exact result, "down" never above it. */

const view = new DataView(new ArrayBuffer(8));

/** The smallest double above x. nextUp(MAX_VALUE) = Infinity; NaN and Infinity stay. */
export function nextUp(x: number): number {
  if (!(x < Number.POSITIVE_INFINITY)) return x;
  if (x === 0) return Number.MIN_VALUE;
  view.setFloat64(0, x);
  const bits = view.getBigInt64(0);
  view.setBigInt64(0, x > 0 ? bits + 1n : bits - 1n);
  return view.getFloat64(0);
}

/** The largest double below x. */
export function nextDown(x: number): number {
  return -nextUp(-x);
}

/** Returns the exact rounding error of a + b (Knuth's TwoSum), where the sum is finite. */
function additionError(a: number, b: number, sum: number): number {
  const virtual = sum - a;
  return a - (sum - virtual) + (b - virtual);
}

/** a + b rounded up: exact where the sum is exact. */
export function addUp(a: number, b: number): number {
  const sum = a + b;
  if (!Number.isFinite(sum)) {
    // Overflow downward: the exact sum of two finite doubles is above −∞.
    return sum === Number.NEGATIVE_INFINITY && Number.isFinite(a) && Number.isFinite(b)
      ? -Number.MAX_VALUE
      : sum;
  }
  const error = additionError(a, b, sum);
  return error <= 0 ? sum : nextUp(sum);
}
/** a + b rounded down. */
export function addDown(a: number, b: number): number {
  return -addUp(-a, -b);
}
/** a − b rounded up. */
export function subtractUp(a: number, b: number): number {
  return addUp(a, -b);
}
/** a − b rounded down. */
export function subtractDown(a: number, b: number): number {
  return -addUp(-a, b);
}

/** a·b rounded up, at most one step above the nearest double; exact for a factor of 0 or ±1. */
export function multiplyUp(a: number, b: number): number {
  const product = a * b;
  if (a === 0 || b === 0 || Math.abs(a) === 1 || Math.abs(b) === 1) return product;
  return outward(product, Number.isFinite(a) && Number.isFinite(b));
}
/** a·b rounded down. */
export function multiplyDown(a: number, b: number): number {
  return -multiplyUp(-a, b);
}

/** a/b rounded up, at most one step above the nearest double; exact for a = 0 and b = ±1. */
export function divideUp(a: number, b: number): number {
  const quotient = a / b;
  if (a === 0 || Math.abs(b) === 1 || !Number.isFinite(b) || b === 0) return quotient;
  return outward(quotient, Number.isFinite(a));
}
/** a/b rounded down. */
export function divideDown(a: number, b: number): number {
  return -divideUp(-a, b);
}

/** √x rounded up, at most one step above the nearest double; √0 = 0, NaN below 0. */
export function sqrtUp(x: number): number {
  const root = Math.sqrt(x);
  return root > 0 ? outward(root, false) : root;
}
/** √x rounded down, never below 0. */
export function sqrtDown(x: number): number {
  const root = Math.sqrt(x);
  return root > 0 && root < Number.POSITIVE_INFINITY ? nextDown(root) : root;
}

function outward(x: number, finiteInputs: boolean): number {
  if (finiteInputs && x === Number.NEGATIVE_INFINITY) return -Number.MAX_VALUE;
  return nextUp(x);
}
