export { type DashboardsDesk, type DashboardsParts, openDashboardsDesk } from "./dashboards-desk.ts";
export { type Gate, openGate } from "./gate.ts";
export { offerMs } from "./offers.ts";
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
  OfferAsked,
  OfferMade,
  Page,
  PageAsked,
  RequestLine,
  RequestNamed,
  ServedAnswer,
  ServedBudget,
  ServedPeriod,
  ServedQuestion,
  ServedScope,
  Service,
  SignedCertificate,
} from "./service.ts";
