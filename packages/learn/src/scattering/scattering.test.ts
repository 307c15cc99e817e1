import { doubleAt, elementAt } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { fourier, zeroGrid } from "./fourier.ts";
import { normalizeGroups, openScattering } from "./index.ts";

/** Numbers of [0, 1) by a rule that other languages write in one line. */
function noise(length: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  });
}

/** Entries and totals that Kymatio 0.3.0 gives for the same noise, its channels moved last; its filters are of single precision. */
const published = [
  {
    request: { height: 28, width: 28, scales: 2, angles: 8 },
    shape: [7, 7, 81],
    total: 78.162,
    values: [
      [0, 0.468901],
      [442, 0.005812],
      [884, 0.00488],
      [1326, 0.002564],
      [1768, 0.004253],
      [2210, 0.007324],
      [2652, 0.003481],
      [3094, 0.024789],
      [3536, 0.007388],
    ],
  },
  {
    request: { height: 17, width: 22, scales: 2, angles: 4 },
    shape: [4, 5, 25],
    total: 23.0502,
    values: [
      [0, 0.36491],
      [56, 0.020664],
      [113, 0.012072],
      [169, 0.006419],
      [226, 0.072255],
      [282, 0.018421],
      [339, 0.004126],
      [395, 0.005789],
      [452, 0.069318],
    ],
  },
  {
    request: { height: 32, width: 24, scales: 3, angles: 4 },
    shape: [4, 3, 61],
    total: 17.6214,
    values: [
      [0, 0.523716],
      [82, 0.011156],
      [164, 0.005602],
      [247, 0.088235],
      [329, 0.011527],
      [411, 0.004767],
      [494, 0.043321],
      [576, 0.00752],
      [658, 0.008114],
    ],
  },
];

describe("the transform of a grid", () => {
  it.each([
    [1, 1],
    [8, 5],
    [9, 12],
    [36, 18],
    [7, 22],
  ])("is the sum of its definition, and its reverse takes it back: %i × %i", (height, width) => {
    const grid = zeroGrid(height, width);
    grid.re.set(noise(height * width));
    grid.im.set(noise(2 * height * width).slice(height * width));
    const found = fourier(height, width, "forward")(grid);
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++) {
        let [re, im] = [0, 0];
        for (let i = 0; i < height * width; i++) {
          const turns = (row * Math.floor(i / width)) / height + (column * (i % width)) / width;
          const [c, s] = [Math.cos(2 * Math.PI * turns), -Math.sin(2 * Math.PI * turns)];
          re += c * doubleAt(grid.re, i) - s * doubleAt(grid.im, i);
          im += s * doubleAt(grid.re, i) + c * doubleAt(grid.im, i);
        }
        expect(doubleAt(found.re, row * width + column)).toBeCloseTo(re, 9);
        expect(doubleAt(found.im, row * width + column)).toBeCloseTo(im, 9);
      }
    const again = fourier(height, width, "back")(found);
    for (const [i, value] of grid.re.entries()) expect(doubleAt(again.re, i)).toBeCloseTo(value, 12);
    for (const [i, value] of grid.im.entries()) expect(doubleAt(again.im, i)).toBeCloseTo(value, 12);
  });
});

describe("a scattering", () => {
  it.each(published)(
    "gives what another implementation gives: $request",
    ({ request, shape, total, values }) => {
      const scattering = openScattering(request);
      expect(scattering.shape).toEqual(shape);
      const found = scattering.features(noise(request.height * request.width));
      expect(found.length).toBe(shape.reduce((product, each) => product * each, 1));
      for (const [at = -1, value = Number.NaN] of values) expect(elementAt(found, at)).toBeCloseTo(value, 4);
      expect(Math.abs(found.reduce((sum, each) => sum + each, 0) / total - 1)).toBeLessThan(1e-4);
    },
  );

  it("is its definition: averages of |picture ∗ wavelet|, summed in space", () => {
    const [height, width, padded] = [9, 8, 12];
    const picture = noise(height * width);
    const mirror = (at: number, length: number): number =>
      at < 0 ? -at : at < length ? at : 2 * length - 2 - at;
    const seen = (row: number, column: number): number =>
      elementAt(picture, mirror(row - 1, height) * width + mirror(column - 2, width));
    const round = (at: number): number => ((at % padded) + padded) % padded;
    const all = Array.from(
      { length: padded * padded },
      (_, i) => [Math.floor(i / padded), i % padded] as const,
    );
    const wide = 0.8;
    /** Functions of whole space, wrapped on the padded square. */
    const wrapped = (of: (x: number, y: number) => number) => (x: number, y: number) => {
      let sum = 0;
      for (const down of [-2, -1, 0, 1, 2])
        for (const right of [-2, -1, 0, 1, 2]) sum += of(round(x) + down * padded, round(y) + right * padded);
      return sum;
    };
    const gaussian = wrapped(
      (x, y) => Math.exp(-(x * x + y * y) / (2 * wide * wide)) / (2 * Math.PI * wide * wide),
    );
    const averaged = (of: (row: number, column: number) => number, row: number, column: number): number =>
      all.reduce((sum, [r, c]) => sum + gaussian(row - r, column - c) * of(r, c), 0);
    const found = openScattering({ height, width, scales: 1, angles: 2 }).features(picture);
    // Two angles: slant 2, along the first axis and along the second.
    const wave = (turned: boolean, trig: (phase: number) => number) =>
      wrapped((x, y) => {
        const [along, across] = turned ? [-y, x] : [x, y];
        const envelope =
          Math.exp(-(along ** 2 + (2 * across) ** 2) / (2 * wide * wide)) / (Math.PI * wide * wide);
        return envelope * trig((3 * Math.PI * along) / 4);
      });
    for (const [channel, turned] of [
      [1, false],
      [2, true],
    ] as const) {
      const [re, im, bell] = [wave(turned, Math.cos), wave(turned, Math.sin), wave(turned, () => 1)];
      const sumOf = (f: (x: number, y: number) => number): number =>
        all.reduce((sum, [r, c]) => sum + f(r, c), 0);
      const share = sumOf(re) / sumOf(bell);
      const moduli = all.map(([row, column]) => {
        let [a, b] = [0, 0];
        for (const [r, c] of all) {
          a += seen(r, c) * (re(row - r, column - c) - share * bell(row - r, column - c));
          b += seen(r, c) * im(row - r, column - c);
        }
        return Math.hypot(a, b);
      });
      for (const [row, column] of [
        [0, 0],
        [1, 3],
        [3, 2],
      ] as const) {
        const by = averaged((r, c) => elementAt(moduli, r * padded + c), 2 * (row + 1), 2 * (column + 1));
        expect(elementAt(found, (row * 4 + column) * 3 + channel)).toBeCloseTo(by, 6);
        const mean = averaged(seen, 2 * (row + 1), 2 * (column + 1));
        expect(elementAt(found, (row * 4 + column) * 3)).toBeCloseTo(mean, 6);
      }
    }
  });

  it("gives each picture features of its own, whatever stands beside it", () => {
    const scattering = openScattering({ height: 12, width: 8, angles: 4 });
    const pictures = noise(3 * 96);
    const alone = [0, 1, 2].map((at) => scattering.features(pictures.slice(96 * at, 96 * (at + 1))));
    const each = alone[0]?.length ?? 0;
    const together = scattering.features(pictures);
    for (const [at, own] of alone.entries()) expect(together.slice(at * each, (at + 1) * each)).toEqual(own);
    pictures[96 + 5] = Number.NaN;
    const broken = scattering.features(pictures);
    expect(broken.slice(each, 2 * each).every(Number.isNaN)).toBe(true);
    for (const at of [0, 2]) expect(broken.slice(at * each, (at + 1) * each)).toEqual(alone[at]);
  });

  it.each([
    [{ height: 7, width: 28 }, "height"],
    [{ height: 28, width: 28.5 }, "width"],
    [{ height: 28, width: 28, scales: 0 }, "scales"],
    [{ height: 28, width: 28, scales: 4 }, "height"],
    [{ height: 28, width: 28, angles: 5 }, "angles"],
    [{ height: Number.NaN, width: 28 }, "height"],
  ])("refuses %o", (request, name) => {
    expect(() => openScattering(request)).toThrow(name);
    expect(() => openScattering(request)).toThrow(expect.objectContaining({ code: "parameter.invalid" }));
  });
  it("refuses pixels that are no whole pictures", () => {
    expect(() => openScattering({ height: 28, width: 28 }).features(new Float32Array(783))).toThrow(
      "multiple of 784",
    );
  });
});

describe("normalized groups", () => {
  const shape = [3, 2, 6] as const;
  it("have mean 0 and variance 1 in every picture; constant ones are 0", () => {
    const features = noise(72).map((value, at) => (at % 6 < 2 ? 5 : 100 * value));
    const found = normalizeGroups(features, shape, 3);
    for (const picture of [0, 36]) {
      for (const group of [0, 2, 4]) {
        const own = [...found.slice(picture, picture + 36)].filter(
          (_, at) => at % 6 >= group && at % 6 < group + 2,
        );
        const mean = own.reduce((sum, value) => sum + value, 0) / 12;
        expect(mean).toBeCloseTo(0, 5);
        const variance = own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 12;
        expect(variance).toBeCloseTo(group === 0 ? 0 : 1, 4);
      }
    }
  });
  it("leave other pictures alone", () => {
    const whole = normalizeGroups(noise(72), shape, 2);
    const broken = noise(72);
    broken[3] = Number.NaN;
    expect(normalizeGroups(broken, shape, 2).slice(36)).toEqual(whole.slice(36));
  });
  it("refuse what does not divide", () => {
    expect(() => normalizeGroups(noise(72), shape, 4)).toThrow("divides the 6 channels");
    expect(() => normalizeGroups(noise(71), shape, 3)).toThrow("multiple of 36");
  });
});
