import { canonicalJson } from "@lethe/core";
import type { Plan } from "@lethe/query";
import { isEstimate, type Release } from "../format/release.ts";
import { type Verdict, verdict } from "./check.ts";

/** The rows have the form that the plan's question asks for, and no key that the plan does not allow. */
export function answerFitsThePlan(release: Release): Verdict {
  const { plan } = release.certificate;
  return verdict(
    [
      ...columnsAmiss(release, plan),
      ...rowsAmiss(release, plan),
      ...keysAmiss(release, plan),
      ...intervalsAmiss(release),
    ],
    "columns, rows and keys are those that the plan allows",
  );
}

function* columnsAmiss({ columns }: Release, { outputs, keys, aggregates }: Plan): Iterable<string> {
  if (canonicalJson(columns) !== canonicalJson(outputs.map(({ name, kind }) => ({ name, kind })))) {
    yield "the columns are not those that the plan puts out";
  }
  for (const output of outputs) {
    const known =
      output.kind === "key" ? output.key < keys.expressions.length : output.aggregate < aggregates.length;
    if (!known)
      yield `column ${output.name} shows ${output.kind === "key" ? "a key" : "an aggregate"} that is not in the plan`;
  }
}

function* rowsAmiss({ rows, missing }: Release, { outputs, keys, post }: Plan): Iterable<string> {
  const formed = rows.every(
    (row) =>
      row.length === outputs.length &&
      row.every((cell, at) => isEstimate(cell) === (outputs[at]!.kind === "aggregate")),
  );
  if (!formed) yield "a row is not made of the plan's keys and estimates";
  const groups = { none: 1, public: declaredKeys(keys).length, private: Number.POSITIVE_INFINITY }[
    keys.program.kind
  ];
  const most = Math.min(groups, post.limit ?? Number.POSITIVE_INFINITY);
  if (rows.length > most) yield `there are ${rows.length} rows where the plan allows ${most}`;
  if (keys.program.kind !== "private" && missing.length > 0)
    yield "groups may be missing though all are answered";
}

function* keysAmiss({ rows }: Release, { outputs, keys }: Plan): Iterable<string> {
  const { program, expressions } = keys;
  if (program.kind === "none" && expressions.length > 0)
    yield "the plan groups by keys and has no rule for them";
  if (program.kind !== "public") return;
  if (program.declared.some((key) => key.length !== expressions.length))
    yield "a declared key has another length";
  if (new Set(program.declared.map(canonicalJson)).size !== program.declared.length)
    yield "a key is declared twice";
  for (const [at, output] of outputs.entries()) {
    if (output.kind !== "key") continue;
    const declared = new Set(program.declared.map((key) => canonicalJson(key[output.key] ?? null)));
    if (rows.some((row) => !declared.has(canonicalJson(row[at] ?? null)))) {
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
}

function declaredKeys({
  program,
}: Plan["keys"]): Extract<Plan["keys"]["program"], { kind: "public" }>["declared"] {
  return program.kind === "public" ? program.declared : [];
}
