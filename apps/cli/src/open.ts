import { randomUUID } from "node:crypto";
import { invalidParameter, LetheError, secureEntropy } from "@lethe/core";
import {
  type Answer,
  type Answered,
  type AskOptions,
  answerOrMade,
  answerOrRepeat,
  askedOptions,
  askText,
  dayAt,
  type Explained,
  earlierRelease,
  explain,
  type House,
  type Made,
  parameterList,
  type Question,
  type Release,
  readPublic,
} from "@lethe/gateway";
import type { Training } from "@lethe/learn";
import { type AccountLedger, type BudgetReport, openLedger, owner } from "@lethe/ledger";
import {
  asksToExplain,
  type DatabasePolicy,
  describeQuestion,
  describeTables,
  type Engine,
  explainedReadings,
  type Policy,
  type QuestionDescription,
  type TableDescription,
} from "@lethe/query";
import { type WaitSignal, waitFor } from "@lethe/serve/wait-for";
import { accountPolicy, requireOwnBudget } from "./account-policy.ts";
import { readsCopies } from "./copies/copies.ts";
import { openReadings } from "./copies/open-readings.ts";
import { openServer } from "./database/open-server.ts";
import { headFileOf } from "./head-file.ts";
import { ownersLog } from "./owners-log.ts";
import { declaredVersions } from "./repeats/declared-versions.ts";
import { freeAnswers } from "./repeats/earlier-answer.ts";
import { readSeed } from "./seed.ts";
import type { SynthesisExplanation } from "./synthesize/plan-table.ts";
import type { SynthesisRelease } from "./synthesize/synthesize-table.ts";
import type { SyntheticTable } from "./synthesize/synthetic-table.ts";
import type { Trained, TrainingExplanation, TrainingRequest } from "./train/train.ts";
import type { RowModelExplanation, RowModelRelease } from "./train/train-on-rows.ts";
import { policyOf, type Workspace, workspaceOf } from "./workspace.ts";

export interface QueryOptions extends AskOptions {
  /**
   * The id of the request. Asked again under the same id, a question costs nothing and gives the same bytes; under another one it is paid for. Where it
   * is left out, an earlier answer to the same question of the same version of the data is given again, and costs nothing either.
   */
  readonly requestId?: string;
  /** Pays for a new answer even where an earlier one to the same question is there. */
  readonly fresh?: boolean;
  /** Takes the answer that earlier releases make, however wide it is, and pays for nothing: query.option where they make none. For `ask` alone. */
  readonly made?: boolean;
  /** Ends the wait, of ask, query and explain. What was charged stays charged, and its answer is there: the same question gives it at no charge. */
  readonly signal?: WaitSignal;
  /** Gets what should be known before paying, such as how large a group must be for its key to be released. */
  readonly notice?: (words: string) => void;
}

/** The options of a training: one price for all sums of all its models. */
export type TrainOptions = Pick<
  QueryOptions,
  | "project"
  | "epsilon"
  | "delta"
  | "mechanism"
  | "confidence"
  | "acceptUninformative"
  | "principal"
  | "requestId"
  | "notice"
>;

/** The options of a synthetic table: one price for all that is measured of it. */
export type SynthesizeOptions = Pick<
  QueryOptions,
  "epsilon" | "delta" | "acceptUninformative" | "principal" | "project" | "requestId" | "notice"
>;

export interface OpenOptions {
  /**
   * Keeps the ledger's head on another disk, so that an older ledger put back is refused: see lethe ledger verify. Where the
   * policy names such a file that one is kept, and another one here is refused.
   */
  readonly headFile?: string | undefined;
  /**
   * Called with what removes temporary copies of data, should the process end by a signal before; gives what removes them in time.
   * For programs that catch signals: without it, the next to open or import sweeps away what a killed process left.
   */
  readonly removedAtEnd?: (remove: () => void) => () => void;
}

export type { Answer, Explained } from "@lethe/gateway";

/** A policy, its data and its ledger, opened together. */
export interface Lethe {
  /**
   * Answers a question as `query` does, EXPLAIN PRIVACY followed by a question as `explain` does, and at no price SHOW TABLES, DESCRIBE and SELECTs of
   * information_schema from the policy, and questions of public tables alone from these, exactly.
   */
  ask(sql: string, options?: QueryOptions): Promise<Answer>;
  /**
   * Pays, then answers; where `ask` says that there is a repeat, gives the earlier release, of the moment that its certificate states. A question of public tables alone is one for
   * `ask`. Errors: query.*, ledger.budget, engine.* — coded, never a value of the data.
   */
  query(sql: string, options?: QueryOptions): Promise<Release>;
  /**
   * Returns plan, price and expected error. Free; touches no row. EXPLAIN PRIVACY may stand before the question. A question of public tables alone has none of these (query.public).
   * Where there is a ledger its budget must be the policy's (policy.changed). Where an earlier answer would be given again, `earlier` names it, and asking costs nothing. `reads` says how each table would be read.
   */
  explain(sql: string, options?: AskOptions & Pick<QueryOptions, "signal">): Promise<Explained>;
  /**
   * Pays once for the sums that models need, each given as YAML text, and fits them to what was released. Errors: model.*, query.*, ledger.budget,
   * engine.* — coded, never a value of the data.
   */
  train(models: string | readonly string[], options?: TrainOptions): Promise<Trained>;
  /** Returns the price of a training and the noise of its sums. Free; touches no row. */
  explainTraining(models: string | readonly string[], options?: TrainOptions): Promise<TrainingExplanation>;
  /**
   * Pays once for a model that is trained on rows, given as YAML text with `model: boosting`, and trains it; the rows stay sealed in this process. Asked
   * again under its id after its process died, it goes on under the same charge. Errors: model.*, query.*, parameter.invalid, ledger.budget, engine.*
   * — coded, never a value of the data.
   */
  trainOnRows(model: string, options?: TrainOptions): Promise<RowModelRelease>;
  /** Returns price and noise of such a training. Free; touches no row. */
  explainOnRows(model: string, options?: TrainOptions): Promise<RowModelExplanation>;
  /**
   * Fits models to the sums of an earlier training, for nothing, and returns them after the earlier ones. Errors: model.*; release.invalid where they
   * need other sums.
   */
  fit(models: string | readonly string[], earlier: Trained): Promise<Trained>;
  /**
   * Pays once for a synthetic table, described in YAML, and releases the noisy counts that its rows follow from. Only counts leave the database. Errors:
   * model.*, query.*, parameter.invalid, ledger.budget, engine.* — coded, never a value of the data.
   */
  synthesize(description: string, options?: SynthesizeOptions): Promise<SynthesisRelease>;
  /** Returns price, noise, size and expected seconds of a synthetic table. Free; touches no row. */
  explainSynthesis(description: string, options?: SynthesizeOptions): Promise<SynthesisExplanation>;
  /** Returns the table of a release, whose rows are drawn for nothing: the same for everyone. Errors: release.invalid. */
  syntheticTable(release: SynthesisRelease): Promise<SyntheticTable>;
  /**
   * Returns the tables that a text reads where all of them are public: `ask` answers it exactly and for nothing. Null for any other text. Opens neither data nor ledger.
   */
  publicTables(
    sql: string,
    options?: Pick<AskOptions, "params" | "today">,
  ): Promise<readonly string[] | null>;
  /** Returns what the policy lets one ask: tables, units, columns, bounds, categories and a few questions. Opens neither data nor ledger. */
  tables(): Promise<readonly TableDescription[]>;
  /** Returns the columns of a question's answer and the types of its parameters, which need no values. Opens neither data nor ledger. */
  describeQuestion(sql: string): Promise<QuestionDescription>;
  /** Returns what is granted, spent and left, and every charge. Losses are exact fractions, which toDecimal and toText write. */
  budget(): Promise<BudgetReport>;
  close(): Promise<void>;
}

/**
 * Opens what a policy names: the data, and the ledger that `lethe init` made beside it.
 * @example
 * const lethe = await open("lethe.yaml");
 * const release = await lethe.query("SELECT sector, AVG(wage) FROM people GROUP BY sector", { epsilon: 0.5 });
 */
export async function open(
  policyPath = "lethe.yaml",
  { headFile, removedAtEnd }: OpenOptions = {},
): Promise<Lethe> {
  const workspace = workspaceOf(policyPath);
  const policy = policyOf(workspace);
  // The parts open on first use: explaining needs neither ledger nor database.
  const parts: { ledger?: Promise<AccountLedger>; engine?: Promise<Engine> } = {};
  const ledger = (): Promise<AccountLedger> => (parts.ledger ??= openOwnLedger(workspace, policy, headFile));
  const engine = (): Promise<Engine> => (parts.engine ??= openEngine(workspace, policy, removedAtEnd));
  const entropy = secureEntropy();
  const house = async ({ notice }: Pick<QueryOptions, "notice">): Promise<House> => {
    const [openedLedger, openedEngine] = await Promise.all([ledger(), engine()]);
    const told = notice === undefined ? {} : { notice };
    const declared = declaredVersions(workspace);
    return {
      policy,
      ledger: openedLedger,
      engine: openedEngine,
      entropy,
      clock: Date.now,
      declared,
      ...told,
    };
  };
  // The policy's release schedule holds for whoever asks, by whatever door.
  const scheduled = async <T>(options: QueryOptions, work: (own: House) => Promise<T>): Promise<T> => {
    const own = await house(options);
    if (policy.releaseSchedule === undefined) return work(own);
    const { onSchedule, systemTimer } = await import("./asked/schedule.ts");
    const schedule = { each: policy.releaseSchedule };
    return onSchedule((ledger) => work({ ...own, ledger, schedule }), own.ledger, schedule, systemTimer);
  };
  const questionOf = (sql: string, options: QueryOptions): Question => ({
    text: sql,
    ...requestOf(options),
    ...repeatsOf(options),
    options: askedOptions(options, sql),
  });
  const answered = async (sql: string, options: QueryOptions = {}): Promise<Answered> => {
    if (options.made === true)
      throw invalidParameter("made", true, "an option of ask: what is made of releases is no release");
    return scheduled(options, (own) => answerOrRepeat(questionOf(sql, options), own));
  };
  const answeredOrMade = async (
    question: Question,
    options: QueryOptions,
  ): Promise<Omit<Answered, "standing"> | Made> => {
    const answer = await scheduled(options, (own) => answerOrMade(question, own));
    if ("made" in answer) return answer;
    const { standing: _, ...shown } = answer;
    return shown;
  };
  // Models need code that no question needs.
  const training = async (models: string | readonly string[]): Promise<TrainingTools> => {
    const [tools, { readTraining }] = await Promise.all([import("./train/train.ts"), import("@lethe/learn")]);
    return { ...tools, planned: await readTraining([models].flat(), policy) };
  };
  const explained: Lethe["explain"] = async (sql, options = {}) => {
    // A price under a budget that is not the account's is none that could be paid.
    await requireOwnBudget(workspace, policy);
    const asked = { ...askedOptions(options, sql), today: dayOf(options.today) };
    const { principal = owner } = options;
    const asker = { principal: owner, held: asked.heldRelease ?? null };
    const explanation = await explain(sql, asked, policy, async (id) =>
      earlierRelease(id, asker, await ledger()),
    );
    const free = await freeAnswers(workspace, policy, { text: sql, principal, options: asked });
    const reads = explainedReadings(explanation, policy, await openReadings(workspace, policy));
    return { ...explanation, ...free, reads };
  };
  const publicQuestion = (
    sql: string,
    { params, today }: Pick<AskOptions, "params" | "today">,
  ): ReturnType<typeof readPublic> =>
    readPublic(sql, params === undefined ? [] : parameterList(sql, params), dayOf(today), policy);
  const asking = (sql: string, options: QueryOptions): Promise<Answer> =>
    askText(asksToExplain(sql) ? explainedText(sql) : questionOf(sql, options), {
      policy,
      clock: Date.now,
      engine,
      answer: (question) => answeredOrMade(question, options),
      explain: () => explained(sql, options),
    });
  return {
    ask: (sql, options = {}) => waiting(options, () => asking(sql, options)),
    publicTables: async (sql, options = {}) => (await publicQuestion(sql, options))?.tables ?? null,
    query: (sql, options = {}) => waiting(options, async () => (await answered(sql, options)).release),
    explain: (sql, options = {}) => waiting(options, () => explained(sql, options)),
    train: async (models, options = {}) => {
      const { train, planned } = await training(models);
      return train(planned, trainingRequest(options), await house(options));
    },
    explainTraining: async (models, options = {}) => {
      await requireOwnBudget(workspace, policy);
      const { explainTraining, planned } = await training(models);
      return explainTraining(planned, trainingRequest(options), policy);
    },
    trainOnRows: async (model, options = {}) => {
      const [{ trainOnRows }, { fileCheckpoints }] = await Promise.all([
        import("./train/train-on-rows.ts"),
        import("./train/checkpoints.ts"),
      ]);
      const request = trainingRequest(options);
      const own = await house(options);
      const { publicKey } = own.ledger;
      return trainOnRows(model, request, own, fileCheckpoints(workspace.state, { publicKey, ...request }));
    },
    explainOnRows: async (model, options = {}) => {
      await requireOwnBudget(workspace, policy);
      const { explainOnRows } = await import("./train/train-on-rows.ts");
      return explainOnRows(model, trainingRequest(options), policy);
    },
    fit: async (models, earlier) => {
      const { fitAgain, planned } = await training(models);
      await requireOwn(earlier, (await ledger()).publicKey);
      return fitAgain(planned, earlier);
    },
    synthesize: async (description, options = {}) => {
      const { synthesizeTable } = await import("./synthesize/synthesize-table.ts");
      const request = { ...requestOf(options), options: askedOptions(options) };
      return synthesizeTable(description, request, await house(options));
    },
    explainSynthesis: async (description, options = {}) => {
      await requireOwnBudget(workspace, policy);
      const { explainSynthesis } = await import("./synthesize/synthesize-table.ts");
      return explainSynthesis(description, { options: askedOptions(options) }, policy);
    },
    syntheticTable: async (release) => {
      const { syntheticTable } = await import("./synthesize/synthetic-table.ts");
      return syntheticTable(release);
    },
    tables: () => describeTables(policy),
    describeQuestion: (sql) => describeQuestion(sql, policy),
    budget: async () => (await ledger()).report(),
    async close() {
      const opened = await Promise.allSettled([parts.engine, parts.ledger]);
      for (const part of opened) if (part.status === "fulfilled") await part.value?.close();
    },
  };
}

/** Waits as long as a signal lets it; one that is there already lets nothing begin. Errors: the signal's reason. */
async function waiting<T>({ signal }: Pick<QueryOptions, "signal">, begin: () => Promise<T>): Promise<T> {
  if (signal?.aborted) throw signal.reason;
  return waitFor(begin(), signal);
}

/** A text whose options are read where it is explained. */
function explainedText(text: string): Question {
  return { text, principal: owner, requestId: "", options: { confidence: 0.95 } };
}

/** Who asks, and under which id. */
function requestOf({ principal = "owner", requestId = randomUUID() }: QueryOptions): {
  readonly principal: string;
  readonly requestId: string;
} {
  return { principal, requestId };
}

/** Whether an earlier answer will do. A request with an id of its own is answered for itself. Errors: parameter.invalid. */
function repeatsOf({ requestId, fresh = false, made = false }: QueryOptions): Pick<Question, "repeats"> {
  if (fresh && made)
    throw invalidParameter("made", true, "left out beside fresh, which pays for a new answer");
  if (requestId === undefined) return { repeats: made ? "made" : fresh ? "anew" : "earlier" };
  if (made) throw invalidParameter("made", true, "left out beside a request id, which names its own answer");
  if (fresh)
    throw invalidParameter("fresh", true, "left out beside a request id, which names its own answer");
  return {};
}

/** Refuses models whose release this ledger did not sign as it stands. Errors: release.invalid. */
async function requireOwn({ release }: Trained, publicKeyPem: string): Promise<void> {
  const { verifyRelease } = await import("@lethe/verify");
  const { checks } = await verifyRelease(JSON.stringify(release), { publicKeyPem });
  const failed = checks.find(({ outcome }) => outcome === "failed");
  if (failed)
    throw new LetheError("release.invalid", `the release of these models does not hold: ${failed.says}`, {
      fix: "give the file that lethe train --out wrote, unchanged, beside the ledger that was charged for it",
    });
}

type TrainingTools = typeof import("./train/train.ts") & { readonly planned: Training };

function trainingRequest(options: TrainOptions): TrainingRequest {
  const { epsilon, delta, mechanism, confidence, acceptUninformative, project } = askedOptions(options);
  return {
    ...requestOf(options),
    options: {
      epsilon: epsilon ?? null,
      delta: delta ?? null,
      mechanism: mechanism ?? null,
      acceptUninformative: acceptUninformative ?? null,
      confidence,
      ...(project === undefined ? {} : { project }),
    },
  };
}

/** The ledger beside the policy, if it counts the same units and holds the same budget. Errors: ledger.*, policy.changed, parameter.invalid. */
async function openOwnLedger(
  workspace: Workspace,
  policy: Policy,
  askedHeadFile: string | undefined,
): Promise<AccountLedger> {
  const headFile = headFileOf(workspace, policy, askedHeadFile);
  return openLedger(workspace.ledger, { clock: Date.now, headFile, policy: accountPolicy(policy) });
}

/** Opens the engine that the policy needs, and loads no other: where tables of a database were imported, the one that reads these copies. */
export async function openEngine(
  workspace: Workspace,
  policy: Policy,
  removedAtEnd?: OpenOptions["removedAtEnd"],
  seed: string = readSeed(workspace.seed),
): Promise<Engine> {
  if (policy.database !== null && !readsCopies(workspace, policy))
    return openDatabase(workspace, policy, policy.database, seed);
  const { openDuckDb } = await import("@lethe/engine-duckdb");
  const limits = removedAtEnd === undefined ? {} : { removedAtEnd };
  const { base: baseDirectory, state: stateDirectory } = workspace;
  return openDuckDb({ policy, seed, log: ownersLog(workspace), baseDirectory, stateDirectory, limits });
}

/** Opens the engine of a policy's database, whether its tables were imported or not. */
export async function openDatabase(
  workspace: Workspace,
  policy: Policy,
  database: DatabasePolicy,
  seed: string,
): Promise<Engine> {
  return openServer({ policy, seed, log: ownersLog(workspace), stateDirectory: workspace.state }, database);
}

/** The day that a question is asked on: the one stated, or else this one in UTC. */
function dayOf(stated: string | undefined): string {
  return stated ?? dayAt(Date.now());
}
