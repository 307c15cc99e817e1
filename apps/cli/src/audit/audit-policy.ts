import { type AuditRow, measure } from "@lethe/audit";
import { LetheError } from "@lethe/core";
import { canonicalKey } from "@lethe/core/mechanisms";
import { one } from "@lethe/core/numeric";
import {
  type Engine,
  type Plan,
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
  resolveQuestion,
  type TablePolicy,
} from "@lethe/query";
import { openEngine } from "../open.ts";
import { removedAtEnd } from "../removed-at-end.ts";
import { policyOf, workspaceOf } from "../workspace.ts";

export const policyAudit = {
  id: "policy",
  title:
    "the policy's own tables: plain questions planned, and run twice on the database; no charge, nothing of the rows leaves",
} as const;

/** The names of all that can be checked: tables, and views. Errors: those of reading the policy. */
export function policySubjects(path: string): readonly string[] {
  const { tables, views } = policyOf(workspaceOf(path));
  return [...Object.keys(tables), ...Object.keys(views)];
}

/** A row a subject of what can be checked without a neighbour, and one that says what cannot. It reads rows, and so is the owner's. */
export async function auditPolicy(path: string, subjects: readonly string[]): Promise<readonly AuditRow[]> {
  const workspace = workspaceOf(path);
  const policy = policyOf(workspace);
  const engine = await openEngine(workspace, policy, removedAtEnd);
  try {
    const rows: AuditRow[] = [];
    for (const name of subjects) rows.push(await auditSubject(name, policy, engine));
    return [...rows, notChecked];
  } finally {
    await engine.close();
  }
}

async function auditSubject(name: string, policy: Policy, engine: Engine): Promise<AuditRow> {
  const table = Object.hasOwn(policy.tables, name) ? policy.tables[name] : undefined;
  if (table?.unit.kind === "public") return untold(name, "the policy says that it is public");
  const questions = table === undefined ? [count(name)] : questionsOf(name, table);
  const { found, refused } = await runTwice(questions, policy, engine);
  const refusals = [...refused].map(([code, which]) => `${code} (${few(which)})`).join(", ");
  if (found.length === 0 && [...refused.values()].flat().length === questions.length)
    return untold(name, `every plain question is refused: ${refusals}`);
  return {
    audit: policyAudit.id,
    subject: name,
    of: "user",
    finding: found.length === 0 ? null : found.join("; "),
    claim: "every plan runs, and depends on the rows alone",
    measured: `questions that do not: ${found.length} of ${questions.length}; refused: ${refusals || "none"}`,
    interval: null,
    ceiling: 0,
    how:
      table === undefined
        ? "a count of the view, run twice"
        : "counts, sums, averages and groups of each column, each run twice",
  };
}

/** The refusals that are no fault: a policy may allow less than every question. */
const allowed: readonly string[] = [
  "query.unsupported",
  "query.missing-bounds",
  "query.missing-delta",
  "query.type",
];
/** The errors that stand in the way of every question about a table, as its catalog says: no value of the data is in them. */
const unaskable: readonly string[] = [
  "engine.source",
  "engine.schema",
  "engine.not-imported",
  "policy.changed",
  "policy.roles",
];

interface Ran {
  readonly found: readonly string[];
  /** The aggregates that were asked, by the code of their refusal. */
  readonly refused: ReadonlyMap<string, readonly string[]>;
}

async function runTwice(questions: readonly PlainQuestion[], policy: Policy, engine: Engine): Promise<Ran> {
  const found: string[] = [];
  const refused = new Map<string, string[]>();
  for (const { asks, from } of questions) {
    try {
      const plan = await planOf(`SELECT ${asks} ${from}`, policy);
      const [once, twice] = [await measure(plan, { engine }), await measure(plan, { engine })];
      if (once === null || twice === null)
        found.push(`${asks}: the database could not answer; details are in the owner's log`);
      else if (wordsOf(once) !== wordsOf(twice)) found.push(`${asks}: the same rows gave other numbers`);
    } catch (error) {
      if (!(error instanceof LetheError)) throw error;
      const { code, message, fix } = error;
      const said = `${code}: ${message}; ${fix}`;
      if (unaskable.includes(code)) return { found: [said], refused };
      if (allowed.includes(code)) refused.set(code, [...(refused.get(code) ?? []), asks]);
      else if (code.startsWith("query.")) found.push(said);
      else throw error;
    }
  }
  return { found, refused };
}

/** Plans a question at a price of 1, on which no plan's sensitivity depends, and without a budget in the way. */
async function planOf(sql: string, policy: Policy): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(sql), policy);
  return planQuestion(question, policy, { epsilon: one }, policyHash(policy));
}

interface PlainQuestion {
  readonly asks: string;
  readonly from: string;
}

function count(name: string): PlainQuestion {
  return { asks: "COUNT(*)", from: `FROM ${quoted(name)}` };
}

/** A count, and of each column what is most often asked of its kind. */
function questionsOf(name: string, { columns, unit }: TablePolicy): readonly PlainQuestion[] {
  const from = `FROM ${quoted(name)}`;
  const unitColumn = "column" in unit ? unit.column : null;
  return [
    count(name),
    ...Object.entries(columns).flatMap(([column, { type }]): PlainQuestion[] => {
      const x = quoted(column);
      if (column === unitColumn) return [{ asks: `COUNT(DISTINCT ${x})`, from }];
      if (type === "number" || type === "integer")
        return [
          { asks: `COUNT(${x})`, from },
          { asks: `SUM(${x}), AVG(${x})`, from },
        ];
      return [{ asks: `${x}, COUNT(*)`, from: `${from} GROUP BY ${x}` }];
    }),
  ];
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The first of many, so that a line stays one. */
function few(which: readonly string[]): string {
  const shown = which.slice(0, 3).join("; ");
  return which.length > 3 ? `${shown}; and ${which.length - 3} more` : shown;
}

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

function untold(name: string, how: string): AuditRow {
  return { ...told, subject: name, measured: "not looked at", how };
}

const notChecked: AuditRow = {
  ...told,
  subject: "not checked",
  measured:
    "how far one unit more moves an answer; that the unit's column names a person; that bounds and categories are public",
  how: "the first takes a neighbour (--question with --neighbour), the others are the owner's word",
};
