import { createHash } from "node:crypto";
import type { RandomBytes } from "../people/random-bytes.ts";

/** Bytes that follow from a seed, for tests: a hash of the seed and of the number of the draw. */
export function seededBytes(seed: string): RandomBytes {
  let drawn = 0;
  return (count) => {
    drawn += 1;
    const hash = createHash("shake256", { outputLength: count });
    return new Uint8Array(hash.update(`${seed}\0${drawn}`).digest());
  };
}
