export { canonicalJson } from "./canonical-json.ts";
