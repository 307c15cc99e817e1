import type { Certificate } from "../format/release.ts";

/** A pilot whose second request was not paid. */
export function* pilotAlone({ pilot, target }: Certificate): Iterable<string> {
  if (pilot && target === undefined)
    yield `these are the numbers of the pilot alone, because the budget does not cover the second measurement; lethe explain tells its price at no charge, for the question with target_release = ${quoted(pilot.certificate.requestId)} instead of pilot_epsilon and without max_epsilon`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
