export { canonicalJson } from "./canonical-json.ts";
export { sha256 } from "./sha256.ts";
