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
  ratio,
  releaseHistogram,
  releaseMarginals,
  releaseQuantileTree,
  releaseSparseHistogram,
  sparseHistogramEvent,
  sparseHistogramFor,
} from "@lethe/core";
import { type CoreSubject, coreSubject, integers } from "./core-subject.ts";

const adjacency = "add-or-remove-one";

/** Counts, one at a time and many at once. */
export const countSubjects: readonly CoreSubject[] = [
  coreSubject<readonly bigint[]>("histogram", () => {
    const setting = histogramFor({ bins: 3, adjacency: "replace-one", budget: { epsilon: ratio(1n) } });
    return {
      event: histogramEvent(setting),
      neighbours: [
        [
          [4n, 0n, 9n],
          [3n, 1n, 9n],
        ],
      ],
      run: (counts, bits) => releaseHistogram(setting, counts, bits),
      canGive: integers(3),
    };
  }),
  coreSubject<readonly bigint[]>("sparse-histogram", () => {
    const setting = sparseHistogramFor({ adjacency, keys: 1n, epsilon: ratio(1n), delta: ratio(1n, 50n) });
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
    };
  }),
  coreSubject<readonly number[]>("marginals", () => {
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
      canGive: integers(4),
    };
  }),
  coreSubject<readonly bigint[]>("quantile-tree", () => {
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
      run: (values, bits) => releaseQuantileTree(setting, values, bits).flat(),
      canGive: integers(7),
    };
  }),
  coreSubject<readonly bigint[]>("continual-counting", () => {
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
      canGive: integers(4),
    };
  }),
];
