import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import { byName, keyNames, missing, type Plan } from "@lethe/query";
import { evaluate, keyValue, type PostRow } from "../post/evaluate.ts";
import { postProcess } from "../post/post-process.ts";
import { type Estimate, isEstimate, type Release, type ReleasedCell } from "../release.ts";
import { groupsOf, type MadeNumber, type Making, totalsOf } from "./making.ts";
import { type Draws, meanOfReleases, quotientOfReleases } from "./total-of-draws.ts";

interface Row extends PostRow {
  readonly estimates: ReadonlyMap<string, Estimate>;
}

/**
 * Returns the rows of a question, made of releases that all answer one other question, or the same: over the groups of each row the released numbers are added up, and the mean is taken of the
 * releases. HAVING, ORDER BY and LIMIT of the question apply to what was made. Null where a release does not show all its groups with their values.
 */
export function madeRows(
  asked: Plan,
  making: Making,
  releases: readonly Release[],
  confidence: number,
): readonly (readonly ReleasedCell[])[] | null {
  const values = releases.map((release) => valuesByGroup(release, making));
  if (values.some((each) => each === null)) return null;
  const { plan } = elementAt(releases, 0).certificate;
  const draws = { groups: making.groups, releases: releases.length };
  const made = new Map(
    [...making.read].map(([name, number]) => [name, estimator(plan, number, draws, confidence)]),
  );
  const names = keyNames(asked);
  const rows = groupsOf(asked).map((key): Row => {
    const group = canonicalJson(key);
    const shown = (column: number): readonly number[] =>
      values.flatMap((each) => each?.get(group)?.get(column) ?? []);
    const estimates = new Map([...made].map(([name, estimate]) => [name, estimate(shown)]));
    return {
      keys: new Map(names.map((name, at) => [name, key[at] ?? null])),
      away: new Set(),
      others: new Set(),
      estimates,
      aggregates: new Map([...estimates].map(([name, { value }]) => [name, value])),
    };
  });
  return postProcess(rows, asked.post).map((row) =>
    asked.outputs.map((output) => cellOf(output, row, asked)),
  );
}

/** Prepares the values of each column ↦ a number of the answer. */
function estimator(
  plan: Plan,
  number: MadeNumber,
  draws: Draws,
  confidence: number,
): (shown: (column: number) => readonly number[]) => Estimate {
  if (number.kind === "total") {
    const mean = meanOfReleases(plan, number.total, draws, confidence);
    return (shown) => mean(shown(number.total.column));
  }
  const quotient = quotientOfReleases(plan, number, draws, confidence);
  return (shown) => quotient(shown(number.sum.column), shown(number.count.column));
}

type Output = Plan["outputs"][number];

function cellOf(output: Output, row: Row, asked: Plan): ReleasedCell {
  switch (output.kind) {
    case "key":
      return keyValue(output, row) as ReleasedCell;
    case "aggregate":
      return row.estimates.get(output.aggregate) ?? missing(output.aggregate);
    case "interval-end": {
      const cell = cellOf(byName(asked.outputs, output.output), row, asked);
      return isEstimate(cell) ? cell[output.end] : null;
    }
    case "computed":
      return evaluate(output.expression, row) as ReleasedCell;
  }
}

/** Returns the released values of each group of the question, by column; null where a group of the release, or a value, is not there. */
function valuesByGroup(
  { rows, certificate: { plan } }: Release,
  { keys, read }: Making,
): ReadonlyMap<string, ReadonlyMap<number, readonly number[]>> | null {
  const places = plan.keys.parts.map(({ name }) =>
    plan.outputs.findIndex((output) => output.kind === "key" && output.key === name),
  );
  if (places.includes(-1)) return null;
  const columns = new Set([...read.values()].flatMap(totalsOf).map(({ column }) => column));
  const due = new Set(groupsOf(plan).map((key) => canonicalJson(key)));
  const groups = new Map<string, Map<number, number[]>>();
  for (const row of rows) {
    const whole = places.map((at) => row[at] ?? null);
    if (!due.delete(canonicalJson(whole))) return null;
    const group = canonicalJson(keys.map((at) => whole[at] ?? null));
    const sums = groups.get(group) ?? new Map<number, number[]>();
    groups.set(group, sums);
    for (const column of columns) {
      const cell = row[column];
      if (cell === undefined || !isEstimate(cell) || cell.value === null) return null;
      sums.set(column, [...(sums.get(column) ?? []), cell.value]);
    }
  }
  return due.size === 0 ? groups : null;
}
