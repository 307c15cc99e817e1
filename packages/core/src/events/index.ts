export { decimalText } from "./decimal-text.ts";
export { eventFromDpAccounting } from "./dp-accounting.ts";
export { type DpSgd, dpSgdEvent, type SamplingRate } from "./dp-sgd-event.ts";
export type {
  CombinatorKind,
  Event,
  EventKind,
  EventOf,
  LeafKind,
  SelectionRule,
  SelectionRuleName,
  SelectionRuleOf,
  TrialCount,
} from "./event.ts";
export { eventFromJson } from "./event-json.ts";
export { type TreeAggregation, treeAggregationEvent, treeHeight } from "./tree-aggregation-event.ts";
