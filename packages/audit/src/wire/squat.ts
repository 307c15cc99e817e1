import type { Rational } from "@lethe/core";
import { compare, zero } from "@lethe/core/numeric";
import type { AuditRow } from "../audits/audit-row.ts";
import { chanceOfPairs } from "./chance-of-pairs.ts";
import { type Asked, ask, measuredOf, noneAnswered } from "./outcomes.ts";
import type { Wire, WireAnalyst, WireOutcome } from "./wire.ts";
import { notMade, wireRow } from "./wire-row.ts";

/** What the attack tries to refute. */
export const squatClaim =
  "a request id of another is no id of yours: neither finds, takes nor blocks the other's";

/** How many questions an id costs: one of each analyst. */
export const squatCost = 2;
/** The most ids that are tried. */
const mostIds = 9;
/** How often a service that is right may be suspected: two draws of noise may be equal. */
const falseAlarm = 1e-6;

interface Squatted {
  readonly row: AuditRow;
  readonly outcomes: readonly Asked[];
  /** How many ids were tried. */
  readonly ids: number;
}

interface Round {
  readonly squatter: Asked;
  readonly owner: Asked;
  readonly again: Asked;
}

/**
 * The second analyst takes an id before the first one uses it, and then the first one uses the same id. Noise is drawn twice
 * and may be equal by chance, so an answer that both were given is tried again under further ids.
 */
export async function squat(
  { question, newName }: Wire,
  first: WireAnalyst,
  second: WireAnalyst,
  epsilon: Rational,
): Promise<Squatted> {
  const rounds: Round[] = [];
  let finding: string | null = null;
  do {
    const asked = { epsilon, requestId: newName() };
    const squatter = await ask(second, question, asked);
    const owner = await ask(first, question, asked);
    const again = await ask(first, question, asked);
    rounds.push({ squatter, owner, again });
    finding = findingOf(first.name, second.name, rounds.at(-1)!);
  } while (finding === null && rounds.every(isAlike) && rounds.length < mostIds);
  const outcomes = rounds.flatMap(({ squatter, owner, again }) => [squatter, owner, again]);
  return { row: rowOf(rounds, finding, outcomes), outcomes, ids: rounds.length };
}

function rowOf(rounds: readonly Round[], finding: string | null, outcomes: readonly Asked[]): AuditRow {
  const alike = rounds.filter(isAlike);
  const row = (found: string | null): AuditRow =>
    wireRow("squat", squatClaim, measuredOf(outcomes), {
      finding: found,
      how: "both ask the same under one id, and the first asks again",
    });
  if (finding !== null) return row(finding);
  if (rounds[0]?.owner.kind === "refused" && outcomes.every(({ kind }) => kind === "refused"))
    return notMade("squat", squatClaim, noneAnswered(outcomes));
  if (alike.length === 0 || rounds.some(isUnlike)) return row(null);
  if (chanceOfPairs(alike.map(({ owner }) => valuesOf(owner))) <= falseAlarm)
    return row("both were given one answer");
  return notMade(
    "squat",
    squatClaim,
    `both were given equal answers under ${alike.length === 1 ? "one id" : `each of ${alike.length} ids`}, which may be chance: give it analysts who have more budget left, or a question whose answers vary more`,
  );
}

function isRefusedForId(outcome: WireOutcome): boolean {
  return outcome.kind === "refused" && outcome.code === "ledger.request";
}

function isAlike({ owner, squatter }: Round): boolean {
  return areAnswered(owner, squatter) && valuesOf(owner) === valuesOf(squatter);
}

function isUnlike({ owner, squatter }: Round): boolean {
  return areAnswered(owner, squatter) && valuesOf(owner) !== valuesOf(squatter);
}

function areAnswered(...outcomes: readonly WireOutcome[]): boolean {
  return outcomes.every(({ kind }) => kind === "answered");
}

function valuesOf(outcome: WireOutcome): string {
  return outcome.kind === "answered" ? outcome.values : "";
}

/** What one id shows that chance cannot. */
function findingOf(first: string, second: string, { squatter, owner, again }: Round): string | null {
  if (owner.kind === "refused") return isRefusedForId(owner) ? "an id that another took is refused" : null;
  if (owner.principal !== first) return `the answer is ${owner.principal}'s`;
  if (squatter.kind === "answered") {
    if (squatter.principal !== second) return `the answer is ${squatter.principal}'s`;
    if (compare(owner.charged, zero) === 0) return "another's answer was given for nothing";
  }
  if (again.kind === "refused" || again.values !== owner.values || again.requestId !== owner.requestId)
    return "the same request of one's own was not found again";
  return null;
}
