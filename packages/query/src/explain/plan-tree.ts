import { type Event, type PrivacyLossText, parseRational, toDouble } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { sumKindOf } from "../aggregates/family-of.ts";
import { writeSql } from "../expressions/write-sql.ts";
import { publicValues } from "../over/public-values.ts";
import type { ExplainedAnswer } from "../plan/expected-error/explained-answer.ts";
import { groupingsOf, keyNames } from "../plan/groupings.ts";
import { noised } from "../plan/noised.ts";
import { eventOf, selectionGroups } from "../plan/passes/plan-event.ts";
import type { Plan } from "../plan/plan.ts";
import { shownColumns } from "../plan/question/shown-columns.ts";
import { pricedOnce } from "../plan/together/priced-once.ts";
import { unitContribution } from "../plan/unit-contribution.ts";
import { plural } from "../refusals/plural.ts";
import { ownerOf, type Relation } from "../relations/relation.ts";
import { writeUnitAggregate } from "../relations/unit-aggregates/registry.ts";
import { writeConditions, writeWindow } from "../relations/write-from.ts";
import type { ExplainedMeasurement, ExplanationNode, Stability } from "./explanation.ts";
import { limitWords } from "./limit-words.ts";
import { priceOf } from "./price-alone.ts";
import { limitedStability, stabilityOf } from "./stability.ts";

type Facts = Partial<Omit<ExplanationNode, "label" | "details" | "children">>;

function node(
  label: string,
  details: readonly string[],
  facts: Facts,
  ...children: readonly ExplanationNode[]
): ExplanationNode {
  const silent = { stability: null, costs: null, answers: [], measured: [] };
  return { label, details, ...silent, ...facts, children };
}

/** Returns the plan as a tree from the answer down to the columns read, with the change that one unit makes and the price, at each node. */
export function planTree(
  plan: Plan,
  { measurements, stages }: Readonly<Record<"measurements" | "stages", readonly ExplainedMeasurement[]>>,
  answers: readonly ExplainedAnswer[],
): ExplanationNode {
  const rows = relationTree(plan.from, plan);
  const joined =
    plan.joinedRows === undefined
      ? []
      : [`one private row stands in at most ${plural(plan.joinedRows, "joined row")}`];
  const bounded = limitedTree(plan, { ...rows, details: [...rows.details, ...joined] });
  const learned =
    stages.length === 0
      ? bounded
      : node("learn bounds", stageDetails(plan), { measured: stages, costs: stagesPrice(plan) }, bounded);
  const noise = node("measure", [], { measured: measurements, costs: measurementPrice(plan) }, learned);
  const chosen =
    plan.keys.program.kind === "none"
      ? noise
      : node("group", keyDetails(plan), { costs: selectionPrice(plan) }, noise);
  const names = plan.outputs.map(({ name }) => name);
  const day =
    plan.today === undefined ? [] : [`the present day is ${plan.today}, in UTC, and its time midnight`];
  const answer = node("answer", [...names, ...day], { answers, costs: plan.price }, chosen);
  return plan.over ? overTree(plan, [answer]) : answer;
}

/** Returns the node of a SELECT over the answers to one question or several, which are paid for together. */
export function overTree(plan: Plan, answers: readonly ExplanationNode[]): ExplanationNode {
  const shown = shownColumns(plan).map(({ name }) => name);
  const isOne = answers.length === 1;
  const label = isOne ? "select over the answer" : "select over the answers";
  const priced = isOne
    ? []
    : [`${answers.length} questions are asked under one price, and each shows what it would cost alone`];
  const beside = [...new Set(plan.over ? publicValues(plan.over).map(({ table }) => table) : [])];
  const made =
    beside.length === 0
      ? "made of released rows alone, at no price"
      : `made of released rows and of rows of ${beside.join(", ")}, which ${beside.length > 1 ? "are" : "is"} public, at no price`;
  const first = (plan.released ?? []).map(
    ({ sql }) => `${sql} is released first, and its value stands in the questions behind it`,
  );
  const details = [...shown, made, ...priced, ...first];
  return node(label, details, isOne ? {} : { costs: plan.price }, ...answers);
}

/** Returns the node of the question's own WHERE, and of contributions bounded behind it or before it. */
function limitedTree(plan: Plan, read: ExplanationNode): ExplanationNode {
  const { where, contribution } = plan;
  const filtered = (of: ExplanationNode, stability: Stability): ExplanationNode =>
    where === null ? of : node("filter", [writeSql(where)], { stability }, of);
  const bounded = (of: ExplanationNode, ...bounds: string[]): ExplanationNode =>
    node("limit contributions", bounds, { stability: limitedStability(plan) }, of);
  const unbounded = stabilityOf(plan.from, plan);
  if (!contribution.enforced) {
    const isUnit = ownerOf(plan.from) === "row";
    return bounded(
      filtered(read, unbounded),
      isUnit ? "a row is a unit: nothing to limit" : "a unit has one row: nothing to limit",
    );
  }
  const { rows, groups } = unitContribution(contribution);
  if (contribution.limit === "rows-before-filter")
    return filtered(
      bounded(read, `at most ${plural(rows, "row")} per unit, before the filter`),
      limitedStability(plan),
    );
  return bounded(
    filtered(read, unbounded),
    `at most ${plural(groups, "group")} per unit`,
    `at most ${plural(rows, "row")} per unit and group`,
    ...plan.sums.flatMap((sum) => {
      const kept = sumKindOf(sum).kept(sum);
      return kept
        ? [`at most ${plural(kept.most, "value")} of ${writeSql(kept.argument)} per unit and group`]
        : [];
    }),
  );
}

/** Returns the tree of the steps before the question's own WHERE: tables read, joined and filtered. */
function relationTree(relation: Relation, plan: Plan): ExplanationNode {
  const stability = stabilityOf(relation, plan);
  switch (relation.kind) {
    case "table": {
      const { table, source, oncePer, limits = [] } = relation;
      const named = source === null || source === table ? table : `${table} as ${source}`;
      const once = oncePer === null ? [] : [`one row for each ${oncePer}`];
      const limited = limits.map(limitWords);
      return node(`read ${named}`, [...Object.keys(relation.columns), ...once, ...limited], { stability });
    }
    case "list":
      return node(
        `written rows ${relation.source}`,
        [...relation.names, plural(relation.rows.length, "row")],
        {
          stability,
        },
      );
    case "filter":
      return node(
        "filter",
        [writeSql(relation.where), ...(relation.fenced ? ["looked at when all rows below are made"] : [])],
        { stability },
        relationTree(relation.of, plan),
      );
    case "grouped": {
      const { keys, values } = relation;
      const made = Object.entries(values).map(([name, value]) => `${name} = ${writeUnitAggregate(value)}`);
      const by = Object.values(keys).map(writeSql);
      return node(
        "group within units",
        [`by ${["unit", ...by].join(", ")}`, ...made],
        { stability },
        relationTree(relation.of, plan),
      );
    }
    case "windowed": {
      const made = Object.entries(relation.values).map(
        ([name, window]) => `${name} = ${writeWindow(window)}`,
      );
      return node("window within units", made, { stability }, relationTree(relation.of, plan));
    }
    case "union":
      return node(
        "union all",
        Object.keys(relation.columns),
        { stability },
        ...relation.parts.map(({ of }) => relationTree(of, plan)),
      );
    case "semijoin": {
      const { of, among, on, not } = relation;
      return node(
        not ? "anti-join" : "semijoin",
        [writeSql(on), "with public rows"],
        { stability },
        relationTree(of, plan),
        relationTree(among, plan),
      );
    }
    case "marked": {
      const { of, among, columns } = relation;
      const [name = ""] = Object.keys(columns);
      const isOwned = ownerOf(among) !== "public";
      return node(
        "mark rows",
        [
          `${name} = some row meets ${writeConditions(relation)}`,
          isOwned ? "among rows of the same unit" : "among public rows",
        ],
        { stability },
        relationTree(of, plan),
        relationTree(among, plan),
      );
    }
    case "join": {
      const { type, left, right } = relation;
      const isOwned = ownerOf(left) !== "public" && ownerOf(right) !== "public";
      return node(
        `${type} join`,
        [
          ...(relation.keeps ? ["every group of the public rows is answered"] : []),
          writeConditions(relation),
          ...(isOwned ? ["only rows of one unit are joined"] : ["with public rows"]),
        ],
        { stability },
        relationTree(left, plan),
        relationTree(right, plan),
      );
    }
  }
}

function keyDetails(plan: Plan): readonly string[] {
  const { keys } = plan;
  const names = `by ${keyNames(plan).join(", ")}`;
  const { program } = keys;
  if (program.kind === "public")
    return [names, `${program.declared.length} public groups, each answered`, ...totalDetails(plan)];
  return [names, "keys are data: each group passes a private selection", ...measuredTotals(plan)];
}

/** Describes groupings that are not measured, but made of measured groups. */
function totalDetails(plan: Plan): readonly string[] {
  return groupingsOf(plan).flatMap(({ keys, draws }) => {
    if (draws === 1) return [];
    return [`totals ${byKeys(keys)}: sums of ${draws} noisy groups each, at no further price`];
  });
}

function byKeys(names: readonly string[]): string {
  return names.length === 0 ? "over all" : `by ${names.join(", ")}`;
}

/** Describes the noisy counts that bounds are learned from, before anything else is measured. */
function stageDetails({ learned }: Plan): readonly string[] {
  return (learned?.stages ?? []).map(
    ({ argument, ends }) =>
      `bounds of ${writeSql(argument)} are chosen among ${ends.length} public values from ${ends[0]} to ${ends.at(-1)}, by its noisy counts over all groups`,
  );
}

function stagesPrice(plan: Plan): PrivacyLossText {
  return priceOf(eventOf(plan.learned?.stages ?? [], null, 0n), plan);
}

/** Describes coarser groupings that are measured by themselves, and the rest of them beside released groups. */
function measuredTotals(plan: Plan): readonly string[] {
  const { totals = [] } = plan;
  if (totals.length === 0) return [];
  const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`;
  const taken = totals.map(({ share }) => toDouble(parseRational(share), "up"));
  const rest = 1 - taken.reduce((sum, share) => sum + share, 0);
  return [
    `the groups take ${percent(rest)} of the price of measuring`,
    ...totals.map(
      ({ keys, declared }, at) =>
        `totals ${byKeys(keys)} take ${percent(elementAt(taken, at))}: over all groups, released or not; ${
          declared === undefined
            ? "listed if one of their groups is released"
            : keys.length === 0
              ? "always answered"
              : `${declared.length} of them, each answered`
        }`,
    ),
    ...totalDetails(plan),
    "(other): each total minus its released groups, at no further price, with the noise of both",
  ];
}

/** Returns the price of all measurements together; null where none has noise. */
function measurementPrice(plan: Plan): PrivacyLossText | null {
  const drawn = noised(plan);
  if (drawn.every(({ noise }) => noise.mechanism === "constant@1")) return null;
  return priceOf(eventOf(plan.learned?.nominal ?? pricedOnce(drawn, plan), null, 0n), plan);
}

function selectionPrice(plan: Plan): PrivacyLossText | null {
  const { program } = plan.keys;
  if (program.kind !== "private") return null;
  const event: Event = eventOf([], program.rule, selectionGroups(plan));
  return priceOf(event, plan);
}
