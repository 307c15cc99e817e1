import type { NetworkModel } from "@lethe/learn/networks";
import { duration } from "../duration.ts";
import type { ExplainedNetwork } from "../train/network.ts";

const digits = (x: number): string => String(Number(x.toPrecision(3)));

/** A network for a person to read: what it tells from what, and its layers. */
export function renderNetwork({ target, features, network, weights }: NetworkModel): string {
  return [
    `Network of ${target.name} on ${features.map(({ name }) => name).join(", ")}`,
    `Layers  ${network.layers.map(({ layer }) => layer).join(" → ")}; ${weights.length} weights; ${network.loss}`,
  ].join("\n");
}

/** The steps of a network's training and their noise, line by line, for a person to read before paying. */
export function renderExplainedNetwork(explained: ExplainedNetwork): readonly string[] {
  const { weights, sampler, batch, steps, clip, deviation, seconds } = explained;
  return [
    `Model   ${weights} weights`,
    `Steps   ${steps}, of about ${digits(batch)} units each (${sampler})`,
    `Clip    the gradient of a unit, all its rows together, has a norm of at most ${digits(clip)}`,
    `Noise   of deviation ${digits(deviation)} in each coordinate of the mean gradient of the first step`,
    `Time    about ${duration(seconds)} on a common processor`,
  ];
}
