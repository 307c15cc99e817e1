import { type Policy, type PostProcessing, parseQuestion, resolveQuestion } from "@lethe/query";

/** Writes a name in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Whether SQL is a condition by itself, with nothing after it, and not only a part of one between brackets. */
export async function isCondition(where: string, source: string, policy: Policy): Promise<boolean> {
  try {
    const text = `SELECT COUNT(*) FROM ${quoted(source)} WHERE ${where}\n`;
    const { groupBy, post, where: condition } = resolveQuestion(await parseQuestion(text), policy);
    return condition !== null && groupBy.length === 0 && isPlain(post);
  } catch {
    return false;
  }
}

/** Whether every row of an answer is shown. */
export function isPlain({ having, orderBy, limit, offset }: PostProcessing): boolean {
  return having === null && orderBy.length === 0 && limit === null && offset === 0;
}
