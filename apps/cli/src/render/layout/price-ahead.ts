import type { PrivacyLossText } from "@lethe/core";
import type { Explanation } from "@lethe/query";
import { renderAnswer } from "../explanation.ts";
import { renderLoss } from "../loss.ts";
import { confidencePercent } from "../number.ts";
import { printable } from "../printable.ts";
import { terminalWidth } from "./terminal-width.ts";
import { wrapFact } from "./wrap.ts";

/** Writes what a question will cost and how far off its answer will be: what is read before it is paid for. */
export function renderPriceAhead(
  { price, pilot, answers, confidence, warnings, keyNotice }: Explanation,
  left: PrivacyLossText | null,
  width: number = terminalWidth(),
): string {
  const most = pilot === null ? "" : "at most ";
  const rest = left === null ? "" : `, of ${renderLoss(left, "down")} left`;
  return [
    `Price   ${most}${renderLoss(price)}${rest}`,
    `Error   expected, half of the ${confidencePercent(confidence)} interval`,
    ...answers.map((answer) => `      ${renderAnswer(answer)}`),
    ...(keyNotice === null ? [] : [`Groups  ${keyNotice}`]),
    ...warnings.map(({ message }) => `Warning hardly worth paying: ${message}`),
  ]
    .map((line) => wrapFact(printable(line), width))
    .join("\n");
}
