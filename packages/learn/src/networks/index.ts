export { networkToJson, readNetworkModel } from "./model/network-json.ts";
export type { NetworkModel } from "./model/network-model.ts";
export { networkSql } from "./model/network-sql.ts";
export { openNetwork } from "./model/predict-network.ts";
export { expectedSeconds } from "./plan/expected-seconds.ts";
export type { NetworkPlan } from "./plan/network-plan.ts";
export type { NetworkClip, NetworkSampler, NetworkTask } from "./plan/network-task.ts";
export { type NetworkBudget, type NetworkDescription, planNetwork } from "./plan/plan-network.ts";
export { readNetworkTask } from "./plan/read-network-task.ts";
export { startWeights } from "./plan/start-weights.ts";
export { sealedRecords } from "./training/sealed-records.ts";
export {
  type NetworkCheckpoints,
  type NetworkRun,
  trainSealedNetwork,
} from "./training/train-sealed-network.ts";
