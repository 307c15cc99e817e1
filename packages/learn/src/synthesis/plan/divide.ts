import { type Rational, ratio, toText } from "@lethe/core";
import { choiceCost, type SessionMeasure } from "@lethe/core/mechanisms";
import { add, divide, multiply, subtract } from "@lethe/core/numeric";
import type { Parts } from "./method.ts";
import { epsilonWithin, sigmaWithin } from "./shares.ts";
import type { Stage } from "./stage.ts";

/** Returns one of so many equal parts. */
export function split(part: Rational, count: number): Rational {
  return divide(part, ratio(BigInt(count)));
}

/** Returns what shares leave of a total. */
export function rest({ total }: Parts, ...shares: readonly Rational[]): Rational {
  return subtract(total, multiply(total, shares.reduce(add)));
}

/** Returns the noise of so many tables that take a part together. */
export function tablesWithin(
  part: Rational,
  tables: number,
  { l2Squared }: Parts,
): { readonly tables: number; readonly sigma: string; readonly part: string } {
  return { tables, sigma: toText(sigmaWithin(split(part, tables), l2Squared)), part: toText(part) };
}

/** Plans to measure every attribute by itself, which every method starts with. */
export function eachStage(parts: Parts, share: Rational): Stage {
  return {
    kind: "measure-each",
    ...tablesWithin(multiply(parts.total, share), parts.sizes.length, parts),
  };
}

/** Returns a pair of noise and ε that takes at most a part, of which a share is for the choice. */
export function roundWithin(
  part: Rational,
  choices: Rational,
  { measure, l2Squared }: { readonly measure: SessionMeasure; readonly l2Squared: bigint },
): { readonly sigma: Rational; readonly epsilon: Rational } {
  const epsilon = epsilonWithin(multiply(part, choices), measure);
  return { epsilon, sigma: sigmaWithin(subtract(part, choiceCost[measure](epsilon)), l2Squared) };
}
