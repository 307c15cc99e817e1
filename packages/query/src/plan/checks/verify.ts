import { LetheError, lossFromJson, lossToJson, type PrivacyLoss, price } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { elementAt } from "@lethe/core/numeric";
import { familyOf, sumKindOf } from "../../aggregates/family-of.ts";
import type { Named } from "../../aggregates/kinds.ts";
import { largestOf } from "../../aggregates/largest-of.ts";
import { rowBits } from "../../grid/row-bits.ts";
import {
  joinedRows,
  meetsRows,
  mostJoinedRows,
  questionsRows,
} from "../../relations/joined-rows/joined-rows.ts";
import { ownsOneRow } from "../../relations/owns-one-row.ts";
import {
  listedWith,
  type MarkedRelation,
  ownerOf,
  type Relation,
  tablesOf,
} from "../../relations/relation.ts";
import type { PostExpression } from "../../resolve/names/resolved-query.ts";
import { postParts } from "../../resolve/post/post-parts.ts";
import { noised } from "../noised.ts";
import { type AllocatedQuestion, noisedOf } from "../passes/allocate-loss.ts";
import type { DerivedQuestion } from "../passes/derive-sensitivity.ts";
import { groupsAtMost, type LimitedQuestion } from "../passes/limit-contributions.ts";
import type { ChosenQuestion } from "../passes/noise/choose-mechanisms.ts";
import { eventOf, priceTarget, selectionGroups } from "../passes/plan-event.ts";
import type { TrackedQuestion } from "../passes/track-unit.ts";
import type { Plan, SumColumn } from "../plan.ts";
import { totalParts } from "../together/combined-total.ts";
import { pricedOnce } from "../together/priced-once.ts";
import { unitContribution } from "../unit-contribution.ts";
import { holdsValues, holdsWindows } from "./verify-grouped.ts";
import { verifyGroupings } from "./verify-groupings.ts";
import { verifyJoint } from "./verify-joint.ts";
import { coversAll, verifyLearned } from "./verify-learned.ts";
import { verifyTrees } from "./verify-trees.ts";

/** Checks of the question after each pass. A failure is Lethe's fault, and stops the question. */
export const verify: {
  readonly tracked: (question: TrackedQuestion) => TrackedQuestion;
  readonly bounded: (question: LimitedQuestion) => LimitedQuestion;
  readonly derived: (question: DerivedQuestion) => DerivedQuestion;
  readonly chosen: (question: ChosenQuestion) => ChosenQuestion;
  readonly allocated: (question: AllocatedQuestion) => AllocatedQuestion;
} = {
  tracked(question) {
    const { granted, unit, question: asked } = question;
    demand(rowsHaveOneUnit(asked.from), "rows that are not one unit's");
    demand(joinedRows(questionsRows(asked)) <= mostJoinedRows, "a row that may be joined without bound");
    demand(granted.maxGroups >= 1 && granted.maxRowsPerGroup >= 1, "a table grants less than one row");
    demand(
      unit.kind !== "row" || (granted.maxGroups === 1 && granted.maxRowsPerGroup === 1),
      "a unit that is a row has more than one",
    );
    return question;
  },

  bounded(question) {
    const { contribution, granted, keys, unit } = question;
    const { groups, rows } = contribution;
    const { from } = question.question;
    const isOneTable = from.kind === "table" && unit.kind === "column" && from.source === null;
    demand(
      contribution.limit !== "rows-before-filter" || !contribution.enforced || isOneTable,
      "bounded rows of a join",
    );
    demand(Number.isSafeInteger(groups) && groups >= 0, "k is not an integer");
    demand(Number.isSafeInteger(rows) && rows >= 1, "r is not an integer");
    demand(groups <= granted.maxGroups && rows <= granted.maxRowsPerGroup, "more than the policy grants");
    demand(groups <= groupsAtMost(keys), "more groups a unit than there are");
    demand(contribution.enforced || (groups <= 1 && rows === 1), "bounds that nothing enforces");
    demand(contribution.enforced || ownsOneRow(from), "one row a unit that nothing enforces");
    return question;
  },

  derived(question) {
    const { sums, measurements, trees, aggregates } = question;
    const computed = sums.map(({ name: _, ...sum }) => JSON.stringify(sum));
    demand(new Set(computed).size === sums.length, "a sum is computed twice");
    for (const named of [sums, [...measurements, ...trees]])
      demand(new Set(named.map(({ name }) => name)).size === named.length, "two things of one name");
    for (const { terms, l1, l2Squared, magnitude, importance } of measurements) {
      demand(
        terms.length > 0 && terms.every(({ sum }) => sums.some(({ name }) => name === sum)),
        "a measurement of nothing",
      );
      // ‖x‖₂ ≤ ‖x‖₁ for every vector, and for integers ‖x‖₁ ≤ ‖x‖₂².
      demand(
        l2Squared >= 0n && l2Squared <= l1 * l1 && l1 <= l2Squared,
        "sensitivities that no integer vector has",
      );
      demand(importance > 0 && magnitude >= 0n, "a measurement that nothing uses");
    }
    const used = new Set(
      aggregates
        .flatMap((aggregate) => familyOf(aggregate).measurements(aggregate))
        .flatMap((total) => totalParts(question, total).map(({ measurement }) => measurement)),
    );
    demand(
      used.size === measurements.length && measurements.every(({ name }) => used.has(name)),
      "measurements that no answer uses",
    );
    demand(refersToAnswers(question), "an output of what is no key and no answer");
    verifyTrees(question, demand);
    demand(
      sums.every((sum) => fitsEngine(sum, unitContribution(question.contribution).rows)),
      "a sum that may exceed 127 bits",
    );
    demand(sums.every(multipliesIn63Bits), "a product that may exceed 63 bits");
    return question;
  },

  chosen(question) {
    demand(question.families.length > 0, "no mechanism");
    return question;
  },

  allocated(question) {
    const { measurements, trees, totals, selection, keys, event, budget } = question;
    const all = noisedOf(question);
    const due = measurements.length * (1 + totals.length) + trees.length;
    demand(all.length === due, "a measurement without noise of its own");
    for (const { noise, l1 } of all) {
      demand(
        (noise.mechanism === "constant@1") === (l1 === "0"),
        "noise where none is due, or none where it is",
      );
    }
    demand((selection !== null) === (keys.kind === "private"), "private keys without a selection");
    verifyGroupings(question, demand);
    verifyJoint(question, demand);
    const listed = verifyLearned(question, pricedOnce(all, question), demand);
    const again = eventOf(listed, selection, selectionGroups(question));
    demand(JSON.stringify(again) === JSON.stringify(event), "an event that is not the plan's");
    demand(sameLoss(price(event, priceTarget(budget)), question.price), "a price that is not the event's");
    demand(lossFits(question.price, budget), "a price above what was asked");
    return question;
  },
};

/**
 * Derives a plan's event and price again from its own measurements and keys, for a reader of a certificate.
 * Errors: internal.invariant where they differ.
 */
export function verifyPlan(plan: Plan): void {
  const claimed = lossFromJson(plan.price);
  const rows = plan.from;
  const joined = meetsRows(rows) ? joinedRows(questionsRows({ from: rows, where: plan.where })) : undefined;
  demand(
    joined === plan.joinedRows && (joined ?? 1) <= mostJoinedRows,
    "more joined rows than it says a row may stand in",
  );
  const selection = plan.keys.program.kind === "private" ? plan.keys.program.rule : null;
  const drawn = pricedOnce(noised(plan), plan);
  const priced = plan.learned ? [...plan.learned.stages, ...plan.learned.nominal] : drawn;
  const event = eventOf(priced, selection, selectionGroups(plan));
  if (plan.learned)
    demand(coversAll(plan.learned.nominal, drawn), "noise that costs more than what the event says");
  demand(JSON.stringify(event) === JSON.stringify(plan.event), "an event that is not the plan's");
  const derived = price(plan.event, priceTarget(claimed));
  const isRaised = plan.leastEpsilon !== undefined && lossFits(derived, claimed);
  demand(isRaised || sameLoss(derived, claimed), "a price that is not the event's");
}

/** Whether everything that is shown, filtered by or sorted by is computed from existing answers and keys. */
function refersToAnswers({ question, aggregates }: DerivedQuestion): boolean {
  const { outputs, post, groupBy, groupings } = question;
  const names = (all: readonly Named<unknown>[]): ReadonlySet<string> => new Set(all.map(({ name }) => name));
  const [keys, answers, columns] = [names(groupBy), names(aggregates), names(outputs)];
  if (keys.size < groupBy.length || answers.size < aggregates.length || columns.size < outputs.length)
    return false;
  const isThere = (expression: PostExpression): boolean => {
    if (expression.kind === "key") return keys.has(expression.key);
    if (expression.kind === "grouped-away" || expression.kind === "other")
      return groupings !== undefined && keys.has(expression.key);
    if (expression.kind === "aggregate") return answers.has(expression.aggregate);
    return postParts(expression).every(isThere);
  };
  return (
    outputs.every((output) => {
      if (output.kind === "interval-end") return columns.has(output.output);
      return isThere(output.kind === "computed" ? output.expression : output);
    }) &&
    (post.having === null || isThere(post.having)) &&
    post.orderBy.every(({ by }) => isThere(by))
  );
}

/**
 * Whether each row of a relation is one unit's, and one unit's rows depend on no other's: rows of two units never meet,
 * no public row is kept without a private one, rows are told apart by public rows and by rows of the same unit alone, and a unit that
 * is a row meets one public row at most.
 */
function rowsHaveOneUnit(relation: Relation): boolean {
  if (relation.kind === "table" || relation.kind === "list") return true;
  if (relation.kind === "filter") return rowsHaveOneUnit(relation.of);
  if (relation.kind === "grouped")
    return (
      rowsHaveOneUnit(relation.of) &&
      ownerOf(relation.of) === "column" &&
      isOneUnit(relation) &&
      holdsValues(relation)
    );
  if (relation.kind === "windowed")
    return rowsHaveOneUnit(relation.of) && ownerOf(relation.of) === "column" && holdsWindows(relation);
  if (relation.kind === "union")
    return (
      relation.parts.every(({ of }) => rowsHaveOneUnit(of) && ownerOf(of) === "column") && isOneUnit(relation)
    );
  if (relation.kind === "semijoin")
    return rowsHaveOneUnit(relation.of) && ownerOf(relation.among) === "public";
  if (relation.kind === "marked")
    return (
      rowsHaveOneUnit(relation.of) &&
      rowsHaveOneUnit(relation.among) &&
      holdsMark(relation) &&
      (ownerOf(relation.among) === "public" ||
        (ownerOf(relation.of) === "column" && ownerOf(relation.among) === "column" && isOneUnit(relation)))
    );
  const { type, left, right, keeps } = relation;
  const [a, b] = [ownerOf(left), ownerOf(right)];
  if (keeps !== undefined && (type !== "inner" || ownerOf(relation[keeps]) !== "public")) return false;
  if (!rowsHaveOneUnit(left) || !rowsHaveOneUnit(right)) return false;
  if (a === "public" && b === "public") return true;
  if (a === "public" || b === "public") {
    const kept = a === "public" ? "right" : "left";
    const met = a === "public" ? left : right;
    const rowIsUnit = a === "row" || b === "row";
    return (type === "inner" || type === kept) && (!rowIsUnit || meetsOne(met));
  }
  return a === "column" && b === "column" && isOneUnit(relation);
}

/** Whether a mark is one boolean column that is never NULL. */
function holdsMark({ columns }: MarkedRelation): boolean {
  const [mark, ...others] = Object.values(columns);
  return others.length === 0 && mark?.type === "boolean" && !mark.nullable;
}

/** Whether a public relation is read so that each of its keys has one row. */
function meetsOne(met: Relation): boolean {
  if (met.kind === "list") return met.names.some((name) => listedWith(met, name) === 1);
  return met.kind === "table" && met.oncePer !== null;
}

/** Whether all tables of units name them by one column. */
function isOneUnit(relation: Relation): boolean {
  const units = tablesOf(relation).flatMap(({ unit }) => (unit.kind === "column" ? [unit.names] : []));
  return units.every(
    ({ table, column }) => table === elementAt(units, 0).table && column === elementAt(units, 0).column,
  );
}

/** The bits of the signed 128-bit integers in which engines sum. */
const engineBits = 127;

/** Whether the widest intermediate of a sum, 2·r·Σ over rows + n, stays within the engine's integers. */
function fitsEngine(sum: SumColumn, rows: number): boolean {
  return bits(sumKindOf(sum).largest(sum, rows)) + bits(2n * BigInt(rows)) + rowBits + 1 <= engineBits;
}

/** Whether no partial product of a row's factors exceeds the engine's integers. */
function multipliesIn63Bits(sum: SumColumn): boolean {
  const factors = sumKindOf(sum)
    .values(sum)
    .flatMap((value) => value.factors ?? []);
  const sizes = factors.map(({ grid, power }) => largestOf(grid.lo, grid.hi, "1") ** BigInt(power));
  return bits(sizes.reduce((product, size) => product * size, 1n)) <= 63;
}

function bits(x: bigint): number {
  return x.toString(2).length;
}

function sameLoss(a: PrivacyLoss, b: PrivacyLoss): boolean {
  return JSON.stringify(lossToJson(a)) === JSON.stringify(lossToJson(b));
}

function demand(holds: boolean, broken: string): void {
  if (!holds)
    throw new LetheError("internal.invariant", `the planner made ${broken}`, {
      fix: "report this with the question asked",
    });
}
