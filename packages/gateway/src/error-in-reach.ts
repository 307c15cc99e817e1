import { LetheError, type PrivacyLoss } from "@lethe/core";
import { errorWithin, type ReachedTarget } from "@lethe/query";
import type { ResolvedQuestion } from "./resolved-question.ts";

/**
 * ledger.budget for a question that stated a target error: with the error that what is left would give, rounded up to four
 * digits. Public: a function of question, policy and ledger. Where each answer has a width of its own, as it is.
 */
export function withErrorInReach(
  refusal: LetheError,
  { query, policy, stated, policyHash, confidence }: ResolvedQuestion,
  target: ReachedTarget,
  left: PrivacyLoss,
): LetheError {
  if (target.released !== null) return refusal;
  const setting = { confidence, rows: target.rows };
  const within = errorWithin(left, query, policy, stated, policyHash, setting);
  if (within === null || !Number.isFinite(within.halfWidth)) return refusal;
  const reach = fourDigitsUp(within.halfWidth);
  return new LetheError(refusal.code, `${refusal.message}; what is left allows an error of ${reach}`, {
    fix: `state target_error = ${reach}; or ${refusal.fix}`,
    fields: { ...refusal.fields, reach },
  });
}

function fourDigitsUp(x: number): string {
  const rounded = Number(x.toPrecision(4));
  const step = 10 ** (Math.floor(Math.log10(x)) - 3);
  return String(Number((rounded >= x ? rounded : rounded + step).toPrecision(4)));
}
