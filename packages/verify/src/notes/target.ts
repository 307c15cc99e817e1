import { parseRational } from "@lethe/core";
import type { Certificate, TargetedAnswer } from "../format/release.ts";

/** A target that was a share of released numbers: what it was of, and whether it is reached. */
export function* target({ target: stated }: Certificate): Iterable<string> {
  if (!stated?.released) return;
  const { released, capped, epsilon, rows } = stated;
  const shares = released.answers.map(
    (answer) => `± ${short(answer.halfWidth)} for ${JSON.stringify(answer.name)} (${sizeOf(answer)})`,
  );
  const within = rows === null ? "" : ` in a group of ${rows} rows`;
  const outcome = capped
    ? `not reached, because the question limits its price to epsilon ${short(number(epsilon))}`
    : "reached";
  yield `the target is ${short(100 * number(released.share))} % of what request ${JSON.stringify(released.requestId)} released: ${shares.join(", ")}${within}; it is ${outcome}`;
}

function sizeOf({ values, typical }: TargetedAnswer): string {
  if (values === 0) return "nothing was released";
  const size = `of ${Number(typical.toPrecision(6))}`;
  return values === 1 ? size : `${size}, the median of ${values} released sizes`;
}

const short = (x: number): string => String(Number(x.toPrecision(4)));

function number(text: string): number {
  const { num, den } = parseRational(text);
  return Number(num) / Number(den);
}
