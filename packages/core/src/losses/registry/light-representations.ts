import { approximateRepresentation } from "../approximate/approximate-representation.ts";
import { gaussianRepresentation } from "../gaussian/gaussian-representation.ts";
import type { AnyRepresentation } from "../loss-representation.ts";
import { pureRepresentation } from "../pure/pure-representation.ts";
import { renyiRepresentation } from "../renyi/renyi-representation.ts";
import { zcdpRepresentation } from "../zcdp/zcdp-representation.ts";

/** Every representation but PLD, in the order in which they are asked: the likely tightest first. */
export const lightRepresentations: readonly AnyRepresentation[] = [
  gaussianRepresentation,
  renyiRepresentation,
  approximateRepresentation,
  pureRepresentation,
  zcdpRepresentation,
];
