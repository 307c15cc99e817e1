export { type Decision, type DecisionRequest, decisionFor } from "./decision.ts";
