import type { Policy } from "@lethe/query";
import { invalidFile, readYaml } from "@lethe/query/files";
import type { ModelColumn } from "../../model/model.ts";
import { unfit } from "../../model/read-columns.ts";
import { modelFile } from "../../model/read-model.ts";
import { readRowTask } from "../../model/read-row-task.ts";
import { boostingSchema } from "./boosting-schema.ts";
import type { BoostingTask } from "./boosting-task.ts";

/**
 * Reads the description of a boosting from YAML text, and checks it against a policy: every column has public bounds or categories, and a target of
 * categories has two. Pure. Errors: model.unreadable (not YAML, repeated keys, over 1 MiB); model.invalid with the line, the key and what would be
 * accepted.
 * @example await readBoostingTask("version: 1\ntable: people\nmodel: boosting\ntarget: member\nfeatures: [age, wage]", policy)
 */
export async function readBoostingTask(text: string, policy: Policy): Promise<BoostingTask> {
  const tree = readYaml(text, modelFile);
  const result = boostingSchema.safeParse(tree.data);
  if (!result.success) throw invalidFile(result.error.issues, tree, modelFile);
  const { version, table, from, where, model, purpose, limits, ...rest } = result.data;
  const { target, features, ...settings } = rest;
  return {
    ...({ kind: "boosting", version: 1 } as const),
    ...(await readRowTask(result.data, tree, policy, demandTarget)),
    ...stated(settings),
  };
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
