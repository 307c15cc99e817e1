import { type Policy, readPolicy } from "@lethe/query";
import { Dice } from "../dice.ts";
import type { RawTables } from "../reference-evaluator.ts";
import { openTables } from "../replay/open-tables.ts";
import { finished, request, type Script } from "../replay/random-scripts.ts";
import type { OpenedCases } from "../replay/replay-scripts.ts";
import { randomPolicy } from "./random-policy.ts";
import { randomQuestions } from "./random-questions.ts";
import { randomSides } from "./random-sides.ts";

/** A policy of several tables, questions it may answer, and tables that differ in one unit, wherever it lives. */
export interface PolicyNeighbours {
  readonly policy: Policy;
  readonly questions: readonly string[];
  readonly sides: readonly RawTables[];
}

/** All from one seed; `read` may put the tables elsewhere. */
export function policyNeighbours(
  seed: number,
  neighbours: number,
  source: (table: string) => string = () => "file: shop.duckdb",
  database = "",
  mostQuestions = 3,
): PolicyNeighbours {
  const dice = new Dice(5e6 + seed);
  const drawn = randomPolicy(dice);
  return {
    policy: readPolicy(`${database}${drawn.text(source)}`),
    questions: randomQuestions(dice, drawn, mostQuestions),
    sides: randomSides(dice, drawn, neighbours),
  };
}

/** Native types of their columns; all others are texts. */
export const nativeTypes: Readonly<Record<string, string>> = { x: "INTEGER", y: "DOUBLE", w: "DOUBLE" };

/** Their questions, as analysts finish them. */
export function finishedScripts(seed: number, questions: readonly string[]): readonly Script[] {
  const dice = new Dice(6e6 + seed);
  return questions.map((question) => [request(finished(dice, question))]);
}

/** Random policies in one DuckDB file, each question over one layout of its tables. */
export async function openPolicyCases(seeds: readonly number[], neighbours: number): Promise<OpenedCases> {
  const all = seeds.map((seed) => {
    const { policy, questions, sides } = policyNeighbours(seed, neighbours);
    return { name: `policy ${seed}`, policy, sides, scripts: finishedScripts(seed, questions) };
  });
  return openTables(all, nativeTypes);
}
