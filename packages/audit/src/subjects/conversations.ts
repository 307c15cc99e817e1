import {
  noiseEvent,
  noiseSampler,
  openSparseVector,
  openThresholdout,
  privateCandidates,
  ratio,
  sparseVectorEvent,
  sparseVectorFor,
  thresholdoutEvent,
  thresholdoutFor,
} from "@lethe/core";
import type { Output } from "../subject.ts";
import { type CoreSubject, coreSubject } from "./core-subject.ts";

/** Mechanisms that are asked again and again, or run others. */
export const conversationSubjects: readonly CoreSubject[] = [
  sparse("sparse-vector", 0n),
  sparse("sparse-vector-numbers", 1n),
  coreSubject<readonly bigint[]>("thresholdout", () => {
    const setting = thresholdoutFor({
      range: { lo: 0n, hi: 1n },
      holdoutSize: 2n,
      threshold: 0n,
      overfits: 1n,
      epsilon: ratio(2n),
    });
    return {
      event: thresholdoutEvent(setting),
      adjacency: "replace-one",
      neighbours: [
        [
          [1n, 1n],
          [1n, 0n],
        ],
      ],
      run(holdout, bits) {
        const opened = openThresholdout(setting, bits);
        const told: Output[number][] = [];
        for (let i = 0; i < 2 && opened.left > 0n; i += 1) {
          const { from, sum } = opened.ask([0n, 0n], holdout);
          told.push(from === "holdout", sum);
        }
        return told;
      },
    };
  }),
  coreSubject<bigint>("private-candidates", () => {
    const noise = { mechanism: "discrete-laplace@1", scale: "2" } as const;
    const sampler = noiseSampler(noise);
    const candidates = privateCandidates({
      trials: { law: "negative-binomial", shape: "1", stop: "1/2" },
      event: noiseEvent(noise, { l1: 1n, l2Squared: 1n }),
    });
    return {
      event: candidates.event,
      neighbours: [[0n, 1n]],
      run(value, bits) {
        const best = candidates.select((coins) => {
          const noisy = value + sampler.sample(coins);
          return { score: Number(noisy), value: noisy };
        }, bits);
        return best === null ? [] : [best.value];
      },
      canGive: (_value, output) => output.every((part) => typeof part === "bigint"),
    };
  }),
];

function sparse(id: string, numbers: bigint): CoreSubject {
  return coreSubject<readonly bigint[]>(id, () => {
    const setting = sparseVectorFor({
      epsilon: ratio(2n),
      sensitivity: 1n,
      cap: 2n,
      monotone: false,
      numberShare: ratio(numbers, 2n),
    });
    return {
      event: sparseVectorEvent(setting),
      neighbours: [
        [
          [0n, 1n, 0n, 1n],
          [1n, 0n, 1n, 0n],
        ],
      ],
      run(values, bits) {
        const vector = openSparseVector(setting, bits);
        const told: Output[number][] = [];
        for (const value of values) {
          if (vector.left === 0n) break;
          const { above, number } = vector.ask({ value });
          told.push(above);
          if (number !== undefined) told.push(number);
        }
        return told;
      },
      canGive: (_values, output) =>
        output.every((part) => typeof part === "bigint" || typeof part === "boolean"),
    };
  });
}
