import { type AuditRow, auditModule, isWrong, replayRow } from "@lethe/audit";
import { LetheError, parseRational } from "@lethe/core";
import { wholeNumber } from "../account/parameters.ts";
import { auditQuestion } from "../audit/audit-question.ts";
import { auditedFunction, pairsOf } from "../audit/audited-function.ts";
import { type Audited, runAudits } from "../audit/run-audits.ts";
import { renderAudit } from "../render/audit.ts";
import { renderJson } from "../render/json.ts";
import { say } from "../render/say.ts";

export interface AuditFlags {
  readonly quick?: true;
  readonly soak?: string | true;
  readonly seed: string;
  readonly only?: string;
  readonly function?: string;
  readonly neighbours?: string;
  readonly epsilon?: string;
  readonly timeLimit: string;
  readonly question?: string;
  readonly neighbour?: string;
  readonly json?: true;
  readonly policy: string;
}

/** lethe audit: every row, what it shows, and an error where one is wrong. */
export async function audit(flags: AuditFlags): Promise<void> {
  const { rows } = await auditedBy(flags);
  say(flags.json ? renderJson(rows) : renderAudit(rows));
  const wrong = rows.filter(isWrong);
  if (wrong.length > 0) {
    throw new LetheError("audit.finding", `${wrong.length} of ${rows.length} rows show something wrong`, {
      fix: "read the rows marked FINDING or MISSED, and do not release with what they name",
    });
  }
}

async function auditedBy(flags: AuditFlags): Promise<Audited> {
  if (flags.function !== undefined) return { rows: [await functionRow(flags, flags.function)], attacks: [] };
  if (flags.question !== undefined)
    return { rows: [await auditQuestion(flags, flags.question)], attacks: [] };
  const { only, quick, soak, seed } = flags;
  return runAudits({
    only,
    quick: quick === true,
    soak: soak === undefined ? null : soak === true ? 1000 : Number(wholeNumber("soak", soak)),
    seed: Number(wholeNumber("seed", seed)),
  });
}

async function functionRow(flags: AuditFlags, named: string): Promise<AuditRow> {
  const at = auditedFunction(named);
  const report = await auditModule(at, pairsOf(flags.neighbours), {
    seed: Number(wholeNumber("seed", flags.seed)),
    limitMs: 1000 * Number(wholeNumber("time-limit", flags.timeLimit)),
    ...(flags.epsilon === undefined ? {} : { epsilon: parseRational(flags.epsilon, "epsilon") }),
  });
  return replayRow(at.name, "user", report);
}
