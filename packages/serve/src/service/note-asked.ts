import { createHash } from "node:crypto";
import { LetheError } from "@lethe/core";
import type { Answer } from "@lethe/gateway";
import type { Principal } from "../access/index.ts";
import type { AskOutcome, ToldCharge } from "../ask/index.ts";
import { type AskedFact, type AuditTrail, actorOf } from "../audit-log/index.ts";
import type { ServedQuestion } from "./service.ts";

/**
 * Asks, and writes down who asked. Each charge is written before its execution begins, so that none is without its fact, and neither the fact nor its moment or its place among others depends on private
 * rows. What was not charged is written when that is known; what came of an execution is not written here.
 * Errors: those of `ask`; log.lost, before anything is answered.
 */
export async function noteAsked(
  trail: AuditTrail,
  who: Principal,
  { sql, requestId: named }: ServedQuestion,
  ask: (charged: (charge: ToldCharge) => Promise<void>) => Promise<AskOutcome>,
): Promise<Answer> {
  const actor = actorOf(who);
  const question = createHash("sha256").update(sql).digest("hex");
  const factOf = (request: string | null, outcome: AskedFact["outcome"]): AskedFact => ({
    kind: "asked",
    request,
    question,
    ledger: null,
    outcome,
  });
  let isNoted = false;
  const charged = async ({ requestId, sequence, how }: ToldCharge): Promise<void> => {
    isNoted = true;
    if (how === "shared") await trail.count(actor, factOf(requestId, "repeated"));
    else await trail.write(actor, { ...factOf(requestId, how), ledger: sequence });
  };
  try {
    const { answer } = await ask(charged);
    if (!isNoted && readsRows(answer))
      await trail.count(actor, factOf(answer.kind === "release" ? idOf(answer) : named, "repeated"));
    trail.requireKept();
    return answer;
  } catch (error) {
    if (!isNoted && error instanceof LetheError)
      await trail.count(actor, factOf(named, error.code)).catch(() => undefined);
    throw error;
  }
}

/** Whether an answer says something of private rows: a catalog, public tables and an explanation do not. */
function readsRows({ kind }: Answer): boolean {
  return kind === "release" || kind === "made";
}

function idOf({ release }: Answer & { readonly kind: "release" }): string {
  return release.certificate.requestId;
}
