import { eventFromJson, LetheError } from "@lethe/core";
import { closed, type FileKind, invalidFile, name, readYaml, says } from "@lethe/query/files";
import { z } from "zod";
import type { BoostedModel } from "./boosted-model.ts";

const modelJson: FileKind = {
  noun: "model",
  unreadable: "model.unreadable",
  invalid: "model.invalid",
  exactSections: new Set(),
};

const finite = z.number({ error: says("must be a finite number", "write it as 12, -3.5 or 1e6") });
const notNegative = finite.min(0, { error: says("must be at least 0", "write 0 or more") });
const bounds = z
  .tuple([finite, finite])
  .refine(([lo, hi]) => lo < hi, says("must increase", "write [lowest, highest]"));
const category = z.union([z.string(), z.boolean(), finite]);
const distinct = (list: readonly unknown[]): boolean => new Set(list).size === list.length;
const bin = closed({ value: finite, deviation: notNegative, weight: finite });

const numberShape = closed({
  kind: z.literal("number"),
  name,
  bounds,
  edges: z.array(finite),
  bins: z.array(bin),
  missing: bin,
})
  .refine(
    ({ edges, bins }) => bins.length === edges.length + 1,
    says("has another number of bins than edges make", "write one bin more than edges"),
  )
  .refine(
    ({ edges, bounds: [lo, hi] }) =>
      [lo, ...edges, hi].every((end, i, all) => i === 0 || end > (all[i - 1] ?? hi)),
    says("has edges that do not increase within its bounds", "sort the edges, and write each once"),
  );

const categoryShape = closed({
  kind: z.literal("category"),
  name,
  groups: z.array(z.array(category).min(1)),
  bins: z.array(bin),
  missing: bin,
})
  .refine(
    ({ groups, bins }) => bins.length === groups.length,
    says("has another number of bins than of groups", "write a bin for each group of categories"),
  )
  .refine(({ groups }) => distinct(groups.flat()), says("has a category twice", "write each category once"));

const target = z.discriminatedUnion("kind", [
  closed({ kind: z.literal("number"), name, bounds }),
  closed({
    kind: z.literal("category"),
    name,
    categories: z
      .array(category)
      .length(2, says("must be two", "write both classes"))
      .refine(distinct, says("must differ", "write two classes")),
  }),
]);

const event = z.unknown().transform((json, context) => {
  try {
    return eventFromJson(json);
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    context.addIssue({
      code: "custom",
      message: says(error.message, error.fix ?? "write it as the plan does"),
    });
    return z.NEVER;
  }
});

const schema: z.ZodType<BoostedModel> = closed({
  kind: z.literal("boosting"),
  version: z.literal(1),
  target,
  intercept: finite,
  shapes: z
    .array(z.discriminatedUnion("kind", [numberShape, categoryShape]))
    .refine(
      (shapes) => distinct(shapes.map((shape) => shape.name)),
      says("name a column twice", "write one shape a column"),
    ),
  adjacency: z.enum(["add-or-remove-one", "replace-one"]),
  event,
});

/** Writes a model as JSON. */
export function boostingToJson(model: BoostedModel): string {
  return JSON.stringify(model, null, 2);
}

/**
 * Reads a model that {@link boostingToJson} wrote, edited or not: no key is unknown, every number is finite, and every bin has its place.
 * Errors: model.unreadable (no JSON, repeated keys, over 1 MiB); model.invalid with the line, the key and what would be accepted.
 */
export function readBoosting(text: string): BoostedModel {
  const tree = readYaml(text, modelJson);
  const result = schema.safeParse(tree.data);
  if (!result.success) throw invalidFile(result.error.issues, tree, modelJson);
  return result.data;
}
