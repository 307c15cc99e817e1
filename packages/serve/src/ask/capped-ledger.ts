import { LetheError, type PrivacyLoss, type Rational, toText } from "@lethe/core";
import { add, compare, zero } from "@lethe/core/numeric";
import { type Ledger, ledgerWith, type ReserveRequest } from "@lethe/ledger";
import { type Policy, questionBudget } from "@lethe/query";

/**
 * Returns a ledger that refuses a charge above what a token may spend on one question, before anything is charged. All charges of one question count together: of a question with a pilot
 * both. What was answered before costs nothing, and is not refused. Null is no cap. Errors of `reserve`: also serve.cap.
 */
export function cappedLedger(ledger: Ledger, cap: Rational | null, policy: Policy): Ledger {
  if (cap === null) return ledger;
  let charged = zero;
  const mostOf = (loss: PrivacyLoss): Rational =>
    mainNumber(questionBudget(policy, { epsilon: cap, delta: deltaOf(loss) }));
  const fits = (most: Rational, loss: PrivacyLoss): boolean =>
    compare(add(charged, mainNumber(loss)), most) <= 0;
  const reserve: Ledger["reserve"] = async (request) => {
    const most = mostOf(request.loss);
    const asked = fits(most, request.loss) ? request : within(request, (loss) => fits(most, loss));
    if (asked === null && (await ledger.settled(request.requestId, request.principal)) === null)
      throw aboveCap(cap);
    const reserved = await ledger.reserve(asked ?? request);
    if (reserved.kind === "charged") charged = add(charged, mainNumber(reserved.charge.loss));
    return reserved;
  };
  const share: Ledger["share"] = async (request) => {
    const { requestId, from: principal, to: receiver } = request;
    const paid = await ledger.charge({ requestId, principal });
    if (
      paid &&
      !fits(mostOf(paid.loss), paid.loss) &&
      (await ledger.charge({ requestId, principal, receiver })) === null
    )
      throw aboveCap(cap);
    return ledger.share(request);
  };
  return ledgerWith(ledger, { reserve, share });
}

/** The request as what is charged instead where its own price does not fit; null where that does not fit either, or there is none. */
function within(
  { otherwise, ...request }: ReserveRequest,
  fits: (loss: PrivacyLoss) => boolean,
): ReserveRequest | null {
  return otherwise !== undefined && fits(otherwise.loss) ? { ...request, ...otherwise } : null;
}

function mainNumber(loss: PrivacyLoss): Rational {
  return loss.measure === "zcdp" ? loss.rho : loss.epsilon;
}

function deltaOf(loss: PrivacyLoss): Rational | null {
  return loss.measure === "pure" ? null : loss.delta;
}

function aboveCap(cap: Rational): LetheError {
  const most = toText(cap);
  return new LetheError(
    "serve.cap",
    `the question costs more than this token may spend on one question: at most epsilon ${most}`,
    {
      fix: `state epsilon = ${most} or less, or use a token with a larger cap`,
      fields: { most },
    },
  );
}
