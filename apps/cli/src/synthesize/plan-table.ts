import {
  LetheError,
  type PrivacyLoss,
  type PrivacyLossText,
  parseRational,
  toDouble,
  toText,
} from "@lethe/core";
import {
  type AskedOptions,
  countingPlan,
  type ProcedurePlan,
  priceOfEvent,
  rowsPerUnit,
} from "@lethe/gateway";
import { demandSameRows, type OwnersWords, wordsOf } from "@lethe/learn";
import {
  modelBytes,
  planSynthesis,
  readSynthesis,
  type SynthesisBudget,
  type SynthesisPlan,
  type SynthesisSpec,
  sizesOf,
  tableQuestion,
} from "@lethe/learn/synthesis";
import { type Plan, type Policy, questionBudget, tablesAnswered } from "@lethe/query";
import { demandAskable } from "./demand-askable.ts";
import { type ExpectedTime, expectedTime } from "./expected-time.ts";

/** The plan that is charged: all that is public, so that verify can derive the record again. */
export interface SyntheticTablePlan extends SynthesisPlan, ProcedurePlan, OwnersWords {
  readonly event: SynthesisPlan["event"];
  readonly source: string;
  readonly where: string | null;
}

/** A synthetic table that is planned and priced. */
export interface PlannedTable {
  readonly spec: SynthesisSpec;
  readonly plan: SyntheticTablePlan;
  readonly price: PrivacyLossText;
  /** Rows of the table as the policy expects them; null for a view, and where it does not say. */
  readonly expectedRows: number | null;
  /** The tables whose rows are counted. */
  readonly tables: readonly string[];
  /** Makes the counting plan of a table of these attributes. */
  readonly question: (attributes: readonly number[]) => Promise<Plan>;
}

/** The price of a synthetic table, and what is measured at which noise: free, and touches no row. */
export interface SynthesisExplanation {
  readonly price: PrivacyLossText;
  readonly method: SynthesisPlan["method"];
  /** The column that others are to predict; null for none. */
  readonly target: string | null;
  readonly source: string;
  readonly unit: string;
  readonly adjacency: string;
  readonly rowsPerUnit: string;
  readonly attributes: readonly { readonly name: string; readonly values: number }[];
  readonly leftOut: readonly string[];
  /** With exact texts of σ (in rows) and ε. */
  readonly stages: SynthesisPlan["stages"];
  /** In MB (10⁶ bytes): the model of single columns, the least there is, and the cap. */
  readonly modelMegabytes: { readonly least: number; readonly cap: number };
  readonly time: ExpectedTime;
}

/** Reads a description, and plans and prices it. Errors: model.*, query.*; query.option in an account of pure DP. */
export async function planTable(text: string, asked: AskedOptions, policy: Policy): Promise<PlannedTable> {
  const spec = await readSynthesis(text, policy);
  await demandAskable(spec, policy);
  const question = (attributes: readonly number[]): Promise<Plan> =>
    countingPlan(tableQuestion(spec, attributes), policy);
  const counted = await question([0]);
  demandSameRows(counted);
  demandOwnRows(counted);
  const budget = budgetOf(
    questionBudget(policy, { epsilon: asked.epsilon ?? null, delta: asked.delta ?? null }),
  );
  const { domain, target, method, modelBytes, source, where } = spec;
  const plan = {
    ...planSynthesis({
      ...(target === undefined ? {} : { target }),
      ...{ method, domain, budget, adjacency: policy.privacyUnit.adjacency, modelBytes },
      rowsPerUnit: rowsPerUnit(counted),
    }),
    ...{ source, where, ...wordsOf(spec) },
  };
  const delta = "delta" in budget ? toText(budget.delta) : "0";
  const price = priceOfEvent(plan.event, { measure: budget.measure, delta });
  const table = Object.hasOwn(policy.tables, source) ? policy.tables[source] : undefined;
  return {
    ...{ spec, plan, price, question },
    expectedRows: where === null ? (table?.expectedRows ?? null) : null,
    tables: tablesAnswered(counted),
  };
}

/** The share of a single column's table that its noise takes of so many rows, the mean over columns: at most 1; null for an unknown number. */
export function noiseShare({ domain, stages }: SynthesisPlan, rows: number | null): number | null {
  const each = stages.find(({ kind }) => kind === "measure-each");
  if (rows === null || each?.kind !== "measure-each") return null;
  const sigma = toDouble(parseRational(each.sigma), "up");
  const shares = sizesOf(domain).map((size) =>
    Math.min(1, (Math.sqrt(2 / Math.PI) * sigma * size) / (2 * Math.max(1, rows))),
  );
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Tells a planned table before it is paid. */
export function explainTable(planned: PlannedTable, { privacyUnit }: Policy): SynthesisExplanation {
  const { spec, plan, price } = planned;
  const sizes = sizesOf(plan.domain);
  return {
    price,
    ...{ method: plan.method, target: plan.target ?? null },
    source: plan.source,
    unit: privacyUnit.name,
    adjacency: plan.session.adjacency,
    rowsPerUnit: plan.session.rowsPerUnit,
    attributes: plan.domain.map(({ name }, at) => ({ name, values: sizes[at] ?? 0 })),
    leftOut: spec.leftOut,
    stages: plan.stages,
    modelMegabytes: { least: modelBytes(sizes, []) / 1e6, cap: plan.modelBytes / 1e6 },
    time: expectedTime(planned),
  };
}

/** Errors: query.option for pure DP, whose noise a session of Gaussian tables is not. */
function budgetOf(loss: PrivacyLoss): SynthesisBudget {
  if (loss.measure === "approximate" && loss.delta.num > 0n) return loss;
  if (loss.measure === "zcdp") return { measure: "zcdp", rho: loss.rho };
  throw new LetheError(
    "query.option",
    "a synthetic table is made of Gaussian noise, which has no price in pure DP, where delta is 0",
    {
      fix: "keep the account in budget: { measure: approximate, epsilon: …, delta: … } or { measure: zcdp, rho: … }; in this one, lethe train with marginals releases tables of counts",
      fields: { measure: loss.measure },
    },
  );
}

/** Errors: model.invalid where a join makes several rows of a unit's one. */
function demandOwnRows({ joinedRows = 1 }: Plan): void {
  if (joinedRows === 1) return;
  throw new LetheError(
    "model.invalid",
    "a join in this view makes several rows of one, and tables count each",
    {
      fix: "name a table, or a view whose rows are those of one table",
    },
  );
}
