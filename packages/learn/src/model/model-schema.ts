import { boolean, closed, name, number, positiveInteger, says, text } from "@lethe/query/files";
import { z } from "zod";
import type { ModelFile } from "./model-file.ts";

const distinct = (list: readonly string[]): boolean => new Set(list).size === list.length;

export const features: z.ZodType<string[]> = z
  .array(name, { error: says("must be a list of columns", "write features: [age, sector]") })
  .min(1, says("must not be empty", "write features: [age, sector]"))
  .refine(distinct, says("names a column twice", "write each column once"));

export const source: {
  readonly version: z.ZodLiteral<1>;
  readonly table: z.ZodOptional<z.ZodString>;
  readonly from: z.ZodOptional<z.ZodString>;
  readonly where: z.ZodOptional<z.ZodString>;
} = {
  version: z.literal(1, { error: says("must be 1", "write version: 1") }),
  table: name.optional().describe("The table of the policy whose rows are learned from."),
  from: name.optional().describe("The table or view of the policy whose rows are learned from."),
  where: text.optional().describe("A condition on the rows, as SQL: age >= 18 AND sector <> 'x'."),
};

const target = name.describe("The column that is predicted.");
const intercept = boolean.optional().describe("Whether the line may miss the origin: true unless stated.");

const penalty = number
  .refine((x) => x > 0, says("must be above 0", "write penalty: 1, or model: linear-regression"))
  .describe("λ: public, chosen before the data are seen. It counts rows.");

const marginals = z.union(
  [
    z.literal(1),
    z.literal(2),
    z
      .array(z.array(name).min(1).max(2).refine(distinct, says("names a column twice", "write each once")))
      .min(1),
  ],
  { error: says("is not 1, 2 or lists of columns", "write marginals: 2, or marginals: [[a, b], [c]]") },
);

const kind = <Kind extends string>(model: Kind): z.ZodLiteral<Kind> =>
  z.literal(model).describe("What is learned.");

/** The format of a model's file. */
export const modelSchema: z.ZodType<ModelFile> = z
  .discriminatedUnion(
    "model",
    [
      closed({ ...source, model: kind("linear-regression"), target, features, intercept }),
      closed({ ...source, model: kind("ridge-regression"), target, features, intercept, penalty }),
      closed({ ...source, model: kind("covariance"), features }),
      closed({ ...source, model: kind("pca"), features, components: positiveInteger.optional() }),
      closed({ ...source, model: kind("naive-bayes"), target, features }),
      closed({ ...source, model: kind("marginals"), features: features.optional(), marginals }),
    ],
    {
      error: (issue) =>
        issue.code === "invalid_union"
          ? says(
              "is not a kind of model",
              "write model: linear-regression, ridge-regression, covariance, pca, naive-bayes or marginals",
            )
          : says("must be a map of keys", "write version, table, model, features …"),
    },
  )
  .superRefine((file, context) => {
    const faulty = (key: string, message: string): void =>
      context.addIssue({ code: "custom", path: [key], message });
    if ((file.table === undefined) === (file.from === undefined))
      faulty("table", says("must stand alone: table or from", "write table: people"));
    if ("target" in file && file.features.includes(file.target))
      faulty("features", says("hold the target", "leave the target out of the features"));
    if (file.model === "pca" && (file.components ?? 1) > file.features.length)
      faulty("components", says("are more than the features", "write at most as many as there are features"));
    if (file.model === "marginals" && (file.features === undefined) === (typeof file.marginals === "number"))
      faulty(
        "features",
        says(
          "stand beside marginals: 1 or 2, and not beside lists",
          "write features: [a, b] and marginals: 2, or marginals: [[a, b]] alone",
        ),
      );
  });
