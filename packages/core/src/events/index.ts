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
