import { rationalOf, toText } from "@lethe/core";
import { bltFor, type Correlation } from "@lethe/core/mechanisms";
import type { Policy } from "@lethe/query";
import { invalidFile, readYaml, type YamlTree } from "@lethe/query/files";
import { designWidth } from "../../design/design.ts";
import type { Loss } from "../../kernels/network/network.ts";
import { type CheckedNetwork, readNetwork } from "../../kernels/network/read-network.ts";
import type { ModelColumn } from "../../model/model.ts";
import { unfit } from "../../model/read-columns.ts";
import { modelFile, placed } from "../../model/read-model.ts";
import { readRowTask } from "../../model/read-row-task.ts";
import type { RowTask } from "../../model/row-task.ts";
import type { CorrelationFile, NetworkFile } from "./network-file.ts";
import { mostParameters, networkSchema } from "./network-schema.ts";
import type { NetworkTask } from "./network-task.ts";

/**
 * Reads the description of a network's training from YAML text, and checks it against a policy. The last layer and the loss follow from the target: a number
 * is told by squared error, two categories by one logit, more by as many. Pure. Errors: model.unreadable (not YAML, repeated keys, over 1 MiB);
 * model.invalid with the line, the key and what would be accepted.
 * @example await readNetworkTask("version: 1\ntable: people\nmodel: network\ntarget: member\nfeatures: [age]\nunits: 30000", policy)
 */
export async function readNetworkTask(text: string, policy: Policy): Promise<NetworkTask> {
  const tree = readYaml(text, modelFile);
  const result = networkSchema.safeParse(tree.data);
  if (!result.success) throw invalidFile(result.error.issues, tree, modelFile);
  const file = result.data;
  const { units, correlation, sampler = correlation ? "cyclic" : "poisson", seed = 1 } = file;
  const clip: NetworkTask["clip"] = typeof file.clip === "object" ? stated(file.clip) : (file.clip ?? 1);
  const rate = sampler === "full" ? "1" : rateText(file.rate);
  const rows = await readRowTask(file, tree, policy, demandTarget);
  const checked = await placed(tree, [file.layers ? "layers" : "features"], async () =>
    networkOf(file, rows),
  );
  const steps = file.steps ?? usualSteps(rate);
  await placed(tree, ["clip"], async () => demandNorms(clip, checked));
  return {
    ...({ kind: "network", version: 1 } as const),
    ...rows,
    network: checked.network,
    ...{ units, sampler, rate, steps, seed },
    clip,
    correlation: correlation ? await correlationOf(correlation, steps, tree) : null,
    optimizer: stated(file.optimizer ?? { kind: "adam", rate: 0.05 }),
  };
}

const usualPasses = 20;

function rateText(rate: number | string = "1/10"): string {
  return toText(rationalOf(rate, "rate"));
}

/** Enough steps for each unit to be seen about twenty times. */
function usualSteps(rate: string): number {
  const { num, den } = rationalOf(rate, "rate");
  return Number((BigInt(usualPasses) * den + num - 1n) / num);
}

/** The network of a file, and the last layer that its target asks for. Errors: model.invalid. */
function networkOf(file: NetworkFile, { features, target }: RowTask): CheckedNetwork {
  const width = designWidth({ columns: features, intercept: false });
  const { input = [width], layers = [] } = file;
  const entries = input.reduce((product, size) => product * size, 1);
  if (entries !== width)
    throw unfit(
      `the features have ${width} entries, and the input ${entries}`,
      `write input: [${width}], or leave it out`,
    );
  if (
    layers.some(
      (layer) =>
        typeof layer === "object" && layer !== null && "layer" in layer && layer.layer === "embedding",
    )
  )
    throw unfit(
      "an embedding reads indices, and features are scaled numbers and categories",
      "leave the embedding out: each category has an entry of its own",
    );
  const { outputs, loss } = headOf(target);
  const network = readNetwork({
    version: 1,
    input: [...input],
    layers: [...layers, { layer: "linear", outputs }],
    loss,
  });
  if (network.parameters <= mostParameters) return network;
  throw unfit(
    `the network has ${network.parameters} weights, and a file's training releases at most ${mostParameters}`,
    "take smaller layers",
  );
}

/** The outputs and the loss of a target. */
export function headOf(target: Pick<ModelColumn, "kind"> & { readonly categories?: readonly unknown[] }): {
  readonly outputs: number;
  readonly loss: Loss;
} {
  const classes = target.kind === "category" ? (target.categories?.length ?? 0) : 0;
  if (classes === 0) return { outputs: 1, loss: "squared-error" };
  return classes === 2
    ? { outputs: 1, loss: "binary-logistic" }
    : { outputs: classes, loss: "softmax-cross-entropy" };
}

function demandTarget(column: ModelColumn): ModelColumn {
  if (column.kind === "number" || column.categories.length >= 2) return column;
  throw unfit(
    `${JSON.stringify(column.name)} has one category: there is nothing to tell apart`,
    "name a column with two categories or more, or a number with bounds",
  );
}

function demandNorms(clip: NetworkTask["clip"], { layers }: CheckedNetwork): void {
  if (typeof clip === "number" || !("perLayer" in clip)) return;
  const weighted = layers.filter(({ parameters }) => parameters > 0).length;
  if (clip.perLayer.length !== weighted)
    throw unfit(
      `has ${clip.perLayer.length} norms, and the network ${weighted} layers with weights`,
      `write ${weighted} norms, the last for the last layer`,
    );
}

/** Errors: model.invalid for numbers that a correlation cannot have. */
async function correlationOf(asked: CorrelationFile, steps: number, tree: YamlTree): Promise<Correlation> {
  if (asked.kind !== "blt") return asked;
  return placed(tree, ["correlation"], async () => bltFor(asked.buffers, steps));
}

/** Leaves out the members that are not stated: canonical JSON has no undefined. */
function stated<T extends object>(value: T): Stated<T> {
  return JSON.parse(JSON.stringify(value));
}

type Stated<T> = T extends object ? { readonly [K in keyof T]: Stated<Exclude<T[K], undefined>> } : T;
