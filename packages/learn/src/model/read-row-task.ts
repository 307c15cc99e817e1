import type { Policy } from "@lethe/query";
import { readYaml, type YamlTree } from "@lethe/query/files";
import type { ModelColumn } from "./model.ts";
import type { Source } from "./model-file.ts";
import { wordsOf } from "./owners-words.ts";
import { readColumn } from "./read-columns.ts";
import { checkCondition, checkSource, modelFile, placed, sourceOf } from "./read-model.ts";
import type { RowTask } from "./row-task.ts";

/** The same as it is written in YAML. */
export interface RowFile extends Source {
  readonly target: string;
  readonly features: readonly string[];
}

/**
 * Resolves source, condition and columns against a policy. `accept` refuses a target that the model cannot have. Errors: model.invalid, with the line
 * and the key.
 */
export async function readRowTask(
  file: RowFile,
  tree: YamlTree,
  policy: Policy,
  accept: (target: ModelColumn) => ModelColumn,
): Promise<RowTask> {
  const { where = null, target, features: names } = file;
  const [sourceKey, source] = sourceOf(file);
  await placed(tree, [sourceKey], () => checkSource(source, policy));
  if (where !== null) await placed(tree, ["where"], () => checkCondition(source, where, policy));
  const columns: ModelColumn[] = [];
  for (const [at, column] of names.entries())
    columns.push(await placed(tree, ["features", at], () => readColumn(source, column, policy)));
  const resolved = await placed(tree, ["target"], async () =>
    accept(await readColumn(source, target, policy)),
  );
  return { source, where, target: resolved, features: columns, ...wordsOf(file) };
}

/** The word that stands at `model` in a description; null where there is none. Errors: model.unreadable. */
export function modelKindOf(text: string): string | null {
  const { data } = readYaml(text, modelFile);
  if (typeof data !== "object" || data === null || !("model" in data)) return null;
  return typeof data.model === "string" ? data.model : null;
}
