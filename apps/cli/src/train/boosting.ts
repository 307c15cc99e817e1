import { LetheError, lossToJson, type PrivacyLoss, type PrivacyLossText, type Rational } from "@lethe/core";
import { noiseVariance } from "@lethe/core/accuracy";
import {
  type House,
  type Procedure,
  type ProcedureRelease,
  priceOfEvent,
  runProcedure,
} from "@lethe/gateway";
import {
  type BoostedModel,
  type BoostingPlan,
  type BoostingTask,
  planBoosting,
  readBoostingTask,
  trainSealedBoosting,
} from "@lethe/learn/boosting";
import {
  type CompiledRows,
  compileRows,
  dialects,
  type Engine,
  type Plan,
  type Policy,
  questionBudget,
  type RowsRequest,
  type TableStorage,
  tablesRead,
  unitContribution,
} from "@lethe/query";
import { boostingRows } from "./boosting-rows.ts";
import type { TrainingRequest } from "./train.ts";

/** A boosted model with the certificate of its one charge. */
export type BoostingRelease = ProcedureRelease<BoostedModel>;

/** The price of a boosting, and the noise of what it opens. */
export interface BoostingExplanation {
  readonly price: PrivacyLossText;
  readonly unit: string;
  /** The first release: how many rows are in each cell of each feature. */
  readonly counts: { readonly features: number /** Of one count, in rows. */; readonly deviation: number };
  readonly rounds: number;
  /** Every step opens the sums of residuals in one feature's bins. */
  readonly steps: {
    readonly count: number;
    /** Of one sum, in residuals: those of a unit have a norm of at most `clip`. */
    readonly deviation: number;
    readonly clip: number;
  };
  readonly plan: BoostingPlan;
}

/** A boosting whose price is known: no row was read, and nothing is paid. */
interface PlannedBoosting {
  readonly task: BoostingTask;
  readonly plan: BoostingPlan;
  readonly price: PrivacyLossText;
  readonly rows: RowsRequest & { readonly plan: Plan };
}

/** Returns price, noise and steps of a boosting: free, and touches no row. Errors: model.*, query.*, parameter.invalid. */
export async function explainBoosting(
  text: string,
  request: TrainingRequest,
  policy: Policy,
): Promise<BoostingExplanation> {
  const { plan, price } = await plannedBoosting(text, request, policy);
  const { countNoise, stepNoise, rounds, rows, clip, features } = plan;
  const deviation = (noise: typeof countNoise, norm: number): number =>
    Math.sqrt(noiseVariance(noise)) * norm * 2 ** -20;
  return {
    price,
    unit: `one ${policy.privacyUnit.name}; ${plan.adjacency}`,
    counts: { features: features.length, deviation: deviation(countNoise, rows) },
    rounds,
    steps: { count: rounds * features.length, deviation: deviation(stepNoise, clip), clip },
    plan,
  };
}

/**
 * Trains a boosted model: its whole record is charged first, and the rows stay sealed in this process. Whatever can be refused is refused before the
 * charge. Errors: model.*, query.*, ledger.*, engine.*, parameter.invalid.
 */
export async function trainBoosted(
  text: string,
  request: TrainingRequest,
  house: House,
): Promise<BoostingRelease> {
  const planned = await plannedBoosting(text, request, house.policy);
  const { principal, requestId } = request;
  return runProcedure(
    procedureOf(planned, house.engine),
    { principal, requestId, price: planned.price },
    house,
  );
}

async function plannedBoosting(
  text: string,
  { options }: TrainingRequest,
  policy: Policy,
): Promise<PlannedBoosting> {
  const task = await readBoostingTask(text, policy);
  if (options.mechanism === "laplace")
    throw new LetheError("query.option", "a boosting has Gaussian noise, and no other", {
      fix: "leave the mechanism out",
    });
  const { kind: _, version: __, source, where, ...described } = task;
  const rows = await boostingRows(task, policy, options);
  const most = unitContribution(rows.plan.contribution).rows;
  const budget = questionBudget(policy, rows.options);
  const plan = planBoosting({
    ...described,
    adjacency: policy.privacyUnit.adjacency,
    budget: gaussianBudget(budget),
    rows: most,
  });
  const { measure } = budget;
  const delta = lossToJson(budget);
  const price = priceOfEvent(plan.event, { measure, delta: "delta" in delta ? delta.delta : "0" });
  return { task, plan, price, rows };
}

type GaussianShare = { readonly epsilon: Rational; readonly delta: Rational } | { readonly rho: Rational };

/** Errors: query.unsupported in pure DP; query.missing-delta for a δ of 0. */
function gaussianBudget(budget: PrivacyLoss): GaussianShare {
  if (budget.measure === "zcdp") return { rho: budget.rho };
  if (budget.measure === "pure")
    throw new LetheError(
      "query.unsupported",
      "a boosting has Gaussian noise, which pure DP has no price for",
      {
        fix: "keep the account in approximate DP or zCDP: measure: approximate below budget in the policy",
      },
    );
  if (budget.delta.num === 0n)
    throw new LetheError("query.missing-delta", "a boosting has Gaussian noise, which needs a delta", {
      fix: "state delta, as in --delta 1e-6; well below 1/people is usual",
    });
  return { epsilon: budget.epsilon, delta: budget.delta };
}

function procedureOf({ task, plan, rows }: PlannedBoosting, engine: Engine): Procedure<BoostedModel> {
  const { source, where, target, features } = task;
  const record = { ...plan, source, where };
  let compiled: CompiledRows | null = null;
  const prepared = async (): Promise<CompiledRows> => (compiled ??= await compiledFor(rows, engine));
  return {
    kind: "boosting",
    title: `boosting of ${target.name} on ${features.map(({ name }) => name).join(", ")} from ${source}`,
    plan: record,
    async prepare() {
      await prepared();
    },
    run: async (_paid, draws) => trainSealedBoosting(plan, await engine.rows(await prepared()), draws),
  };
}

/** Errors: engine.*; query.unsupported where nothing limits the rows of a unit. */
async function compiledFor(rows: PlannedBoosting["rows"], engine: Engine): Promise<CompiledRows> {
  const dialect = dialects[engine.dialect];
  const storages = new Map<string, TableStorage>();
  for (const table of tablesRead(rows.plan)) storages.set(table, await engine.storage(table));
  const storageOf = (table: string): TableStorage => {
    const storage = storages.get(table);
    if (storage) return storage;
    throw unready(`the table ${table} was not opened`);
  };
  if (!dialect) throw unready(`there is no dialect ${engine.dialect}`);
  return compileRows(rows, storageOf, dialect);
}

function unready(message: string): LetheError {
  return new LetheError("internal.invariant", message, { fix: "report this: Lethe could not read the rows" });
}
