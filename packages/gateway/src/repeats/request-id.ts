import { canonicalJson, sha256 } from "@lethe/core/canonical";
import type { DataVersion } from "./data-version.ts";

/** What all requests of one question, by one principal, of one version of the data, share. */
export interface AskedAgain {
  readonly principal: string;
  /** The hash of the question: see sameQuestion. */
  readonly same: string;
  readonly version: DataVersion;
}

/** Returns the ids of the requests that ask the same: the first that was charged, the second, and so on, from 1. */
export function requestIds({ principal, same, version: { tables } }: AskedAgain): (place: number) => string {
  const hash = sha256(canonicalJson({ principal, same, tables })).slice(0, 32);
  return (place) => `q-${hash}-${place}`;
}

/** Whether an id has the form of {@link requestIds}, or is that of a pilot or a round of such a request. */
export function isGivenId(requestId: string): boolean {
  return /^q-[0-9a-f]{32}-\d+( |$)/.test(requestId);
}
