import { eventFromJson } from "@lethe/core";
import { LetheError } from "@lethe/core/errors";
import { closed, name, number, says } from "@lethe/query/files";
import { z } from "zod";
import { designWidth } from "../../design/design.ts";
import { readNetwork } from "../../kernels/network/read-network.ts";
import { mostParameters } from "../plan/network-schema.ts";
import { headOf } from "../plan/read-network-task.ts";
import type { NetworkModel } from "./network-model.ts";

const category = z.union([z.string(), z.boolean(), number]);

const column = z.discriminatedUnion("kind", [
  closed({ kind: z.literal("number"), name, bounds: z.tuple([number, number]) }).refine(
    ({ bounds: [lo, hi] }) => lo < hi,
    says("has bounds that do not increase", "write [lowest, highest]"),
  ),
  closed({ kind: z.literal("category"), name, categories: z.array(category).min(1) }),
]);

const schema = closed({
  kind: z.literal("network"),
  version: z.literal(1),
  target: column,
  features: z.array(column).min(1),
  network: z.unknown(),
  weights: z.array(number).max(mostParameters),
  adjacency: z.enum(["add-or-remove-one", "replace-one"]),
  event: z.unknown(),
});

/** Writes a model as JSON. */
export function networkToJson(model: NetworkModel): string {
  return JSON.stringify(model);
}

/**
 * Reads a model that {@link networkToJson} wrote: no key is unknown, every number is finite, and the network fits its features, its target and its weights.
 * Errors: model.unreadable (no JSON); model.invalid with the key and what would be accepted.
 */
export function readNetworkModel(text: string): NetworkModel {
  const result = schema.safeParse(jsonOf(text));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new LetheError("model.invalid", `${issue?.path.join(".")}: ${issue?.message}`, {
      fix: "give the model as it was written",
    });
  }
  const { network, event, ...rest } = result.data;
  const checked = readNetwork(network);
  const head = headOf(rest.target);
  if (
    checked.inputs !== designWidth({ columns: rest.features, intercept: false }) ||
    checked.outputs !== head.outputs ||
    checked.network.loss !== head.loss ||
    checked.parameters !== rest.weights.length
  )
    throw new LetheError(
      "model.invalid",
      "the network does not fit its features, its target or its weights",
      {
        fix: "give the model as it was written",
      },
    );
  return { ...rest, network: checked.network, event: eventFromJson(event) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LetheError("model.unreadable", "the model is not JSON", {
      fix: "give the model as it was written",
    });
  }
}
