import type { Policy } from "@lethe/query";
import { closed, invalidFile, name, number, positiveInteger, readYaml, says } from "@lethe/query/files";
import { z } from "zod";
import type { ModelColumn } from "../../model/model.ts";
import { features, source } from "../../model/model-schema.ts";
import { readColumn, unfit } from "../../model/read-columns.ts";
import { checkCondition, checkSource, modelFile, placed, sourceOf } from "../../model/read-model.ts";
import type { BoostingTask } from "./boosting-task.ts";
import { most } from "./check-description.ts";

const positive = number.refine((x) => x > 0, says("must be above 0", "write 1, or another number above 0"));

const schema = closed({
  ...source,
  model: z.literal("boosting", { error: says("must be boosting", "write model: boosting") }),
  target: name.describe("The column that is predicted: a number, or two categories."),
  features,
  bins: positiveInteger
    .min(2, { error: says("must be at least 2", "write bins: 16") })
    .max(most.bins, { error: says(`must be at most ${most.bins}`, "write bins: 16") })
    .optional()
    .describe("The most bins of a number: 16 unless stated."),
  rounds: positiveInteger
    .max(most.rounds, { error: says(`must be at most ${most.rounds}`, "write rounds: 8: each is paid") })
    .optional()
    .describe("How often every shape is bettered in turn: 8 unless stated. Each is paid."),
  rate: positive
    .max(1, { error: says("must be at most 1", "write rate: 1") })
    .optional()
    .describe("The share of a Newton step that is taken: 1 unless stated."),
  clip: positive.optional().describe("The largest norm of a unit's residuals in one step: 1 unless stated."),
  countShare: positive
    .refine((x) => x < 1, says("must be below 1", "write countShare: 0.2"))
    .optional()
    .describe("The share of the budget that pays for the counts: 0.2 unless stated."),
  shrinkage: positive
    .optional()
    .describe("How much a step shrinks, in deviations of one sum's noise: 1 unless stated."),
}).superRefine((file, context) => {
  const faulty = (key: string, message: string): void =>
    context.addIssue({ code: "custom", path: [key], message });
  if ((file.table === undefined) === (file.from === undefined))
    faulty("table", says("must stand alone: table or from", "write table: people"));
  if (file.features.includes(file.target))
    faulty("features", says("hold the target", "leave the target out of the features"));
});

/**
 * Reads the description of a boosting from YAML text, and checks it against a policy: every column has public bounds or categories, and a target of
 * categories has two. Pure. Errors: model.unreadable (not YAML, repeated keys, over 1 MiB); model.invalid with the line, the key and what would be
 * accepted.
 * @example await readBoostingTask("version: 1\ntable: people\nmodel: boosting\ntarget: member\nfeatures: [age, wage]", policy)
 */
export async function readBoostingTask(text: string, policy: Policy): Promise<BoostingTask> {
  const tree = readYaml(text, modelFile);
  const result = schema.safeParse(tree.data);
  if (!result.success) throw invalidFile(result.error.issues, tree, modelFile);
  const { version, table, from, where = null, model, target, features: names, ...settings } = result.data;
  const [sourceKey, source] = sourceOf(result.data);
  await placed(tree, [sourceKey], () => checkSource(source, policy));
  if (where !== null) await placed(tree, ["where"], () => checkCondition(source, where, policy));
  const columns: ModelColumn[] = [];
  for (const [at, column] of names.entries())
    columns.push(await placed(tree, ["features", at], () => readColumn(source, column, policy)));
  return {
    ...({ kind: "boosting", version: 1 } as const),
    ...{ source, where },
    target: await placed(tree, ["target"], async () =>
      demandTarget(await readColumn(source, target, policy)),
    ),
    features: columns,
    ...stated(settings),
  };
}

/** Whether YAML text describes a boosting. Errors: model.unreadable. */
export function describesBoosting(text: string): boolean {
  const { data } = readYaml(text, modelFile);
  return typeof data === "object" && data !== null && "model" in data && data.model === "boosting";
}

function stated(settings: Readonly<Record<string, number | undefined>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function demandTarget(column: ModelColumn): ModelColumn {
  if (column.kind === "number" || column.categories.length === 2) return column;
  throw unfit(
    `${JSON.stringify(column.name)} has ${column.categories.length} categories, and a boosting tells two apart`,
    "name a column with two categories, a boolean, or a number with bounds",
  );
}
