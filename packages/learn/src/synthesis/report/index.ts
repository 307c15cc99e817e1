export { type SynthesisReport, synthesisReport, type TableError } from "./synthesis-report.ts";
