import { type Rational, ratio, toText } from "@lethe/core";
import { add, compare, multiply, subtract, zero } from "@lethe/core/numeric";
import type { AuditRow } from "../audits/audit-row.ts";
import { type Asked, ask, askOtherwise, measuredOf, noneAnswered } from "./outcomes.ts";
import { squat, squatClaim, squatCost } from "./squat.ts";
import type { Wire, WireAnalyst } from "./wire.ts";
import { notMade, wireRow } from "./wire-row.ts";

/** The questions among which the attacks share what they may spend. */
const questions = 24;
const claims = {
  loop: "a question that is asked again and again is paid for once",
  squat: squatClaim,
  collusion: "what all analysts together are answered never costs more than the account's cap",
} as const;
const unpaid = "--epsilon NUMBER lets it spend so much";
const alone = "--other-token-file FILE names a second analyst";

/** Attacks that pay: at most {@link Wire.epsilon} in all. */
export async function spendingAttacks(wire: Wire): Promise<readonly AuditRow[]> {
  const { epsilon, analysts } = wire;
  if (epsilon === null)
    return Object.entries(claims).map(([subject, claim]) => notMade(subject, claim, unpaid));
  const price = multiply(epsilon, ratio(1n, BigInt(questions)));
  const before = await Promise.all(analysts.map((each) => each.budget()));
  const [first, second] = analysts;
  const looped = await loop(wire, first, price);
  const squatted = second === undefined ? null : await squat(wire, first, second, price);
  const flood = questions - 1 - squatCost * (squatted?.ids ?? 1);
  const flooded = await Promise.all(
    Array.from({ length: flood }, (_, at) => {
      const analyst = analysts[at % analysts.length] ?? first;
      const isOtherwise = Math.floor(at / analysts.length) % 2 === 1 && analyst.askPostgres !== undefined;
      if (!isOtherwise) return ask(analyst, wire.question, { epsilon: price, requestId: wire.newName() });
      // Another price makes another question, which has no earlier answer.
      const epsilon = multiply(price, ratio(BigInt(900 + at), 1000n));
      return askOtherwise(analyst, wire.question, { epsilon, again: true });
    }),
  );
  const outcomes = [...looped.outcomes, ...(squatted?.outcomes ?? []), ...flooded];
  return [
    looped.row,
    squatted?.row ?? notMade("squat", claims.squat, alone),
    await collusion(analysts, before, outcomes),
  ];
}

interface Looped {
  readonly row: AuditRow;
  readonly outcomes: readonly Asked[];
}

async function loop({ question }: Wire, analyst: WireAnalyst, epsilon: Rational): Promise<Looped> {
  const asked = { epsilon, again: true } as const;
  const first = await ask(analyst, question, asked);
  const more = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      at % 2 === 0 ? ask(analyst, question, asked) : askOtherwise(analyst, question, asked),
    ),
  );
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

async function collusion(
  analysts: Wire["analysts"],
  before: readonly Awaited<ReturnType<WireAnalyst["budget"]>>[],
  outcomes: readonly Asked[],
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
function chargedTo(outcomes: readonly Asked[], name: string | null): Rational {
  const requests = new Map<string, Rational>();
  for (const each of outcomes) {
    if (each.kind === "refused" || (name !== null && each.by !== name)) continue;
    const id = `${each.by} ${each.requestId}`;
    if (compare(each.charged, requests.get(id) ?? zero) >= 0) requests.set(id, each.charged);
  }
  return [...requests.values()].reduce((sum, each) => add(sum, each), zero);
}
