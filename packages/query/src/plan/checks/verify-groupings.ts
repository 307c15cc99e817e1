import { parseRational } from "@lethe/core";
import { compare, elementAt, one, sum } from "@lethe/core/numeric";
import { sumKindOf } from "../../aggregates/family-of.ts";
import { publicKeys } from "../../expressions/domain.ts";
import { byName } from "../../refusals/by-name.ts";
import { demandFinest } from "../../resolve/question/check-totals.ts";
import type { AllocatedQuestion } from "../passes/allocate-loss.ts";
import { unitContribution } from "../unit-contribution.ts";

type Demand = (holds: boolean, broken: string) => void;

/**
 * Totals are made of released groups alone, or of measurements of their own over all groups, and all that is measured adds up
 * over groups.
 */
export function verifyGroupings(question: AllocatedQuestion, demand: Demand): void {
  const { sums, measurements, trees, unit, totals, keys } = question;
  const { groupings, groupBy } = question.question;
  if (!groupings) {
    demand(totals.length === 0, "totals that no grouping asks for");
    return;
  }
  const names = groupBy.map(({ name }) => name);
  const isOfKeys = (set: readonly string[]): boolean =>
    JSON.stringify(set) === JSON.stringify(names.filter((name) => set.includes(name)));
  demand(groupings.every(isOfKeys), "a grouping by what is no key");
  demand(
    totals.length > 0 === (keys.kind === "private" && coarser(question).length > 0),
    "totals of another plan",
  );
  const measured = new Set(measurements.flatMap(({ terms }) => terms.map(({ sum }) => byName(sums, sum))));
  const isTotalled = groupings.some((set) => set.length < groupBy.length);
  demand(
    !isTotalled ||
      (trees.length === 0 && [...measured].every((sum) => sumKindOf(sum).addsUp(unit.kind === "row"))),
    "totals of what does not add up",
  );
  demand(totals.length === 0 || question.stages.length === 0, "totals within bounds that are learned");
  if (totals.length > 0) verifyTotals(question, demand);
}

function coarser({
  question: { groupings = [], groupBy },
}: AllocatedQuestion): readonly (readonly string[])[] {
  return groupings.filter((set) => set.length < groupBy.length);
}

/** Every coarser grouping is measured once, by what the groups are, and hides all that a unit can have in one of its totals. */
function verifyTotals(question: AllocatedQuestion, demand: Demand): void {
  const { pricedTotals, contribution } = question;
  const { groupBy } = question.question;
  demandFinest(question.question.groupings!, groupBy);
  for (const set of coarser(question)) {
    const answering = pricedTotals.filter(
      ({ keys, declared }) =>
        JSON.stringify(keys) === JSON.stringify(set) ||
        (declared !== null && set.every((name) => keys.includes(name))),
    );
    demand(answering.length === 1, "a grouping that is not measured once");
  }
  const k = BigInt(unitContribution(contribution).fullGroups);
  for (const { keys, declared, measurements } of pricedTotals) {
    demand(
      declared === null
        ? keys.length > 0
        : declared.length > 0 &&
            keys.every((name) => publicKeys(byName(groupBy, name).expression.domain) !== null),
      "totals of keys that are data, as though all were known",
    );
    demand(measurements.length === question.measurements.length, "totals of more or fewer measurements");
    for (const [at, { terms, l1, l2Squared }] of measurements.entries()) {
      const finest = elementAt(question.measurements, at);
      demand(JSON.stringify(terms) === JSON.stringify(finest.terms), "totals of other measurements");
      const inOne = k * finest.magnitude;
      demand(
        BigInt(l1) >= inOne && BigInt(l2Squared) >= inOne * inOne && BigInt(l2Squared) <= BigInt(l1) ** 2n,
        "totals that a unit moves farther than is said",
      );
    }
  }
  const shared = sum(pricedTotals.map(({ share }) => parseRational(share)));
  demand(compare(shared, one) < 0 || question.measurements.length === 0, "totals that take the whole loss");
}
