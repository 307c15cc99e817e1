export { type Price, type PriceTarget, type ProveLosses, priceEvents } from "./price-events.ts";
