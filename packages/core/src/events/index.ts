export type {
  Event,
  EventKind,
  EventOf,
  LeafKind,
  SelectionRule,
  SelectionRuleName,
  SelectionRuleOf,
} from "./event.ts";
export { eventFromJson } from "./event-json.ts";
