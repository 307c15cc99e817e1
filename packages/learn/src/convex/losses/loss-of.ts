import { invalidParameter } from "@lethe/core";
import { hinge } from "./hinge.ts";
import { huber } from "./huber.ts";
import { linear } from "./linear.ts";
import { logistic } from "./logistic.ts";
import type { ScalarLoss } from "./scalar-loss.ts";
import { smoothHinge } from "./smooth-hinge.ts";
import { squared } from "./squared.ts";

/** A convex loss, by name. Labels of "logistic", "hinge" and "smooth-hinge" are classes: above 0, or not. */
export type LossDescription =
  | { readonly name: "linear" | "squared" | "logistic" | "hinge" }
  | { readonly name: "huber"; readonly corner: number }
  | { readonly name: "smooth-hinge"; readonly width: number };

const losses: {
  readonly [N in LossDescription["name"]]: (
    description: Extract<LossDescription, { readonly name: N }>,
  ) => ScalarLoss;
} = {
  linear: () => linear,
  squared: () => squared,
  logistic: () => logistic,
  hinge: () => hinge,
  huber: ({ corner }) => huber(corner),
  "smooth-hinge": ({ width }) => smoothHinge(width),
};

/** The names of all losses, each of which is convex. */
export const lossNames = Object.keys(losses) as readonly LossDescription["name"][];

/**
 * Returns the loss that a description names.
 * Errors: parameter.invalid for a name that is not in the list: the theorems of this room hold for convex losses alone.
 * @example lossOf({ name: "huber", corner: 1 }).slope(5, 0) // => 1
 */
export function lossOf(description: LossDescription): ScalarLoss {
  const name = description?.name;
  if (typeof name !== "string" || !Object.hasOwn(losses, name))
    throw invalidParameter("loss", name, `convex, one of ${lossNames.join(", ")}`);
  return (losses[name] as (description: LossDescription) => ScalarLoss)(description);
}
