import { SecureEntropy } from "./secure-entropy.ts";

/** A new {@link SecureEntropy} over the platform's generator. Apps call this once at start and hand it down. */
export function secureEntropy(): SecureEntropy {
  return new SecureEntropy(globalThis.crypto);
}
