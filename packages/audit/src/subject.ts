import type { BitSource } from "@lethe/core";
import type { NoisePaths } from "./enumerate/enumerate-noise.ts";
import type { Claim } from "./verify/claim.ts";

/** The output of a mechanism, as a list of plain values. */
export type Output = readonly (number | bigint | boolean | string)[];

/** A mechanism on one data set. */
export interface Side {
  run(bits: BitSource): Output;
  /** The law of the output, where it can be enumerated; else null. */
  readonly law: (() => NoisePaths) | null;
  /** Whether an output is one that these data can give, where that can be told. */
  readonly canGive: ((output: Output) => boolean) | null;
  /** Returns the name of an output's outcome in the law. */
  nameOf(output: Output): string;
}

/** The subject of an audit: a claim, and a mechanism on pairs of neighbours. */
export interface Subject {
  readonly id: string;
  /** One line, for people. */
  readonly describes: string;
  readonly claim: Claim;
  readonly pairs: readonly (readonly [Side, Side])[];
}

/** A subject by its program, before it is bound to data. */
export interface SubjectOf<D> {
  readonly id: string;
  readonly describes: string;
  readonly claim: Claim;
  readonly neighbours: readonly (readonly [D, D])[];
  run(data: D, bits: BitSource): Output;
  readonly law?: (data: D) => NoisePaths;
  readonly canGive?: (data: D, output: Output) => boolean;
  /** Returns the outcome's name; the output's values with commas unless stated. */
  readonly nameOf?: (output: Output) => string;
}

/** Binds a program to its pairs of neighbours. */
export function subject<D>(of: SubjectOf<D>): Subject {
  const { id, describes, claim, neighbours, run, law, canGive, nameOf = (output) => output.join(",") } = of;
  const side = (data: D): Side => ({
    run: (bits) => run(data, bits),
    law: law ? () => law(data) : null,
    canGive: canGive ? (output) => canGive(data, output) : null,
    nameOf,
  });
  return { id, describes, claim, pairs: neighbours.map(([left, right]) => [side(left), side(right)]) };
}
