import { LetheError } from "@lethe/core";
import { constantsOf } from "../problem/convex-problem.ts";
import { problemOf } from "../training/convex-training.ts";
import type { ConvexChoice, ConvexTask, PlacedChoice } from "./convex-task.ts";

/** Where a parameter of a plan comes from in a file, the likeliest key first; and what would be accepted there, as it is written in a file. */
interface Cause {
  readonly keys: readonly string[];
  readonly fix?: (refused: Refused) => string;
}

interface Refused extends Pick<ConvexTask, "features" | "intercept" | "target"> {
  readonly choice: ConvexChoice;
}

const noise = ["noise", "algorithm"];
const algorithm = ["algorithm", "noise"];

const causes: Readonly<Record<string, Cause>> = {
  adjacency: { keys: algorithm, fix: () => "write algorithm: descent, which covers both adjacencies" },
  loss: { keys: ["loss", "algorithm"], fix: lossFix },
  stepSize: { keys: ["stepSize"], fix: stepSizeFix },
  steps: { keys: ["steps", "noise"], fix: () => "leave steps out, or write noise: tight" },
  epsilon: { keys: noise, fix: () => "write noise: tight, whose price holds for any ε" },
  delta: {
    keys: noise,
    fix: ({ choice }) => (choice.algorithm.name === "descent" ? "write noise: tight" : "ask for a smaller δ"),
  },
  rho: {
    keys: noise,
    fix: ({ choice }) =>
      choice.algorithm.name === "descent"
        ? "write noise: tight, which keeps to ρ"
        : "write algorithm: output-perturbation, which keeps to ρ",
  },
  rows: {
    keys: algorithm,
    fix: ({ choice }) =>
      choice.algorithm.name === "objective-perturbation"
        ? "write algorithm: output-perturbation, which reads all rows of a unit"
        : "lower max_rows_contributed_per_group in the policy",
  },
  candidates: { keys: ["candidates"] },
  units: { keys: ["units"] },
  ridge: { keys: ["ridge", "algorithm"], fix: () => "leave ridge out" },
  dimension: { keys: ["features"], fix: () => "leave columns of many categories out" },
  radius: { keys: ["radius"] },
  lipschitz: { keys: ["radius"] },
  smoothness: { keys: ["radius"] },
  convexity: { keys: algorithm, fix: () => "write algorithm: output-perturbation" },
};

/** The refusal of a choice's plan, at the line of the file that it is about; what is no refusal of a parameter is returned as it is. */
export function refusedAt(task: ConvexTask, { choice, places }: PlacedChoice, error: unknown): unknown {
  if (!(error instanceof LetheError) || error.code !== "parameter.invalid") return error;
  const { name } = error.fields;
  const cause = typeof name === "string" && Object.hasOwn(causes, name) ? causes[name] : undefined;
  if (cause === undefined) return error;
  const key = [...cause.keys, "candidates", "model"].find((each) => Object.hasOwn(places, each)) ?? "model";
  const place = places[key] ?? { path: key, line: 1, column: 1 };
  return new LetheError("model.invalid", `line ${place.line}, ${place.path}: ${error.message}`, {
    fix: cause.fix?.({ ...task, choice }) ?? error.fix,
    fields: { ...error.fields, ...place },
  });
}

function lossFix({ choice, target }: Refused): string {
  if (choice.algorithm.name !== "objective-perturbation")
    return "write loss: smooth-hinge in place of hinge, or algorithm: descent";
  return target.kind === "number" ? "write algorithm: output-perturbation" : "write loss: logistic";
}

/** 2/β to three digits, rounded down. */
function stepSizeFix({ choice, features, intercept }: Refused): string {
  const { smoothness } = constantsOf(problemOf({ features, intercept }, { ...choice, norm: "l2" }));
  if (smoothness === null || smoothness === 0) return "leave stepSize out";
  const most = 2 / smoothness;
  const unit = 10 ** (Math.floor(Math.log10(most)) - 2);
  return `leave stepSize out, or write stepSize: ${Number((Math.floor(most / unit) * unit).toPrecision(3))}`;
}
