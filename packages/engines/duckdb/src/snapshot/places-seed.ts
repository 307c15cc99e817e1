import { createHash } from "node:crypto";

/**
 * What a manifest says of the seed by which rows have their places: another seed orders them otherwise, and places under
 * it must not be used. Of a random secret this tells nothing; it stays with the owner all the same.
 */
export function placesSeed(seed: string): string {
  return createHash("sha256").update(`places of rows, version 1|${seed}`).digest("hex");
}
