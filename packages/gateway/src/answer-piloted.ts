import { zeroLoss } from "@lethe/core/accounting";
import type { Pilot } from "@lethe/query";
import { answerPlanned, type PlannedRequest } from "./answer-planned.ts";
import { certifyPilotAlone } from "./certificate/certify.ts";
import { certificateHash, releasedNumbers } from "./earlier-release.ts";
import type { DrawingHouse } from "./house.ts";
import { pilotAloneNote } from "./notes/target-notes.ts";
import type { NamedQuestion } from "./question.ts";
import type { Release } from "./release.ts";
import { requestHash } from "./request-hash.ts";
import { planResolved, type ResolvedQuestion } from "./resolved-question.ts";
import { statementsOf } from "./statements-of.ts";

/**
 * A question in two requests. The pilot is one of its own, whose bytes are durable before the second is planned:
 * the second charge is a function of question, policy and that release, so that asking again, and resuming after a crash at
 * any point, come to the same two charges. Where the second does not fit, the request is answered with the pilot's rows for
 * good: the ledger decides that once, under its lock, with a charge of nothing.
 */
export async function answerPiloted(
  question: NamedQuestion,
  resolved: ResolvedQuestion,
  pilot: Pilot,
  house: DrawingHouse,
): Promise<Release> {
  const hash = requestHash(question, resolved.policyHash);
  const statements = 2 * statementsOf(pilot.plan);
  const { release: first } = await answerPlanned(
    {
      question: { ...question, requestId: pilotId(question.requestId) },
      resolved,
      plan: pilot.plan,
      target: null,
      requestHash: requestHash(question, resolved.policyHash, "pilot"),
      statements,
      isPilot: true,
    },
    house,
  );
  const { plan, target } = planResolved(resolved, releasedNumbers(first));
  const request: PlannedRequest = {
    question,
    resolved,
    plan,
    target: { ...target!, certificate: certificateHash(first) },
    requestHash: hash,
    statements,
    pilot: first,
    otherwise: {
      loss: zeroLoss(plan.price.measure),
      event: { kind: "constant", version: 1 },
      release: () => {
        const { columns, rows, missing, notes } = first;
        const told = {
          columns,
          rows,
          missing,
          notes: [...notes, pilotAloneNote(first.certificate.requestId)],
        };
        const { schedule } = house;
        return certifyPilotAlone(told, first, question, house, schedule ? { ...schedule, statements } : null);
      },
    },
  };
  return (await answerPlanned(request, house)).release;
}

/** The request that a pilot is. */
export function pilotId(requestId: string): string {
  return `${requestId} (pilot)`;
}
