import { parseRational, type Rational, ratio, toDecimal } from "@lethe/core";
import { divide, multiply } from "@lethe/core/numeric";
import {
  askedOf,
  byName,
  type Expression,
  familyOf,
  groupingsOf,
  keptSources,
  keyNames,
  limitWords,
  type Plan,
  plural,
  questionsOf,
  releasedIn,
  sumKindOf,
  tablesOf,
  writeSql,
} from "@lethe/query";
import { biasNotes } from "./bias-notes.ts";
import { choosesByNoise, choosesOver, readsNoise } from "./chosen-rows.ts";
import { roundedNotes } from "./rounded-notes.ts";
import { wordNotes } from "./word-notes.ts";

/** Returns the notes that a reader must know beside the rows' intervals: a function of the plan alone. */
export function notesOn(plan: Plan): readonly string[] {
  const notes: string[] = [];
  if (plan.contribution.enforced) notes.push(boundsNote(plan));
  notes.push(...limitNotes(plan));
  notes.push(...learnedNotes(plan), ...biasNotes(plan), ...totalsNotes(plan), ...distinctNotes(plan));
  if (choosesByNoise(plan) || choosesOver(plan)) {
    notes.push(
      "rows were chosen by their noisy values; the confidence of an interval holds for a group named beforehand, not for one that was chosen by its value",
    );
  }
  notes.push(...extremeNotes(plan), ...computedNotes(plan));
  if (plan.keys.program.kind === "public" && keptSources(plan.from) !== null)
    notes.push(
      "the groups are all that the policy and the question name, with or without rows of units: COUNT(*) counts the rows that match, 0 in a group without any, where SQL counts 1, and every group has noise",
    );
  if (plan.keys.program.kind === "public" && showsKeysAlone(plan))
    notes.push(
      "the groups are all that the policy and the question name: that one is shown does not say that it has rows; ask COUNT(*) beside it",
    );
  notes.push(...releasedNotes(plan), ...wordNotes(plan), ...roundedNotes(plan));
  if (plan.keys.program.kind === "private") {
    notes.push("group keys are data: small groups may be missing, and a missing group is never named");
  }
  if (plan.over && questionsOf(plan).some(({ keys }) => keys.program.kind === "private"))
    notes.push(
      "what is shown is made of released groups alone: its totals and counts leave out those that are missing",
    );
  return notes;
}

/** Whether nothing that is shown, or chooses what is, has noise. */
function showsKeysAlone({ outputs, post, over }: Plan): boolean {
  const isKey = (output: Plan["outputs"][number]): boolean =>
    output.kind === "key" || (output.kind === "computed" && !readsNoise(output.expression));
  return (
    over === undefined &&
    post.having === null &&
    post.orderBy.every(({ by }) => !readsNoise(by)) &&
    outputs.every(isKey)
  );
}

/** Values of other answers that the question reads. */
function* releasedNotes({ others: _, ...question }: Plan): Iterable<string> {
  for (const sql of new Set(releasedIn(question).map((released) => released.sql)))
    yield `the released value of ${sql} stands in its place; intervals do not cover the noise that it has`;
}

function boundsNote({ contribution, keys }: Plan): string {
  const beyond =
    "intervals are for the answer within limits and bounds, and do not cover what lies beyond them";
  if (contribution.limit === "rows-before-filter") {
    const all = plural(contribution.groups * contribution.rows, "row");
    return `each unit contributes at most ${all} of the table, chosen before the filter; ${beyond}`;
  }
  const rows = plural(contribution.rows, "row");
  const bounded =
    keys.program.kind === "none"
      ? `at most ${rows}`
      : `to at most ${plural(contribution.groups, "group")}, with at most ${rows} in each`;
  return `each unit contributes ${bounded}; ${beyond}`;
}

/** Returns notes on the rows that are left out before tables are joined, and on the rule that chooses them. */
function limitNotes(plan: Plan): readonly string[] {
  const notes = tablesOf(plan.from).flatMap(({ table, source, limits = [] }) =>
    limits.map((limit) => {
      const name = source === null || source === table ? table : `${table} as ${source}`;
      return `of ${name}, ${limitWords(limit)}; other rows are left out`;
    }),
  );
  return [...new Set(notes)];
}

/** Bounds that nobody stated, and what they cost. */
function* learnedNotes({ learned }: Plan): Iterable<string> {
  for (const { argument, bounds, ...stage } of learned?.stages ?? []) {
    const name = writeSql(argument);
    yield `the bounds of ${name}, ${bounds[0]} to ${bounds[1]}, were learned from noisy counts over all groups, for ${lossOf(stage)} of the price; intervals do not cover what lies beyond them`;
  }
}

type Stage = Pick<NonNullable<Plan["learned"]>["stages"][number], "noise" | "l1" | "l2Squared">;

/** Returns the loss of a stage in words, rounded up. */
function lossOf({ noise, l1, l2Squared }: Stage): string {
  const rho = (variance: Rational): string =>
    `ρ ${toDecimal(divide(parseRational(l2Squared), multiply(ratio(2n), variance)), "up", 6)}`;
  switch (noise.mechanism) {
    case "discrete-laplace@1":
      return `ε ${toDecimal(divide(parseRational(l1), parseRational(noise.scale)), "up", 6)}`;
    case "rounded-gaussian@1": {
      const sigma = parseRational(noise.sigma);
      return rho(multiply(sigma, sigma));
    }
    case "discrete-gaussian@1":
      return rho(parseRational(noise.sigmaSquared));
    case "constant@1":
      return "none";
  }
}

/** Yields notes on totals: whether they are measured by themselves or are sums of noisy groups. */
function* totalsNotes(plan: Plan): Iterable<string> {
  const most = Math.max(...groupingsOf(plan).map(({ draws }) => draws));
  const names = keyNames(plan).join(", ");
  if (plan.totals) {
    yield `each total is measured by itself over all groups by ${names}, released or not, and counts only what units contribute to these; a total is listed if one of its groups is released`;
    yield "(other) is the total minus its released groups, so that groups and (other) add up to the total; it has the noise of all of them";
    if (most > 1)
      yield `totals by public keys alone are sums of up to ${most} noisy groups; the more groups a total has, the wider is its interval`;
    return;
  }
  if (most > 1)
    yield `totals are sums of up to ${most} noisy groups by ${names}, and count only what units contribute to these; the more groups a total has, the wider is its interval`;
}

/** Yields a note for each aggregate of distinct values. Limiting contributions can lose values from it for good, and the release says so. */
function* distinctNotes({ contribution, sums, keys }: Plan): Iterable<string> {
  if (!contribution.enforced) return;
  const where = keys.program.kind === "none" ? "" : " in a group";
  const aggregated = new Set<string>();
  for (const sum of sums) {
    const kept = sumKindOf(sum).kept(sum);
    if (kept === null) continue;
    if (
      sumKindOf(sum)
        .values(sum)
        .some(({ grid }) => grid !== null)
    ) {
      const values = filteredValue(kept.argument).join("");
      aggregated.add(
        `aggregates of distinct values of ${values} use at most ${plural(kept.most, "value")} of each unit${where}, chosen by a keyed hash; if a unit has more, those that no other unit brings are left out`,
      );
      continue;
    }
    yield `${asAsked(kept.argument)} uses at most ${plural(kept.most, "value")} of each unit${where}, chosen by a keyed hash; if a unit has more, the count can only become too small`;
  }
  yield* aggregated;
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
  const [value, filter] = filteredValue(argument);
  return `COUNT(DISTINCT ${value})${filter}`;
}

/** Yields notes on MIN and MAX, as they are answered. */
function* extremeNotes({ aggregates, trees = [] }: Plan): Iterable<string> {
  for (const aggregate of aggregates) {
    const reading = familyOf(aggregate).reading(aggregate);
    if (reading === null || reading.standsFor === null) continue;
    const { share, standsFor, tree } = reading;
    const [value, filter] = filteredValue(askedOf({ ...reading, argument: byName(trees, tree).argument }));
    yield `${standsFor.toUpperCase()}(${value})${filter} is answered by the ${share} quantile, PERCENTILE_CONT(${value}, ${share})${filter}; the ${standsFor === "min" ? "lowest" : "highest"} value belongs to one row and is never shown`;
  }
}

/** Whether rows are chosen by noisy values. Keys are not noisy: choosing by them says nothing about values. */
/** Yields notes on columns that are computed from noisy values: numbers with intervals, and labels without. */
function* computedNotes({ outputs }: Plan): Iterable<string> {
  const computed = outputs.flatMap((output) =>
    output.kind === "computed" && readsNoise(output.expression) ? [output] : [],
  );
  const names = (of: typeof computed): string => of.map(({ name }) => JSON.stringify(name)).join(", ");
  const beOf = (of: typeof computed): string => (of.length === 1 ? "is" : "are");
  const numbers = computed.filter(({ type }) => type === "number");
  const labels = computed.filter(({ type }) => type !== "number");
  if (numbers.length > 0)
    yield `${names(numbers)} ${beOf(numbers)} computed from released values; an interval is for the same computation on the exact aggregates within limits and bounds, and is missing where the noise leaves it unbounded`;
  if (labels.length > 0)
    yield `${names(labels)} ${beOf(labels)} computed from noisy values and without an interval; the exact values might give another result`;
}
