export { type Gate, openGate } from "./gate.ts";
export { type DeskParts, openPeopleDesk } from "./open-people-desk.ts";
export { openService, type ServiceParts } from "./open-service.ts";
export type { NewPerson, PeopleDesk, ShownSession } from "./people-desk.ts";
export {
  type AcceptedPolicy,
  openRecordsDesk,
  type PolicyCheck,
  type PolicyKeeper,
  type RecordsDesk,
  type RecordsParts,
  type ShownPolicy,
} from "./records-desk.ts";
export type {
  Page,
  PageAsked,
  RequestLine,
  ServedAnswer,
  ServedBudget,
  ServedPeriod,
  ServedQuestion,
  ServedScope,
  Service,
} from "./service.ts";
