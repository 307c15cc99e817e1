export { additiveFilter } from "./additive-filter.ts";
export { type AdvancedGrant, advancedFilter } from "./advanced-filter.ts";
export type { Filter, FilterMeasure } from "./filter.ts";
export { approximateOdometer, type Odometer, pureOdometer, renyiOdometer, zcdpOdometer } from "./odometer.ts";
export {
  type OrderBudget,
  type RenyiGrant,
  type RenyiLoss,
  renyiFilter,
  renyiFilterFor,
} from "./renyi-filter.ts";
export { concurrentTheorem, openSession, type Session } from "./session.ts";
