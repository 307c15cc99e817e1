import { divide, multiply, parseRational, ratio, toDecimal } from "@lethe/core";
import {
  aggregatesOf,
  askedOf,
  type Expression,
  groupingsOf,
  limitWords,
  type Plan,
  type PostExpression,
  plural,
  relationOf,
  tablesOf,
  writeSql,
} from "@lethe/query";
import { biasNotes } from "./bias-notes.ts";

/** Returns the notes that a reader must know beside the rows' intervals: a function of the plan alone. */
export function notesOn(plan: Plan): readonly string[] {
  const notes: string[] = [];
  if (plan.contribution.enforced) notes.push(boundsNote(plan));
  notes.push(...limitNotes(plan));
  notes.push(...learnedNotes(plan), ...biasNotes(plan), ...totalsNotes(plan), ...distinctNotes(plan));
  if (choosesByNoise(plan)) {
    notes.push(
      "rows were chosen by their noisy values: each interval holds for its group before that choice, not among the chosen",
    );
  }
  notes.push(...extremeNotes(plan), ...computedNotes(plan));
  if (plan.keys.program.kind === "private") {
    notes.push("group keys are data: small groups may be missing, and none is named that was not released");
  }
  return notes;
}

function boundsNote({ contribution, keys }: Plan): string {
  const beyond = "intervals hold for the answer so bounded, not for what lies beyond the bounds";
  if (contribution.bound === "rows-before-filter") {
    const all = plural(contribution.groups * contribution.rows, "row");
    return `each unit counts with at most ${all} of the table, chosen before the filter; ${beyond}`;
  }
  const rows = plural(contribution.rows, "row");
  const bounded =
    keys.program.kind === "none"
      ? `with at most ${rows}`
      : `in at most ${plural(contribution.groups, "group")} and with at most ${rows} in each`;
  return `each unit counts ${bounded}; ${beyond}`;
}

/** Returns notes on the rows that are left out before tables are joined, and on the rule that chooses them. */
function limitNotes(plan: Plan): readonly string[] {
  const notes = tablesOf(relationOf(plan)).flatMap(({ table, source, limits = [] }) =>
    limits.map((limit) => {
      const name = source === null || source === table ? table : `${table} as ${source}`;
      return `of ${name} at most ${limitWords(limit)}; the answer is of those`;
    }),
  );
  return [...new Set(notes)];
}

/** Bounds that nobody stated, and what they cost. */
function* learnedNotes({ learned }: Plan): Iterable<string> {
  for (const { argument, bounds, ...stage } of learned?.stages ?? []) {
    const name = writeSql(argument);
    yield `the bounds of ${name}, ${bounds[0]} to ${bounds[1]}, were learned from noisy counts for all groups together, at ${lossOf(stage)} of the price; intervals hold within them, and cover nothing that lies beyond`;
  }
}

/** Returns the loss of a stage in words, rounded up. */
function lossOf({
  noise,
  l1,
  l2Squared,
}: Pick<NonNullable<Plan["learned"]>["stages"][number], "noise" | "l1" | "l2Squared">): string {
  if (noise.mechanism === "discrete-laplace@1")
    return `ε ${toDecimal(divide(parseRational(l1), parseRational(noise.scale)), "up", 6)}`;
  if (noise.mechanism !== "rounded-gaussian@1") return "a part";
  const sigma = parseRational(noise.sigma);
  return `ρ ${toDecimal(divide(parseRational(l2Squared), multiply(ratio(2n), multiply(sigma, sigma))), "up", 6)}`;
}

/** Yields notes on totals: whether they are measured by themselves or are sums of noisy groups. */
function* totalsNotes(plan: Plan): Iterable<string> {
  const most = Math.max(...groupingsOf(plan).map(({ draws }) => draws));
  const names = plan.keys.expressions.map(writeSql).join(", ");
  if (plan.totals) {
    yield `totals are measured by themselves, over all groups by ${names}, released or not, and of what each unit contributes to those; a total is listed where one of its groups is released`;
    yield "(other) is a total less its released groups: what is left for all that are not, with the noise of all of them, so that groups and (other) add up to the total";
    if (most > 1)
      yield `totals by public keys alone are sums of up to ${most} of their noisy groups, and their intervals widen with that number`;
    return;
  }
  if (most > 1)
    yield `totals are sums of the noisy groups by ${names}, up to ${most} of them, and of what each unit contributes to those: they add up, and their intervals widen with the number of groups in them`;
}

/** Yields a note for each count of distinct values. Limiting contributions can lose values from it for good, and the release says so. */
function* distinctNotes({ contribution, sums, keys }: Plan): Iterable<string> {
  if (!contribution.enforced) return;
  const where = keys.program.kind === "none" ? "" : " in a group";
  for (const sum of sums) {
    if (sum.kind !== "distinct") continue;
    yield `distinct values of ${asAsked(sum.argument)} are counted from at most ${plural(sum.most, "value")} of each unit${where}, picked by a keyed hash: where units have more, values may be missing from the count, and none is ever added`;
  }
}

/** Returns the value that an aggregate is of, and its filter: a value that is there under one condition alone is a filtered one. */
function filteredValue(argument: Expression): readonly [value: string, filter: string] {
  if (argument.kind !== "case") return [writeSql(argument), ""];
  const [branch, ...others] = argument.branches;
  const { otherwise } = argument;
  if (!branch || others.length > 0 || otherwise.kind !== "literal" || otherwise.value !== null)
    return [writeSql(argument), ""];
  return [writeSql(branch.then), ` FILTER (WHERE ${writeSql(branch.when)})`];
}

function asAsked(argument: Expression): string {
  return filteredValue(argument).join("");
}

/** Yields notes on MIN and MAX, as they are answered. */
function* extremeNotes({ aggregates, trees = [] }: Plan): Iterable<string> {
  for (const aggregate of aggregates) {
    if (aggregate.kind !== "quantile" || aggregate.standsFor === null) continue;
    const { share, standsFor, tree } = aggregate;
    const [value, filter] = filteredValue(askedOf({ ...aggregate, argument: trees[tree]!.argument }));
    yield `${standsFor.toUpperCase()}(${value})${filter} is its ${share} quantile, PERCENTILE_CONT(${value}, ${share})${filter}: the ${standsFor === "min" ? "least" : "greatest"} value is one row's, which is never shown`;
  }
}

/** Whether rows are chosen by noisy values. Keys are not noisy: choosing by them says nothing about values. */
function choosesByNoise({ post: { having, orderBy, limit, offset } }: Plan): boolean {
  const cut = limit !== null || offset > 0;
  return (having !== null && readsNoise(having)) || (cut && orderBy.some(({ by }) => readsNoise(by)));
}

function readsNoise(expression: PostExpression): boolean {
  return aggregatesOf(expression).length > 0;
}

/** Yields notes on columns that are computed from noisy values: numbers with intervals, and labels without. */
function* computedNotes({ outputs }: Plan): Iterable<string> {
  const computed = outputs.flatMap((output) =>
    output.kind === "computed" && readsNoise(output.expression) ? [output] : [],
  );
  const names = (of: typeof computed): string => of.map(({ name }) => JSON.stringify(name)).join(", ");
  const numbers = computed.filter(({ type }) => type === "number");
  const labels = computed.filter(({ type }) => type !== "number");
  if (numbers.length > 0)
    yield `computed from released values: ${names(numbers)}; each interval holds for the same computation on the bounded aggregates, where that has a value; none is given where the noise leaves it unbounded`;
  if (labels.length > 0)
    yield `chosen by noisy values and without an interval: ${names(labels)}; the exact values might say otherwise`;
}
