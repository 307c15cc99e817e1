export { addressKey } from "./address-key.ts";
export {
  bucketsOf,
  type DrawnBucket,
  type KindRates,
  type LimitedRequest,
  RateLimits,
  type RequestKind,
  type RequestLimits,
  requestKinds,
  tooMany,
} from "./rate-limits.ts";
export { readBody, tooLarge } from "./read-body.ts";
export { senderAddress } from "./sender-address.ts";
export { draw, drawnShare, type FullAt, type Rate, spend } from "./token-bucket.ts";
