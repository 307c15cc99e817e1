import { canonicalJson } from "@lethe/core/canonical";
import type { Plan } from "@lethe/query";
import type { Release } from "../release.ts";
import { type Making, makingOf } from "./making.ts";

/**
 * Returns how the answer to a plan is made of all of these releases, which answer one question; null where one of them cannot take part. All must show the same
 * in the same columns, with the same noise: then their plain mean has the least variance.
 */
export function makingOfReleases(asked: Plan, releases: readonly Release[]): Making | null {
  const [first, ...others] = releases.map(({ certificate }) => ({
    plan: certificate.plan,
    making: isOneRequest(certificate) ? makingOf(certificate.plan, asked) : null,
  }));
  if (!first || first.making === null) return null;
  const due = drawnIn(first.plan, first.making);
  const isAlike = others.every(({ plan, making }) => making !== null && drawnIn(plan, making) === due);
  return isAlike ? first.making : null;
}

/** A target error or a pilot sets the noise by what earlier releases show. */
function isOneRequest({ target, pilot }: Release["certificate"]): boolean {
  return target === undefined && pilot === undefined;
}

function drawnIn({ measurements, combined = [], keys }: Plan, { read, ...making }: Making): string {
  return canonicalJson({ ...making, read: [...read], measurements, combined, program: keys.program });
}
