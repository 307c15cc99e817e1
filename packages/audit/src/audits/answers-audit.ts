import { parseRational } from "@lethe/core";
import type { Question } from "@lethe/gateway";
import { plural } from "@lethe/query";
import type { Laboratory } from "../attacks/services/service.ts";
import { badGateways } from "../known-bad/bad-gateways.ts";
import { type AnswersReport, replayAnswers } from "../replay/answers/replay-answers.ts";
import type { AuditStep } from "./audit.ts";
import type { AuditRow } from "./audit-row.ts";
import { account, people, type Row, worldOf } from "./invented-people.ts";

const one: readonly Row[] = [["q", "farm", "Girsu", 100]];
const another: readonly Row[] = [
  ["q", "mill", "Ur", 0],
  ["q", "farm", "Girsu", 55],
  ["q", "farm", "Ur", 3],
];

/** Questions of every form that is answered in a way of its own, each asked of one ledger from first to last. */
const scripts: readonly (readonly string[])[] = [
  ["SELECT COUNT(*), SUM(age), AVG(age), STDDEV(age) FROM people WHERE age > 20"],
  [
    "SELECT sector, COUNT(*) AS n, MEDIAN(age) FROM people GROUP BY sector HAVING n > 3 ORDER BY n DESC LIMIT 2",
  ],
  ["SELECT QUANTILES(age, 4), COUNT(DISTINCT town) FROM people"],
  ["SELECT town, COUNT(*), COUNT(*) FILTER (WHERE age > 50) FROM people GROUP BY ROLLUP (town)"],
  ["SELECT sector, town, SUM(age) FROM people GROUP BY CUBE (sector, town) ORDER BY 3"],
  ["SELECT AVG(age * 3, contribution_bounds_per_row => auto) FROM people"],
  ["SELECT n, COUNT(*) FROM (SELECT person, COUNT(*) AS n FROM people GROUP BY person) t GROUP BY n"],
  [
    "SELECT SUM(age) FROM (SELECT age, ROW_NUMBER() OVER (PARTITION BY person ORDER BY age) AS n FROM people) t WHERE n = 1",
  ],
  [
    "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = '50%', pilot_epsilon = 1, max_epsilon = 3) COUNT(*) AS n FROM people",
  ],
  [
    "SELECT COUNT(*) AS n FROM people",
    "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = '90%', target_release = 'request 1') COUNT(*) AS n FROM people",
    "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1000) COUNT(*) AS n FROM people",
  ],
];

const byKeys = "SELECT sector, COUNT(*) FROM people GROUP BY sector";

/** Lethe's whole answers on invented neighbours, and gateways that let one row show. It needs databases, which apps wire. */
export const answersAudit = {
  id: "answers",
  title: "whole answers on neighbours, from text to certificate and ledger, with every draw frozen",
  steps: (laboratory: Laboratory, seed: number): readonly AuditStep[] => [
    { subject: "gateway", make: () => ofGateway(laboratory, seed) },
    ...badGateways.map(({ id, finds, gateway }) => ({
      subject: id,
      async make() {
        const worlds = [people, [...people, ...one]].map((rows) => worldOf("row", rows));
        const { houses, close } = await laboratory.neighbours(worlds, account);
        try {
          const report = await replayAnswers([requestOf(byKeys, 1)], houses, { seed, gateway });
          return rowOf(
            id,
            "control",
            [report],
            report.findings.filter((what) => finds.test(what)),
          );
        } finally {
          await close();
        }
      },
    })),
  ],
} as const;

async function ofGateway(laboratory: Laboratory, seed: number): Promise<AuditRow> {
  const worlds = [people, [...people, ...one], [...another, ...people]].map((rows) =>
    worldOf("person", rows),
  );
  const { houses, close } = await laboratory.neighbours(worlds, account);
  try {
    const reports: AnswersReport[] = [];
    const findings: string[] = [];
    for (const [at, script] of scripts.entries()) {
      const questions = script.map((text, n) => requestOf(text, n + 1));
      const report = await replayAnswers(questions, houses, { seed: seed + at });
      reports.push(report);
      findings.push(...report.findings.map((what) => `${script.join("; ")}: ${what}`));
    }
    return rowOf("gateway", "lethe", reports, findings);
  } finally {
    await close();
  }
}

function rowOf(
  subject: string,
  of: AuditRow["of"],
  reports: readonly AnswersReport[],
  findings: readonly string[],
): AuditRow {
  const ended = reports.flatMap((report) => report.ended);
  const answered = ended.filter((how) => how === "answered").length;
  const draws = reports.reduce((sum, report) => sum + report.draws, 0);
  return {
    audit: "answers",
    subject,
    of,
    finding: findings.length === 0 ? null : findings.join("; "),
    claim:
      "all that leaves is a function of the mechanisms' outputs, and their inputs move no farther than priced",
    measured: `differences: ${findings.length}`,
    interval: null,
    ceiling: 0,
    how: `${plural(ended.length, "request")}, ${answered} of them answered, on a database and its neighbours; ${draws} draws frozen`,
  };
}

function requestOf(text: string, at: number): Question {
  const isPriced = text.includes("OPTIONS");
  return {
    text,
    principal: "owner",
    requestId: `request ${at}`,
    options: {
      epsilon: isPriced ? null : parseRational("1"),
      delta: /GROUP BY (?:ROLLUP|CUBE|n)/.test(text) ? parseRational("1e-6") : null,
      confidence: 0.95,
      acceptUninformative: true,
    },
  };
}
