/** The exponential function of four lanes, from additions and products alone: the same bytes on every machine. */

const log2e: f32 = <f32>Math.LOG2E;
/** The leading 14 bits of ln 2, and the rest: n·high is exact for |n| < 2^10. */
const high: f32 = 0.693145751953125;
const low: f32 = 0.0000014286068203094173;

/** e^r − 1 for |r| ≤ ½·ln 2, by its series up to r⁷: the rest is below 6e-9 of it. */
function series(r: v128): v128 {
  let sum = f32x4.splat(1.0 / 5040.0);
  sum = f32x4.add(f32x4.mul(sum, r), f32x4.splat(1.0 / 720.0));
  sum = f32x4.add(f32x4.mul(sum, r), f32x4.splat(1.0 / 120.0));
  sum = f32x4.add(f32x4.mul(sum, r), f32x4.splat(1.0 / 24.0));
  sum = f32x4.add(f32x4.mul(sum, r), f32x4.splat(1.0 / 6.0));
  sum = f32x4.add(f32x4.mul(sum, r), f32x4.splat(0.5));
  sum = f32x4.add(f32x4.mul(sum, r), f32x4.splat(1));
  return f32x4.mul(sum, r);
}

/** x − n·ln 2. */
function reduced(x: v128, n: v128): v128 {
  return f32x4.sub(f32x4.sub(x, f32x4.mul(n, f32x4.splat(high))), f32x4.mul(n, f32x4.splat(low)));
}

/** 2^n for whole n from −126 to 127. */
function power(n: v128): v128 {
  return i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23);
}

/** e^x, with x cut to [−87, 88]. NaN stays NaN. */
export function exp4(x: v128): v128 {
  const cut = f32x4.max(f32x4.min(x, f32x4.splat(88)), f32x4.splat(-87));
  const n = f32x4.nearest(f32x4.mul(cut, f32x4.splat(log2e)));
  const p = power(n);
  return f32x4.add(p, f32x4.mul(p, series(reduced(cut, n))));
}

/** tanh x = t/(t + 2), t = e^(2|x|) − 1, with the sign of x. NaN stays NaN. */
export function tanh4(x: v128): v128 {
  const twice = f32x4.min(f32x4.mul(f32x4.abs(x), f32x4.splat(2)), f32x4.splat(40));
  const n = f32x4.nearest(f32x4.mul(twice, f32x4.splat(log2e)));
  const p = power(n);
  const t = f32x4.add(f32x4.sub(p, f32x4.splat(1)), f32x4.mul(p, series(reduced(twice, n))));
  const size = f32x4.div(t, f32x4.add(t, f32x4.splat(2)));
  return v128.or(size, v128.and(x, f32x4.splat(-0.0)));
}

/** 1/(1 + e^−x), from e^−|x| so that neither end loses digits. NaN stays NaN. */
export function sigmoid4(x: v128): v128 {
  const e = exp4(f32x4.neg(f32x4.abs(x)));
  const one = f32x4.splat(1);
  const q = f32x4.div(one, f32x4.add(one, e));
  return v128.bitselect(f32x4.mul(e, q), q, f32x4.lt(x, f32x4.splat(0)));
}
