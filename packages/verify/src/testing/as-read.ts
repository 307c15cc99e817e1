import type { ReadRelease, Release } from "../format/release.ts";

/** A release as it is read from its own text. */
export function asRead(release: Release, planVersion: 1 | 2 = 2): ReadRelease {
  const { certificate } = release;
  const { pilot } = certificate;
  return { release, signed: certificate, planVersion, pilot: pilot ? asRead(pilot) : null };
}
