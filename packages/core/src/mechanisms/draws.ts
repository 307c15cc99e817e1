import type { BitSource } from "../entropy/bit-source.ts";
import type { SecureEntropy } from "../entropy/secure-entropy.ts";
import type { SelectionRule } from "../events/event.ts";
import type { KeyValue } from "../exact/exact-rows.ts";
import { groupKeeper } from "./group-selection/group-selection.ts";
import type { Noise } from "./noise.ts";
import { type NoisyCells, noisyCells } from "./quantile-tree/noisy-cells.ts";
import { addNoise, noiseSampler } from "./registry.ts";
import type { TreeProgram } from "./release-program.ts";

declare const made: unique symbol;

/**
 * Everything that a release draws: each method prepares one part of it, by public data alone, and gives what is drawn for a
 * group. Made from secure coins here, or for an audit by core's tape: production code can make no other.
 * Errors: parameter.invalid, when a part is prepared; none when it draws.
 */
export interface Draws {
  readonly [made]: true;
  /** An exact integer of a group ↦ it plus its own draw of the noise. */
  noise(noise: Noise, part: string): (exact: bigint, key: readonly KeyValue[]) => bigint;
  /** The units of a group ↦ whether its key may leave. */
  selection(rule: SelectionRule, part: string): (units: bigint, key: readonly KeyValue[]) => boolean;
  /** Counts of a group's cells ↦ noisy counts of all nodes above them. */
  tree(
    tree: TreeProgram,
    part: string,
  ): (counts: ReadonlyMap<number, bigint>, key: readonly KeyValue[]) => NoisyCells;
}

/** All draws from one secure source. */
export function drawing(entropy: SecureEntropy): Draws {
  return drawsFrom(entropy);
}

/** {@link drawing} from any coins: not for releases, and exported by core's tape alone. */
export function drawsFrom(bits: BitSource): Draws {
  return asDraws({
    noise(noise) {
      const sampler = noiseSampler(noise);
      return (exact) => addNoise(exact, sampler, bits);
    },
    selection(rule) {
      const keep = groupKeeper(rule);
      return (units) => keep(units, bits);
    },
    tree(tree) {
      const release = noisyCells(tree, tree.noise);
      return (counts) => release(counts, bits);
    },
  });
}

/** Other answers in the place of draws: for audits, and exported by core's tape alone. */
export function asDraws(draws: Omit<Draws, typeof made>): Draws {
  return draws as Draws;
}
