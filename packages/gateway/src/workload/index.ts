export { answerWorkload, answerWorkloadDrawing, planWholeWorkload } from "./answer-workload.ts";
export type { PlannedAnswer, Rounds, Workload, WorkloadOptions } from "./workload.ts";
export { plannedAnswers, type WorkloadCertificate, type WorkloadRelease } from "./workload-release.ts";
