/**
 * The one text of a value, so that it can be hashed and signed, and its hash.
 * @module @lethe/core/canonical
 */
export { canonicalJson, sha256 } from "./canonical/index.ts";
