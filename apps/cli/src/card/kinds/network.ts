import { wordsOf } from "@lethe/learn";
import type { NetworkModel, NetworkPlan } from "@lethe/learn/networks";
import { explainedNetwork } from "../../train/network.ts";
import { counted, figure } from "../figures.ts";
import { code, points } from "../markdown.ts";
import type { ModelPart, ProcedurePart } from "../model-part.ts";
import { declaredColumn } from "./declared-column.ts";
import { names } from "./model-columns.ts";

/** The plan of a network as its certificate holds it. */
export type NetworkRecord = NetworkPlan & Pick<ModelPart, "source" | "where" | "purpose" | "limits">;

/** A network: its layers, and the noise of the gradients that it was trained by. */
export function networkPart(plan: NetworkRecord, { weights, network }: NetworkModel): ProcedurePart {
  const { source, where, target, features, training } = plan;
  const { steps, batch, sampler, clip, deviation } = explainedNetwork(plan);
  const { units, adjacency, correlation } = training;
  const layers = network.layers.map(({ layer }) => layer).join(", ");
  return {
    title: `Network of ${code(target.name)}`,
    ...{ source, where, ...wordsOf(plan) },
    about: [
      `It predicts ${code(target.name)} of a row from ${names(features)}, by ${counted(weights.length, "weight")} in these layers: ${layers}. The loss is ${code(network.loss)}.`,
      `It was trained by ${counted(steps, "noisy step")}, each of about ${figure(batch)} of ${counted(units, "declared unit")} (${code(sampler)}).`,
    ],
    columns: [
      declaredColumn(target, "predicted", "left out"),
      ...features.map((each) => declaredColumn(each, "feature", "neutral")),
    ],
    exactness: [
      points([
        `Each coordinate of a mean gradient had noise of deviation ${figure(deviation)} in the first step${correlation === null ? "" : ", and noise that hangs on that of earlier steps in the others"}.`,
        "The weights follow from noisy gradients alone. There are no intervals, for weights or for predictions.",
      ]),
    ],
    unmeasured: ["Whether the training had come to an end: the number of steps was fixed before the first."],
    unit: {
      ...{ adjacency, rows: null },
      limits: [
        `The gradient of a unit, all its rows together, is clipped to a norm of ${figure(clip)}${training.clip.kind === "adaptive" ? " in the first step, and then as noisy counts say" : ""}.`,
      ],
    },
  };
}
