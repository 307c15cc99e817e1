import type { Event } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import type { Release } from "../format/release.ts";

/** Returns the answer to each other question of a text as a release of its own, with what its plan says that it would cost alone. */
export function otherReleases({ others = [], certificate, signature }: Release): readonly {
  readonly name: string;
  readonly release: Release;
}[] {
  const { pilot: _, target: __, ...shared } = certificate;
  return (certificate.plan.others ?? []).map(({ name, plan }, at) => {
    const { name: ___, ...answer } = elementAt(others, at);
    return { name, release: { version: 1, ...answer, certificate: { ...shared, plan }, signature } };
  });
}

/** Returns the record of a plan's own noises, without those of the other questions of its text. */
export function ownEvent({ event, others }: Pick<Plan, "event" | "others">): Event {
  if (!others) return event;
  const [own] = event.kind === "compose" ? event.events : [];
  return own ?? event;
}
