export { type MaxNoise, type ReportNoisyMax, reportNoisyMax, reportNoisyMaxFor } from "./report-noisy-max.ts";
