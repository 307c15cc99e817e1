import { type AuditRow, measure } from "@lethe/audit";
import { canonicalKey, LetheError } from "@lethe/core";
import type { Engine, Policy, TablePolicy } from "@lethe/query";
import { openEngine } from "../open.ts";
import { policyOf, workspaceOf } from "../workspace.ts";
import { planOf } from "./audit-question.ts";

export const policyAudit = {
  id: "policy",
  title:
    "the policy's own tables: plain questions planned, and run twice on the database; no charge, nothing of the rows leaves",
} as const;

/** A row a table of what can be checked without a neighbour, and one that says what cannot. It reads rows, and so is the owner's. */
export async function auditPolicy(path: string): Promise<readonly AuditRow[]> {
  const workspace = workspaceOf(path);
  const policy = policyOf(workspace);
  const engine = await openEngine(workspace, policy);
  try {
    const rows: AuditRow[] = [];
    for (const [name, table] of Object.entries(policy.tables))
      rows.push(table.unit.kind === "public" ? untold(name) : await auditTable(name, table, policy, engine));
    return [...rows, notChecked];
  } finally {
    await engine.close();
  }
}

/** A policy may allow less than every question: that is no fault. */
const refusals: readonly string[] = [
  "query.unsupported",
  "query.missing-bounds",
  "query.missing-delta",
  "query.type",
];

async function auditTable(
  name: string,
  table: TablePolicy,
  policy: Policy,
  engine: Engine,
): Promise<AuditRow> {
  const questions = questionsOf(name, table);
  const found: string[] = [];
  let refused = 0;
  for (const question of questions) {
    try {
      const plan = await planOf(question, policy, undefined);
      const [once, twice] = [await measure(plan, { engine }), await measure(plan, { engine })];
      if (once === null || twice === null) found.push(`${question}: the database could not answer`);
      else if (wordsOf(once) !== wordsOf(twice)) found.push(`${question}: the same rows gave other numbers`);
    } catch (error) {
      if (!(error instanceof LetheError && refusals.includes(error.code))) throw error;
      refused += 1;
    }
  }
  return {
    audit: policyAudit.id,
    subject: name,
    of: "user",
    finding: found.length === 0 ? null : found.join("; "),
    claim: "every plan runs, and depends on the rows alone",
    measured: `questions that do not: ${found.length} of ${questions.length}; refused: ${refused}`,
    interval: null,
    ceiling: 0,
    how: "counts, sums, averages and groups of each column, each run twice",
  };
}

/** A count, and of each column what is most often asked of its kind. */
function questionsOf(name: string, { columns }: TablePolicy): readonly string[] {
  const from = `FROM ${quoted(name)}`;
  return [
    `SELECT COUNT(*) ${from}`,
    ...Object.entries(columns).map(([column, { type }]) =>
      type === "number" || type === "integer"
        ? `SELECT COUNT(${quoted(column)}), SUM(${quoted(column)}), AVG(${quoted(column)}) ${from}`
        : `SELECT ${quoted(column)}, COUNT(*) ${from} GROUP BY ${quoted(column)}`,
    ),
  ];
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Exact rows whatever their order. Compared here, never shown. */
function wordsOf(measured: NonNullable<Awaited<ReturnType<typeof measure>>>): string {
  return measured
    .map((groups) =>
      groups
        .map(({ key, units, sums }) => `${canonicalKey(key)} ${units} ${sums.join(" ")}`)
        .sort()
        .join("\n"),
    )
    .join("\n\n");
}

const told = {
  audit: policyAudit.id,
  of: "told",
  finding: null,
  claim: "none",
  interval: null,
  ceiling: null,
} as const;

function untold(name: string): AuditRow {
  return { ...told, subject: name, measured: "not looked at", how: "the policy says that it is public" };
}

const notChecked: AuditRow = {
  ...told,
  subject: "not checked",
  measured:
    "how far one unit more moves an answer; that the unit's column names a person; that bounds and categories are public",
  how: "the first takes a neighbour (--question with --neighbour), the others are the owner's word",
};
