import {
  type BitSource,
  decisionFor,
  type Event,
  exponentialFor,
  permuteAndFlipFor,
  ratio,
  reportNoisyMaxFor,
  type SelectionRule,
  topKFor,
} from "@lethe/core";
import { enumerateTapes, groupKeeper } from "@lethe/core/tape";
import { lawOf } from "../enumerate/law-of.ts";
import { type CoreSubject, coreSubject, indexBelow } from "./core-subject.ts";

interface Chooser {
  readonly event: Event;
  choose(scores: readonly bigint[], bits: BitSource): number;
}

const neighbours: [bigint[], bigint[]][] = [
  [
    [1n, 0n, 0n, 0n],
    [0n, 1n, 1n, 1n],
  ],
  [
    [5n, 5n, 2n, 0n],
    [6n, 4n, 3n, 0n],
  ],
];

/** `enumerated`: whether it cuts the words of a tape into few intervals, so that two words of them give its law. */
function chooser(id: string, make: () => Chooser, enumerated = false): CoreSubject {
  return coreSubject<readonly bigint[]>(id, () => {
    const made = make();
    return {
      event: made.event,
      neighbours,
      run: (scores, bits) => [made.choose(scores, bits)],
      canGive: indexBelow(4),
      ...(enumerated
        ? {
            law: (scores: readonly bigint[]) =>
              lawOf(enumerateTapes((bits) => made.choose(scores, bits), { depth: 2 })),
          }
        : {}),
    };
  });
}

const budget = { epsilon: ratio(1n), sensitivity: 1n } as const;

/** Choices among candidates and among keys. */
export const selectionSubjects: readonly CoreSubject[] = [
  chooser("exponential", () => exponentialFor(budget), true),
  chooser("permute-and-flip", () => permuteAndFlipFor(budget)),
  chooser("noisy-max-laplace", () => reportNoisyMaxFor({ ...budget, noise: "laplace" })),
  chooser("noisy-max-exponential", () => reportNoisyMaxFor({ ...budget, noise: "exponential" })),
  chooser("noisy-max-gumbel", () => reportNoisyMaxFor({ ...budget, noise: "gumbel" }), true),
  coreSubject<readonly bigint[]>("top-k", () => {
    const top = topKFor({ k: 2, budget: { epsilon: ratio(2n) }, sensitivity: 1n });
    return {
      event: top.event,
      neighbours,
      run: (scores, bits) => top.choose(scores, bits),
      canGive: (_scores, output) => new Set(output).size === 2,
    };
  }),
  coreSubject<readonly bigint[]>("decision", () => {
    const decision = decisionFor({
      utilities: [
        [ratio(1n), ratio(0n)],
        [ratio(0n), ratio(1n)],
      ],
      adjacency: "add-or-remove-one",
      epsilon: ratio(1n),
    });
    return {
      event: decision.event,
      neighbours: [
        [
          [3n, 3n],
          [3n, 4n],
        ],
      ],
      run: (counts, bits) => [decision.choose(counts, bits)],
      canGive: indexBelow(2),
    };
  }),
  keeper("keys-truncated-geometric", { rule: "truncated-geometric", epsilon: "1", delta: "1/20" }),
  keeper("keys-laplace-threshold", { rule: "laplace-threshold", scale: "1", threshold: "4" }),
  keeper("keys-gaussian-threshold", { rule: "gaussian-threshold", sigma: "1", threshold: "3" }),
];

function keeper(id: string, rule: SelectionRule): CoreSubject {
  return coreSubject<bigint>(id, () => {
    const keep = groupKeeper(rule);
    return {
      event: { kind: "select-groups", version: 1, rule, groups: "1" },
      neighbours: [
        [0n, 1n],
        [2n, 3n],
        [6n, 7n],
      ],
      run: (units, bits) => [keep(units, bits)],
    };
  });
}
