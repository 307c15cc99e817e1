import type { Certificate } from "../format/release.ts";

/** A pilot whose second stage was not paid. */
export function* pilotAlone({ pilot, target }: Certificate): Iterable<string> {
  if (pilot && target === undefined)
    yield `these are the numbers of the pilot alone: the budget does not cover the second stage; lethe explain says at no charge what that takes, of the question with target_release = ${quoted(pilot.certificate.requestId)} in the place of pilot_epsilon, and without max_epsilon`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
