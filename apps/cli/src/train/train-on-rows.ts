import { LetheError, lossToJson, type PrivacyLoss, type PrivacyLossText, type Rational } from "@lethe/core";
import { type House, type ProcedureRelease, priceOfEvent, runProcedure } from "@lethe/gateway";
import { modelKindOf, wordsOf } from "@lethe/learn";
import {
  type CompiledRows,
  compileRows,
  dialects,
  type Engine,
  type Policy,
  questionBudget,
  type TableStorage,
  tablesAnswered,
  tablesRead,
  unitContribution,
} from "@lethe/query";
import type { Checkpoints } from "./checkpoints.ts";
import type { DescribedModel, PlannedModel } from "./row-model.ts";
import {
  isRowModel,
  type RowModelExplained,
  type RowModelKind,
  type RowModelResult,
  rowModelOf,
} from "./row-models.ts";
import type { TrainingRequest } from "./train.ts";
import { type TrainingRows, trainingRows } from "./training-rows.ts";

/** A model that was trained on rows, with the certificate of its one charge. */
export type RowModelRelease = ProcedureRelease<RowModelResult>;

/** The price of a training on rows, and what is public of its noise. */
export interface RowModelExplanation {
  readonly price: PrivacyLossText;
  readonly unit: string;
  readonly model: RowModelExplained;
  /** The record that would be charged. */
  readonly plan: PlannedModel<RowModelResult, RowModelExplained>["plan"];
}

interface PlannedTraining {
  readonly kind: RowModelKind;
  readonly described: DescribedModel<RowModelResult, RowModelExplained>;
  readonly planned: PlannedModel<RowModelResult, RowModelExplained>;
  readonly price: PrivacyLossText;
  readonly rows: TrainingRows;
}

/** Returns price and noise of a training on rows: free, and touches no row. Errors: model.*, query.*, parameter.invalid. */
export async function explainOnRows(
  text: string,
  request: TrainingRequest,
  policy: Policy,
): Promise<RowModelExplanation> {
  const { planned, price } = await plannedTraining(text, request, policy);
  const { name, adjacency } = policy.privacyUnit;
  return { price, unit: `one ${name}; ${adjacency}`, model: planned.explained, plan: planned.plan };
}

/**
 * Trains a model on rows: its whole record is charged first, and the rows stay sealed in this process. Whatever can be refused is refused before the
 * charge. A training that died goes on under its id from where it was kept, under the same charge. Errors: model.*, query.*, ledger.*, engine.*,
 * parameter.invalid.
 */
export async function trainOnRows(
  text: string,
  request: TrainingRequest,
  house: House,
  checkpoints: Checkpoints,
): Promise<RowModelRelease> {
  const { kind, described, planned, price, rows } = await plannedTraining(text, request, house.policy);
  const { engine, entropy } = house;
  const { principal, requestId } = request;
  const { source, target, features } = described.task;
  let compiled: CompiledRows | null = null;
  const prepared = async (): Promise<CompiledRows> => (compiled ??= await compiledFor(rows, engine));
  const release = await runProcedure(
    {
      kind,
      title: `${described.noun} of ${target.name} on ${features.map(({ name }) => name).join(", ")} from ${source}`,
      plan: planned.plan,
      tables: tablesAnswered(rows.plan),
      ...(planned.ran ? { ran: planned.ran } : {}),
      async prepare() {
        await prepared();
      },
      run: async ({ hash }) =>
        planned.run(await engine.rows(await prepared()), { entropy, checkpoints, charge: hash }),
    },
    { principal, requestId, project: request.options.project, price },
    house,
  );
  checkpoints.forget();
  return release;
}

async function plannedTraining(
  text: string,
  { options }: TrainingRequest,
  policy: Policy,
): Promise<PlannedTraining> {
  const kind = modelKindOf(text);
  if (!isRowModel(kind))
    throw new LetheError("model.invalid", "this model is made of released sums, and not trained on rows", {
      fix: "train it with lethe.train",
    });
  const described = await (await rowModelOf(kind)).read(text, policy);
  if (options.mechanism === "laplace")
    throw new LetheError("query.option", `a ${described.noun} has the noise of its own plan, and no other`, {
      fix: "leave the mechanism out",
    });
  const rows = await trainingRows(described.task, policy, options);
  const budget = questionBudget(policy, rows.options);
  const { plan, ...training } = described.plan({
    budget,
    toldDelta: toldDelta(budget, policy),
    adjacency: policy.privacyUnit.adjacency,
    rowsPerUnit: unitContribution(rows.plan.contribution).rows,
  });
  // What the owner says of the model stands in the record beside what was planned.
  const planned = { ...training, plan: { ...plan, ...wordsOf(described.task) } };
  const { measure } = budget;
  const delta = lossToJson(budget);
  const price = priceOfEvent(planned.plan.event, { measure, delta: "delta" in delta ? delta.delta : "0" });
  return { kind, described, planned, price, rows };
}

/** In a zCDP account ε stands for the ρ that gives it at the account's δ. */
function toldDelta(budget: PrivacyLoss, { budget: account }: Policy): Rational {
  if (budget.measure === "pure") return account.delta;
  return budget.measure === "zcdp" && account.delta.num > 0n ? account.delta : budget.delta;
}

/** Errors: engine.*; query.unsupported where nothing limits the rows of a unit. */
async function compiledFor(rows: TrainingRows, engine: Engine): Promise<CompiledRows> {
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
