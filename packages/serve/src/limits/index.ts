export { addressKey } from "./address-key.ts";
export {
  type KindRates,
  type LimitedRequest,
  RateLimits,
  type RequestKind,
  requestKinds,
  tooMany,
} from "./rate-limits.ts";
export { readBody, tooLarge } from "./read-body.ts";
export { senderAddress } from "./sender-address.ts";
export { draw, drawnShare, type FullAt, type Rate } from "./token-bucket.ts";
