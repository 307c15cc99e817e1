import { sha256 } from "@lethe/core/canonical";
import { initialWeights } from "../../kernels/initial-weights.ts";
import type { NetworkPlan } from "./network-plan.ts";

/** Hexadecimal digits of one number of [0, 1), and how many numbers a hash gives. */
const digits = 13;
const numbers = 4;

/** The weights that a training begins with: public, and a function of network and seed alone. */
export function startWeights({ network, seed }: Pick<NetworkPlan, "network" | "seed">): Float64Array {
  let block = "";
  let drawn = 0;
  return initialWeights(network, () => {
    if (drawn % numbers === 0) block = sha256(`lethe start weights 1\n${seed}\n${drawn / numbers}`);
    const at = (drawn++ % numbers) * digits;
    return Number.parseInt(block.slice(at, at + digits), 16) / 16 ** digits;
  });
}
