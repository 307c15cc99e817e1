import { ratio } from "@lethe/core";
import {
  countingEvent,
  countingFor,
  histogramEvent,
  histogramFor,
  kWayMarginals,
  marginalsEvent,
  marginalsFor,
  openCounting,
  quantileTreeEvent,
  quantileTreeFor,
  releaseHistogram,
  releaseMarginals,
  releaseQuantileTree,
  releaseSparseHistogram,
  sparseHistogramEvent,
  sparseHistogramFor,
} from "@lethe/core/mechanisms";
import type { Output } from "../subject.ts";
import { certain } from "../verify/enclosures.ts";
import { type CoreSubject, coreSubject } from "./core-subject.ts";
import { type Masses, nameOf, sideBySide, whole } from "./laws/law.ts";
import { clampedLaplace, clampTo, laplaceHasMass } from "./laws/noise-laws.ts";
import { measuredIntegers } from "./measured-integers.ts";

const adjacency = "add-or-remove-one";

/** The nodes of a tree over four values: the root, two halves, four leaves. */
const nodes = [
  { from: 0n, to: 4n },
  { from: 0n, to: 2n },
  { from: 2n, to: 4n },
  { from: 0n, to: 1n },
  { from: 1n, to: 2n },
  { from: 2n, to: 3n },
  { from: 3n, to: 4n },
];

/** Counts, one at a time and many at once. */
export const countSubjects: readonly CoreSubject[] = [
  measuredIntegers<readonly bigint[]>("histogram", () => {
    const setting = histogramFor({ bins: 3, adjacency: "replace-one", budget: { epsilon: ratio(1n) } });
    return {
      event: histogramEvent(setting),
      neighbours: [
        [
          [4n, 0n, 9n],
          [3n, 1n, 9n],
        ],
      ],
      // One row replaced moves two counts.
      scale: ratio(2n),
      measured: (counts) => counts,
      run: (counts, bits) => releaseHistogram(setting, counts, bits),
    };
  }),
  coreSubject<readonly bigint[]>("sparse-histogram", () => {
    const setting = sparseHistogramFor({ adjacency, keys: 1n, epsilon: ratio(1n), delta: ratio(1n, 50n) });
    const scale = ratio(1n);
    const reachable = laplaceHasMass(scale);
    const most = 5n;
    const below = setting.threshold - 1n;
    const window = { lo: below, hi: most > setting.threshold ? most : setting.threshold };
    /** A key without a unit is never shown; others are where the noisy count reaches the threshold. */
    const shownLaw = (units: bigint): Masses => {
      if (units === 0n) return new Map([["hidden", certain]]);
      const clamped = clampedLaplace(scale, units, window);
      return new Map(
        [...clamped].map(([noisy, mass]) => [noisy === below.toString() ? "hidden" : noisy, mass]),
      );
    };
    /** Units told of each key; null where it is not shown. */
    const shown = (output: Output): (bigint | null)[] =>
      [0, 1].map((key) => {
        const at = output.indexOf(key);
        return at < 0 ? null : (output[at + 1] as bigint);
      });
    return {
      event: sparseHistogramEvent(setting),
      neighbours: [
        [[5n], [5n, 1n]],
        [
          [4n, 2n],
          [5n, 2n],
        ],
      ],
      run: (counts, bits) =>
        releaseSparseHistogram(
          setting,
          counts.map((units, at) => ({ key: [at], units })),
          bits,
        ).flatMap(({ key, units }) => [key[0] as number, units]),
      law: (counts) => whole(sideBySide([0, 1].map((key) => shownLaw(counts[key] ?? 0n)))),
      nameOf: (output) =>
        nameOf(shown(output).map((units) => (units === null ? "hidden" : clampTo(units, window)))),
      canGive: (counts, output) =>
        shown(output).every((units, key) => {
          const exact = counts[key] ?? 0n;
          return units === null || (exact > 0n && units >= setting.threshold && reachable(units - exact));
        }),
    };
  }),
  measuredIntegers<readonly number[]>("marginals", () => {
    const plan = marginalsFor(kWayMarginals([2, 2], 1), adjacency, { epsilon: ratio(1n) });
    return {
      event: marginalsEvent(plan),
      neighbours: [
        [
          [0, 1],
          [0, 1, 3],
        ],
      ],
      run: (cells, bits) =>
        releaseMarginals(
          plan,
          cells.map((cell) => [cell >> 1, cell & 1]),
          bits,
        ).flat(),
      // A row is in one cell of either table.
      scale: ratio(2n),
      measured: (cells) =>
        [0, 2, 0, 1].map((bit, at) =>
          BigInt(cells.filter((cell) => (cell & (at < 2 ? 2 : 1)) === bit).length),
        ),
    };
  }),
  measuredIntegers<readonly bigint[]>("quantile-tree", () => {
    const setting = quantileTreeFor({
      range: { lo: 0n, hi: 3n },
      branching: 2,
      height: 2,
      adjacency,
      budget: { epsilon: ratio(1n) },
    });
    return {
      event: quantileTreeEvent(setting),
      neighbours: [
        [
          [1n, 2n],
          [1n, 2n, 3n],
        ],
      ],
      // A row is in the root, in one half and in one leaf.
      scale: ratio(3n),
      measured: (values) =>
        nodes.map(({ from, to }) => BigInt(values.filter((value) => value >= from && value < to).length)),
      run: (values, bits) => releaseQuantileTree(setting, values, bits).flat(),
    };
  }),
  measuredIntegers<readonly bigint[]>("continual-counting", () => {
    const plan = countingFor({ steps: 4, form: "tree" }, { epsilon: ratio(1n) });
    return {
      event: countingEvent(plan),
      neighbours: [
        [
          [0n, 0n, 1n, 1n],
          [1n, 0n, 1n, 1n],
        ],
      ],
      run(steps, bits) {
        const stream = openCounting(plan);
        return steps.map((step) => stream.add(step, bits));
      },
      // Dyadic intervals: step 1, steps 1 and 2, step 3, all four; a step is in at most three.
      scale: ratio(3n),
      measured: (steps) => {
        const [a, b, c, d] = steps as [bigint, bigint, bigint, bigint];
        return [a, a + b, c, a + b + c + d];
      },
      read(output) {
        const [first, second, third, fourth] = output as readonly bigint[] as [
          bigint,
          bigint,
          bigint,
          bigint,
        ];
        return [first, second, third - second, fourth];
      },
    };
  }),
];
