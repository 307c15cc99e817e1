import { createHash } from "node:crypto";

/**
 * Returns the mark that a manifest holds of the seed by which rows have their places. Another seed orders rows in another way,
 * and its places must not be used. The mark tells nothing of a random secret; it stays with the owner all the same.
 */
export function placesSeed(seed: string): string {
  return createHash("sha256").update(`places of rows, version 1|${seed}`).digest("hex");
}
