import { lossFromJson, parseRational, toDecimal } from "@lethe/core";
import { type Plan, type ReachedTarget, typicalWords } from "@lethe/query";

/** What a reader must know of a target that was a share of released numbers: what it was of, and whether it is reached. */
export function targetNotes(target: ReachedTarget | null): readonly string[] {
  if (target === null || target.released === null) return [];
  const { released, capped, epsilon, rows } = target;
  const shares = released.answers.map(
    (answer) => `± ${short(answer.halfWidth)} for ${JSON.stringify(answer.name)} (${typicalWords(answer)})`,
  );
  const percent = short(100 * asNumber(released.share));
  const where = rows === null ? "" : ` in a group of ${rows} rows`;
  const reach = capped
    ? `not reached: the question caps its price at epsilon ${short(asNumber(epsilon))}`
    : "reached";
  return [
    `the target, ${percent} % of what the request ${JSON.stringify(released.requestId)} released, is ${shares.join(", ")}${where}; it is ${reach}`,
  ];
}

/** Of a pilot whose second stage the budget does not cover: what that would take. */
export function pilotAloneNote({ epsilon, capped }: ReachedTarget, { price }: Plan): string {
  const loss = lossFromJson(price);
  const main = loss.measure === "zcdp" ? `ρ ${up(loss.rho)}` : `ε ${up(loss.epsilon)}`;
  const what = capped ? "which still misses the target" : "which reaches the target";
  return `these are the numbers of the pilot alone: the budget does not cover the question at epsilon = ${short(asNumber(epsilon))}, ${what} and costs ${main}`;
}

function up(x: Parameters<typeof toDecimal>[0]): string {
  return toDecimal(x, "up", 6);
}

function asNumber(text: string): number {
  const { num, den } = parseRational(text);
  return Number(num) / Number(den);
}

function short(x: number): string {
  return String(Number(x.toPrecision(4)));
}
