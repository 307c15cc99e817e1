import type {
  FittedCovariance,
  FittedKMeans,
  FittedMarginals,
  FittedNaiveBayes,
  FittedPca,
  FittedRegression,
  TrainedModel,
} from "@lethe/learn";
import { renderGrid } from "./grid.ts";
import { confidencePercent, decimalsFor, fixed, percent } from "./number.ts";

/** A fitted model, for a person to read. */
export function renderModel(model: TrainedModel): string {
  const notes = "notes" in model ? model.notes.map((note) => `Note    ${note}`) : [];
  return [bodyOf(model), ...(notes.length > 0 ? ["", ...notes] : [])].join("\n");
}

function bodyOf(model: TrainedModel): string {
  switch (model.kind) {
    case "linear-regression":
    case "ridge-regression":
      return regression(model);
    case "covariance":
      return covariance(model);
    case "pca":
      return components(model);
    case "naive-bayes":
      return classes(model);
    case "marginals":
      return tables(model);
    case "k-means":
      return centroids(model);
  }
}

const digits = (x: number): string => fixed(x, decimalsFor(Math.abs(x) / 100));

function regression(model: FittedRegression): string {
  const { target, penalty, intercept, coefficients, confidence, drowned } = model;
  const rows = [
    ...(intercept === null ? [] : [{ name: "(intercept)", ...intercept }]),
    ...coefficients.map(({ column, category, value, interval }) => ({
      name: category === null ? column : `${column} = ${category}`,
      value,
      interval,
    })),
  ];
  const table = rows.map(({ name, value, interval }) => {
    const decimals =
      interval === null
        ? decimalsFor(Math.abs(value) / 100)
        : decimalsFor((interval.upper - interval.lower) / 2);
    return [
      name,
      fixed(value, decimals),
      interval === null ? "—" : `${fixed(interval.lower, decimals)} … ${fixed(interval.upper, decimals)}`,
    ];
  });
  return [
    `${model.kind === "ridge-regression" ? `Ridge regression of ${target.name}, λ ${penalty}` : `Linear regression of ${target.name}`}`,
    renderGrid(["", "coefficient", `${confidencePercent(confidence)} interval`], table, [false, true, false]),
    ...(drowned
      ? [
          "The noise is not small beside the data in some direction: there are no intervals, and the coefficients are held back.",
        ]
      : []),
  ].join("\n");
}

function covariance({ features, rows, means, covariances, correlations }: FittedCovariance): string {
  const names = features.map(({ name }) => name);
  return [
    `Covariances of ${names.join(", ")} over about ${fixed(rows, 0)} rows; correlations above the diagonal`,
    renderGrid(
      ["", "mean", ...names],
      names.map((name, i) => [
        name,
        digits(means[i] ?? 0),
        ...names.map((_, j) => {
          const cell = j > i ? correlations[i]?.[j] : covariances[i]?.[j];
          return cell === null || cell === undefined ? "—" : j > i ? `(${fixed(cell, 3)})` : digits(cell);
        }),
      ]),
      [false, ...names.map(() => true), true],
    ),
  ].join("\n");
}

function components({ features, components: found }: FittedPca): string {
  return [
    `Principal components of ${features.map(({ name }) => name).join(", ")}, each scaled to half the width of its bounds`,
    renderGrid(
      ["", "share of variance", ...features.map(({ name }) => name)],
      found.map(({ share, loadings }, k) => [
        `component ${k + 1}`,
        percent(share),
        ...loadings.map((loading) => fixed(loading, 3)),
      ]),
      [false, true, ...features.map(() => true)],
    ),
  ].join("\n");
}

function classes({ target, features, classes: laws }: FittedNaiveBayes): string {
  const rows = features.flatMap((feature, at) => {
    const own = laws.map((law) => law.features[at]);
    if (feature.kind === "number")
      return [
        [
          `mean of ${feature.name} (deviation)`,
          ...own.map((law) =>
            law?.kind === "number" ? `${digits(law.mean)} (${digits(law.deviation)})` : "—",
          ),
        ],
      ];
    return feature.categories.map((category, place) => [
      `share of ${feature.name} = ${category}`,
      ...own.map((law) =>
        law?.kind === "category" ? percent(Math.exp(law.logShares[place] ?? -Infinity)) : "—",
      ),
    ]);
  });
  return [
    `Naive Bayes classifier of ${target.name}`,
    renderGrid(
      ["", ...target.categories.map(String)],
      [["share of the rows", ...laws.map(({ logShare }) => percent(Math.exp(logShare)))], ...rows],
      [false, ...target.categories.map(() => true)],
    ),
  ].join("\n");
}

function tables({ total, tables: found }: FittedMarginals): string {
  return [
    `Counts of about ${fixed(total, 0)} rows`,
    ...found.flatMap(({ columns, counts }) => {
      const [rows, across] = columns;
      const header = across ? across.categories.map(String) : ["rows"];
      const body = (rows?.categories ?? []).map((category, i) => [
        String(category),
        ...(counts[i] ?? []).map((count) => fixed(count, 1)),
      ]);
      const title = across ? `${rows?.name} \\ ${across.name}` : `${rows?.name}`;
      return ["", renderGrid([title, ...header], body, [false, ...header.map(() => true)])];
    }),
  ].join("\n");
}

function centroids({ features, centroids: found, counts, steps }: FittedKMeans): string {
  return [
    `${found.length} clusters, after ${steps} steps`,
    renderGrid(
      ["", "rows", ...features.map(({ name }) => name)],
      found.map((centroid, cluster) => [
        `cluster ${cluster}`,
        fixed(counts?.[cluster] ?? Number.NaN, 0),
        ...centroid.map(digits),
      ]),
      [false, true, ...features.map(() => true)],
    ),
    "The rows were counted before the last step moved the centroids. There are no intervals.",
  ].join("\n");
}
