import { expect, it } from "vitest";
import { flat } from "../../clipping/clip-scale.ts";
import { Arena } from "./arena.ts";
import { ClipUnits } from "./clip-units.ts";
import type { KernelExports } from "./kernel-exports.ts";
import type { PlannedNetwork } from "./plan-network.ts";

/** One part of four weights, and kernels that say what they are told to say. */
function clipping(
  squaredNorm: number,
  added: number,
): { readonly units: ClipUnits; readonly adds: () => number } {
  let adds = 0;
  const part = { offset: 0, parameters: 4, dw: 0, outer: null };
  const plan: PlannedNetwork = {
    ...{ layers: [], rows: 4, x: 0, labels: 0, z: 0, dz: 0, parts: [part] },
    ...{ own: { at: 0, stride: 16 }, unit: { at: 0, bytes: 0 } },
  };
  const kernels: Partial<KernelExports> = {
    clear: () => undefined,
    squaredNorm: () => squaredNorm,
    addDense: () => {
      adds += 1;
      return added;
    },
  };
  const room = ClipUnits.room(plan, 4, new Arena());
  const units = new ClipUnits(plan, flat, room, kernels as KernelExports, new ArrayBuffer(65_536));
  units.start(1);
  return { units, adds: () => adds };
}

it("a kernel whose integers are longer than the clip stops the sum", () => {
  for (const added of [2 ** 40 + 1, 2 ** 62, Number.POSITIVE_INFINITY, Number.NaN]) {
    const { units } = clipping(9, added);
    expect(() => units.addUnit()).toThrow(/a clipped gradient is longer than its clip/);
  }
  const { units, adds } = clipping(9, 2 ** 40);
  units.addUnit();
  expect(adds()).toBe(1);
});

it("nothing is added of a unit whose norm is not finite, and it counts as clipped", () => {
  for (const norm of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const { units, adds } = clipping(norm, 0);
    units.addUnit();
    expect(adds()).toBe(0);
    expect(units.sums().unclipped).toBe(0);
  }
  const { units } = clipping(0.25, 0);
  units.addUnit();
  expect(units.sums().unclipped).toBe(1);
});

it("a unit of factors whose certificate fails counts 0: nothing is added, and its factors become zeros", () => {
  const outer = { x: 1024, inputs: 2, d: 1088, outputs: 3, scaled: 1152, stride: 16 };
  const parts = [
    { offset: 0, parameters: 4, dw: 2048, outer: null },
    { offset: 4, parameters: 9, dw: 0, outer },
  ];
  const plan: PlannedNetwork = {
    ...{ layers: [], rows: 1, x: 0, labels: 0, z: 0, dz: 0, parts },
    ...{ own: { at: 2048, stride: 16 }, unit: { at: 0, bytes: 0 } },
  };
  for (const [scaledNorm, counts] of [
    [1, true],
    [2 ** 60, false],
    [Number.NaN, false],
  ] as const) {
    const cleared: (readonly [number, number])[] = [];
    let adds = 0;
    const memory = new ArrayBuffer(65_536);
    const kernels: Partial<KernelExports> = {
      clear: (at, bytes) => cleared.push([at, bytes]),
      squaredNorms: (_x, _stride, _count, _rows, out) => new Float64Array(memory, out, 1).fill(4),
      scaled: () => undefined,
      squaredNorm: (at) => (at === outer.scaled ? scaledNorm : 4),
      addDense: () => {
        adds += 1;
        return 4;
      },
      addOuter: () => undefined,
    };
    const room = ClipUnits.room(plan, 13, new Arena());
    const units = new ClipUnits(plan, flat, room, kernels as KernelExports, memory);
    units.addRows(1);
    expect(adds).toBe(counts ? 1 : 0);
    expect(cleared).toEqual(
      counts
        ? []
        : [
            [outer.scaled, 16],
            [outer.x, 8],
          ],
    );
  }
});
