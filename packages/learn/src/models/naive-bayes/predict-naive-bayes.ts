import { elementAt } from "@lethe/core/numeric";
import type { Category, ModelColumn } from "../../model/model.ts";
import { double, literal } from "../../sql/literal.ts";
import { byCategory, clampedText } from "../column-text.ts";
import { categoryPlace, clampedValue, type RowValues } from "../row-values.ts";
import type { ClassLaw, FeatureLaw, FittedNaiveBayes } from "./fitted-naive-bayes.ts";

/** The log of share times density of each class, in the order of the target's categories; null where a feature is missing. */
export function classScores(
  { classes, features }: FittedNaiveBayes,
  row: RowValues,
): readonly number[] | null {
  const scores = classes.map(({ logShare, features: laws }) =>
    features.reduce<number | null>((total, column, i) => {
      const term = termOf(column, elementAt(laws, i), row);
      return total === null || term === null ? null : total + term;
    }, logShare),
  );
  return scores.every((score): score is number => score !== null) ? scores : null;
}

function termOf(column: ModelColumn, law: FeatureLaw, row: RowValues): number | null {
  if (column.kind === "number") {
    const value = clampedValue(column, row);
    if (value === null || law.kind !== "number") return null;
    const z = (value - law.mean) / law.deviation;
    return -0.5 * z * z - Math.log(law.deviation);
  }
  const place = categoryPlace(column, row);
  return place === null || law.kind !== "category" ? null : elementAt(law.logShares, place);
}

/** The class of largest score, the first of several. */
export function predictClass(fitted: FittedNaiveBayes, row: RowValues): Category | null {
  const scores = classScores(fitted, row);
  return scores && (fitted.target.categories[scores.indexOf(Math.max(...scores))] ?? null);
}

/** The scores as expressions of SQL, in PostgreSQL's syntax. */
export function classScoresSql({ classes, features }: FittedNaiveBayes): readonly string[] {
  return classes.map(({ logShare, features: laws }: ClassLaw) =>
    [double(logShare), ...features.map((column, i) => termSql(column, elementAt(laws, i)))].join(" + "),
  );
}

function termSql(column: ModelColumn, law: FeatureLaw): string {
  if (column.kind === "category")
    return byCategory(column, (_, place) =>
      double(law.kind === "category" ? elementAt(law.logShares, place) : 0),
    );
  if (law.kind !== "number") return "NULL";
  const z = `((${clampedText(column)} - ${double(law.mean)}) / ${double(law.deviation)})`;
  return `${double(-0.5)} * ${z} * ${z} - ${double(Math.log(law.deviation))}`;
}

/** The class as an expression of SQL. */
export function classSql(fitted: FittedNaiveBayes): string {
  const scores = classScoresSql(fitted).map((score) => `(${score})`);
  const [first] = scores;
  const branches = fitted.target.categories.map((category, place) => {
    const others = scores.slice(place + 1).map((other) => `${elementAt(scores, place)} >= ${other}`);
    return others.length === 0
      ? `ELSE ${literal(category)}`
      : `WHEN ${others.join(" AND ")} THEN ${literal(category)}`;
  });
  return `(CASE WHEN ${first ?? "NULL"} IS NULL THEN NULL ${branches.join(" ")} END)`;
}
