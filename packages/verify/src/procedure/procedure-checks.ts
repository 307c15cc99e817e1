import { canonicalJson } from "@lethe/core/canonical";
import { type Policy, policyHash } from "@lethe/query";
import { failed, notMade, passed, type Verdict } from "../checks/check.ts";
import { hashOf } from "../checks/signature.ts";
import type { ProcedureRelease } from "./procedure.ts";

/** Checks that the result shown is that whose hash was signed. */
export async function resultIsThatSigned({ result, certificate }: ProcedureRelease): Promise<Verdict> {
  return (await hashOf(result)) === certificate.resultHash
    ? passed("the result is that whose hash the certificate holds")
    : failed("the result is not that whose hash the certificate holds");
}

/** Checks that the policy given is the one under which the procedure was planned. */
export function planIsOfThePolicy({ certificate }: ProcedureRelease, policy: Policy): Verdict {
  return policyHash(policy) === certificate.procedure.policyHash
    ? passed("the policy given is the one whose hash the procedure holds")
    : failed("the policy given is not the one whose hash the procedure holds");
}

/** What is left open of a kind that this version cannot derive again. */
export function kindIsNotKnown({ certificate }: ProcedureRelease): Verdict {
  return notMade(
    `this version cannot derive a procedure of kind ${certificate.procedure.kind} again: that its event is that of what was run rests on its service's word`,
  );
}

/** Whether two pieces of JSON say the same. */
export function same(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
