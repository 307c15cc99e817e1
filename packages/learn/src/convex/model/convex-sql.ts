import { elementAt } from "@lethe/core/numeric";
import { entriesOf } from "../../design/design.ts";
import { scaleOf } from "../../design/design-row.ts";
import type { DeclaredColumn } from "../../model/model.ts";
import { double, literal } from "../../sql/literal.ts";
import { quoted } from "../../sql/quoted.ts";
import type { ConvexModel } from "./convex-model.ts";
import { hasProbability, largestScore } from "./predict-convex.ts";

/**
 * Writes what {@link predictConvex} computes as the list of a SELECT, in PostgreSQL's syntax, over the model's columns. No row makes it fail: where a
 * column is NULL or has another value it adds 0. NaN counts as missing in {@link predictConvex}, and in SQL as a number above all others: keep
 * it out of the table, as Lethe's own questions do.
 * @example `SELECT ${convexSql(model)} FROM people`
 */
export function convexSql(model: ConvexModel): string {
  const { target } = model;
  const score = `(${partsOf(model).join(" + ")})`;
  if (target.kind === "number") {
    const [lo, hi] = target.bounds;
    const { middle, half } = scaleOf(target);
    return `${clamped(`${double(middle)} + ${score} * ${double(half)}`, lo, hi)} AS "prediction"`;
  }
  const [first, second] = [0, 1].map((place) => literal(elementAt(target.categories, place)));
  const probability = `(1e+0 / (1e+0 + EXP(- ${clamped(score, -largestScore, largestScore)})))`;
  return [
    `${score} AS "score"`,
    ...(hasProbability(model) ? [`${probability} AS "probability"`] : []),
    `(CASE WHEN ${score} > 0 THEN ${second} ELSE ${first} END) AS "prediction"`,
  ].join(", ");
}

/** A term for the intercept and for each column. */
function partsOf({ features, intercept, weights }: ConvexModel): readonly string[] {
  const weightsOf = features.map((): number[] => []);
  const parts = ["0e+0"];
  for (const [at, entry] of entriesOf({ columns: features, intercept }).entries()) {
    const weight = elementAt(weights, at);
    if (entry.kind === "intercept") parts.push(double(weight));
    else elementAt(weightsOf, entry.column).push(weight);
  }
  return [...parts, ...features.map((column, at) => columnText(column, elementAt(weightsOf, at)))];
}

function columnText(column: DeclaredColumn, weights: readonly number[]): string {
  const name = quoted(column.name);
  if (column.kind === "category") {
    const branches = column.categories.map(
      (category, place) => `WHEN ${name} = ${literal(category)} THEN ${double(elementAt(weights, place))}`,
    );
    return `(CASE ${branches.join(" ")} ELSE 0e+0 END)`;
  }
  const [lo, hi] = column.bounds;
  const { middle, half } = scaleOf(column);
  const scaled = `(${clamped(name, lo, hi)} - ${double(middle)}) / ${double(half)}`;
  return `(CASE WHEN ${name} IS NULL THEN 0e+0 ELSE ${double(elementAt(weights, 0))} * (${scaled}) END)`;
}

function clamped(text: string, lo: number, hi: number): string {
  return `GREATEST(${double(lo)}, LEAST(${double(hi)}, ${text}))`;
}
