import { name, says } from "@lethe/query/files";
import type { z } from "zod";
import { features, source } from "./model-schema.ts";
import type { RowFile } from "./read-row-task.ts";

/** The keys of a description that say it. */
export const rowKeys: typeof source & {
  readonly target: z.ZodString;
  readonly features: z.ZodType<string[]>;
} = {
  ...source,
  target: name.describe("The column that is predicted: a number with bounds, or one with categories."),
  features,
};

/** Adds an issue for a source that is named twice or not at all, and for a target among the features. */
export function checkRowKeys(file: RowFile, context: z.core.$RefinementCtx<RowFile>): void {
  const faulty = (key: string, message: string): void =>
    context.addIssue({ code: "custom", path: [key], message });
  if ((file.table === undefined) === (file.from === undefined))
    faulty("table", says("must stand alone: table or from", "write table: people"));
  if (file.features.includes(file.target))
    faulty("features", says("hold the target", "leave the target out of the features"));
}
