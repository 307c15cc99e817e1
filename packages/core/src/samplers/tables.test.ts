import { describe, expect, test } from "vitest";
import { expBracket } from "../numeric/bracket.ts";
import {
  add,
  compare,
  divide,
  fromDouble,
  multiply,
  negate,
  one,
  ratio,
  subtract,
  toDouble,
} from "../numeric/rational.ts";
import { SeededSource } from "../tape.ts";
import { acceptanceBits, cellsPerUnit, exponential, halfNormal, slots, tailHeight } from "./decay.ts";
import { expNegative, expNegativeLimit, expNegativeNear0 } from "./exp-negative.ts";
import { exponentialCells, halfNormalCells } from "./fixed-decays.ts";
import { exactWeights } from "./scaled-decay.oracle.ts";

describe.each([
  [exponential, exponentialCells()],
  [halfNormal, halfNormalCells()],
])("$name", (decay, cells) => {
  const weights = exactWeights(decay);
  test("slots hold ⌈M·e^{−g}⌉ of each cell and one of the tail, and nothing is left", () => {
    const counted = new Array<number>(decay.cells + 1).fill(0);
    for (const cell of cells.cellOfSlot) counted[cell]! += 1;
    expect(counted).toEqual(weights);
    expect(weights.reduce((a, b) => a + b, 0)).toBe(slots);
    expect([...cells.cellOfSlot]).toEqual([...cells.cellOfSlot].sort((a, b) => a - b));
  });
  test("heights are M·e^{−g}/weight to a relative 2^−45", () => {
    for (let j = 0; j < decay.cells; j++) {
      const { lo } = expBracket(negate(decay.exponent(ratio(BigInt(j), BigInt(cellsPerUnit)))), 120);
      const exact = multiply(
        lo,
        divide(multiply(decay.mass, ratio(1n << BigInt(acceptanceBits))), ratio(BigInt(weights[j]!))),
      );
      expect(Math.abs(cells.height[j]! / toDouble(exact, "down") - 1)).toBeLessThan(2 ** -45);
      expect(cells.height[j]!).toBeLessThanOrEqual(2 ** acceptanceBits);
    }
  });
  test("slope and bend are those of g", () => {
    for (let j = 0; j < decay.cells; j++) {
      const [a, b] = [j, j + 0.375].map((x) =>
        decay.exponent(divide(fromDouble(x), ratio(BigInt(cellsPerUnit)))),
      );
      const drop = add(
        multiply(fromDouble(cells.slope[j]!), fromDouble(0.375)),
        multiply(fromDouble(cells.bend), fromDouble(0.375 ** 2)),
      );
      expect(drop).toEqual(subtract(b!, a!));
      expect(cells.slope[j]! + cells.bend).toBeLessThanOrEqual(0.3);
      const x = 1 + j / 16;
      expect(fromDouble(x * (cells.linear + cells.quadratic * x))).toEqual(decay.exponent(fromDouble(x)));
    }
  });
  test("no proposal of the tail is short: height·e^{−g} ≤ 1 at the start of every unit cell", () => {
    for (let i = 0; i < 40; i++) {
      const start = add(ratio(BigInt(decay.cells), BigInt(cellsPerUnit)), ratio(BigInt(i)));
      const { hi } = expBracket(negate(decay.exponent(start)), 2000);
      expect(compare(multiply(tailHeight(decay, i), hi), one)).toBeLessThanOrEqual(0);
    }
  });
});

describe("e^{−x} in doubles keeps its stated error", () => {
  const source = new SeededSource(3);
  test("expNegative: relative 2^−40", () => {
    for (let i = 0; i < 1500; i++) {
      const gamma = i === 0 ? 0 : i === 1 ? expNegativeLimit : (source.word() / 2 ** 32) * expNegativeLimit;
      const exact = expBracket(negate(fromDouble(gamma)), 140).lo;
      const error = divide(subtract(fromDouble(expNegative(gamma)), exact), exact);
      expect(Math.abs(toDouble(error, "up"))).toBeLessThan(2 ** -40);
    }
    expect(expNegative(expNegativeLimit + 1)).toBeNaN();
    expect(expNegative(-1e-9)).toBeNaN();
    expect(expNegative(Number.NaN)).toBeNaN();
  });
  test("expNegativeNear0: absolute 2^−34 on [0, 0.3]", () => {
    for (let i = 0; i <= 1000; i++) {
      const d = (i / 1000) * 0.3;
      const exact = expBracket(negate(fromDouble(d)), 80).lo;
      expect(Math.abs(toDouble(subtract(fromDouble(expNegativeNear0(d)), exact), "up"))).toBeLessThan(
        2 ** -34,
      );
    }
  });
});
