import { LetheError, type PrivacyLoss } from "@lethe/core";
import { bindQuestion, errorWithin, type Policy, parseQuestion, policyHash } from "@lethe/query";
import { planParsed } from "./prepare.ts";
import type { Question } from "./question.ts";

/**
 * ledger.budget for a question that stated a target error: with the error that what is left would give, rounded up to four
 * digits. Others as they are. Public: a function of question, policy and ledger.
 */
export async function withErrorInReach(
  refusal: LetheError,
  { text, options }: Question,
  left: PrivacyLoss,
  policy: Policy,
): Promise<LetheError> {
  const parsed = await parseQuestion(text, options.parameters);
  const { target } = planParsed(parsed, options, policy);
  if (target === null) return refusal;
  const { confidence, parameters: _, ...stated } = options;
  const hash = policyHash(policy);
  const setting = { confidence, rows: target.rows };
  const within = errorWithin(left, bindQuestion(parsed, policy), policy, stated, hash, setting);
  if (within === null || !Number.isFinite(within.halfWidth)) return refusal;
  const reach = fourDigitsUp(within.halfWidth);
  return new LetheError(refusal.code, `${refusal.message}; with that an error of ${reach} is in reach`, {
    fix: `state target_error = ${reach}; or ${refusal.fix}`,
    fields: { ...refusal.fields, reach },
  });
}

function fourDigitsUp(x: number): string {
  const rounded = Number(x.toPrecision(4));
  const step = 10 ** (Math.floor(Math.log10(x)) - 3);
  return String(Number((rounded >= x ? rounded : rounded + step).toPrecision(4)));
}
