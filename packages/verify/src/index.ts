export type { Check, Outcome } from "./checks/check.ts";
export { type Verification, type VerifyOptions, verifyRelease } from "./verify-release.ts";
