import { LetheError } from "@lethe/core";
import { type Policy, parseQuestion, resolveQuestion } from "@lethe/query";
import { type FileKind, invalidFile, type Path, readYaml, type YamlTree } from "@lethe/query/files";
import { quoted } from "../sql/quoted.ts";
import type { Model } from "./model.ts";
import type { Source } from "./model-file.ts";
import { modelSchema } from "./model-schema.ts";
import { wordsOf } from "./owners-words.ts";
import { unfit } from "./read-columns.ts";
import { readTask } from "./read-task.ts";

/** What a model's description is called in refusals. */
export const modelFile: FileKind = {
  noun: "model",
  unreadable: "model.unreadable",
  invalid: "model.invalid",
  exactSections: new Set(),
};

/**
 * Reads the description of a model from YAML text, and checks it against a policy. Pure: no file is opened, and no row is read.
 * Errors: model.unreadable (not YAML, anchors, repeated keys, over 1 MiB); model.invalid with the line, the key and what would be accepted.
 * @example await readModel("version: 1\ntable: people\nmodel: linear-regression\ntarget: wage\nfeatures: [age]", policy)
 */
export async function readModel(text: string, policy: Policy): Promise<Model> {
  const tree = readYaml(text, modelFile);
  const result = modelSchema.safeParse(tree.data);
  if (!result.success) throw invalidFile(result.error.issues, tree, modelFile);
  const file = result.data;
  const at = <T>(path: Path, read: () => Promise<T>): Promise<T> => placed(tree, path, read);
  const [sourceKey, source] = sourceOf(file);
  const where = file.where ?? null;
  await at([sourceKey], () => checkSource(source, policy));
  if (where !== null) await at(["where"], () => checkCondition(source, where, policy));
  return { version: 1, source, where, ...wordsOf(file), task: await readTask(file, source, policy, at) };
}

export function sourceOf(file: Source): readonly [string, string] {
  return file.table === undefined ? ["from", file.from ?? ""] : ["table", file.table];
}

/**
 * The moments of a model come from several questions, so each must count the same rows: of a table whose units may have several rows, those
 * that are kept before any question is asked. Views are checked where they are planned (statistics/same-rows.ts).
 */
export async function checkSource(source: string, policy: Policy): Promise<void> {
  resolveQuestion(await parseQuestion(`SELECT COUNT(*) FROM ${quoted(source)}`), policy);
  const table = Object.hasOwn(policy.tables, source) ? policy.tables[source] : undefined;
  if (!table) return;
  if (table.unit.kind !== "row" && table.contribution.limit !== "rows-before-filter") {
    throw unfit(
      `a unit may have several rows in ${JSON.stringify(source)}, and each question would count others of them`,
      "write limit: rows-before-filter at the table in the policy",
    );
  }
}

/** A condition is one expression: it must be readable with brackets around it and without. */
export async function checkCondition(source: string, where: string, policy: Policy): Promise<void> {
  const start = `SELECT COUNT(*) FROM ${quoted(source)} WHERE`;
  await parseQuestion(`${start} (\n${where}\n)`);
  const {
    groupBy,
    post,
    where: condition,
  } = resolveQuestion(await parseQuestion(`${start} ${where}\n`), policy);
  const alone = groupBy.length === 0 && !post.having && post.orderBy.length === 0 && post.limit === null;
  if (condition === null || !alone) throw unfit("is not a condition alone", "write where: age >= 18");
}

/** Puts the place in the file before a refusal: whatever a question about the column or the condition is refused with. */
export async function placed<T>(tree: YamlTree, path: Path, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LetheError) || error.code.startsWith("internal.")) throw error;
    const { line, column } = tree.place(path);
    const key = path
      .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
      .join("")
      .slice(1);
    throw new LetheError("model.invalid", `line ${line}, ${key}: ${error.message}`, {
      fix: error.fix,
      fields: { path: key, line, column },
    });
  }
}
