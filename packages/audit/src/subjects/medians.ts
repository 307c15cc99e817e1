import {
  choosePrivateBounds,
  privateBoundsEvent,
  proposeTestRelease,
  proposeTestReleaseEvent,
  proposeTestReleaseFor,
  quantileEvent,
  ratio,
  releaseQuantile,
  releaseSmoothMedian,
  smoothMedianEvent,
  smoothMedianFor,
} from "@lethe/core";
import { type CoreSubject, coreSubject } from "./core-subject.ts";

const range = { lo: 0n, hi: 7n };
const inRange = (_data: unknown, output: readonly unknown[]): boolean =>
  output.every((part) => typeof part === "bigint" && part >= range.lo && part <= range.hi);

/** What is told of where values lie. */
export const medianSubjects: readonly CoreSubject[] = [
  coreSubject<readonly bigint[]>("quantile", () => {
    const setting = { range, q: "1/2", epsilon: "1", adjacency: "add-or-remove-one" } as const;
    return {
      event: quantileEvent(setting),
      neighbours: [
        [[], [7n]],
        [
          [1n, 2n, 6n],
          [1n, 2n, 6n, 0n],
        ],
      ],
      run: (values, bits) => [releaseQuantile(setting, values, bits)],
      canGive: inRange,
    };
  }),
  coreSubject<readonly bigint[]>("smooth-median", () => {
    const setting = smoothMedianFor({ range, epsilon: ratio(1n), delta: ratio(1n, 100n) });
    return {
      event: smoothMedianEvent(setting),
      adjacency: "replace-one",
      neighbours: [
        [
          [0n, 0n, 7n],
          [0n, 7n, 7n],
        ],
      ],
      run: (values, bits) => [releaseSmoothMedian(setting, values, bits)],
      canGive: inRange,
    };
  }),
  coreSubject<{ value: bigint; distance: bigint }>("propose-test-release", () => {
    const setting = proposeTestReleaseFor({ bound: 1n, epsilon: ratio(2n), delta: ratio(1n, 50n) });
    return {
      event: proposeTestReleaseEvent(setting),
      neighbours: [
        [
          { value: 3n, distance: 6n },
          { value: 4n, distance: 7n },
        ],
        [
          { value: 0n, distance: 0n },
          { value: 9n, distance: 0n },
        ],
      ],
      run(proposed, bits) {
        const answer = proposeTestRelease(setting, proposed, bits);
        return answer.released ? [answer.value] : [];
      },
      canGive: (_data, output) => output.length <= 1 && output.every((part) => typeof part === "bigint"),
    };
  }),
  coreSubject<readonly bigint[]>("private-bounds", () => {
    const setting = {
      candidates: [0n, 1n, 2n, 4n, 8n],
      below: null,
      above: "1/10",
      epsilon: "1",
      adjacency: "add-or-remove-one",
    } as const;
    return {
      event: privateBoundsEvent(setting),
      neighbours: [
        [
          [1n, 1n],
          [1n, 1n, 8n],
        ],
      ],
      run(values, bits) {
        const { lo, hi } = choosePrivateBounds(setting, values, bits);
        return [lo, hi];
      },
      canGive: (_data, [lo, hi]) => setting.candidates.some((each) => each === hi) && lo === 0n,
    };
  }),
];
