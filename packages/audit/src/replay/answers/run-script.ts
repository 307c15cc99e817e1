import type { Draws, Exact, ExactRows } from "@lethe/core/mechanisms";
import { openExact } from "@lethe/core/tape";
import type { DrawingHouse, Question, Release } from "@lethe/gateway";
import type { Engine, Plan } from "@lethe/query";
import type { Measured } from "../replay-plan.ts";
import { textOf } from "../run.ts";
import { plansRun, statementsOf } from "./plans-run.ts";
import { type Left, refusal, type Said } from "./what-leaves.ts";

/** A house that a script is run in: each time with a new ledger, of the same key and the same past. */
export interface ReplayedHouse extends Omit<DrawingHouse, "draws" | "ledger"> {
  openLedger(): Promise<DrawingHouse["ledger"]>;
}

/** Answers questions: the gateway, or what stands in for it. */
export type Gateway = (question: Question, house: DrawingHouse) => Promise<Release>;

export interface Run {
  readonly left: Left;
  /** Each plan that the database was asked for, with its exact rows. */
  readonly measured: readonly { readonly plan: Plan; readonly rows: Measured }[];
  /** Whether the database was asked for what the certified plans ask for, and for nothing else. */
  readonly asPlanned: boolean;
  /** How many statements were run for each request. */
  readonly statements: readonly number[];
}

/** Asks the questions one after the other, and keeps all that leaves. */
export async function runScript(
  questions: readonly Question[],
  { openLedger, ...house }: ReplayedHouse,
  draws: Draws,
  gateway: Gateway,
): Promise<Run> {
  const ledger = await openLedger();
  try {
    const said: Said[] = [];
    const statements: number[] = [];
    let asPlanned = true;
    const measured: { plan: Plan; rows: Measured }[] = [];
    for (const question of questions) {
      const { engine, answers } = watched(house.engine);
      const one = await saidTo(question, { ...house, engine, ledger, draws }, gateway);
      said.push(one);
      statements.push(answers.length);
      const rows = one.kind === "answered" ? rowsOfPlans(one.release, answers) : [];
      if (rows === null) asPlanned = false;
      else measured.push(...rows);
    }
    return { left: { said, ledger: textOf(await ledger.report()) }, measured, asPlanned, statements };
  } finally {
    await ledger.close();
  }
}

async function saidTo(question: Question, house: DrawingHouse, gateway: Gateway): Promise<Said> {
  try {
    return { kind: "answered", release: await gateway(question, house) };
  } catch (error) {
    return refusal(error);
  }
}

function watched(engine: Engine): { readonly engine: Engine; readonly answers: Exact<ExactRows>[] } {
  const answers: Exact<ExactRows>[] = [];
  return {
    answers,
    engine: {
      dialect: engine.dialect,
      storage: (table) => engine.storage(table),
      rows: (query) => engine.rows(query),
      published: (query) => engine.published(query),
      async run(query) {
        const answer = await engine.run(query);
        answers.push(answer);
        return answer;
      },
      close: () => engine.close(),
    },
  };
}

/** A request that was answered before runs nothing. Null where a release's plans are not what was run. */
function rowsOfPlans(release: Release, answers: readonly Exact<ExactRows>[]): Run["measured"] | null {
  if (answers.length === 0) return [];
  const plans = plansRun(release);
  const asked = plans.reduce((sum, plan) => sum + statementsOf(plan), 0);
  if (asked !== answers.length) return null;
  let at = 0;
  return plans.map((plan) => {
    const rows = answers.slice(at, at + statementsOf(plan)).map((answer) => openExact(answer).groups);
    at += rows.length;
    return { plan, rows };
  });
}
