import type { Budget, RequestLine } from "@lethe/client";
import { leastLeft, mainOf, numberOf } from "../../words/left-words.ts";
import { upwards } from "../../words/loss-words.ts";

/**
 * Tells how many questions like the last one would still fit into the caps that are shown. Null where no cap is shown, or nothing that costs was asked.
 * @example wouldFit({ scopes: [{ name: "a", periods: [{ per: "day", granted: "1", spent: "0", delta: null }] }] }, [{ price: { measure: "pure", epsilon: "1/4" } }]) // => "4 more questions at 0.25 each, the price of your last one, would fit."
 */
export function wouldFit(budget: Budget, lines: readonly Pick<RequestLine, "price">[]): string | null {
  const left = leastLeft(budget);
  const last = lines.map(({ price }) => mainOf(price)).find((price) => numberOf(price) > 0);
  if (left === null || last === undefined) return null;
  // A count that rounding alone would reach is not promised.
  const count = Math.floor((left / numberOf(last)) * (1 + 1e-12));
  const each = `${upwards(last)} each, the price of your last one,`;
  if (count === 0) return `No question at ${each} fits any more.`;
  return `${count.toLocaleString("en")} more question${count === 1 ? "" : "s"} at ${each} would fit.`;
}
