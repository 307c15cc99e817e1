import { ratio } from "@lethe/core";
import { openSparseVector, sparseVectorEvent, sparseVectorFor } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { sparseVectorScales } from "@lethe/core/tape";
import { comparisonsLaw } from "../enumerate/enumerate-noise.ts";
import { paired } from "../paired.ts";
import type { Output } from "../subject.ts";
import { certain, times } from "../verify/enclosures.ts";
import { type CoreSubject, coreSubject } from "./core-subject.ts";
import { type Masses, nameOf, sideBySide, whole } from "./laws/law.ts";
import { clampedLaplace, clampTo, laplaceHasMass } from "./laws/noise-laws.ts";

/** The range of all four values. */
const window = { lo: 0n, hi: 1n };
/** Far beyond all noise of these settings. */
const reach = 240n;

function sparse(id: string, share: bigint): CoreSubject {
  return coreSubject<readonly bigint[]>(id, () => {
    const setting = sparseVectorFor({
      epsilon: ratio(2n),
      sensitivity: 1n,
      cap: 2n,
      monotone: false,
      numberShare: ratio(share, 2n),
    });
    const { threshold, comparison, number } = sparseVectorScales(setting);
    const reachable = number && laplaceHasMass(number);
    /** One run of answers, and the numbers that come with those above. */
    const told = (values: readonly bigint[], answers: readonly boolean[]): Masses => {
      const asked = paired(values.slice(0, answers.length), answers);
      const compared = comparisonsLaw(
        threshold,
        asked.map(([value, above]) => ({ value, above, scale: comparison })),
        reach,
      );
      const parts = asked.flatMap(([value, above]): Masses[] => [
        new Map([[String(above), certain]]),
        ...(above && number ? [clampedLaplace(number, value, window)] : []),
      ]);
      return new Map([...sideBySide(parts)].map(([name, mass]) => [name, times(mass, compared)]));
    };
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
        const answers: Output[number][] = [];
        for (const value of values) {
          if (vector.left === 0n) break;
          const { above, number: noisy } = vector.ask({ value });
          answers.push(above);
          if (noisy !== undefined) answers.push(noisy);
        }
        return answers;
      },
      law: (values) =>
        whole(new Map(runs(values.length, setting.cap).flatMap((answers) => [...told(values, answers)]))),
      nameOf: (output) =>
        nameOf(output.map((part) => (typeof part === "bigint" ? clampTo(part, window) : part))),
      canGive(values, output) {
        let question = -1;
        return output.every((part) => {
          if (typeof part === "boolean") question += 1;
          if (typeof part !== "bigint") return true;
          return reachable?.(part - elementAt(values, question)) === true;
        });
      },
    };
  });
}

/** Every run of answers to so many questions that ends with the last of them or the last "above" that is paid for. */
function runs(questions: number, cap: bigint): readonly (readonly boolean[])[] {
  if (questions === 0 || cap === 0n) return [[]];
  return [
    ...runs(questions - 1, cap).map((rest) => [false, ...rest]),
    ...runs(questions - 1, cap - 1n).map((rest) => [true, ...rest]),
  ];
}

/** The sparse vector with answers alone, and with numbers. */
export const sparseVectorSubjects: readonly CoreSubject[] = [
  sparse("sparse-vector", 0n),
  sparse("sparse-vector-numbers", 1n),
];
