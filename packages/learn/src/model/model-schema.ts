import { boolean, closed, name, number, positiveInteger, says, text } from "@lethe/query/files";
import { z } from "zod";
import type { ModelFile } from "./model-file.ts";
import { ownersWords } from "./owners-words-schema.ts";

const distinct = (list: readonly string[]): boolean => new Set(list).size === list.length;

export const features: z.ZodType<string[]> = z
  .array(name, { error: says("must be a list of columns", "write features: [age, sector]") })
  .min(1, says("must not be empty", "write features: [age, sector]"))
  .refine(distinct, says("names a column twice", "write each column once"))
  .meta({ uniqueItems: true })
  .describe("The columns that are learned from, or with.");

export const source: {
  readonly version: z.ZodLiteral<1>;
  readonly table: z.ZodOptional<z.ZodString>;
  readonly from: z.ZodOptional<z.ZodString>;
  readonly where: z.ZodOptional<z.ZodString>;
} & typeof ownersWords = {
  version: z
    .literal(1, { error: says("must be 1", "write version: 1") })
    .describe("The version of this format: 1."),
  table: name.optional().describe("The table of the policy whose rows are learned from."),
  from: name.optional().describe("The table or view of the policy whose rows are learned from."),
  where: text.optional().describe("A condition on the rows, as SQL: age >= 18 AND sector <> 'x'."),
  ...ownersWords,
};

/** The rule that exactly one of table and from stands in a file, as JSON Schema says it. */
export const oneSource: { readonly oneOf: readonly object[] } = {
  oneOf: [{ required: ["table"] }, { required: ["from"] }],
};

const target = name.describe("The column that is predicted.");
const intercept = boolean.optional().describe("Whether the line may miss the origin: true unless stated.");

const penalty = number
  .refine((x) => x > 0, says("must be above 0", "write penalty: 1, or model: linear-regression"))
  .meta({ exclusiveMinimum: 0 })
  .describe("λ, which counts rows: public, and chosen before the data are seen.");

const components = positiveInteger
  .optional()
  .describe("How many components are kept: as many as there are features, unless stated.");

const marginals = z
  .union(
    [
      z.literal(1),
      z.literal(2),
      z
        .array(
          z
            .array(name)
            .min(1)
            .max(2)
            .refine(distinct, says("names a column twice", "write each once"))
            .meta({ uniqueItems: true }),
        )
        .min(1),
    ],
    { error: says("is not 1, 2 or lists of columns", "write marginals: 2, or marginals: [[a, b], [c]]") },
  )
  .describe("Which columns are counted together: all single ones, all pairs, or those listed.");

/** Features stand beside 1 or 2 marginals, and not beside lists. */
const featuresWithNumber = {
  allOf: [
    {
      if: { properties: { marginals: { type: "array" } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { not: { required: ["features"] } },
      else: { required: ["features"] },
    },
  ],
};

/** The member that names a kind of model. */
export const kindOf = <Kind extends string>(model: Kind): z.ZodLiteral<Kind> =>
  z
    .literal(model, { error: says(`must be ${model}`, `write model: ${model}`) })
    .describe("The kind of model that is learned.");

const kinds = [
  closed({ ...source, model: kindOf("linear-regression"), target, features, intercept }).meta(oneSource),
  closed({ ...source, model: kindOf("ridge-regression"), target, features, intercept, penalty }).meta(
    oneSource,
  ),
  closed({ ...source, model: kindOf("covariance"), features }).meta(oneSource),
  closed({ ...source, model: kindOf("pca"), features, components }).meta(oneSource),
  closed({ ...source, model: kindOf("naive-bayes"), target, features }).meta(oneSource),
  closed({ ...source, model: kindOf("marginals"), features: features.optional(), marginals }).meta({
    ...oneSource,
    ...featuresWithNumber,
  }),
] as const;

/** The format of each kind, but for the rules between its members. */
export const momentFormats: readonly z.ZodType[] = kinds;

/** The format of a model's file. */
export const modelSchema: z.ZodType<ModelFile> = z
  .discriminatedUnion("model", kinds, {
    error: (issue) =>
      issue.code === "invalid_union"
        ? says(
            "is not a kind of model",
            "write model: linear-regression, ridge-regression, covariance, pca, naive-bayes, marginals, k-means, boosting, network or convex",
          )
        : says("must be a map of keys", "write version, table, model, features …"),
  })
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
