import { type Rational, ratio, toText } from "@lethe/core";
import { add, compare, multiply, subtract, zero } from "@lethe/core/numeric";
import type { AuditRow } from "../audits/audit-row.ts";
import type { Wire, WireAnalyst, WireOutcome } from "./wire.ts";
import { notMade, wireRow } from "./wire-row.ts";

/** The questions among which the attacks share what they may spend. */
const questions = 24n;
const flood = 21;
const claims = {
  loop: "a question that is asked again and again is paid for once",
  squat: "a request id of another is no id of yours: neither finds, takes nor blocks the other's",
  collusion: "what all analysts together are answered never costs more than the account's cap",
} as const;
const unpaid = "--epsilon NUMBER lets it spend so much";
const alone = "--other-token-file FILE names a second analyst";

/** Attacks that pay: at most {@link Wire.epsilon} in all. */
export async function spendingAttacks(wire: Wire): Promise<readonly AuditRow[]> {
  const { epsilon, analysts } = wire;
  if (epsilon === null)
    return Object.entries(claims).map(([subject, claim]) => notMade(subject, claim, unpaid));
  const price = multiply(epsilon, ratio(1n, questions));
  const before = await Promise.all(analysts.map((each) => each.budget()));
  const [first, second] = analysts;
  const looped = await loop(wire, first, price);
  const squatted = second === undefined ? null : await squat(wire, first, second, price);
  const flooded = await Promise.all(
    Array.from({ length: flood }, (_, at) =>
      ask(analysts[at % analysts.length] ?? first, wire.question, {
        epsilon: price,
        requestId: wire.newName(),
      }),
    ),
  );
  const outcomes = [...looped.outcomes, ...(squatted?.outcomes ?? []), ...flooded];
  return [
    looped.row,
    squatted?.row ?? notMade("squat", claims.squat, alone),
    await collusion(analysts, before, outcomes),
  ];
}

type Named = WireOutcome & { readonly by: string };
interface Attacked {
  readonly row: AuditRow;
  readonly outcomes: readonly Named[];
}

async function ask(analyst: WireAnalyst, ...asked: Parameters<WireAnalyst["ask"]>): Promise<Named> {
  return { ...(await analyst.ask(...asked)), by: analyst.name };
}

async function loop({ question }: Wire, analyst: WireAnalyst, epsilon: Rational): Promise<Attacked> {
  const asked = { epsilon, again: true } as const;
  const first = await ask(analyst, question, asked);
  const more = await Promise.all(Array.from({ length: 8 }, () => ask(analyst, question, asked)));
  const outcomes = [first, ...more];
  const answers = outcomes.filter((each) => each.kind === "answered");
  const paid = answers.filter(({ charged }) => compare(charged, zero) > 0).length;
  const different = new Set(answers.map(({ values }) => values)).size;
  const finding =
    paid > 1
      ? `${paid} of ${answers.length} were paid for`
      : different > 1
        ? "the noise was drawn anew"
        : null;
  const measured = `${answers.length} of ${outcomes.length} answered, ${paid} paid`;
  const row =
    answers.length === 0
      ? notMade("loop", claims.loop, noneAnswered(outcomes))
      : wireRow("loop", claims.loop, measured, { finding });
  return { row, outcomes };
}

/** The second analyst takes an id before the first one uses it, and then the first one's own id. */
async function squat(
  { question, newName }: Wire,
  first: WireAnalyst,
  second: WireAnalyst,
  epsilon: Rational,
): Promise<Attacked> {
  const requestId = newName();
  const squatter = await ask(second, question, { epsilon, requestId });
  const owner = await ask(first, question, { epsilon, requestId });
  const again = await ask(first, question, { epsilon, requestId });
  const outcomes = [squatter, owner, again];
  if (outcomes.every(({ kind }) => kind === "refused") && !isRefusedForId(owner))
    return { row: notMade("squat", claims.squat, noneAnswered(outcomes)), outcomes };
  return {
    row: wireRow("squat", claims.squat, measuredOf(outcomes), {
      finding: squatted(first.name, second.name, squatter, owner, again),
      how: "both ask the same under one id, and the first asks again",
    }),
    outcomes,
  };
}

function isRefusedForId(outcome: WireOutcome): boolean {
  return outcome.kind === "refused" && outcome.code === "ledger.request";
}

function squatted(
  first: string,
  second: string,
  squatter: WireOutcome,
  owner: WireOutcome,
  again: WireOutcome,
): string | null {
  if (owner.kind === "refused") return isRefusedForId(owner) ? "an id that another took is refused" : null;
  if (owner.principal !== first) return `the answer is ${owner.principal}'s`;
  if (squatter.kind === "answered") {
    if (squatter.principal !== second) return `the answer is ${squatter.principal}'s`;
    if (compare(owner.charged, zero) === 0) return "another's answer was given for nothing";
    if (squatter.values === owner.values) return "both were given one answer";
  }
  if (again.kind === "refused" || again.values !== owner.values || again.requestId !== owner.requestId)
    return "the same request of one's own was not found again";
  return null;
}

async function collusion(
  analysts: Wire["analysts"],
  before: readonly Awaited<ReturnType<WireAnalyst["budget"]>>[],
  outcomes: readonly Named[],
): Promise<AuditRow> {
  const after = await Promise.all(analysts.map((each) => each.budget()));
  const total = chargedTo(outcomes, null);
  const cap = after[0]?.account ?? null;
  const faults = analysts.flatMap(({ name }, at) => {
    const { spent, own } = after[at] ?? { spent: zero, own: null };
    const told = subtract(spent, before[at]?.spent ?? zero);
    return [
      ...(compare(told, chargedTo(outcomes, name)) < 0
        ? [`${name} was charged ${toText(chargedTo(outcomes, name))}, and ${toText(told)} is on record`]
        : []),
      ...(own !== null && compare(spent, own) > 0 ? [`${name} spent beyond a cap of ${toText(own)}`] : []),
    ];
  });
  const all = after.reduce((sum, { spent }) => add(sum, spent), zero);
  if (cap !== null && compare(all, cap) > 0) faults.push(`${toText(all)} is spent of ${toText(cap)}`);
  if (cap !== null && compare(total, cap) > 0) faults.push(`${toText(total)} was answered of ${toText(cap)}`);
  const isReached = outcomes.some((each) => each.kind === "refused" && each.code === "ledger.budget");
  return wireRow(
    "collusion",
    claims.collusion,
    `${toText(total)} charged${cap === null ? "" : ` of ${toText(cap)}`}; ${isReached ? "a cap was reached" : "no cap was reached"}`,
    {
      finding: faults.length === 0 ? null : faults.join("; "),
      how: `${measuredOf(outcomes)}; ${analysts.length === 1 ? "one analyst" : "two analysts"} at once`,
    },
  );
}

/** What was charged for answers: a request counts once, however often it was answered. */
function chargedTo(outcomes: readonly Named[], name: string | null): Rational {
  const requests = new Map<string, Rational>();
  for (const each of outcomes) {
    if (each.kind === "refused" || (name !== null && each.by !== name)) continue;
    const id = `${each.by} ${each.requestId}`;
    if (compare(each.charged, requests.get(id) ?? zero) >= 0) requests.set(id, each.charged);
  }
  return [...requests.values()].reduce((sum, each) => add(sum, each), zero);
}

/** Why an attack that pays was not made. */
function noneAnswered(outcomes: readonly WireOutcome[]): string {
  return `the service answered none of its questions (${measuredOf(outcomes)}): give it an analyst who has budget left`;
}

function measuredOf(outcomes: readonly WireOutcome[]): string {
  const codes = outcomes.flatMap((each) => (each.kind === "refused" ? [each.code] : []));
  const refused = [...new Set(codes)].map(
    (code) => `, ${codes.filter((each) => each === code).length} ${code}`,
  );
  return `${outcomes.length - codes.length} of ${outcomes.length} answered${refused.join("")}`;
}
