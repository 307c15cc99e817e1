import { doubleAt, elementAt } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { addUp } from "../../clipping/add-up.ts";
import { flat, perLayer } from "../../clipping/clip-scale.ts";
import { clipToGrid } from "../../clipping/clip-to-grid.ts";
import { partLength, type UnitGradient } from "../../clipping/unit-gradient.ts";
import { referenceNetwork } from "../reference/reference-network.ts";
import { made, rowOf } from "../testing/made-rows.ts";
import { cnn, smallNetworks } from "../testing/networks.ts";
import { loadUnitSums } from "./unit-sums.ts";

/** Multiplied out. */
function dense(gradient: UnitGradient): Float64Array {
  const values = new Float64Array(gradient.reduce((length, part) => length + partLength(part), 0));
  let at = 0;
  for (const part of gradient) {
    if (part.kind === "dense") for (const value of part.values) values[at++] = value;
    else {
      for (const x of part.x) for (const d of part.d) values[at++] = x * d;
      for (const d of part.d) values[at++] = d;
    }
  }
  return values;
}

const norm = (x: Float64Array): number => Math.hypot(...x);

const networks = [...Object.entries(smallNetworks), ["Opacus' network", cnn]] as const;

describe.each(networks)("%s", (_name, description) => {
  const counts = [1, 1, 3, 0, 1, 18, 1, 2, ...new Array<number>(20).fill(1)];
  const { network, rows, weights } = made(description, counts, 5);
  const units = Uint32Array.from(counts, (_, unit) => unit);

  it("has the gradients of double precision, up to float32", async () => {
    const sums = await loadUnitSums(network, rows, flat);
    const reference = referenceNetwork(network);
    for (const unit of units.subarray(0, description === cnn ? 3 : 8)) {
      const expected = new Float64Array(network.parameters);
      for (let row = elementAt(rows.offsets, unit); row < elementAt(rows.offsets, unit + 1); row += 1) {
        const gradient = reference.gradient(weights, ...rowOf(network, rows, row));
        for (let i = 0; i < expected.length; i += 1)
          expected[i] = doubleAt(expected, i) + doubleAt(gradient, i);
      }
      const found = dense(sums.gradientOf(weights, unit));
      const distance = norm(found.map((value, i) => value - doubleAt(expected, i)));
      expect(found.length).toBe(network.parameters);
      expect(distance).toBeLessThan(1e-5 * norm(expected) + 1e-12);
    }
  });

  it("gives the outputs of double precision, up to float32", async () => {
    const sums = await loadUnitSums(network, rows, flat);
    const reference = referenceNetwork(network);
    const found = sums.outputs(weights, rows.inputs);
    for (let row = 0; row < 6; row += 1) {
      const expected = reference.outputs(weights, rowOf(network, rows, row)[0]);
      const own = Float64Array.from(found.subarray(row * network.outputs, (row + 1) * network.outputs));
      const distance = norm(own.map((value, i) => value - doubleAt(expected, i)));
      expect(distance).toBeLessThan(2e-6 * (norm(expected) + 1));
    }
  });

  const layers = network.layers.filter(({ parameters }) => parameters > 0).length;
  const rules = { flat, "per layer": perLayer(Array.from({ length: layers }, (_, i) => i + 1)) };
  it.each(Object.entries(rules))(
    "sums the very integers of the definition, clipped or not (%s)",
    async (_rule, shares) => {
      const sums = await loadUnitSums(network, rows, shares);
      for (const clip of [1e-3, 1, 1.7, 1e5]) {
        const vectors = [...units].map((unit) => clipToGrid(sums.gradientOf(weights, unit), clip, shares));
        const expected = addUp(network.parameters, vectors);
        const found = sums.sum(weights, units, clip);
        expect(found.unclipped).toBe(expected.unclipped);
        expect(found.sums.every((value, i) => value === doubleAt(expected.sums, i))).toBe(true);
        expect(vectors.filter(({ integers }) => integers.some((v) => v !== 0)).length).toBeGreaterThan(20);
      }
    },
  );
});
