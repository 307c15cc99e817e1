import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { byName, familyOf, type Plan } from "@lethe/query";
import type { Answer } from "../statistics/answer.ts";
import { encodedNumber } from "../statistics/layout-of.ts";
import { noiseShape } from "../statistics/noise-shape.ts";
import type { FittedKMeans, KMeansModel, KMeansState } from "./k-means-model.ts";
import { kMeansQuestion, kMeansStart } from "./k-means-question.ts";

/**
 * Moves the centroids by the release of {@link kMeansQuestion}: each to the noisy mean of its rows, within the bounds. Where the noisy count does not
 * pass one standard deviation of its noise, as in an empty cluster, the centroid stays. Reads the release alone, so it costs nothing; no noise makes
 * it fail. Errors: release.invalid where the release answers another question.
 */
export function kMeansStep(model: KMeansModel, state: KMeansState, release: Answer): KMeansState {
  const { columns, rows, certificate } = release;
  const names = ["cluster", "n", ...model.features.map((_, place) => `sum ${place}`)];
  if (certificate.plan.text !== kMeansQuestion(model, state)) throw another("its question is another");
  if (names.join("\n") !== columns.map(({ name }) => name).join("\n"))
    throw another("its columns are others");
  const byCluster = new Map(rows.map((row) => [String(row[0]), row]));
  const measured = state.centroids.map((_, cluster) => {
    const row = byCluster.get(String(cluster));
    if (!row) throw another("a cluster is missing");
    return row.slice(1).map(estimateOf);
  });
  const deviation = countDeviation(certificate.plan);
  return {
    step: state.step + 1,
    centroids: measured.map(([count = 0, ...sums], cluster) =>
      count > deviation
        ? sums.map((sum) => Math.max(-1, Math.min(1, sum / count)))
        : elementAt(state.centroids, cluster),
    ),
    counts: measured.map(([count = 0]) => count),
  };
}

/**
 * Folds the releases of a model's questions, in the order they were asked, and returns the centroids in the columns' own units.
 * Errors: release.invalid where a release answers another question than the one that those before it lead to.
 */
export function fitKMeans(model: KMeansModel, releases: readonly Answer[]): FittedKMeans {
  const { step, centroids, counts } = releases.reduce(
    (state, release) => kMeansStep(model, state, release),
    kMeansStart(model),
  );
  const { features } = model;
  const numbers = features.map(encodedNumber);
  return {
    ...({ kind: "k-means", version: 1 } as const),
    features,
    centroids: centroids.map((centroid) =>
      numbers.map(({ middle, half }, i) => middle + half * elementAt(centroid, i)),
    ),
    scales: numbers.map(({ half }) => half),
    counts,
    steps: step,
  };
}

function countDeviation({ outputs, aggregates, measurements, joint }: Plan): number {
  if (joint) throw another("its counts and sums are read from measurements that they share");
  const output = outputs[1];
  if (output?.kind !== "aggregate") throw another("its second column is no count");
  const aggregate = byName(aggregates, output.aggregate);
  const total = familyOf(aggregate).total(aggregate);
  if (!total) throw another("its second column is no count");
  return Math.sqrt(noiseShape(byName(measurements, total.measurement).noise, total.step).variance);
}

function estimateOf(cell: unknown): number {
  const value = typeof cell === "object" && cell !== null && "value" in cell ? cell.value : null;
  if (typeof value !== "number" || !Number.isFinite(value)) throw another("a cell is no number");
  return value;
}

function another(what: string): LetheError {
  return new LetheError("release.invalid", `this is no answer to the question of this step: ${what}`, {
    fix: "give the releases in the order in which kMeansQuestion was asked, each as it was released",
  });
}
