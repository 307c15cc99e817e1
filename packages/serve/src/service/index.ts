export { openService, type ServiceParts } from "./open-service.ts";
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
