import { parseRational } from "@lethe/core";
import { type ReachedTarget, typicalWords } from "@lethe/query";

/** Returns the notes on a target that was a share of released numbers: the numbers that it was a share of, and whether it is reached. */
export function targetNotes(target: ReachedTarget | null): readonly string[] {
  if (target === null || target.released === null) return [];
  const { released, capped, epsilon, rows } = target;
  const shares = released.answers.map(
    (answer) => `± ${short(answer.halfWidth)} for ${JSON.stringify(answer.name)} (${typicalWords(answer)})`,
  );
  const percent = short(100 * asNumber(released.share));
  const where = rows === null ? "" : ` in a group of ${rows} rows`;
  const outcome = capped
    ? `not reached, because the question limits its price to epsilon ${short(asNumber(epsilon))}`
    : "reached";
  return [
    `the target is ${percent} % of what request ${JSON.stringify(released.requestId)} released: ${shares.join(", ")}${where}; it is ${outcome}`,
  ];
}

/**
 * Returns the note on a pilot whose second measurement the budget does not cover. Its price is no part of the certificate, so it is not
 * written here: explaining the question that leans on the pilot costs nothing, and says it.
 */
export function pilotAloneNote(pilotId: string): string {
  return `these are the numbers of the pilot alone, because the budget does not cover the second measurement; lethe explain tells its price at no charge, for the question with target_release = '${pilotId.replaceAll("'", "''")}' instead of pilot_epsilon and without max_epsilon`;
}

function asNumber(text: string): number {
  const { num, den } = parseRational(text);
  return Number(num) / Number(den);
}

function short(x: number): string {
  return String(Number(x.toPrecision(4)));
}
