import { parseRational, toDouble } from "@lethe/core";
import { noiseQuantile } from "@lethe/core/accuracy";
import { keepProbability, type Noise } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { isUnlimited } from "../aggregates/bounds/argument-grid.ts";
import { sumKindOf } from "../aggregates/family-of.ts";
import { writeSql } from "../expressions/write-sql.ts";
import type { ReachedTarget } from "../plan/error-target/reached-target.ts";
import { expectedGroupRows } from "../plan/expected-error/expected-group-rows.ts";
import { stageTree } from "../plan/learned-bounds/bounds-stage.ts";
import type { Measurement, Plan, PlannedTotals, TreeMeasurement } from "../plan/plan.ts";
import { tablesRead } from "../plan/plan-relation.ts";
import { planAlone } from "../plan/question/plan-together.ts";
import { tablesAnswered } from "../plan/question/tables-answered.ts";
import { sumOf } from "../plan/sum-of.ts";
import { pricedOnce } from "../plan/together/priced-once.ts";
import type { Policy } from "../policy/policy.ts";
import { ownerOf } from "../relations/relation.ts";
import { explainAnswers } from "./explain-answers.ts";
import type { ExplainedMeasurement, Explanation, MissingChance } from "./explanation.ts";
import { hiddenBy } from "./hidden-by.ts";
import { keyNotice } from "./key-chances.ts";
import { overTree, planTree } from "./plan-tree.ts";
import { priceAlone } from "./price-alone.ts";
import { pricesOf } from "./prices.ts";
import { uninformative } from "./uninformative.ts";

/**
 * Explains a plan in words and numbers, before anything is paid. Pure, and free of data.
 * @example explainPlan(plan, policy).answers[0].halfWidth
 */
export function explainPlan(
  plan: Plan,
  policy: Policy,
  confidence = 0.95,
  target: ReachedTarget | null = null,
): Explanation {
  return plan.others
    ? explainTogether(plan, policy, confidence)
    : explainOne(plan, policy, confidence, target);
}

/** Explains the questions of one text: each as it would be by itself with the same noise, under the price of all. */
function explainTogether(plan: Plan, policy: Policy, confidence: number): Explanation {
  const parts = [
    { name: null, ...explainOne(planAlone(plan), policy, confidence, null) },
    ...(plan.others ?? []).map((other) => ({
      name: other.name,
      ...explainOne(other.plan, policy, confidence, null),
    })),
  ];
  const { name: _, ...first } = elementAt(parts, 0);
  const called = <Each extends { readonly name: string }>(
    name: string | null,
    all: readonly Each[],
  ): Each[] => all.map((each) => (name === null ? each : { ...each, name: `${name}: ${each.name}` }));
  const notices = [...new Set(parts.flatMap(({ keyNotice: notice }) => notice ?? []))];
  return {
    ...first,
    price: plan.price,
    tables: tablesAnswered(plan),
    ordered: parts.find(({ ordered }) => ordered !== null)?.ordered ?? null,
    limited: [...new Set(parts.flatMap(({ limited }) => limited))],
    tree: overTree(
      plan,
      parts.map(({ name, tree }) => (name === null ? tree : { ...tree, label: `${tree.label} ${name}` })),
    ),
    answers: parts.flatMap(({ name, answers }) => called(name, answers)),
    measurements: parts.flatMap(({ name, measurements }) => called(name, measurements)),
    missing: parts.find(({ missing }) => missing.length > 0)?.missing ?? [],
    prices: pricesOf(plan, policy.budget.delta),
    keyNotice: notices.length === 0 ? null : notices.join(" "),
    warnings: parts.flatMap(({ warnings }) => warnings),
  };
}

function explainOne(
  plan: Plan,
  policy: Policy,
  confidence: number,
  target: ReachedTarget | null,
): Explanation {
  const explain = (measured: Measurement | TreeMeasurement): ExplainedMeasurement =>
    explainMeasurement(plan, measured, confidence);
  const ofTotals = (plan.totals ?? []).flatMap((total) =>
    total.measurements.map(explain).map((each) => ({ ...each, name: `${each.name} ${groupingText(total)}` })),
  );
  const listed = pricedOnce([...plan.measurements, ...(plan.trees ?? [])], plan);
  const measurements = [
    ...listed.map((each) => ({ ...explain(each), name: togetherName(each.name, plan) })),
    ...ofTotals,
  ];
  const stages = (plan.learned?.stages ?? []).map((stage) => explain(stageTree(stage)));
  const missing = missingChances(plan);
  const rows = target?.rows ?? expectedGroupRows(plan, policy);
  const answers = explainAnswers(plan, confidence, rows);
  return {
    text: plan.text,
    price: plan.price,
    unit:
      plan.unit.kind === "row"
        ? ownerOf(plan.from) === "row"
          ? `each row is one ${policy.privacyUnit.name}`
          : `each row holds all data of one ${policy.privacyUnit.name}`
        : `one ${policy.privacyUnit.name} is one ${plan.unit.column}`,
    adjacency: hiddenBy(plan.adjacency, plan.unit.shared === true),
    tables: tablesAnswered(plan),
    ordered: orderedTable(plan),
    limited: limitedTables(plan),
    tree: planTree(plan, { measurements, stages }, answers),
    answers,
    measurements: [...stages, ...measurements],
    assumptions: assumptionsOf(plan),
    missing,
    confidence,
    prices: pricesOf(plan, policy.budget.delta),
    views: [],
    target,
    pilot: null,
    keyNotice: keyNotice(plan),
    warnings: target === null ? uninformative(plan, policy, confidence) : [],
    alternatives: [],
  };
}

/** Returns the name of a measurement, with those of all others that have one noise, and one price, with it. */
function togetherName(name: string, { joint = [] }: Plan): string {
  const names = joint.find(([first]) => first === name);
  return names ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}, together` : name;
}

/** Returns the grouping of totals in words. */
function groupingText({ keys }: PlannedTotals): string {
  return keys.length === 0 ? "over all" : `by ${keys.join(", ")}`;
}

/** Returns the bounds that errors are stated for, where they depend on bounds that are yet to be learned. */
function assumptionsOf({ learned }: Plan): readonly string[] {
  return (learned?.stages ?? []).map(({ argument, bounds: [lo, hi] }) => {
    const name = writeSql(argument);
    return isUnlimited(argument)
      ? `${name}: its bounds are not known before they are learned; errors are stated for [${lo}, ${hi}], and change in proportion to the bounds that are found`
      : `${name}: errors are stated for [${lo}, ${hi}], the widest bounds that can be found, and shrink with the bounds that are found`;
  });
}

function orderedTable(plan: Plan): string | null {
  const { limit, enforced } = plan.contribution;
  return enforced && limit === "rows-before-filter" ? elementAt(tablesRead(plan), 0) : null;
}

function limitedTables(plan: Plan): readonly string[] {
  const { limit, enforced } = plan.contribution;
  return enforced && limit === "groups-after-filter" && plan.unit.kind === "column" ? tablesRead(plan) : [];
}

function explainMeasurement(
  plan: Plan,
  measurement: Measurement | TreeMeasurement,
  confidence: number,
): ExplainedMeasurement {
  const unit = stepOf(plan, measurement);
  const { name, l1, l2Squared, noise } = measurement;
  return {
    name,
    l1: Number(l1) * unit,
    l2: Math.sqrt(Number(l2Squared)) * unit,
    mechanism: noise.mechanism,
    scale: noiseScale(noise) * unit,
    halfWidth: Number(noiseQuantile(noise, confidence)) * unit,
    price: priceAlone(plan, measurement),
  };
}

/**
 * Returns the value of one integer of a measurement in the question's units: step, step² for squares, 1 for counts; in the cells
 * of a tree a part of a row.
 */
function stepOf(plan: Plan, measurement: Measurement | TreeMeasurement): number {
  if ("rowWeight" in measurement) return 1 / measurement.rowWeight;
  const sum = sumOf(plan, measurement);
  return sumKindOf(sum).step(sum);
}

const noiseScales: {
  readonly [M in Noise["mechanism"]]: (noise: Extract<Noise, { mechanism: M }>) => number;
} = {
  "discrete-laplace@1": ({ scale }) => toDouble(parseRational(scale), "up"),
  "rounded-gaussian@1": ({ sigma }) => toDouble(parseRational(sigma), "up"),
  "discrete-gaussian@1": ({ sigmaSquared }) => Math.sqrt(toDouble(parseRational(sigmaSquared), "up")),
  "constant@1": () => 0,
};

export function noiseScale(noise: Noise): number {
  return (noiseScales[noise.mechanism] as (noise: Noise) => number)(noise);
}

/** Returns the chance that a group is missing for 1, 2, 5, 10, 20, 50 … units, until it is practically never missing. */
export function missingChances({ keys }: Plan): readonly MissingChance[] {
  const { program } = keys;
  if (program.kind !== "private") return [];
  const chances: MissingChance[] = [];
  for (let decade = 1; decade <= 1e12; decade *= 10) {
    for (const digit of [1, 2, 5]) {
      const units = digit * decade;
      const chance = Math.max(0, 1 - keepProbability(program.rule, BigInt(units)));
      chances.push({ units, chance });
      if (chance < 1e-6) return chances;
    }
  }
  return chances;
}
