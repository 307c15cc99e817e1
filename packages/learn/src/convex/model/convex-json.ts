import { eventFromJson, LetheError } from "@lethe/core";
import { closed, type FileKind, invalidFile, name, readYaml, says } from "@lethe/query/files";
import { z } from "zod";
import { designWidth } from "../../design/design.ts";
import type { ConvexModel } from "./convex-model.ts";

const modelJson: FileKind = {
  noun: "model",
  unreadable: "model.unreadable",
  invalid: "model.invalid",
  exactSections: new Set(),
};

const finite = z.number({ error: says("must be a finite number", "write it as 12, -3.5 or 1e6") });
const positive = finite.gt(0, { error: says("must be above 0", "write a number above 0") });
const notNegative = finite.min(0, { error: says("must be at least 0", "write 0 or more") });
const distinct = (list: readonly unknown[]): boolean => new Set(list).size === list.length;

const column = z.discriminatedUnion("kind", [
  closed({
    kind: z.literal("number"),
    name,
    bounds: z
      .tuple([finite, finite])
      .refine(([lo, hi]) => lo < hi, says("must increase", "write [lowest, highest]")),
  }),
  closed({
    kind: z.literal("category"),
    name,
    categories: z
      .array(z.union([z.string(), z.boolean(), finite]))
      .min(1)
      .refine(distinct, says("has a category twice", "write each category once")),
  }),
]);

const loss = z.discriminatedUnion("name", [
  closed({ name: z.enum(["linear", "squared", "logistic", "hinge"]) }),
  closed({ name: z.literal("huber"), corner: positive }),
  closed({ name: z.literal("smooth-hinge"), width: positive }),
]);

const price = closed({ epsilon: notNegative, delta: notNegative });
const common = {
  lipschitz: notNegative,
  smoothness: notNegative.nullable(),
  diameter: positive,
  price,
  bound: closed({
    risk: z.enum(["empirical", "population"]),
    proven: notNegative,
    withoutData: notNegative,
    vacuous: z.boolean(),
  }),
};
const theorem = closed({ sigma: positive, epsilon: positive, stepSize: positive, excess: notNegative });

/** The report of each algorithm: all of them, and what it tells beside them. */
const reports: Readonly<Record<ConvexModel["algorithm"], z.ZodType<ConvexModel["report"]>>> = {
  "noisy-descent@1": closed({ ...common, sigma: notNegative, theorem: theorem.nullable() }),
  "localization@1": closed(common),
  "one-pass@1": closed({ ...common, rhoWithoutIteration: notNegative }),
  "output-perturbation@1": closed({
    ...common,
    sensitivity: closed({ exact: notNegative, computed: notNegative }),
  }),
  "objective-perturbation@1": closed({ ...common, accuracy: notNegative }),
  "frank-wolfe@1": closed(common),
};

const tuning = closed({
  candidate: finite.int().min(0),
  score: finite,
  report: closed({ price, oneTry: notNegative }),
}).nullable();

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

const schemaOf = (algorithm: ConvexModel["algorithm"]): z.ZodType<ConvexModel> =>
  closed({
    kind: z.literal("convex"),
    version: z.literal(1),
    target: column,
    features: z
      .array(column)
      .min(1)
      .refine(
        (columns) => distinct(columns.map((each) => each.name)),
        says("name a column twice", "write each column once"),
      ),
    intercept: z.boolean(),
    loss,
    weights: z.array(finite),
    algorithm: z.literal(algorithm),
    report: reports[algorithm],
    tuning,
    adjacency: z.enum(["add-or-remove-one", "replace-one"]),
    event,
  })
    .refine(({ target }) => target.kind === "number" || target.categories.length === 2, {
      path: ["target"],
      message: says("must be a number or two categories", "write both classes"),
    })
    .refine(
      ({ features, intercept, weights }) => weights.length === designWidth({ columns: features, intercept }),
      {
        path: ["weights"],
        message: says("are not one for each entry", "write a weight for each number and each category"),
      },
    );

/** Writes a model as JSON. */
export function convexToJson(model: ConvexModel): string {
  return JSON.stringify(model, null, 2);
}

/**
 * Reads a model that {@link convexToJson} wrote: no key is unknown, every number is finite, and every entry has its weight.
 * Errors: model.unreadable (no JSON, repeated keys, over 1 MiB); model.invalid with the line, the key and what would be accepted.
 */
export function readConvex(text: string): ConvexModel {
  const tree = readYaml(text, modelJson);
  const { data } = tree;
  const named =
    typeof data === "object" && data !== null && "algorithm" in data ? String(data.algorithm) : "";
  const algorithm = Object.hasOwn(reports, named) ? (named as ConvexModel["algorithm"]) : "noisy-descent@1";
  const result = schemaOf(algorithm).safeParse(data);
  if (!result.success) throw invalidFile(result.error.issues, tree, modelJson);
  return result.data;
}
