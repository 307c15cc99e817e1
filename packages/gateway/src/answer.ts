import { type Exact, type ExactRows, LetheError, lossFromJson } from "@lethe/core";
import type { Charge, Ledger, Reservation } from "@lethe/ledger";
import {
  type CompiledQuery,
  compilePlan,
  compileTrees,
  dialects,
  type Engine,
  type Plan,
  type TableStorage,
  tablesRead,
} from "@lethe/query";
import { certify } from "./certify.ts";
import { withErrorInReach } from "./error-in-reach.ts";
import type { House } from "./house.ts";
import { prepare } from "./prepare.ts";
import type { Question } from "./question.ts";
import type { Release } from "./release.ts";
import { releaseRows } from "./release-rows.ts";
import { requestHash } from "./request-hash.ts";

/**
 * One question's journey. Everything before `reserve` is free and touches no row; after it the price is spent, come what
 * may; nothing leaves before its bytes are durable. Errors: coded refusals, never a value of the data.
 */
export async function answer(question: Question, house: House): Promise<Release> {
  const { policy, engine, ledger, entropy } = house;
  const plan = await prepare(question.text, question.options, policy); // typed, priced, free of data
  const queries = await compile(plan, engine); // drift of the schema is refused before anything is charged
  const reserved = await reserve(question, plan, house); // durable before a row is read
  if (reserved.kind === "settled") return JSON.parse(reserved.release);

  return spent(ledger, reserved.charge, async (paid) => {
    const exact = await execute(engine, queries); // Exact: cannot be logged or sent
    const answered = releaseRows(plan, exact, paid, entropy, question.options.confidence);
    const release = await certify(answered, plan, paid, question, house);
    return JSON.parse(await ledger.settle(paid, JSON.stringify(release))); // the bytes are durable before any leaves
  });
}

/** Errors: those of the ledger; ledger.budget says of a target error what would be in reach instead. */
async function reserve(question: Question, plan: Plan, { ledger, policy }: House): Promise<Reservation> {
  try {
    return await ledger.reserve(requestOf(question, plan));
  } catch (error) {
    if (!(error instanceof LetheError && error.code === "ledger.budget")) throw error;
    throw await withErrorInReach(error, question, await ledger.remaining(question.principal), policy);
  }
}

/** The plan's sums, then the cells of each of its trees. */
async function compile(plan: Plan, engine: Engine): Promise<readonly CompiledQuery[]> {
  const dialect = dialects[engine.dialect];
  if (!dialect) {
    throw new LetheError("internal.invariant", `there is no dialect ${engine.dialect}`, {
      fix: "register the engine's dialect in query/dialects",
    });
  }
  const storages = new Map<string, TableStorage>();
  for (const table of tablesRead(plan)) storages.set(table, await engine.storage(table));
  const storageOf = (table: string): TableStorage => storages.get(table)!;
  return [compilePlan(plan, storageOf, dialect), ...compileTrees(plan, storageOf, dialect)];
}

/** Whatever an engine raises becomes one constant: its own words may hold data. */
async function execute(
  engine: Engine,
  queries: readonly CompiledQuery[],
): Promise<readonly Exact<ExactRows>[]> {
  try {
    const all: Exact<ExactRows>[] = [];
    for (const query of queries) all.push(await engine.run(query));
    return all;
  } catch {
    throw new LetheError("engine.failed", "the database could not answer; details are in the owner's log", {
      fix: "ask the owner of the data",
    });
  }
}

function requestOf(question: Question, plan: Plan): Parameters<Ledger["reserve"]>[0] {
  return {
    principal: question.principal,
    requestId: question.requestId,
    requestHash: requestHash(question, plan.policyHash),
    loss: lossFromJson(plan.price),
    event: plan.event,
    text: shownText(question),
  };
}

/** The question as the ledger shows it: with the values of its parameters. */
function shownText({ text, options: { parameters = [] } }: Question): string {
  if (parameters.length === 0) return text;
  const values = parameters.map((value, at) => `$${at + 1} = ${JSON.stringify(value)}`);
  return `${text} [${values.join(", ")}]`;
}

/** Whatever fails after the charge is recorded, and the price stays spent: a refund would depend on the data. */
async function spent<T>(ledger: Ledger, charge: Charge, work: (paid: Charge) => Promise<T>): Promise<T> {
  try {
    return await work(charge);
  } catch (error) {
    await ledger.fail(charge);
    throw error;
  }
}
