export { binomialAtLeast, type Chance } from "./binomial-tail.ts";
export { clopperPearson } from "./clopper-pearson.ts";
export { brokenAt, type Certified, type Estimate, type EstimateOptions, estimate } from "./estimate.ts";
export { estimateInRounds, type Rounds, type RoundsEstimate } from "./estimate-in-rounds.ts";
export { type FamilyBound, familyBound, type ScoredRuns } from "./family-bound.ts";
export type { Guesses } from "./guesses.ts";
export { countImpossible, type Impossible, impossibleMass } from "./impossible.ts";
export { auditOneRun, isRefutedInOneRun, type OneRun } from "./one-run.ts";
