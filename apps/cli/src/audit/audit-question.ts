import {
  type AnswersReport,
  type AuditRow,
  answersAudit,
  type Gateway,
  type ReplayedHouse,
  replayAnswers,
} from "@lethe/audit";
import { LetheError, toText } from "@lethe/core";
import { elementAt, min, one } from "@lethe/core/numeric";
import { answerDrawing, askedOptions, parameterList, type Question, type Release } from "@lethe/gateway";
import { type Engine, type Policy, parseQuestion, resolveQuestion } from "@lethe/query";
import { wholeNumber } from "../account/parameters.ts";
import { openEngine } from "../open.ts";
import { type ParameterFlags, readParameters } from "../parameters.ts";
import { withQuestion } from "../question-text.ts";
import { removedAtEnd } from "../removed-at-end.ts";
import { policyOf, workspaceOf } from "../workspace.ts";
import { auditedLedgers, clock } from "./audited-ledgers.ts";
import { listenToSources } from "./listen-to-sources.ts";
import { neighbourOf } from "./neighbour-of.ts";

interface QuestionFlags extends ParameterFlags {
  readonly policy: string;
  readonly neighbour?: string;
  readonly epsilon?: string;
  readonly delta?: string;
  readonly seed: string;
}

/**
 * Asks one question the whole way on the policy's data and on a neighbour's, with every draw frozen, from each of them to the other. It
 * opens exact aggregates, so it is the owner's, and nothing of them leaves but whether they differ at all, and by how far a distance
 * exceeds what was priced. The ledgers are new and go with it: no charge. Errors: those of the question, where it is refused, and of
 * the tables, where they cannot be asked.
 */
export async function auditQuestion(flags: QuestionFlags, text: string): Promise<AuditRow> {
  if (flags.neighbour === undefined) {
    throw new LetheError("cli.usage", "a question is audited on two databases", {
      fix: "name the policy of the other with --neighbour",
    });
  }
  const seed = Number(wholeNumber("seed", flags.seed));
  const own = workspaceOf(flags.policy);
  const policy = policyOf(own);
  const neighbour = neighbourOf(own, policy, flags.neighbour);
  const engines: Engine[] = [];
  const ledgers = await auditedLedgers(policy);
  try {
    engines.push(await openEngine(own, policy, removedAtEnd));
    engines.push(await openEngine(neighbour.workspace, neighbour.policy, removedAtEnd));
    const sources = listenToSources(engines, own.state === neighbour.workspace.state);
    const houses = sources.engines.map(
      (engine): ReplayedHouse => ({ policy, engine, clock, openLedger: () => ledgers.open() }),
    );
    return await withQuestion(text, async (sql) => {
      const question = await questionOf(sql, policy, flags);
      const { gateway, last } = listening();
      const reports: AnswersReport[] = [];
      for (const at of [0, 1]) {
        const sides = [elementAt(houses, at), elementAt(houses, 1 - at)] as const;
        const report = await replayAnswers([question], sides, { seed: seed + at, gateway });
        const error = sources.error() ?? (report.findings.length === 0 ? last().error : null);
        if (error !== null) throw inAudit(error);
        reports.push(report);
      }
      return rowOf(reports, last().release);
    });
  } finally {
    for (const engine of engines) await engine.close();
    ledgers.remove();
  }
}

/** No budget of the owner's stands in the way here. */
function inAudit(error: unknown): unknown {
  if (!(error instanceof LetheError && error.code === "ledger.budget")) return error;
  const { code, message, fields } = error;
  return new LetheError(code, message, {
    fix: "name a lower price with --epsilon: an audit has the whole budget of the policy, and charges nothing",
    fields,
  });
}

/** The gateway, and how it ended last. */
function listening(): { gateway: Gateway; last(): { release: Release | null; error: unknown } } {
  let ended: { release: Release | null; error: unknown } = { release: null, error: null };
  return {
    last: () => ended,
    async gateway(question, house) {
      try {
        const release = await answerDrawing(question, house);
        ended = { release, error: null };
        return release;
      } catch (error) {
        ended = { release: null, error };
        throw error;
      }
    },
  };
}

function rowOf(reports: readonly AnswersReport[], release: Release | null): AuditRow {
  const findings = [...new Set(reports.flatMap((report) => report.findings))];
  const { measurements = [], trees = [] } = release?.certificate.plan ?? {};
  const draws = reports.reduce((sum, report) => sum + report.draws, 0);
  const still = reports.some(({ moved }) => moved) ? "" : "; no exact number differs between the two";
  return {
    audit: answersAudit.id,
    subject: "the question",
    of: "user",
    finding: findings.length === 0 ? null : findings.join("; "),
    claim: [
      "what leaves is a function of the mechanisms' outputs",
      ...[...measurements, ...trees].map(({ name, l1 }) => `${name}: ℓ1 ≤ ${l1} in steps of its grid`),
    ].join("; "),
    measured: `differences: ${findings.length}${still}`,
    interval: null,
    ceiling: 0,
    how: `asked from text to certificate and ledger on both databases, each way, with ${draws} draws frozen`,
  };
}

/** At the price that the text states, at this one, at the policy's, or else at 1 or all there is. */
async function questionOf(
  text: string,
  policy: Policy,
  { epsilon, delta, param, params }: QuestionFlags,
): Promise<Question> {
  const parameters = parameterList(text, readParameters({ param, params }));
  const { options } = resolveQuestion(await parseQuestion(text, parameters), policy);
  const { targetError, targetErrorRelative } = options;
  const isPriced = [options.epsilon, targetError, targetErrorRelative, policy.defaults.epsilon].some(
    (stated) => stated !== null,
  );
  const price = epsilon ?? (isPriced ? undefined : toText(min(policy.budget.epsilon ?? one, one)));
  return {
    text,
    principal: "owner",
    requestId: "audited",
    options: askedOptions({
      params: parameters,
      ...(price === undefined ? {} : { epsilon: price }),
      ...(delta === undefined ? {} : { delta }),
    }),
  };
}
