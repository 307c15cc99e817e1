import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fftRelativeError, realFft } from "./index.ts";
import { twiddles } from "./twiddles.ts";

function naive(x: readonly number[]): { re: number[]; im: number[] } {
  const n = x.length;
  const re: number[] = [];
  const im: number[] = [];
  for (let k = 0; k <= n / 2; k++) {
    let [a, b] = [0, 0];
    for (let j = 0; j < n; j++) {
      const angle = (-2 * Math.PI * ((j * k) % n)) / n;
      a += x[j]! * Math.cos(angle);
      b += x[j]! * Math.sin(angle);
    }
    re.push(a);
    im.push(b);
  }
  return { re, im };
}

function transform(x: readonly number[]): { re: Float64Array; im: Float64Array } {
  const re = new Float64Array(x.length / 2 + 1);
  const im = new Float64Array(x.length / 2 + 1);
  realFft(x.length).forward(Float64Array.from(x), re, im);
  return { re, im };
}

/** A generator of doubles in (−1, 1), the same on every run. */
function noise(count: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 1073741824 - 1;
  });
}

describe("the real transform", () => {
  it.each([4, 8, 16, 32, 64, 128, 512, 1024])("is the naive one at %d points", (size) => {
    const x = noise(size, size);
    const { re, im } = transform(x);
    const expected = naive(x);
    for (let k = 0; k <= size / 2; k++) {
      expect(Math.abs(re[k]! - expected.re[k]!)).toBeLessThan(1e-15 * size);
      expect(Math.abs(im[k]! - expected.im[k]!)).toBeLessThan(1e-15 * size);
    }
  });

  it("comes back within a tenth of the bound that the proof charges, far below it in ℓ²", () => {
    for (const size of [64, 2048, 1 << 16]) {
      const x = noise(size, 7);
      const { re, im } = transform(x);
      const back = new Float64Array(size);
      realFft(size).inverse(re, im, back);
      const error = Math.sqrt(back.reduce((sum, value, i) => sum + (value - x[i]!) ** 2, 0));
      const total = Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
      expect(error / total).toBeLessThan(0.1 * fftRelativeError(size));
      expect(error).toBeGreaterThan(0);
    }
  });

  it("multiplies convolutions", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 16, maxLength: 16 }),
        (x) => {
          const { re, im } = transform(x);
          const [squareRe, squareIm] = [
            re.map((a, k) => a * a - im[k]! * im[k]!),
            re.map((a, k) => 2 * a * im[k]!),
          ];
          const y = new Float64Array(16);
          realFft(16).inverse(squareRe, squareIm, y);
          for (let k = 0; k < 16; k++) {
            let direct = 0;
            for (let j = 0; j < 16; j++) direct += x[j]! * x[(k - j + 16) % 16]!;
            expect(Math.abs(y[k]! - direct)).toBeLessThan(1e-13);
          }
        },
      ),
    );
  });

  it("has twiddles within 2u, exact on the axes", () => {
    const { cos, sin } = twiddles(64, 64);
    expect([cos[0], cos[16], cos[32], cos[48]].map((x) => x! + 0)).toEqual([1, 0, -1, 0]);
    expect([sin[0], sin[16], sin[32], sin[48]].map((x) => x! + 0)).toEqual([0, -1, 0, 1]);
    for (let k = 0; k < 64; k++) expect(Math.abs(cos[k]! ** 2 + sin[k]! ** 2 - 1)).toBeLessThan(4e-16);
    // cos(2π·5/64) and cos(2π·13/64), from 30 digits.
    expect(Math.abs(cos[5]! - 0.881921264348355)).toBeLessThan(3e-16);
    expect(Math.abs(cos[13]! - 0.2902846772544624)).toBeLessThan(3e-16);
  });

  it("refuses other sizes", () => {
    for (const size of [0, 1, 2, 3, 12, 1 << 25, Number.NaN])
      expect(() => realFft(size)).toThrow(/power of two/);
  });
});
