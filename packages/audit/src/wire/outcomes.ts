import type { Rational } from "@lethe/core";
import type { WireAnalyst, WireOutcome } from "./wire.ts";

/** What became of a question, and who asked it. */
export type Asked = WireOutcome & { readonly by: string };

/** Asks as an analyst. */
export async function ask(analyst: WireAnalyst, ...asked: Parameters<WireAnalyst["ask"]>): Promise<Asked> {
  return { ...(await analyst.ask(...asked)), by: analyst.name };
}

/** Asks by PostgreSQL's protocol where the service speaks it, else as {@link ask} does. */
export async function askOtherwise(
  analyst: WireAnalyst,
  sql: string,
  asked: { readonly epsilon: Rational; readonly again: true },
): Promise<Asked> {
  const outcome = await (analyst.askPostgres?.(sql, asked) ?? analyst.ask(sql, asked));
  return { ...outcome, by: analyst.name };
}

/** Why an attack that pays was not made. */
export function noneAnswered(outcomes: readonly WireOutcome[]): string {
  return `the service answered none of its questions (${measuredOf(outcomes)}): give it an analyst who has budget left`;
}

/** How many were answered, and why others were refused. */
export function measuredOf(outcomes: readonly WireOutcome[]): string {
  const codes = outcomes.flatMap((each) => (each.kind === "refused" ? [each.code] : []));
  const refused = [...new Set(codes)].map(
    (code) => `, ${codes.filter((each) => each === code).length} ${code}`,
  );
  return `${outcomes.length - codes.length} of ${outcomes.length} answered${refused.join("")}`;
}
