import { elementAt } from "@lethe/core/numeric";
import type { Policy } from "@lethe/query";
import { invalidFile, type Path, readYaml, type YamlTree } from "@lethe/query/files";
import type { ModelColumn } from "../../model/model.ts";
import { unfit } from "../../model/read-columns.ts";
import { modelFile, placed } from "../../model/read-model.ts";
import { readRowTask } from "../../model/read-row-task.ts";
import type { LossDescription } from "../losses/loss-of.ts";
import { type ConvexFile, convexFile, type WrittenChoice } from "./convex-file.ts";
import type {
  AlgorithmChoice,
  ConvexChoice,
  ConvexTask,
  PlacedChoice,
  Places,
  TuningChoice,
} from "./convex-task.ts";

/** Weights of a class reach further than those of a number, whose prediction need not pass 1. */
const usualRadius = { category: 4, number: 1 } as const;
const usualLoss = { category: "logistic", number: "squared" } as const;
/** In half widths of the target's bounds, and in margins. */
const usualCorner = 0.5;
const usualWidth = 0.5;
const usualScoreShare = 0.2;

/**
 * Reads the description of a convex model from YAML text, and checks it against a policy: every column has public bounds or categories, a target of
 * categories has two, and the loss is one of a list of convex ones. What a theorem asks beyond that depends on the price: `planConvexTask`
 * refuses it. Pure. Errors: model.unreadable (not YAML, repeated keys, over 1 MiB); model.invalid with the line, the key and what would be accepted.
 * @example await readConvexTask("version: 1\ntable: people\nmodel: convex\ntarget: member\nfeatures: [age]\nunits: 2000", policy)
 */
export async function readConvexTask(text: string, policy: Policy): Promise<ConvexTask> {
  const tree = readYaml(text, modelFile);
  const result = convexFile.safeParse(tree.data);
  if (!result.success) throw invalidFile(result.error.issues, tree, modelFile);
  const file = result.data;
  const rows = await readRowTask(file, tree, policy, demandTarget);
  const { candidates } = file;
  const paths = candidates === undefined ? [[]] : candidates.map((_, at) => ["candidates", at]);
  const choices: PlacedChoice[] = [];
  for (const [at, path] of paths.entries()) {
    const written = candidates === undefined ? file : elementAt(candidates, at);
    choices.push({
      choice: await choiceOf(written, rows.target, (key, read) => placed(tree, [...path, key], read)),
      places: { ...placesOf(tree, [], file), ...placesOf(tree, path, written) },
    });
  }
  return {
    ...({ kind: "convex", version: 1 } as const),
    ...rows,
    units: file.units,
    intercept: file.intercept ?? true,
    choices,
    tuning: candidates === undefined ? null : tuningOf(file, candidates.length),
  };
}

async function choiceOf(
  written: WrittenChoice,
  target: ModelColumn,
  at: <T>(key: string, read: () => Promise<T>) => Promise<T>,
): Promise<ConvexChoice> {
  return {
    loss: await at("loss", async () => lossFor(written, target)),
    radius: written.radius ?? usualRadius[target.kind],
    algorithm: algorithmOf(written),
  };
}

function tuningOf({ tries, scoreShare }: ConvexFile, candidates: number): TuningChoice {
  return { tries: tries ?? 2 * candidates, scoreShare: scoreShare ?? usualScoreShare };
}

function demandTarget(column: ModelColumn): ModelColumn {
  if (column.kind === "number" || column.categories.length === 2) return column;
  throw unfit(
    `${JSON.stringify(column.name)} has ${column.categories.length} categories, and a convex model tells two apart`,
    "name a column with two categories, a boolean, or a number with bounds",
  );
}

function lossFor({ loss, corner, width }: WrittenChoice, target: ModelColumn): LossDescription {
  const name = loss ?? usualLoss[target.kind];
  if (name === "huber") return { name, corner: corner ?? usualCorner };
  if (target.kind === "number" && name !== "squared")
    throw unfit(
      `${name} tells two categories apart, and ${JSON.stringify(target.name)} is a number`,
      "write loss: squared or loss: huber",
    );
  return name === "smooth-hinge" ? { name, width: width ?? usualWidth } : { name };
}

function algorithmOf({ algorithm = "descent", noise = "tight", ...file }: WrittenChoice): AlgorithmChoice {
  const steps = file.steps === undefined ? {} : { steps: file.steps };
  switch (algorithm) {
    case "descent":
      return { name: algorithm, noise, ...steps };
    case "frank-wolfe":
      return { name: algorithm, ...steps };
    case "localization":
    case "one-pass":
      return { name: algorithm, ...(file.stepSize === undefined ? {} : { stepSize: file.stepSize }) };
    case "output-perturbation":
      return { name: algorithm, ...(file.ridge === undefined ? {} : { ridge: file.ridge }) };
    case "objective-perturbation":
      return { name: algorithm };
  }
}

function placesOf(tree: YamlTree, path: Path, written: object): Places {
  const before = path.length === 0 ? "" : `candidates[${String(path[1])}].`;
  return Object.fromEntries(
    Object.keys(written).map((key) => [key, { path: `${before}${key}`, ...tree.place([...path, key]) }]),
  );
}
