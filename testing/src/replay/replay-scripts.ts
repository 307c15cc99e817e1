import { type AnswersReport, type Gateway, type ReplayedHouse, replayAnswers } from "@lethe/audit";
import type { Engine, Policy, TableStorage } from "@lethe/query";
import { clock, newLedgers } from "./new-ledgers.ts";
import type { Script } from "./random-scripts.ts";

/** The questions to one policy, over databases that are neighbours of the first. */
export interface ReplayCase {
  /** The name that finds the case again. */
  readonly name: string;
  readonly policy: Policy;
  readonly scripts: readonly Script[];
  readonly sides: number;
  /** Returns the engine over one side, for one of the scripts. */
  engine(side: number, script: number): Engine;
}

/** Cases over one database. */
export interface OpenedCases {
  readonly cases: readonly ReplayCase[];
  /** Returns the last entry of the owner's log. */
  lastLogged(): string | undefined;
  close(): Promise<void>;
}

export interface Replayed {
  /** "name: question: what differs". */
  readonly findings: readonly string[];
  readonly scripts: number;
  readonly requests: number;
  /** The number of requests for each way in which they ended. */
  readonly ended: ReadonlyMap<string, number>;
  readonly draws: number;
  readonly rows: number;
}

/** Replays every script of a case on all its sides. */
export async function replayScripts(
  { name, policy, scripts, sides, engine }: ReplayCase,
  gateway?: Gateway,
): Promise<Replayed> {
  const ledgers = await newLedgers(policy);
  try {
    const reports: AnswersReport[] = [];
    for (const [at, script] of scripts.entries()) {
      const houses = Array.from(
        { length: sides },
        (_, side): ReplayedHouse => ({
          policy,
          clock,
          engine: engine(side, at),
          openLedger: () => ledgers.open(),
        }),
      );
      const options = { seed: at + 1, itself: at % 4 === 0, ...(gateway ? { gateway } : {}) };
      reports.push(await replayAnswers(script, houses as [ReplayedHouse], options));
    }
    const asked = (at: number): string => scripts[at]!.map(({ text }) => text).join("; ");
    return {
      findings: reports.flatMap(({ findings }, at) =>
        findings.map((what) => `${name}: ${asked(at)}: ${what}`),
      ),
      scripts: scripts.length,
      requests: scripts.reduce((sum, script) => sum + script.length, 0),
      ended: counted(reports.flatMap(({ ended }) => ended.map((how) => [how, 1] as const))),
      draws: reports.reduce((sum, { draws }) => sum + draws, 0),
      rows: reports.reduce((sum, { rows }) => sum + rows, 0),
    };
  } finally {
    ledgers.remove();
  }
}

export const nothing: Replayed = {
  findings: [],
  scripts: 0,
  requests: 0,
  ended: new Map(),
  draws: 0,
  rows: 0,
};

export function together(a: Replayed, b: Replayed): Replayed {
  return {
    findings: [...a.findings, ...b.findings],
    scripts: a.scripts + b.scripts,
    requests: a.requests + b.requests,
    ended: counted([...a.ended, ...b.ended]),
    draws: a.draws + b.draws,
    rows: a.rows + b.rows,
  };
}

function counted(each: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const [how, many] of each) all.set(how, (all.get(how) ?? 0) + many);
  return all;
}

/** Returns the result in one line of text. */
export function told({ scripts, requests, ended, draws, rows, findings }: Replayed): string {
  const ends = [...ended].map(([how, many]) => `${many} ${how}`).join(", ");
  return `${scripts} scripts of ${requests} requests (${ends}), ${draws} draws, ${rows} rows: ${findings.length} findings`;
}

/** Returns the result as numbers. */
export function countsOf({
  scripts,
  requests,
  ended,
  draws,
  rows,
  findings,
}: Replayed): Readonly<Record<string, number>> {
  return { scripts, requests, answered: ended.get("answered") ?? 0, draws, rows, findings: findings.length };
}

/** An engine whose tables lie elsewhere. */
export function lying(engine: Engine, lies: (table: string) => TableStorage): Engine {
  return {
    dialect: engine.dialect,
    storage: async (table) => lies(table),
    run: (query) => engine.run(query),
    rows: (query) => engine.rows(query),
    published: (query) => engine.published(query),
    close: async () => undefined,
  };
}
