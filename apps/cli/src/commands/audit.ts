import {
  type AuditRow,
  type AuditStep,
  auditModule,
  audits,
  fullRequest,
  isWrong,
  quickRequest,
  replayRow,
} from "@lethe/audit";
import { LetheError, parseRational } from "@lethe/core";
import { wholeNumber } from "../account/parameters.ts";
import { auditQuestion } from "../audit/audit-question.ts";
import { auditedFunction, pairsOf } from "../audit/audited-function.ts";
import { showProgress } from "../audit/progress.ts";
import { soakSteps } from "../audit/soak.ts";
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
  const rows = await rowsOf(flags);
  say(flags.json ? renderJson(rows) : renderAudit(rows));
  const wrong = rows.filter(isWrong);
  if (wrong.length > 0) {
    throw new LetheError("audit.finding", `${wrong.length} of ${rows.length} rows show something wrong`, {
      fix: "read the rows marked FINDING or MISSED, and do not release with what they name",
    });
  }
}

async function rowsOf(flags: AuditFlags): Promise<readonly AuditRow[]> {
  if (flags.function !== undefined) return [await functionRow(flags, flags.function)];
  if (flags.question !== undefined) return [await auditQuestion(flags, flags.question)];
  const seed = Number(wholeNumber("seed", flags.seed));
  const chosen = chosenAudits(flags.only);
  const steps =
    flags.soak === undefined
      ? chosen.flatMap((each) => each.steps({ ...(flags.quick ? quickRequest : fullRequest), seed }))
      : soakSteps(chosen, seed, flags.soak === true ? 1000 : Number(wholeNumber("soak", flags.soak)));
  return makeAll(steps);
}

async function makeAll(steps: readonly AuditStep[]): Promise<readonly AuditRow[]> {
  const rows: AuditRow[] = [];
  const progress = showProgress(steps.length);
  for (const step of steps) {
    progress.at(rows.length, step.subject);
    rows.push(await step.make());
  }
  progress.end();
  return rows;
}

function chosenAudits(only: string | undefined): typeof audits {
  if (only === undefined) return audits;
  return only.split(",").map((id) => {
    const found = audits.find((each) => each.id === id.trim());
    if (found) return found;
    throw new LetheError("cli.usage", `there is no audit ${id.trim()}`, {
      fix: `name some of ${audits.map((each) => each.id).join(", ")}`,
    });
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
