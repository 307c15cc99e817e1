import { boolean, closed, number, positiveInteger, says } from "@lethe/query/files";
import { z } from "zod";
import type { Source } from "../../model/model-file.ts";
import { kindOf, oneSource } from "../../model/model-schema.ts";
import { checkRowKeys, rowKeys } from "../../model/row-keys.ts";
import { type LossDescription, lossNames } from "../losses/loss-of.ts";
import type { AlgorithmName } from "./convex-task.ts";

const mostUnits = 2 ** 31;

const positive = (example: string, why = ""): z.ZodNumber =>
  number.gt(0, { error: says(`must be above 0${why}`, `write ${example}`) });

/** The settings that each algorithm has. */
const settingsOf = {
  descent: ["noise", "steps"],
  localization: ["stepSize"],
  "one-pass": ["stepSize"],
  "output-perturbation": ["ridge"],
  "objective-perturbation": [],
  "frank-wolfe": ["steps"],
} as const satisfies Readonly<Record<AlgorithmName, readonly string[]>>;

const algorithmNames = Object.keys(settingsOf) as AlgorithmName[];

/** The settings that a loss has beside its name. */
const lossSettings = [
  ["huber", "corner"],
  ["smooth-hinge", "width"],
] as const;

/** The rules that a setting stands beside its own algorithm or loss, as JSON Schema says them. */
function settingsFit(): readonly object[] {
  const beside = (setting: string, key: string, values: readonly string[], usual: string | null): object => ({
    if: { required: [setting] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      properties: { [key]: { enum: values } },
      ...(usual !== null && values.includes(usual) ? {} : { required: [key] }),
    },
  });
  return [
    ...(["noise", "steps", "stepSize", "ridge"] as const).map((setting) => {
      const own = algorithmNames.filter((name) => (settingsOf[name] as readonly string[]).includes(setting));
      return beside(setting, "algorithm", own, "descent");
    }),
    ...lossSettings.map(([loss, setting]) => beside(setting, "loss", [loss], null)),
  ];
}

/** A choice of what is minimised and how, as a file writes it at its top or as one of its candidates. */
export interface WrittenChoice {
  readonly loss?: LossDescription["name"] | undefined;
  readonly corner?: number | undefined;
  readonly width?: number | undefined;
  readonly radius?: number | undefined;
  readonly algorithm?: AlgorithmName | undefined;
  readonly noise?: "tight" | "theorem" | undefined;
  readonly steps?: number | undefined;
  readonly stepSize?: number | undefined;
  readonly ridge?: number | undefined;
  readonly clip?: undefined;
}

/** A convex model's file, of the right form. */
export interface ConvexFile extends Source, WrittenChoice {
  readonly model: "convex";
  readonly target: string;
  readonly features: readonly string[];
  readonly units: number;
  readonly intercept?: boolean | undefined;
  readonly candidates?: readonly WrittenChoice[] | undefined;
  readonly tries?: number | undefined;
  readonly scoreShare?: number | undefined;
}

const choice = {
  loss: z
    .enum(lossNames, {
      error: says(
        `is none of the losses that the theorems are about, which are convex: ${lossNames.join(", ")}`,
        "write loss: logistic for two categories, or loss: squared for a number",
      ),
    })
    .optional()
    .describe("What is minimised: logistic for two categories, squared for a number, unless stated."),
  corner: positive("corner: 0.5")
    .optional()
    .describe(
      "Where huber turns from a square to a line, in half widths of the target's bounds: 0.5 unless stated.",
    ),
  width: positive("width: 0.5")
    .optional()
    .describe("Over how much smooth-hinge rounds its corner: 0.5 unless stated."),
  radius: positive("radius: 1", ": the theorems ask for a ball of weights")
    .optional()
    .describe("The radius of the ball of weights: 4 for two categories, 1 for a number, unless stated."),
  algorithm: z
    .enum(algorithmNames, {
      error: says(`is none of ${algorithmNames.join(", ")}`, "write algorithm: descent"),
    })
    .optional()
    .describe("How it is minimised: descent unless stated."),
  noise: z
    .enum(["tight", "theorem"], { error: says("must be tight or theorem", "write noise: tight") })
    .optional()
    .describe(
      "Of descent: the least noise of the price, or that which the theorem prints. tight unless stated.",
    ),
  steps: positiveInteger.optional().describe("How many steps descent or frank-wolfe takes."),
  stepSize: positive("stepSize: 0.1")
    .optional()
    .describe("The step of localization or one-pass; the best by its bound unless stated."),
  ridge: positive("ridge: 0.01", ": output perturbation asks for a strongly convex objective")
    .optional()
    .describe("λ of output-perturbation; the best by its bound unless stated."),
  clip: z
    .never({
      error: says(
        "is no setting of a convex model: clipped gradients are no gradients of a convex function",
        "leave clip out: rows lie within bounds that follow from the policy, so that gradients need no clipping",
      ),
    })
    .optional()
    .describe(
      "No setting: rows lie within bounds that follow from the policy, and gradients need no clipping.",
    ),
} as const;

/** Settings belong to their algorithm and to their loss. Descent is the algorithm where none is named. */
function checkChoice(file: WrittenChoice, context: z.core.$RefinementCtx): void {
  const faulty = (key: string, wrong: string, fix: string): void =>
    context.addIssue({ code: "custom", path: [key], message: says(wrong, fix) });
  const { algorithm = "descent" } = file;
  const own: readonly string[] = settingsOf[algorithm];
  for (const key of ["noise", "steps", "stepSize", "ridge"] as const)
    if (file[key] !== undefined && !own.includes(key))
      faulty(key, `is no setting of algorithm: ${algorithm}`, `leave ${key} out`);
  for (const [loss, key] of lossSettings)
    if (file[key] !== undefined && file.loss !== loss)
      faulty(key, `is a setting of loss: ${loss} alone`, `leave ${key} out, or write loss: ${loss}`);
}

const choiceKeys = Object.keys(choice) as (keyof WrittenChoice)[];
const mostCandidates = 20;
const mostTries = 1000;

/** Adds an issue for a setting beside candidates, which each have their own, and for a word about choosing where there are none. */
function checkCandidates(file: ConvexFile, context: z.core.$RefinementCtx): void {
  const faulty = (key: string, wrong: string, fix: string): void =>
    context.addIssue({ code: "custom", path: [key], message: says(wrong, fix) });
  if (file.candidates === undefined) {
    for (const key of ["tries", "scoreShare"] as const)
      if (file[key] !== undefined)
        faulty(key, "is said of candidates, and there are none", `leave ${key} out`);
    return;
  }
  for (const key of choiceKeys)
    if (file[key] !== undefined)
      faulty(key, "stands beside candidates, each of which has its own", `write ${key} in the candidates`);
}

const candidateSchemas = {
  candidates: { not: { anyOf: choiceKeys.map((key) => ({ required: [key] })) } },
  tries: { required: ["candidates"] },
  scoreShare: { required: ["candidates"] },
};

/** Its format. */
export const convexFile: z.ZodType<ConvexFile> = closed({
  ...rowKeys,
  model: kindOf("convex"),
  units: z
    .number({
      error: says(
        "must be declared: it divides the sums and sets the steps, so it is public and never counted",
        "write units: 2000, a public number of units",
      ),
    })
    .int({ error: says("must be a whole number", "write units: 2000, a public number of units") })
    .min(1, { error: says("must be at least 1", "write units: 2000, a public number of units") })
    .max(mostUnits, { error: says("must be at most 2^31", "write units: 2000, a public number of units") })
    .describe("The declared number of units: public, and never counted."),
  intercept: boolean
    .optional()
    .describe("Whether a weight stands beside those of columns: true unless stated."),
  ...choice,
  candidates: z
    .array(closed(choice).meta({ allOf: settingsFit() }).superRefine(checkChoice), {
      error: says("must be a list of settings", "write candidates: [{ radius: 2 }, { radius: 8 }]"),
    })
    .min(2, { error: says("must be at least two", "write candidates: [{ radius: 2 }, { radius: 8 }]") })
    .max(mostCandidates, { error: says(`must be at most ${mostCandidates}`, "leave some out") })
    .optional()
    .describe("Settings of which the best is chosen privately, at one price for all tries."),
  tries: positiveInteger
    .min(2, { error: says("must be at least 2", "write tries: 6") })
    .max(mostTries, { error: says(`must be at most ${mostTries}`, "write tries: 6") })
    .optional()
    .describe("How many candidates are tried, on average: twice as many as there are, unless stated."),
  scoreShare: positive("scoreShare: 0.2")
    .lt(1, { error: says("must be below 1", "write scoreShare: 0.2") })
    .optional()
    .describe("The share of one try's price that pays for its score: 0.2 unless stated."),
})
  .meta({ ...oneSource, allOf: settingsFit(), dependentSchemas: candidateSchemas })
  .superRefine(checkRowKeys)
  .superRefine(checkChoice)
  .superRefine(checkCandidates);
