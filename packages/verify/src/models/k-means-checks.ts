import { noiseVariance } from "@lethe/core/accuracy";
import { elementAt } from "@lethe/core/numeric";
import type { Expression, Plan } from "@lethe/query";
import { named } from "../derive/named.ts";
import { isEstimate } from "../format/release.ts";
import type { Answer } from "../format/workload.ts";
import type { AskedQuestion } from "./asked-question.ts";
import type { DescribedRows } from "./described-rows.ts";
import type { KMeansDescription } from "./description.ts";
import { isScale, numberOf, operandsOf, type ScaledColumn, scaledColumn } from "./expression-shape.ts";

/** In scaled numbers, one a feature. */
type Centroid = readonly number[];

/** The points with Σ weights·z ≥ least, where one cluster is at least as near as another. */
interface HalfSpace {
  readonly weights: readonly number[];
  readonly least: number;
}

/**
 * Returns what is wrong with the questions of a k-means. There is one for each step: it groups rows by the nearest of the centroids that the
 * answers before lead to, and asks for the rows and the sums of each group. Centroids and their moves are derived here from released numbers.
 */
export function kMeansFaults(
  description: KMeansDescription,
  rows: DescribedRows,
  asked: readonly AskedQuestion[],
  answers: readonly Answer[],
): readonly string[] {
  const { features, clusters, steps } = description;
  if (asked.length !== steps) return [`takes ${steps} steps, and ${asked.length} questions were asked`];
  let centroids = startOf(clusters, features.length);
  for (const [step, question] of asked.entries()) {
    if (question.rows !== rows.rows) return ["is about rows that no question of the release is about"];
    const columns = features.map(({ name }) => rows.columns.get(name) ?? "");
    const scaled = scaledSums(question, columns);
    if (scaled === null) return [`needs sums that step ${step + 1} does not ask for`];
    if (!features.every(({ bounds }, i) => isScale(bounds, elementAt(scaled, i))))
      return [`describes other bounds than step ${step + 1} was asked with`];
    const [key] = question.keys;
    if (question.keys.length !== 1 || !key || !assignsTo(key, centroids, columns))
      return [`has a step ${step + 1} that does not follow from the answers before it`];
    const answer = answers[step];
    const moved = answer ? movedBy(answer, question.plan, centroids) : null;
    if (moved === null) return [`has a step ${step + 1} that is not answered for every cluster`];
    centroids = moved;
  }
  return [];
}

/** The first centroids: the sequence frac(½ + j·φ⁻ⁱ), j = 1 … k, mapped to [−1, 1], where φ^(d+1) = φ + 1. */
function startOf(clusters: number, dimension: number): readonly Centroid[] {
  let [low, high] = [1, 2];
  // φ lies between 1 and 2, and x^(d+1) − x − 1 has one root there.
  for (let turn = 0; turn < 60; turn++) {
    const middle = (low + high) / 2;
    if (middle ** (dimension + 1) > middle + 1) high = middle;
    else low = middle;
  }
  return Array.from({ length: clusters }, (_, j) =>
    Array.from({ length: dimension }, (_none, i) => 2 * ((0.5 + (j + 1) * high ** -(i + 1)) % 1) - 1),
  );
}

/** The columns that a question sums, where its answer has a cluster, its rows, and the sum of each column in their order; null for any other. */
function scaledSums({ sums }: AskedQuestion, columns: readonly string[]): readonly ScaledColumn[] | null {
  const [cluster, rows, ...rest] = sums;
  const singles = rest.flatMap((factors) => (factors?.length === 1 ? factors : []));
  const fits = cluster === null && rows?.length === 0 && singles.length === rest.length;
  return fits && columns.join("\n") === singles.map(({ column }) => column).join("\n") ? singles : null;
}

/** Doubles that were computed in another order differ by less. */
const rounding = 1e-9;

/** Whether a key names the nearest of the centroids: the first that is at least as near as each later one. */
function assignsTo(key: Expression, centroids: readonly Centroid[], columns: readonly string[]): boolean {
  if (key.kind !== "case" || key.branches.length !== centroids.length - 1) return false;
  const isNearest = key.branches.every(({ when, then }, at) => {
    const spaces = conditionsOf(when).map((condition) => halfSpaceOf(condition, columns));
    const one = elementAt(centroids, at);
    const due = centroids.slice(at + 1).map((other) => nearerThan(one, other));
    return (
      numberOf(then) === at &&
      spaces.length === due.length &&
      due.every((space, place) => agree(space, spaces[place] ?? null))
    );
  });
  return isNearest && numberOf(key.otherwise) === centroids.length - 1;
}

function conditionsOf(condition: Expression): readonly Expression[] {
  return condition.kind === "call" && condition.operator === "and"
    ? condition.args.flatMap(conditionsOf)
    : [condition];
}

/** ‖z − a‖² ≤ ‖z − b‖² where (a − b)·z ≥ (‖a‖² − ‖b‖²)/2. */
function nearerThan(a: Centroid, b: Centroid): HalfSpace {
  const squares = (point: Centroid): number => point.reduce((sum, x) => sum + x * x, 0);
  return { weights: a.map((x, i) => x - elementAt(b, i)), least: (squares(a) - squares(b)) / 2 };
}

function agree(due: HalfSpace, found: HalfSpace | null): boolean {
  if (found === null) return false;
  const near = (x: number, y: number): boolean => Math.abs(x - y) <= rounding * due.weights.length;
  return (
    near(due.least, found.least) &&
    due.weights.every((weight, i) => near(weight, elementAt(found.weights, i)))
  );
}

/** Reads Σ weight·z ≥ least, where each z is the scaled number of a column, in the columns' order; null for any other condition. */
function halfSpaceOf(condition: Expression, columns: readonly string[]): HalfSpace | null {
  const [sum, least] = operandsOf(condition, ">=");
  const bound = least ? numberOf(least) : null;
  const terms = sum ? termsOf(sum) : null;
  if (bound === null || terms?.length !== columns.length) return null;
  return terms.every(({ of }, i) => of.column === columns[i])
    ? { weights: terms.map(({ weight }) => weight), least: bound }
    : null;
}

interface Term {
  readonly weight: number;
  readonly of: ScaledColumn;
}

function termsOf(expression: Expression): readonly Term[] | null {
  const [one, other] = operandsOf(expression, "+");
  if (one && other) {
    const [first, second] = [termsOf(one), termsOf(other)];
    return first && second && [...first, ...second];
  }
  const [factor, scaled] = operandsOf(expression, "*");
  const weight = factor ? numberOf(factor) : null;
  const of = scaled ? scaledColumn(scaled) : null;
  return weight === null || of === null ? null : [{ weight, of }];
}

/**
 * Moves each centroid to the noisy mean of its rows, within [−1, 1]; where the noisy number of rows is not above one deviation of its noise, it
 * stays. Null where a cluster has no answer.
 */
function movedBy(
  { columns, rows }: Answer,
  plan: Plan,
  centroids: readonly Centroid[],
): readonly Centroid[] | null {
  const deviation = deviationOfCount(plan);
  const moved: Centroid[] = [];
  for (const [cluster, centroid] of centroids.entries()) {
    const row = rows.find(([key]) => String(key) === String(cluster));
    const numbers = row?.flatMap((cell) => (isEstimate(cell) && cell.value !== null ? [cell.value] : []));
    if (numbers?.length !== columns.length - 1) return null;
    const [count = 0, ...sums] = numbers;
    moved.push(count > deviation ? sums.map((sum) => clamped(sum / count)) : centroid);
  }
  return moved;
}

const clamped = (x: number): number => Math.min(1, Math.max(-1, x));

function deviationOfCount({ aggregates, measurements }: Plan): number {
  const counted = aggregates.find(({ kind }) => kind === "count");
  if (counted?.kind !== "count") throw new RangeError("a step of a k-means counts no rows");
  return Math.sqrt(noiseVariance(named(measurements, counted.count).noise));
}
