/**
 * Attacks on mechanisms, on whole services, and on your own functions, with controls that must be caught.
 * @module @lethe/audit
 */
export * from "./attacks/index.ts";
export * from "./audits/index.ts";
export * from "./enumerate/index.ts";
export * from "./estimate/index.ts";
export type { KnownBad, Method } from "./known-bad/known-bad.ts";
export { knownBad } from "./known-bad/registry.ts";
export * from "./replay/index.ts";
export { type Output, type Side, type Subject, type SubjectOf, subject } from "./subject.ts";
export type { CoreSubject } from "./subjects/core-subject.ts";
export { coreSubjects } from "./subjects/registry.ts";
export { trainings } from "./trainings/registry.ts";
export type { Training } from "./trainings/training.ts";
export * from "./verify/index.ts";
export { verifySubject } from "./verify-subject.ts";
export * from "./wire/index.ts";
