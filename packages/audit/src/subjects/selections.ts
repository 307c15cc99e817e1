import { type BitSource, type Event, ratio } from "@lethe/core";
import type { SelectionRule } from "@lethe/core/accounting";
import {
  decisionFor,
  exponentialFor,
  permuteAndFlipFor,
  reportNoisyMaxFor,
  topKFor,
} from "@lethe/core/mechanisms";
import { enumerateTapes, groupKeeper } from "@lethe/core/tape";
import type { NoisePaths } from "../enumerate/enumerate-noise.ts";
import { lawOf } from "../enumerate/law-of.ts";
import { paired } from "../paired.ts";
import { times } from "../verify/enclosures.ts";
import { type CoreSubject, coreSubject } from "./core-subject.ts";
import { exponentialLaw, noisyMaxLaw, permuteAndFlipLaw } from "./laws/choice-laws.ts";
import { keptLaw } from "./laws/kept-law.ts";
import { type Masses, whole } from "./laws/law.ts";

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

function chooser(
  id: string,
  make: () => Chooser,
  law: (scores: readonly bigint[], made: Chooser) => NoisePaths,
): CoreSubject {
  return coreSubject<readonly bigint[]>(id, () => {
    const made = make();
    return {
      event: made.event,
      neighbours,
      run: (scores, bits) => [made.choose(scores, bits)],
      law: (scores) => law(scores, made),
    };
  });
}

/** Returns the law of a choice that cuts the words of a tape into few intervals, so that two words of the tape determine it. */
function byTapes(scores: readonly bigint[], made: Chooser): NoisePaths {
  return lawOf(enumerateTapes((bits) => made.choose(scores, bits), { depth: 2 }));
}

/** ε over how far a difference of two scores moves: 1 up, 1 down. */
const rate = ratio(1n, 2n);

const budget = { epsilon: ratio(1n), sensitivity: 1n } as const;

/** Choices among candidates and among keys. */
export const selectionSubjects: readonly CoreSubject[] = [
  chooser("exponential", () => exponentialFor(budget), byTapes),
  chooser(
    "permute-and-flip",
    () => permuteAndFlipFor(budget),
    (scores) => whole(permuteAndFlipLaw(scores, rate)),
  ),
  chooser(
    "noisy-max-laplace",
    () => reportNoisyMaxFor({ ...budget, noise: "laplace" }),
    (scores) => whole(noisyMaxLaw(scores, ratio(2n), 60n)),
  ),
  // The law of permute-and-flip: Ding et al. 2021.
  chooser(
    "noisy-max-exponential",
    () => reportNoisyMaxFor({ ...budget, noise: "exponential" }),
    (scores) => whole(permuteAndFlipLaw(scores, rate)),
  ),
  chooser("noisy-max-gumbel", () => reportNoisyMaxFor({ ...budget, noise: "gumbel" }), byTapes),
  coreSubject<readonly bigint[]>("top-k", () => {
    const top = topKFor({ k: 2, budget: { epsilon: ratio(2n) }, sensitivity: 1n });
    return {
      event: top.event,
      neighbours,
      run: (scores, bits) => top.choose(scores, bits),
      // Each of the two choices has half of ε = 2.
      law: (scores) => whole(peeled(scores)),
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
      // An action's score is how many it is right for; one unit moves one of them.
      law: (counts) => whole(permuteAndFlipLaw(counts, ratio(1n))),
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
      law: (units) => whole(keptLaw(rule, units)),
    };
  });
}

/** The exponential mechanism twice, the second time without what was chosen first. */
function peeled(scores: readonly bigint[]): Masses {
  const pairs = [...exponentialLaw(scores, rate)].flatMap(([first, p]) => {
    const left = [...scores.entries()].filter(([at]) => at !== Number(first));
    const second = exponentialLaw(
      left.map(([, score]) => score),
      rate,
    );
    return paired(left, [...second.values()]).map(([[at], q]) => [`${first},${at}`, times(p, q)] as const);
  });
  return new Map(pairs);
}
