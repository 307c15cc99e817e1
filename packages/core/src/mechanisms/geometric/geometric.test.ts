import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import type { Enclosure, Neighbours } from "../../../../../testing/src/contracts/mechanism-hockey-stick.ts";
import { discreteLaplaceMass, upperTail } from "../../../../../testing/src/contracts/mechanism-masses.ts";
import type { BitSource } from "../../entropy/bit-source.ts";
import {
  add,
  compare,
  max,
  multiply,
  parseRational,
  type Rational,
  ratio,
  subtract,
  zero,
} from "../../numeric/rational.ts";
import { RecordingSource, SeededSource } from "../../tape.ts";
import { laplace } from "../laplace/laplace.ts";
import {
  type BoundedGeometric,
  boundedGeometric,
  boundedGeometricErrorBound,
  boundedGeometricEvent,
  boundedGeometricFor,
} from "./bounded-geometric.ts";
import { laplaceErrorBound, laplaceTail } from "./laplace-error-bound.ts";
import { clampTo } from "./public-range.ts";

const setting = (lo: bigint, hi: bigint, scale: string, sensitivity = 1n): BoundedGeometric => ({
  lo,
  hi,
  scale,
  sensitivity,
});
const invalid = expect.objectContaining({ code: "parameter.invalid" });

/** P[clamp(x + Z) = y], from the mass function. */
function clampedMass({ lo, hi, scale }: BoundedGeometric, x: bigint, y: bigint): Enclosure {
  const mass = discreteLaplaceMass(parseRational(scale));
  if (lo === hi) return { lo: ratio(1n), hi: ratio(1n) };
  if (y === lo) return upperTail(mass, x - lo, 90n);
  if (y === hi) return upperTail(mass, hi - x, 90n);
  return mass.at(y - x);
}

type Draw = (x: bigint, bits: BitSource) => bigint;
const firstBits = 96;
const words = 3;

/** The three words of a number of 96 bits, then zeros; it counts what was read. */
function wordsOf(uniform: bigint): BitSource & { read: number } {
  return {
    read: 0,
    word() {
      this.read += 1;
      return this.read > words ? 0 : Number((uniform >> BigInt(firstBits - 32 * this.read)) & 0xffffffffn);
    },
  };
}

/** The least 96-bit number that leads to an answer ≥ y: draws grow with their uniform number. */
function firstReaching(draw: Draw, x: bigint, y: bigint): bigint {
  let [low, high] = [-1n, 1n << BigInt(firstBits)];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (draw(x, wordsOf(middle)) >= y) high = middle;
    else low = middle;
  }
  return high;
}

/** All 2^96 tapes at once, by their boundaries; each mass is right to within {@link undecided}. */
function drawnLaw(draw: Draw, x: bigint, answers: readonly bigint[]): Map<bigint, Rational> {
  const starts = [...answers.map((y) => firstReaching(draw, x, y)), 1n << BigInt(firstBits)];
  return new Map(answers.map((y, i) => [y, ratio(starts[i + 1]! - starts[i]!, 1n << BigInt(firstBits))]));
}
const undecided = ratio(4n, 1n << BigInt(firstBits));

function outcomes(each: BoundedGeometric): bigint[] {
  return Array.from({ length: Number(each.hi - each.lo) + 1 }, (_, i) => each.lo + BigInt(i));
}

describe("the draw", () => {
  it.each([setting(0n, 1n, "2"), setting(-1n, 1n, "1/2"), setting(0n, 3n, "5/2"), setting(3n, 6n, "1/3")])(
    "is clamp(x + Z) on every tape: %o",
    (each) => {
      const draw = boundedGeometric(each);
      for (const x of outcomes(each)) {
        const drawn = drawnLaw(draw, x, outcomes(each));
        for (const y of outcomes(each)) {
          const law = clampedMass(each, x, y);
          expect(compare(subtract(drawn.get(y)!, undecided), law.hi)).toBeLessThanOrEqual(0);
          expect(compare(add(drawn.get(y)!, undecided), law.lo)).toBeGreaterThanOrEqual(0);
        }
      }
    },
  );

  it("grows with its uniform number, which the boundaries above rest on", () => {
    const draw = boundedGeometric(setting(0n, 3n, "5/2"));
    const uniforms = Array.from({ length: 400 }, (_, i) => (BigInt(i) << BigInt(firstBits)) / 400n);
    const answers = uniforms.map((uniform) => draw(1n, wordsOf(uniform)));
    expect([...answers].sort()).toEqual(answers);
  });

  it("is ε-DP as drawn, attains ε, and is refuted at a scale 10 % smaller than what was paid", () => {
    const each = setting(0n, 3n, "2");
    const draw = boundedGeometric(each);
    const pair = (of: Draw = draw): Neighbours => {
      const [p, q] = [1n, 2n].map((x) => drawnLaw(of, x, outcomes(each)));
      const around = (mass: Rational): Enclosure => ({
        lo: max(zero, subtract(mass, undecided)),
        hi: add(mass, undecided),
      });
      const all = outcomes(each).map((y) => ({ p: around(p!.get(y)!), q: around(q!.get(y)!) }));
      return { outcomes: all, rest: zero };
    };
    const { epsilon } = laplace.losses(boundedGeometricEvent(each)).pure!;
    expect(epsilon).toEqual(ratio(1n, 2n));
    expect(refuted(pair(), epsilon, zero)).toBe(false);
    expect(refuted(pair(), multiply(epsilon, ratio(999n, 1000n)), zero)).toBe(true);
    expect(refuted(pair(boundedGeometric(setting(0n, 3n, "9/5"))), epsilon, zero)).toBe(true);
    // Noise that ends at ±n, added without the clamp to the range, tells which value it was added to.
    const unclamped: Draw = (x, bits) => draw(1n, bits) + x - 1n;
    expect(
      refuted(
        pair((x, bits) => clampTo(unclamped(x, bits), { lo: 0n, hi: 9n })),
        epsilon,
        zero,
      ),
    ).toBe(true);
  });

  it("reads the same number of words for every value and every draw", () => {
    const draw = boundedGeometric(setting(0n, 200n, "30"));
    const read = new Set<number>();
    for (let seed = 1; seed <= 300; seed += 1) {
      const source = new RecordingSource(new SeededSource(seed));
      draw(BigInt(seed % 201), source);
      read.add(source.words.length);
    }
    expect([...read]).toEqual([3]);
  });

  it("reads on exactly where the first words leave a threshold open", () => {
    const draw = boundedGeometric(setting(0n, 4n, "1"));
    const boundary = firstReaching(draw, 2n, 2n);
    const readAt = (uniform: bigint): number => {
      const source = wordsOf(uniform);
      draw(2n, source);
      return source.read;
    };
    const around = [-3n, -2n, -1n, 0n, 1n, 2n, 3n].map((step) => readAt(boundary + step));
    expect(Math.max(...around)).toBe(2 * words);
    expect(around.filter((read) => read > words).length).toBeLessThanOrEqual(3);
    expect(readAt(boundary + (1n << 80n))).toBe(words);
  });

  it("stays in the range, whatever comes in", () => {
    fc.assert(
      fc.property(fc.bigInt(-50n, 50n), fc.integer({ min: 1, max: 1e6 }), (x, seed) => {
        const answer = boundedGeometric(setting(-3n, 5n, "7/3"))(x, new SeededSource(seed));
        return answer >= -3n && answer <= 5n;
      }),
      { numRuns: 50 },
    );
    expect(boundedGeometric(setting(4n, 4n, "1"))(9n, new SeededSource(1))).toBe(4n);
    expect(clampTo(Number.NaN as unknown as bigint, { lo: 1n, hi: 2n })).toBe(1n);
  });
});

describe("accuracy", () => {
  it("laplaceErrorBound is the least: the tail beyond it is at most alpha, and before it more", () => {
    for (const scale of ["1/3", "1", "10", "123.4"].map((text) => parseRational(text))) {
      for (const alpha of ["0.5", "0.05", "1e-9"].map((text) => parseRational(text))) {
        const reach = laplaceErrorBound(scale, alpha);
        const beyond = (r: bigint): Rational => multiply(ratio(2n), laplaceTail(scale, r + 1n));
        expect(compare(beyond(reach), alpha)).toBeLessThanOrEqual(0);
        if (reach > 0n) expect(compare(beyond(reach - 1n), alpha)).toBe(1);
      }
    }
    expect(laplaceErrorBound(ratio(10n), ratio(1n, 20n))).toBe(30n);
  });

  it("holds exactly over the law: P[|answer − x| > reach] ≤ alpha, and is no larger than needed in the middle", () => {
    const each = setting(0n, 40n, "4");
    const alpha = ratio(1n, 10n);
    const reach = boundedGeometricErrorBound(each, alpha);
    const beyond = (x: bigint, r: bigint, side: "lo" | "hi"): Rational => {
      let within = zero;
      for (const y of outcomes(each)) {
        const distance = y > x ? y - x : x - y;
        if (distance <= r) within = add(within, clampedMass(each, x, y)[side]);
      }
      return subtract(ratio(1n), within);
    };
    for (const x of outcomes(each)) expect(compare(beyond(x, reach, "lo"), alpha)).toBeLessThanOrEqual(0);
    expect(compare(beyond(20n, reach - 1n, "hi"), alpha)).toBe(1);
    expect(boundedGeometricErrorBound(setting(0n, 3n, "100"), alpha)).toBe(3n);
  });
});

describe("refusals", () => {
  it.each([
    { lo: 1n, hi: 0n },
    { lo: Number.NaN as unknown as bigint, hi: 0n },
    { lo: 0n, hi: Number.NaN as unknown as bigint },
    { lo: 0n, hi: (1n << 20n) + 1n },
    { sensitivity: 0n },
    { epsilon: zero },
    { epsilon: ratio(-1n) },
  ])("%o", (wrong) => {
    const right = { lo: 0n, hi: 5n, sensitivity: 1n, epsilon: ratio(1n) };
    expect(() => boundedGeometricFor({ ...right, ...wrong })).toThrow(invalid);
  });
  it("of a scale and an alpha", () => {
    for (const scale of ["0", "-1", "NaN"]) {
      expect(() => boundedGeometric(setting(0n, 3n, scale))).toThrow(invalid);
    }
    for (const alpha of [zero, ratio(1n), ratio(-1n)]) {
      expect(() => laplaceErrorBound(ratio(1n), alpha)).toThrow(invalid);
    }
    expect(() => laplaceTail(ratio(1n), -1n)).toThrow(invalid);
  });
});
