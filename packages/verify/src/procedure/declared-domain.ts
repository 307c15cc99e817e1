import { type Domain, type Policy, parseQuestion, resolveQuestion } from "@lethe/query";

/** What a column of the policy's table or view can hold; null for one that is not there. */
export async function domainOf(name: string, source: string, policy: Policy): Promise<Domain | null> {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  try {
    const question = await parseQuestion(`SELECT COUNT(DISTINCT ${quoted(name)}) FROM ${quoted(source)}`);
    const [counted] = resolveQuestion(question, policy).aggregates;
    return counted?.kind === "count-distinct" ? counted.argument.domain : null;
  } catch {
    return null;
  }
}

/** Whether edges are at even steps between the bounds; of whole numbers, between them, with as many numbers in each bin, give or take one. */
export function areEven(
  edges: readonly number[],
  [lo, hi]: readonly [number, number],
  integer: boolean,
): boolean {
  const bins = edges.length - 1;
  if (bins < 1) return false;
  const [first, width] = integer ? [Math.ceil(lo) - 0.5, Math.floor(hi) - Math.ceil(lo) + 1] : [lo, hi - lo];
  return edges.every((edge, at) => {
    const due = first + (integer ? Math.floor((width * at) / bins) : (width * at) / bins);
    return Math.abs(edge - due) <= 1e-9 * (Math.abs(lo) + Math.abs(hi));
  });
}
