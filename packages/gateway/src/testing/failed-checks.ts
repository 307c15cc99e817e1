import { verifyRelease } from "@lethe/verify";
import type { Release } from "../release.ts";
import type { TestHouse } from "./open-house.ts";

/** Returns the checks of `lethe verify` that a release of this house fails, with its policy and key: "name: what it says". */
export async function failedChecks(
  { policyText, house }: TestHouse,
  release: Release,
): Promise<readonly string[]> {
  const { checks } = await verifyRelease(JSON.stringify(release), {
    policyText,
    publicKeyPem: house.ledger.publicKey,
  });
  return checks.filter(({ outcome }) => outcome === "failed").map(({ name, says }) => `${name}: ${says}`);
}
