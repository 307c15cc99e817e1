import { doubleAt, elementAt } from "@lethe/core/numeric";
import { openExact } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flat } from "../clipping/clip-scale.ts";
import type { ClippedGradients, ClippedSums } from "../clipping/clipped-gradients.ts";
import { openGradients } from "./open-gradients.ts";
import { referenceGradients } from "./reference-gradients.ts";
import { rowUnits } from "./rows.ts";
import { made } from "./testing/made-rows.ts";
import { smallNetworks } from "./testing/networks.ts";
import type { Lane } from "./threads/lane.ts";
import { loadUnitSums } from "./wasm/unit-sums.ts";

const sumOf = (
  gradients: ClippedGradients,
  weights: Float64Array,
  batch: ArrayLike<number>,
  clip = 1,
): ClippedSums => openExact(gradients.sum(weights, Uint32Array.from(batch), clip));
const same = (a: ClippedSums, b: ClippedSums): boolean =>
  a.unclipped === b.unclipped && a.sums.every((v, i) => v === doubleAt(b.sums, i));
const squares = (x: Float64Array): bigint => x.reduce((sum, v) => sum + BigInt(v) ** 2n, 0n);
const most = 1n << 40n;
const networks = Object.entries(smallNetworks);
const hostile = [Number.NaN, Number.POSITIVE_INFINITY, -3.4e38, 3.4e38, 1e-45, -0, 0.5, 17];

describe.each(networks)("%s", (_name, network) => {
  it("takes any data without an error, and a unit never counts more than its clip", async () => {
    // Blocks of every height, full ones too: what one row holds must not reach another.
    const counts = [...new Array<number>(18).fill(1), 2, 1, 0, 5, 1, 1];
    const { rows, weights } = made(network, counts, 8);
    const gradients = await openGradients({ network, rows });
    const zero = sumOf(gradients, weights, []);
    expect(zero.sums.every((v) => v === 0)).toBe(true);
    const entry = fc.tuple(fc.nat(), fc.constantFrom(...hostile));
    const batches = fc.array(fc.subarray([...counts.keys()]), { minLength: 2, maxLength: 2 });
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 24 }),
        fc.array(entry, { maxLength: 6 }),
        batches,
        (inputs, labels, some) => {
          const there = made(network, counts, 8).rows;
          for (const [at, value] of inputs) there.inputs[at % there.inputs.length] = value;
          for (const [at, value] of labels) there.labels[at % there.labels.length] = value;
          rows.inputs.set(there.inputs);
          rows.labels.set(there.labels);
          for (const clip of [1e-3, 1, 2 ** 64]) {
            const own = counts.map((_, unit) => sumOf(gradients, weights, [unit], clip));
            if (own.some(({ sums }) => squares(sums) > most)) return false;
            for (const batch of [[...counts.keys()], ...some]) {
              const expected = batch.reduce(
                (total, unit) => total.map((v, i) => v + doubleAt(elementAt(own, unit).sums, i)),
                zero.sums,
              );
              const { sums, unclipped } = sumOf(gradients, weights, batch, clip);
              const counted = batch.reduce((total, unit) => total + elementAt(own, unit).unclipped, 0);
              if (unclipped !== counted || !sums.every((v, i) => v === doubleAt(expected, i))) return false;
            }
          }
          return true;
        },
      ),
      { numRuns: 25 },
    );
  });

  it("ignores a row that means nothing among a unit's other rows", async () => {
    const { rows, weights } = made(network, [2, 1], 9);
    const gradients = await openGradients({ network, rows });
    rows.inputs.copyWithin(2 * (rows.inputs.length / 3), 0, rows.inputs.length / 3);
    rows.labels.copyWithin(2 * (rows.labels.length / 3), 0, rows.labels.length / 3);
    rows.labels[rows.labels.length / 3] = Number.NaN;
    const [both, alone] = [sumOf(gradients, weights, [0], 100), sumOf(gradients, weights, [1], 100)];
    // The same gradient, added up or multiplied at once: the last bits may differ, and cut another way.
    expect(alone.sums.some((v) => v !== 0)).toBe(true);
    for (const [i, v] of both.sums.entries()) expect(Math.abs(v - doubleAt(alone.sums, i))).toBeLessThan(3);
  });

  it("counts 0 where weights overflow, and comes back", async () => {
    const { rows, weights } = made(network, [1, 1, 3], 9);
    const gradients = await openGradients({ network, rows });
    const before = sumOf(gradients, weights, [0, 1, 2]);
    const overflown = sumOf(
      gradients,
      weights.map(() => 1e300),
      [0, 1, 2],
    );
    expect(squares(overflown.sums)).toBeLessThanOrEqual(9n * most);
    expect(same(sumOf(gradients, weights, [0, 1, 2]), before)).toBe(true);
  });

  it("gives the same integers in any order and over any number of lanes", async () => {
    const {
      network: checked,
      rows,
      weights,
    } = made(network, [1, 2, 1, 1, 0, 4, ...new Array(30).fill(1)], 7);
    const units = Array.from({ length: 36 }, (_, unit) => unit);
    const lane = async (): Promise<Lane> => {
      const own = await loadUnitSums(checked, rows, flat);
      let asked: (() => ClippedSums) | null = null;
      return {
        start(...given) {
          asked = () => own.sum(...given);
        },
        finish: () => asked?.() ?? expect.fail("not started"),
      };
    };
    const alone = await openGradients({ network, rows });
    const three = await openGradients({ network, rows, lanes: [await lane(), await lane()] });
    const expected = sumOf(alone, weights, units);
    const orders = fc.shuffledSubarray(units, { minLength: units.length });
    fc.assert(
      fc.property(
        orders,
        (order) =>
          same(sumOf(alone, weights, order), expected) && same(sumOf(three, weights, order), expected),
      ),
      { numRuns: 10 },
    );
    expect(same(sumOf(three, weights, [3]), sumOf(alone, weights, [3]))).toBe(true);
    expect(same(sumOf(three, weights, []), sumOf(alone, weights, []))).toBe(true);
  });

  it("is what the reference sums, up to float32", async () => {
    const { rows, weights } = made(network, [1, 2, 1, 3, 1], 6);
    const [fast, slow] = [await openGradients({ network, rows }), referenceGradients({ network, rows })];
    const [a, b] = [sumOf(fast, weights, [0, 1, 2, 3, 4]), sumOf(slow, weights, [0, 1, 2, 3, 4])];
    expect(a.unclipped).toBe(b.unclipped);
    for (const [i, v] of a.sums.entries()) expect(Math.abs(v - doubleAt(b.sums, i))).toBeLessThan(60);
  });
});

describe("a wrong description is refused", () => {
  const [, network] = elementAt(networks, 1);
  const { rows, weights } = made(network, [1, 1, 1], 2);
  it.each([
    ["offsets that fall", { ...rows, offsets: Uint32Array.of(0, 2, 1, 3) }, /offsets must be 0/],
    ["offsets from 1", { ...rows, offsets: Uint32Array.of(1, 3) }, /offsets must be 0/],
    ["no offsets", { ...rows, offsets: new Uint32Array(0) }, /offsets must be 0/],
    [
      "too few inputs",
      { ...rows, inputs: rows.inputs.subarray(1) },
      /inputs' length must be 3 rows × 13, got 38/,
    ],
    ["too many labels", { ...rows, labels: new Float32Array(4) }, /labels' length must be 3 rows × 1, got 4/],
  ])("%s", async (_name, given, message) => {
    await expect(openGradients({ network, rows: given })).rejects.toThrow(message);
  });
  it("layer clips that are not one a layer", async () => {
    await expect(openGradients({ network, rows, layerClips: [1, 1] })).rejects.toThrow(
      /one for each of 1 layers/,
    );
  });
  it("a network whose example needs more memory than kernels take", async () => {
    const layers = [
      ...new Array(20).fill({ layer: "avg-pool2d", kernel: 1 }),
      { layer: "flatten" },
      { layer: "linear", outputs: 1 },
    ];
    const huge = { version: 1, input: [2000, 2000, 1], layers, loss: "binary-logistic" };
    const none = { inputs: new Float32Array(0), labels: new Float32Array(0), offsets: new Uint32Array(1) };
    await expect(openGradients({ network: huge, rows: none })).rejects.toThrow(/more than 2 GiB of memory/);
  });
  it("a batch that names a unit twice, or one that is not there; then the next is taken", async () => {
    const gradients = await openGradients({ network, rows });
    expect(() => sumOf(gradients, weights, [1, 1])).toThrow(
      /batch must be places below 3, each at most once/,
    );
    expect(() => sumOf(gradients, weights, [0, 3])).toThrow(/batch must be places below 3/);
    expect(() => sumOf(gradients, weights, [0, 1], 0)).toThrow(/clip must be/);
    expect(() => sumOf(gradients, weights.subarray(1), [0])).toThrow(/weights' length must be 140/);
    expect(sumOf(gradients, weights, [1, 0]).sums.length).toBe(140);
    expect(rowUnits(3)).toEqual(rows.offsets);
  });
});

it("layer clips bound each layer's part of every unit", async () => {
  const [, network] = elementAt(networks, 2);
  const { network: checked, rows, weights } = made(network, [1, 2, 1], 2);
  const gradients = await openGradients({ network, rows, layerClips: [2, 2, 1] });
  const layers = checked.layers.filter(({ parameters }) => parameters > 0);
  for (const unit of [0, 1, 2]) {
    const { sums } = sumOf(gradients, weights, [unit], 1e-3);
    const parts = layers.map(({ offset, parameters }) =>
      Math.sqrt(Number(squares(sums.subarray(offset, offset + parameters)))),
    );
    for (const [at, share] of [2 / 3, 2 / 3, 1 / 3].entries()) {
      expect(elementAt(parts, at)).toBeLessThanOrEqual(share * 2 ** 20);
      expect(elementAt(parts, at)).toBeGreaterThan(0.9999 * share * 2 ** 20);
    }
  }
});
