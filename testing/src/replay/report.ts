import { appendFileSync } from "node:fs";

/** Tells `npm run bench -- replay` what a replay saw: a JSON line in the file that it names. */
export function report(what: string, figures: Readonly<Record<string, unknown>>): void {
  const file = process.env.REPLAY_REPORT;
  if (file) appendFileSync(file, `${JSON.stringify({ what, ...figures })}\n`);
}
