import { type Rational, ratio } from "@lethe/core";
import {
  choosePrivateBounds,
  privateBoundsEvent,
  proposeTestRelease,
  proposeTestReleaseEvent,
  proposeTestReleaseFor,
  quantileEvent,
  releaseQuantile,
  releaseSmoothMedian,
  smoothMedianEvent,
  smoothMedianFor,
} from "@lethe/core/mechanisms";
import { one } from "@lethe/core/numeric";
import { smoothMedianNoise } from "@lethe/core/tape";
import { complement, nothing, plus, times } from "../verify/enclosures.ts";
import type { Enclosure } from "../verify/hockey-stick.ts";
import { type CoreSubject, coreSubject } from "./core-subject.ts";
import { exponentialLaw } from "./laws/choice-laws.ts";
import { type Masses, nameOf, whole } from "./laws/law.ts";
import { clampedLaplace, clampTo, laplaceAtLeast, laplaceHasMass } from "./laws/noise-laws.ts";

const range = { lo: 0n, hi: 7n };

/**
 * Returns the law that gives each number of 0 … last a chance ∝ e^(rate·score). The score is minus the distance, in steps of 1/parts of a rank, from
 * part/parts of the way up to the ranks that the number has.
 */
function quantileLaw(
  values: readonly bigint[],
  last: bigint,
  [part, parts]: readonly [bigint, bigint],
  rate: Rational,
): Masses {
  const target = part * BigInt(values.length);
  const scores: bigint[] = [];
  for (let each = 0n; each <= last; each += 1n) {
    const below = parts * BigInt(values.filter((value) => value < each).length) - target;
    const above = target - parts * BigInt(values.filter((value) => value <= each).length);
    scores.push(below > 0n ? -below : above > 0n ? -above : 0n);
  }
  return exponentialLaw(scores, rate);
}

/** The subjects that tell where values lie. */
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
      law: (values) => whole(quantileLaw(values, range.hi, [1n, 2n], ratio(1n, 2n))),
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
      law(values) {
        const { value, scale } = smoothMedianNoise(setting, values);
        return whole(clampedLaplace(scale, value, range));
      },
    };
  }),
  coreSubject<{ value: bigint; distance: bigint }>("propose-test-release", () => {
    // Half of ε = 2 for the test, half for the value, which moves by 1.
    const reachable = laplaceHasMass(one);
    const window = { lo: 0n, hi: 9n };
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
      law({ value, distance }) {
        const passes = laplaceAtLeast(one, setting.threshold - distance);
        const told = [...clampedLaplace(one, value, window)].map(
          ([noisy, mass]) => [noisy, times(passes, mass)] as const,
        );
        return whole(new Map([["", complement(passes)], ...told]));
      },
      nameOf: (output) => nameOf(output.map((noisy) => clampTo(noisy as bigint, window))),
      canGive: ({ value }, output) =>
        output.length === 0 || (output.length === 1 && reachable((output[0] as bigint) - value)),
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
      // The 9/10 quantile of the least candidates that hold the values; the least candidate of all as an upper bound is widened to the next.
      law(values) {
        const { candidates } = setting;
        const holding = values.map((value) => BigInt(candidates.filter((each) => each < value).length));
        const chosen = quantileLaw(holding, BigInt(candidates.length - 1), [9n, 10n], ratio(1n, 18n));
        const masses = new Map<string, Enclosure>();
        for (const [index, mass] of chosen) {
          const name = `0,${candidates[Math.max(1, Number(index))]}`;
          masses.set(name, plus(masses.get(name) ?? nothing, mass));
        }
        return whole(masses);
      },
    };
  }),
];
