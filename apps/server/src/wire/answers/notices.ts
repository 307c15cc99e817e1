import type { PrivacyLossText } from "@lethe/core";
import { parseRational, subtract, toText } from "@lethe/core/numeric";
import { asShown } from "@lethe/gateway";
import type { ServedAnswer, ServedBudget } from "@lethe/serve";

/**
 * Returns what is told beside an answer: its price, the request by which its certificate is found, and the notes that a reader must know.
 * @param left what is left of the budget, as far as whoever asked may see it; null where it is not told
 */
export function noticesOf(answer: ServedAnswer, left: ServedBudget | null): readonly string[] {
  if (answer.kind === "made")
    return ["charged nothing: the answer is made of earlier ones", ...answer.made.notes];
  if (answer.kind !== "release") return [];
  const { certificate, notes } = asShown(answer.release);
  const price = answer.repeat
    ? `charged nothing: it is the answer of ${answer.repeat.asOf}, request ${certificate.requestId}`
    : `charged ${lossWords(certificate.charge)} as request ${certificate.requestId}`;
  const rest = left === null ? [] : leftWords(left);
  return [[price, ...rest].join("; "), ...notes];
}

function lossWords(loss: PrivacyLossText): string {
  return Object.entries(loss)
    .filter(([name]) => name !== "measure")
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

function leftWords({ scopes }: ServedBudget): readonly string[] {
  return scopes.flatMap(({ name, periods }) =>
    periods.flatMap(({ per, granted, spent }) => {
      if (granted === null || spent === null) return [];
      const left = subtract(parseRational(granted), parseRational(spent));
      return [`${toText(left)} of ${granted} left of ${name}${per === "lifetime" ? "" : ` this ${per}`}`];
    }),
  );
}
