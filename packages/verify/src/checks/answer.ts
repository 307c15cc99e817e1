import { canonicalJson } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import { groupsOf } from "../derive/groups-of.ts";
import { named, placeOf } from "../derive/named.ts";
import { type Cell, isEstimate, isTimeEstimate, type Release } from "../format/release.ts";
import { isWrittenTime } from "../format/written-time.ts";
import { type Verdict, verdict } from "./check.ts";
import { marksAmiss } from "./groupings.ts";
import { totalsAmiss } from "./totals.ts";

/** The rows have the form that the plan's question asks for, and no key that the plan does not allow. */
export function answerFitsThePlan(release: Release): Verdict {
  const { plan } = release.certificate;
  return verdict(
    [
      ...columnsAmiss(release, plan),
      ...rowsAmiss(release, plan),
      ...marksAmiss(release),
      ...keysAmiss(release, plan),
      ...intervalsAmiss(release),
      ...endsAmiss(release, plan),
      ...totalsAmiss(release),
    ],
    "columns, rows and keys are those that the plan allows",
  );
}

function* columnsAmiss({ columns }: Release, { outputs }: Plan): Iterable<string> {
  if (
    canonicalJson(columns) !==
    canonicalJson(outputs.map((output) => ({ name: output.name, kind: columnKind(output) })))
  )
    yield "the columns are not those that the plan puts out";
}

type Output = Plan["outputs"][number];

/** Returns the kind of a column. A value that is computed as a text or a boolean has no interval. */
export function columnKind(output: Output): Release["columns"][number]["kind"] {
  if (output.kind === "interval-end") return "label";
  return output.kind === "computed" && output.type !== "number" ? "label" : output.kind;
}

const estimated: ReadonlySet<string> = new Set(["aggregate", "computed"]);

function* rowsAmiss(
  { rows, missing }: Release,
  { outputs, keys, post, groupings, aggregates }: Plan,
): Iterable<string> {
  const formed = rows.every(
    (row) =>
      row.length === outputs.length &&
      row.every((cell, at) => cellFits(cell, elementAt(outputs, at), aggregates)),
  );
  if (!formed) yield "a row is not made of the plan's keys and estimates";
  const groups =
    groupings && keys.program.kind === "public"
      ? groupings.reduce((all, set) => all + groupsOf(set, keys.parts, declaredKeys(keys)), 0)
      : { none: 1, public: declaredKeys(keys).length, private: Number.POSITIVE_INFINITY }[keys.program.kind];
  const most = Math.min(groups, post.limit ?? Number.POSITIVE_INFINITY);
  if (rows.length > most) yield `there are ${rows.length} rows where the plan allows ${most}`;
  if (keys.program.kind !== "private" && missing.length > 0)
    yield "groups may be missing though all are answered";
}

/** Estimates where they are due, and of a quantile of times in times of its type. */
function cellFits(cell: Cell, output: Output, aggregates: Plan["aggregates"]): boolean {
  const aggregate = output.kind === "aggregate" ? named(aggregates, output.aggregate) : undefined;
  const time = aggregate?.kind === "quantile" ? aggregate.time : undefined;
  if (time === undefined)
    return isEstimate(cell) === estimated.has(columnKind(output)) && !isTimeEstimate(cell);
  return (
    isTimeEstimate(cell) && [cell.value, cell.lower, cell.upper].every((text) => isWrittenTime(time, text))
  );
}

function* keysAmiss(
  { rows, groupings: marks }: Release,
  { outputs, keys, groupings = [] }: Plan,
): Iterable<string> {
  const { program, parts } = keys;
  if (program.kind === "none" && parts.length > 0) yield "the plan groups by keys and has no rule for them";
  if (program.kind !== "public") return;
  if (program.declared.some((key) => key.length !== parts.length)) yield "a declared key has another length";
  if (new Set(program.declared.map(canonicalJson)).size !== program.declared.length)
    yield "a key is declared twice";
  for (const [at, output] of outputs.entries()) {
    if (output.kind !== "key") continue;
    const place = placeOf(keys.parts, output.key);
    const declared = new Set(program.declared.map((key) => canonicalJson(key[place] ?? null)));
    // What stands in the place of a key that is grouped away is seen to by marksAmiss.
    const isAway = (row: number): boolean =>
      groupings[marks?.[row]?.grouping ?? -1]?.includes(output.key) === false;
    if (rows.some((row, number) => !isAway(number) && !declared.has(canonicalJson(row[at] ?? null)))) {
      yield `a key in column ${output.name} is not among the declared ones`;
    }
  }
}

function* intervalsAmiss({ rows }: Release): Iterable<string> {
  for (const { value, lower, upper } of rows.flat().filter(isEstimate)) {
    if (lower === null || upper === null) {
      if (lower !== upper) yield "an interval has one end only";
    } else if (value === null || !(lower <= upper)) yield "an interval is empty or belongs to no value";
  }
  // ISO 8601 sorts as the times do.
  if (
    !rows
      .flat()
      .filter(isTimeEstimate)
      .every(({ lower, upper }) => lower <= upper)
  )
    yield "an interval of times is empty";
}

/** A column of ends repeats those of the column that it names. */
function* endsAmiss({ rows }: Release, { outputs }: Plan): Iterable<string> {
  for (const [at, output] of outputs.entries()) {
    if (output.kind !== "interval-end") continue;
    const column = placeOf(outputs, output.output);
    const repeats = rows.every((row) => {
      const of = row[column];
      return (isEstimate(of) || isTimeEstimate(of)) && row[at] === of[output.end];
    });
    if (!repeats) yield `column ${output.name} is not the ${output.end} end of another column's intervals`;
  }
}

function declaredKeys({
  program,
}: Plan["keys"]): Extract<Plan["keys"]["program"], { kind: "public" }>["declared"] {
  return program.kind === "public" ? program.declared : [];
}
