import { canonicalJson, sha256 } from "@lethe/core/canonical";

/** Returns the id of a client's key: another one for each principal, so that nobody meets, or learns of, the requests of others. */
export function requestIdOfKey(principal: string, key: string): string {
  return `key-${sha256(canonicalJson({ principal, key })).slice(0, 32)}`;
}
