import { approximateRepresentation } from "../approximate/approximate-representation.ts";
import { gaussianRepresentation } from "../gaussian/gaussian-representation.ts";
import type { AnyRepresentation } from "../loss-representation.ts";
import { pldRepresentation } from "../pld/pld-representation.ts";
import { pureRepresentation } from "../pure/pure-representation.ts";
import { renyiRepresentation } from "../renyi/renyi-representation.ts";
import { zcdpRepresentation } from "../zcdp/zcdp-representation.ts";

/** Every representation of loss, in the order in which they are asked: the exact one, then the likely tightest first. */
export const allRepresentations: readonly AnyRepresentation[] = [
  gaussianRepresentation,
  pldRepresentation,
  renyiRepresentation,
  approximateRepresentation,
  pureRepresentation,
  zcdpRepresentation,
];
