import { ratio } from "@lethe/core";
import {
  noiseEvent,
  noiseSampler,
  openThresholdout,
  privateCandidates,
  thresholdoutEvent,
  thresholdoutFor,
} from "@lethe/core/mechanisms";
import { sparseVectorScales } from "@lethe/core/tape";
import { comparisonsLaw } from "../enumerate/enumerate-noise.ts";
import type { Output } from "../subject.ts";
import { certain, complement, minus, over, plus, times } from "../verify/enclosures.ts";
import type { Enclosure } from "../verify/hockey-stick.ts";

import { type CoreSubject, coreSubject } from "./core-subject.ts";
import { whole } from "./laws/law.ts";
import { clampedLaplace, laplaceAtLeast, laplaceHasMass } from "./laws/noise-laws.ts";
import { sparseVectorSubjects } from "./sparse-vectors.ts";

/** Far beyond all noise of these settings. */
const reach = 120n;

/** Mechanisms that are asked again and again, or run others. */
export const conversationSubjects: readonly CoreSubject[] = [
  ...sparseVectorSubjects,
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
      // The training set's sum is 0, the threshold too: "holdout" where its sum + noise reaches the noisy threshold. One overfit is paid.
      law(holdout) {
        const held = holdout.reduce((a, b) => a + b, 0n);
        const scales = sparseVectorScales(setting.vector);
        const compared = (...above: readonly boolean[]): Enclosure =>
          comparisonsLaw(
            scales.threshold,
            above.map((each) => ({ value: held, above: each, scale: scales.comparison })),
            reach,
          );
        if (scales.number === null) throw new TypeError("Thresholdout tells no noisy number");
        const told = clampedLaplace(scales.number, held, { lo: 0n, hi: 2n });
        const sums = (before: string, mass: Enclosure): [string, Enclosure][] =>
          [...told].map(([sum, share]) => [`${before}true,${sum}`, times(mass, share)]);
        return whole(
          new Map([
            ["false,0,false,0", compared(false, false)],
            ...sums("", compared(true)),
            ...sums("false,0,", compared(false, true)),
          ]),
        );
      },
    };
  }),
  coreSubject<bigint>("private-candidates", () => {
    const noise = { mechanism: "discrete-laplace@1", scale: "2" } as const;
    const sampler = noiseSampler(noise);
    const reachable = laplaceHasMass(ratio(2n));
    const bestAtMost = (z: bigint): Enclosure => {
      const one = complement(laplaceAtLeast(ratio(2n), z + 1n));
      return over(one, plus(certain, complement(one)));
    };
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
      // K runs with chance 2^−K: the best is at most v with chance F/(2 − F), F = P[value + Z ≤ v].
      law(value) {
        const masses = new Map<string, Enclosure>();
        for (let v = -reach; v <= reach; v += 1n) {
          masses.set(v.toString(), minus(bestAtMost(v - value), bestAtMost(v - 1n - value)));
        }
        return {
          masses,
          residual: plus(bestAtMost(-reach - 1n - value), complement(bestAtMost(reach - value))).hi,
        };
      },
      canGive: (value, output) => output.length === 1 && reachable((output[0] as bigint) - value),
    };
  }),
];
