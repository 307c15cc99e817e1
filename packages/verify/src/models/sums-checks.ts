import { canonicalJson } from "@lethe/core/canonical";
import type { Plan, Policy } from "@lethe/query";
import { failed, type Verdict, verdict } from "../checks/check.ts";
import type { WorkloadRelease } from "../format/workload.ts";
import { type AskedQuestion, type AskedSum, askedQuestion, indexedSums, sumKey } from "./asked-question.ts";
import { type DescribedRows, describedRows } from "./described-rows.ts";
import { columnsNamed, type DescribedNumber, type Description, isKMeans } from "./description.ts";
import { modelAt } from "./description-checks.ts";
import { isScale, shapeOf } from "./expression-shape.ts";
import { kMeansFaults } from "./k-means-checks.ts";
import { type NeededSum, neededSums } from "./needed-sums.ts";

type Index = ReturnType<typeof indexedSums>;

/**
 * Checks that the questions of a release are those that its models' descriptions need: each sum that a model rests on was asked for, over the rows
 * that it describes, with its columns scaled by the bounds and grouped by the categories that it describes. All are derived here from the
 * descriptions, and read out of the plans' own questions.
 */
export async function sumsAreAsked(
  descriptions: readonly Description[],
  release: WorkloadRelease,
  policy: Policy,
): Promise<Verdict> {
  const { plans } = release.certificate.workload;
  const asked: AskedQuestion[] = [];
  for (const plan of plans) {
    const question = await askedQuestion(plan, policy);
    if (question === null) return failed("a question of the release does not show every row of its answer");
    asked.push(question);
  }
  const sums = indexedSums(asked);
  const amiss: string[] = [];
  for (const [at, description] of descriptions.entries()) {
    const { source, where } = description;
    const columns = columnsNamed(description);
    const rows = await describedRows({ source, where, columns }, policy);
    const faults =
      rows === null
        ? ["is about rows whose condition is more than a condition"]
        : isKMeans(description)
          ? kMeansFaults(description, rows, asked, release.answers)
          : faultsOf(neededSums(description.task), rows, sums);
    for (const fault of faults) amiss.push(`${modelAt(at)} ${fault}`);
  }
  return verdict(
    amiss,
    "every sum that the models rest on was asked for, over the rows and columns that they describe",
  );
}

/** Names the first sum that was not asked for as described, and whether the questions disagree about the rows of a unit. */
function faultsOf(needed: Iterable<NeededSum>, rows: DescribedRows, sums: Index): readonly string[] {
  const among = sums.get(rows.rows);
  if (!among) return ["is about rows that no question of the release is about"];
  const used = new Set<Plan>();
  for (const sum of needed) {
    const named = [...sum.keys, ...sum.factors].map(({ name }) => name).join(", ");
    const shape = (name: string): string => rows.columns.get(name) ?? "";
    const found = among.get(
      sumKey(
        sum.keys.map(({ name }) => shape(name)),
        sum.factors.map(({ name }) => shape(name)),
      ),
    );
    if (!found) return [`needs a sum of ${named || "rows"} that was not asked for`];
    const scaled = found.filter(({ factors }) => areScaled(factors, sum.factors, shape));
    if (scaled.length === 0) return [`describes other bounds than the sum of ${named} was asked with`];
    const answered = scaled.find(({ question }) => answersAll(question, sum, shape));
    if (!answered) return [`describes categories that the sum of ${named || "rows"} does not answer`];
    used.add(answered.question.plan);
  }
  return new Set([...used].map(rowsKept)).size <= 1
    ? []
    : ["rests on questions that keep different rows of a unit"];
}

/** Whether factors are these columns, each mapped by its bounds to [−1, 1]. */
function areScaled(
  factors: AskedSum["factors"],
  columns: readonly DescribedNumber[],
  shape: (name: string) => string,
): boolean {
  return columns.every((described) =>
    factors
      .filter(({ column }) => column === shape(described.name))
      .every((factor) => isScale(described.bounds, factor)),
  );
}

/** Whether a question answers every combination of the described categories, without a selection. */
function answersAll({ plan, keys }: AskedQuestion, sum: NeededSum, shape: (name: string) => string): boolean {
  if (sum.keys.length === 0) return true;
  const { program } = plan.keys;
  if (program.kind !== "public") return false;
  const places = sum.keys.map(({ name }) => keys.findIndex((key) => shapeOf(key) === shape(name)));
  const declared = new Set(program.declared.map((key) => canonicalJson(places.map((at) => key[at] ?? null))));
  const cells = sum.keys.reduce<readonly (readonly unknown[])[]>(
    (all, { categories }) => all.flatMap((cell) => categories.map((category) => [...cell, category])),
    [[]],
  );
  return cells.every((cell) => declared.has(canonicalJson(cell)));
}

/** Which rows of a unit a question counts: all where a unit is a row; else so many, which are chosen before the question is asked. */
function rowsKept({ text, unit, contribution: { limit, groups, rows } }: Plan): string {
  if (unit.kind === "row") return "all";
  // Rows that are chosen after the filter are chosen for each question anew.
  return limit === "rows-before-filter" ? `${groups * rows}` : text;
}
