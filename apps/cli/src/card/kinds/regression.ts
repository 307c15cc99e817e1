import type { Category, FittedRegression } from "@lethe/learn";
import { confidencePercent } from "../../render/number.ts";
import { figure, withInterval } from "../figures.ts";
import { type Block, code, paragraph, table } from "../markdown.ts";
import type { FittedPart } from "../model-part.ts";
import { names, predictedBy, shownCategory } from "./model-columns.ts";

/** A linear or a ridge regression: its coefficients with their intervals. */
export function regressionPart(model: FittedRegression): FittedPart {
  const { kind, target, features, penalty, intercept } = model;
  const isRidge = kind === "ridge-regression";
  const beside = features.flatMap((feature) => {
    const base = feature.kind === "category" ? baseOf(model, feature.name, feature.categories) : null;
    return base === null ? [] : [`${code(feature.name)} = ${shownCategory(base)}`];
  });
  return {
    title: `${isRidge ? "Ridge" : "Linear"} regression of ${code(target.name)}`,
    about: [
      `It predicts the number ${code(target.name)} of a row as a sum: ${intercept === null ? "" : "a constant, and "}a coefficient for each of ${names(features)}, times the row's number, or where the row has that category.`,
      ...(beside.length > 0
        ? [`Categories are compared with ${beside.join("; ")}, which adds nothing.`]
        : []),
      ...(isRidge
        ? [
            `Coefficients are held back by λ ${figure(penalty)}, chosen before the data were seen: a public penalty that weighs as much as so many rows.`,
          ]
        : []),
    ],
    columns: predictedBy(target, features),
    exactness: coefficients(model),
    unmeasured: [
      "The intervals are of the coefficients that the same fit without noise has on the rows in the database, cleaned and limited as the policy says. They are not those of a population that the rows were drawn from.",
    ],
  };
}

/** The category that others are compared with: the one without a coefficient. */
function baseOf(
  { coefficients: found }: FittedRegression,
  name: string,
  categories: readonly Category[],
): Category | null {
  const own = found.filter(({ column }) => column === name).map(({ category }) => category);
  return categories.find((category) => !own.includes(category)) ?? null;
}

function coefficients({
  intercept,
  coefficients: found,
  confidence,
  drowned,
}: FittedRegression): readonly Block[] {
  const rows = [
    ...(intercept === null ? [] : [["constant", ...withInterval(intercept.value, intercept.interval)]]),
    ...found.map(({ column, category, value, interval }) => [
      category === null ? code(column) : `${code(column)} = ${shownCategory(category)}`,
      ...withInterval(value, interval),
    ]),
  ];
  return [
    table(["term", "coefficient", `${confidencePercent(confidence)} interval`], rows),
    paragraph(
      drowned
        ? "The noise is not small beside the data in some direction: there are no intervals, and the coefficients are held back by a public rule."
        : "The intervals hold what the noise may have added, and nothing else.",
    ),
  ];
}
