import { familyOf } from "../../aggregates/family-of.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { LearnedArgument } from "../learned-bounds/learned-arguments.ts";
import type { CombinedTotal, NamedAggregate, NamedSum } from "../plan.ts";
import { type DerivedStage, deriveStage } from "./derive-stage.ts";
import { type DerivedTotals, deriveTotals } from "./derive-totals.ts";
import { type DerivedTree, demandFewNodes } from "./derive-tree.ts";
import type { DerivedMeasurement } from "./derived-measurement.ts";
import { groupsAtMost, type LimitedQuestion } from "./limit-contributions.ts";
import { MeasurementBuilder } from "./measurement-builder.ts";

/** The question with the integers it needs, and how far one unit moves them. */
export interface DerivedQuestion extends LimitedQuestion {
  readonly sums: readonly NamedSum[];
  readonly measurements: readonly DerivedMeasurement[];
  /** The sets of measurements that have one noise together, and the totals that are read from several. None before measureJointly. */
  readonly joint: readonly (readonly string[])[];
  readonly combined: readonly CombinedTotal[];
  readonly trees: readonly DerivedTree[];
  readonly totals: readonly DerivedTotals[];
  readonly aggregates: readonly NamedAggregate[];
  /** The stages that are measured before everything else, to learn bounds. */
  readonly stages: readonly DerivedStage[];
}

/**
 * Breaks aggregates into measurements, each measured once however many aggregates share it, and derives their
 * sensitivities (proof: ../sensitivity.proof.md). Errors: query.missing-bounds, query.type, query.option, query.too-large.
 */
export function deriveSensitivity(
  bounded: LimitedQuestion,
  learned: readonly LearnedArgument[] = [],
): DerivedQuestion {
  const builder = new MeasurementBuilder(bounded);
  if (bounded.keys.kind === "private") builder.sum({ kind: "units" });
  const aggregates = bounded.question.aggregates.map((aggregate) => ({
    name: aggregate.name,
    ...familyOf(aggregate).measure(aggregate, builder),
  }));
  // A statement without GROUP BY and without an aggregate would give a row of the table for each.
  if (builder.sums.length === 0) builder.sum({ kind: "units" });
  const { sums, measurements, trees } = builder;
  demandFewNodes(trees, groupsAtMost(bounded.keys));
  const stages = learned.map((each) => deriveStage(each, bounded));
  const totals = deriveTotals(bounded, measurements);
  demandKnownBounds(totals, stages);
  return { ...bounded, sums, measurements, joint: [], combined: [], trees, totals, aggregates, stages };
}

/** Refuses learned bounds where totals are measured beside groups: neither is priced for the other. Errors: query.unsupported. */
function demandKnownBounds(totals: readonly DerivedTotals[], stages: readonly DerivedStage[]): void {
  if (totals.length === 0 || stages.length === 0) return;
  refuse(
    "query.unsupported",
    "bounds can be learned for one grouping only, but totals by keys that are data are measured over several",
    "state the bounds, or ask each grouping by itself",
  );
}
