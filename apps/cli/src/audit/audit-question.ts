import {
  type AnswersReport,
  type AuditRow,
  type Gateway,
  type ReplayedHouse,
  replayAnswers,
} from "@lethe/audit";
import { LetheError, parseRational } from "@lethe/core";
import { answerDrawing, type Question, type Release } from "@lethe/gateway";
import { bindQuestion, type Plan, type Policy, parseQuestion, planQuestion, policyHash } from "@lethe/query";
import { openEngine } from "../open.ts";
import { withQuestion } from "../question-text.ts";
import { policyOf, workspaceOf } from "../workspace.ts";
import { auditedLedgers, clock } from "./audited-ledgers.ts";

interface QuestionFlags {
  readonly policy: string;
  readonly neighbour?: string;
  readonly epsilon?: string;
}

/**
 * Asks one question the whole way on the policy's data and on a neighbour's, with every draw frozen, from each of them to the other. It
 * opens exact aggregates, so it is the owner's, and nothing of them leaves but by how far a distance exceeds what was priced. The
 * ledgers are new and go with it: no charge. Errors: those of the question, where it is refused.
 */
export async function auditQuestion(flags: QuestionFlags, text: string): Promise<AuditRow> {
  if (flags.neighbour === undefined) {
    throw new LetheError("cli.usage", "a question is audited on two databases", {
      fix: "name the policy of the other with --neighbour",
    });
  }
  const [own, other] = [workspaceOf(flags.policy), workspaceOf(flags.neighbour)];
  const policy = policyOf(own);
  const [ledgers, ...engines] = [
    await auditedLedgers(policy),
    await openEngine(own, policy),
    await openEngine(other, policyOf(other)),
  ] as const;
  try {
    const [here, there] = engines.map(
      (engine): ReplayedHouse => ({ policy, engine, clock, openLedger: () => ledgers.open() }),
    );
    return await withQuestion(text, async (sql) => {
      const question = await questionOf(sql, policy, flags.epsilon);
      const { gateway, last } = listening();
      const reports: AnswersReport[] = [];
      for (const [seed, sides] of [
        [1, [here!, there!]],
        [2, [there!, here!]],
      ] as const) {
        const report = await replayAnswers([question], sides, { seed, gateway });
        reports.push(report);
        if (report.findings.length === 0 && last().error !== null) throw last().error;
      }
      return rowOf(reports, last().release);
    });
  } finally {
    for (const engine of engines) await engine.close();
    ledgers.remove();
  }
}

/** The gateway, and how it ended last. */
function listening(): { gateway: Gateway; last(): { release: Release | null; error: unknown } } {
  let ended: { release: Release | null; error: unknown } = { release: null, error: null };
  return {
    last: () => ended,
    async gateway(question, house) {
      try {
        ended = { release: await answerDrawing(question, house), error: null };
        return ended.release!;
      } catch (error) {
        ended = { release: null, error };
        throw error;
      }
    },
  };
}

function rowOf(reports: readonly AnswersReport[], release: Release | null): AuditRow {
  const findings = [...new Set(reports.flatMap((report) => report.findings))];
  const measurements = release?.certificate.plan.measurements ?? [];
  const draws = reports.reduce((sum, report) => sum + report.draws, 0);
  return {
    audit: "replay",
    subject: "the question",
    of: "user",
    finding: findings.length === 0 ? null : findings.join("; "),
    claim: [
      "what leaves is a function of the mechanisms' outputs",
      ...measurements.map(({ describes, l1 }) => `${describes}: ℓ1 ≤ ${l1}`),
    ].join("; "),
    measured: `differences: ${findings.length}`,
    interval: null,
    ceiling: 0,
    how: `asked from text to certificate and ledger on both databases, each way, with ${draws} draws frozen`,
  };
}

/** At the price that the text states, at this one, or at 1. */
async function questionOf(text: string, policy: Policy, epsilon: string | undefined): Promise<Question> {
  const { options } = bindQuestion(await parseQuestion(text), policy);
  const { targetError, targetErrorRelative } = options;
  const isPriced = [options.epsilon, targetError, targetErrorRelative].some((stated) => stated !== null);
  const price = epsilon ?? (isPriced ? null : "1");
  return {
    text,
    principal: "owner",
    requestId: "audited",
    options: {
      epsilon: price === null ? null : parseRational(price, "epsilon"),
      delta: null,
      groupSelection: null,
      mechanism: null,
      targetError: null,
      targetErrorRelative: null,
      targetRows: null,
      confidence: 0.95,
    },
  };
}

/** The plan of a question, at the price that it states, at this one, or at 1. */
export async function planOf(sql: string, policy: Policy, epsilon: string | undefined): Promise<Plan> {
  const question = bindQuestion(await parseQuestion(sql), policy);
  const price = epsilon ?? (question.options.epsilon === null ? "1" : null);
  return planQuestion(
    question,
    policy,
    { epsilon: price === null ? null : parseRational(price, "epsilon") },
    policyHash(policy),
  );
}
