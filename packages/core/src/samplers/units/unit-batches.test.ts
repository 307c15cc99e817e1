import { describe, expect, test } from "vitest";
import { enumerateWords, lowBits } from "../../../../../testing/src/contracts/enumerate-words.ts";
import {
  add,
  multiply,
  parseRational,
  type Rational,
  ratio,
  subtract,
  zero,
} from "../../numeric/rational.ts";
import { BitTape, SeededSource, TapeExhausted } from "../../tape.ts";
import { cutBatch, poissonBatch, uniformBins } from "./unit-batches.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });

/** The mass of "in" for a unit whose 16 bits are all tried. A tie asks for more words; what follows it is a Bernoulli of the rest, of its own exact law. */
function massIn(rate: Rational, place: 0 | 1): Rational {
  const scaled = multiply(rate, ratio(65_536n));
  let mass = zero;
  for (let coin = 0; coin < 65_536; coin++) {
    // The other half of the word belongs to the neighbour.
    const tape = new BitTape([place === 0 ? coin : coin * 65_536]);
    const weight = inWithout(
      tape,
      () => poissonBatch(rate, place + 1, tape).includes(place),
      subtract(scaled, ratio(BigInt(coin))),
    );
    mass = add(mass, multiply(weight, ratio(1n, 65_536n)));
  }
  return mass;
}

function inWithout(tape: BitTape, isIn: () => boolean, rest: Rational): Rational {
  try {
    return ratio(isIn() ? 1n : 0n);
  } catch (error) {
    if (!(error instanceof TapeExhausted) || tape.read !== 1) throw error;
    return rest;
  }
}

describe("a Poisson batch", () => {
  test.each([
    ["0", 1],
    ["1/250", 0],
    ["1/3", 1],
    ["32767/65536", 0],
    ["1", 1],
  ] as const)("takes a unit with chance %s exactly, at place %i", (text, place) => {
    const rate = parseRational(text);
    expect(massIn(rate, place)).toEqual(rate);
  });

  test("lets a tie go on with the bits of the rate that are left", () => {
    // 1/3 · 65536 = 21845 + 1/3; a Bernoulli of 1/3 reads two bits, draws 3 again and takes 0.
    const tie = 21_845 | (0xffff << 16);
    expect([...poissonBatch(ratio(1n, 3n), 2, new BitTape([tie, 0]))]).toEqual([0]);
    expect([...poissonBatch(ratio(1n, 3n), 2, new BitTape([tie, 3, 1]))]).toEqual([]);
  });

  test("takes units independently: counts, and pairs of neighbours, of 2,000 batches of 400 (false alarm < 1e-7)", () => {
    const [units, batches, rate] = [400, 2000, ratio(1n, 5n)];
    const bits = new SeededSource(5);
    let [taken, pairs, squares] = [0, 0, 0];
    for (let i = 0; i < batches; i++) {
      const batch = poissonBatch(rate, units, bits);
      taken += batch.length;
      squares += (batch.length - 80) ** 2;
      batch.forEach((unit, at) => {
        if (batch[at + 1] === unit + 1) pairs += 1;
      });
    }
    // 160,000 of 800,000 with a deviation of 358; 31,920 pairs with one below 230; a variance of 64 to 3.2 %.
    expect(Math.abs(taken - 160_000)).toBeLessThan(5.5 * 358);
    expect(Math.abs(pairs - 31_920)).toBeLessThan(5.5 * 230);
    expect(Math.abs(squares / batches / 64 - 1)).toBeLessThan(5.5 * 0.032);
  });

  test("is in rising order, without repetition, also where nearly all are in", () => {
    for (const rate of ["0.5", "0.9999"]) {
      const batch = poissonBatch(parseRational(rate), 5001, new SeededSource(1));
      expect([...batch]).toEqual([...new Set(batch)].sort((a, b) => a - b));
      expect(batch.at(-1)).toBeLessThan(5001);
    }
    expect(poissonBatch(ratio(1n), 7, new SeededSource(1))).toEqual(Uint32Array.of(0, 1, 2, 3, 4, 5, 6));
    expect(poissonBatch(ratio(1n, 2n), 0, new BitTape([]))).toEqual(new Uint32Array(0));
  });
});

describe("a batch that is cut", () => {
  test("is any subset of its size alike", () => {
    const { masses } = enumerateWords(
      (bits) => cutBatch(Uint32Array.of(3, 5, 7, 9), 2, bits).join(),
      () => lowBits(2),
      5,
    );
    expect([...masses.keys()].sort()).toEqual(["3,5", "3,7", "3,9", "5,7", "5,9", "7,9"]);
    const [first] = masses.values();
    for (const mass of masses.values()) expect(mass).toEqual(first);
  });
  test("is itself where it is no larger", () => {
    expect([...cutBatch(Uint32Array.of(3, 5), 2, new BitTape([]))]).toEqual([3, 5]);
  });
});

describe("bins", () => {
  test("are drawn uniformly and independently", () => {
    const { masses } = enumerateWords(
      (bits) => uniformBins(3, 2, bits).join(),
      () => lowBits(2),
      6,
    );
    expect(masses.size).toBe(9);
    const [first] = masses.values();
    for (const mass of masses.values()) expect(mass).toEqual(first);
  });
  test("of one kind need no coins", () => {
    expect([...uniformBins(1, 3, new BitTape([]))]).toEqual([0, 0, 0]);
  });
  test("are all used, and none beyond: 250 bins of 100,000 units (false alarm < 1e-7)", () => {
    const counts = new Float64Array(250);
    for (const bin of uniformBins(250, 100_000, new SeededSource(9))) counts[bin]! += 1;
    const square = counts.reduce((sum, count) => sum + (count - 400) ** 2 / 400, 0);
    expect(square).toBeLessThan(249 + 5.5 * Math.sqrt(2 * 249) + 20);
  });
});

test.each([
  () => poissonBatch(ratio(3n, 2n), 5, new SeededSource(1)),
  () => poissonBatch(ratio(-1n, 2n), 5, new SeededSource(1)),
  () => poissonBatch(ratio(1n, 2n), -1, new SeededSource(1)),
  () => poissonBatch(ratio(1n, 2n), Number.NaN, new SeededSource(1)),
  () => cutBatch(Uint32Array.of(1, 2), 0, new SeededSource(1)),
  () => uniformBins(0, 5, new SeededSource(1)),
  () => uniformBins(1.5, 5, new SeededSource(1)),
])("refuses %s", (act) => {
  expect(act).toThrow(invalid);
});
