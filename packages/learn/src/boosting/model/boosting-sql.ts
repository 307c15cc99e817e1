import { elementAt } from "@lethe/core/numeric";
import { double, literal } from "../../sql/literal.ts";
import { quoted } from "../../sql/quoted.ts";
import type { BoostedModel, Shape } from "./boosted-model.ts";
import { largestScore } from "./predict-boosting.ts";

/**
 * Writes what {@link predictBoosting} computes as the list of a SELECT, in PostgreSQL's syntax, over the model's columns. No row makes it fail: where
 * a column is NULL or has another value, its shape has a value for that. NaN counts as missing in
 * {@link predictBoosting}, and in SQL as a number above all others: keep it out of the table, as Lethe's own questions do.
 * @example `SELECT ${boostingSql(model)} FROM people`
 */
export function boostingSql(model: BoostedModel): string {
  const { target, intercept, shapes } = model;
  const score = `(${[double(intercept), ...shapes.map(shapeText)].join(" + ")})`;
  if (target.kind === "number") {
    const [lo, hi] = target.bounds;
    return `${clamped(score, lo, hi)} AS "prediction"`;
  }
  const [first, second] = [0, 1].map((place) => literal(elementAt(target.categories, place)));
  return [
    `${score} AS "score"`,
    `(1e+0 / (1e+0 + EXP(- ${clamped(score, -largestScore, largestScore)}))) AS "probability"`,
    `(CASE WHEN ${score} > 0 THEN ${second} ELSE ${first} END) AS "prediction"`,
  ].join(", ");
}

function clamped(text: string, lo: number, hi: number): string {
  return `GREATEST(${double(lo)}, LEAST(${double(hi)}, ${text}))`;
}

function shapeText(shape: Shape): string {
  const name = quoted(shape.name);
  const missing = double(shape.missing.value);
  const values = shape.bins.map(({ value }) => double(value));
  if (shape.kind === "category") {
    const branches = shape.groups.map(
      (categories, bin) => `WHEN ${name} IN (${categories.map(literal).join(", ")}) THEN ${values[bin]}`,
    );
    return branches.length === 0 ? missing : `(CASE ${branches.join(" ")} ELSE ${missing} END)`;
  }
  const branches = shape.edges.map((edge, bin) => `WHEN ${name} < ${double(edge)} THEN ${values[bin]}`);
  const last = values.at(-1) ?? missing;
  return `(CASE WHEN ${name} IS NULL THEN ${missing} ${[...branches, `ELSE ${last}`].join(" ")} END)`;
}
