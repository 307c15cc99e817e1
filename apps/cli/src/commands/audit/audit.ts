import { type AuditRow, auditModule, isWrong, replayRow } from "@lethe/audit";
import { LetheError, parseRational } from "@lethe/core";
import { renderJson } from "@lethe/serve/formats";
import { wholeNumber } from "../../account/parameters.ts";
import { auditQuestion } from "../../audit/audit-question.ts";
import { auditServer } from "../../audit/audit-server.ts";
import { auditedFunction, pairsOf } from "../../audit/audited-function.ts";
import { type Audited, rowsAlone, runAudits } from "../../audit/run-audits.ts";
import { writeReport } from "../../audit/write-report.ts";
import { renderAudit } from "../../render/audit.ts";
import { say } from "../../render/say.ts";
import { ofTemporaryFiles } from "../../temporary-folder.ts";
import { refuseTarget } from "../new-file.ts";
import { refuseStrays } from "./audit-flags.ts";

export interface AuditFlags {
  readonly quick?: true;
  readonly soak?: string | true;
  readonly seed: string;
  readonly only?: string;
  readonly subjects?: string;
  readonly function?: string;
  readonly neighbours?: string;
  readonly epsilon?: string;
  readonly delta?: string;
  readonly param: readonly string[];
  readonly params?: string;
  readonly timeLimit: string;
  readonly question?: string;
  readonly neighbour?: string;
  readonly server?: string;
  readonly tokenFile?: string;
  readonly otherTokenFile?: string;
  readonly postgres?: string;
  readonly report?: string;
  readonly json?: true;
  readonly policy: string;
  /** The names of the flags that were given, by their names here. */
  readonly given: readonly string[];
}

/** lethe audit: every row, what it shows, and an error where one is wrong. */
export async function audit(flags: AuditFlags): Promise<void> {
  const { report, given } = flags;
  refuseStrays(given);
  if (report !== undefined) refuseReport(report);
  const audited = await auditedBy(flags).catch((error: unknown) => {
    throw ofTemporaryFiles(error);
  });
  const { rows } = audited;
  say(flags.json ? renderJson(rows) : renderAudit(rows));
  // After the table: minutes of work are not lost where the page cannot be written.
  if (report !== undefined) await writeReport(report, audited, whatWasRun(flags));
  const wrong = rows.filter(isWrong);
  if (wrong.length > 0) {
    throw new LetheError("audit.finding", `${wrong.length} of ${rows.length} rows show something wrong`, {
      fix: "read the rows marked FINDING or MISSED, and do not release with what they name",
    });
  }
}

async function auditedBy(flags: AuditFlags): Promise<Audited> {
  if (flags.function !== undefined) return rowsAlone([await functionRow(flags, flags.function)]);
  if (flags.question !== undefined) return rowsAlone([await auditQuestion(flags, flags.question)]);
  if (flags.server !== undefined) return rowsAlone(await auditServer(flags));
  const { only, subjects, policy, given, quick, soak, seed } = flags;
  return runAudits({
    only,
    subjects,
    policy: { path: policy, named: given.includes("policy") },
    quick: quick === true,
    soak: soak === undefined ? null : soak === true ? 1000 : Number(wholeNumber("soak", soak)),
    seed: Number(wholeNumber("seed", seed)),
    curve: flags.report !== undefined,
  });
}

/** A report takes minutes: what would fail after them is refused before. Errors: cli.usage, cli.file. */
function refuseReport(path: string): void {
  if (!/\.html?$/i.test(path))
    throw new LetheError("cli.usage", "--report writes a page that ends in .html", {
      fix: "name it --report audit.html",
    });
  refuseTarget(path, "the report");
}

function whatWasRun({ quick, soak, only, seed, function: named, question, server }: AuditFlags): string {
  if (named !== undefined) return "A function, on its neighbours";
  if (question !== undefined) return "A question, on two databases";
  if (server !== undefined) return `The service at ${server}`;
  const size = soak !== undefined ? "soak" : quick ? "quick" : "full";
  return `Lethe itself: ${only ?? "every audit"}, ${size}, seed ${seed}`;
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
