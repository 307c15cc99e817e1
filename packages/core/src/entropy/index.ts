export type { BitSource } from "./bit-source.ts";
export { type RandomValues, SecureEntropy } from "./secure-entropy.ts";
export { secureEntropy } from "./system-entropy.ts";
