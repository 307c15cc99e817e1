import { readPolicy } from "@lethe/query";
import { Dice } from "../dice.ts";
import { type Neighbours, randomNeighbours } from "../random-neighbours.ts";
import { openNeighbourDatabase } from "./neighbour-database.ts";
import { finished, randomScript, request, type Script, views } from "./random-scripts.ts";
import { lying, type OpenedCases } from "./replay-scripts.ts";

/** The scripts of one random table of people, and the policy that they are asked under. */
export function peopleScripts(
  seed: number,
  { policy, questions }: Neighbours,
): { readonly policy: string; readonly scripts: readonly Script[] } {
  const dice = new Dice(1e6 + seed);
  const hasViews = policy.includes("unit: pid") && !policy.includes("rows-before-filter");
  return {
    policy: hasViews ? policy + views : policy,
    scripts: [
      ...questions.map((question) => [request(finished(dice, question))]),
      ...dice.some(1, 3, () => randomScript(dice, hasViews)),
    ],
  };
}

/** Random tables of people in one DuckDB file, each script over one way in which they can lie. */
export async function openPeopleCases(seeds: readonly number[], neighbours: number): Promise<OpenedCases> {
  const all = seeds.map((seed) => randomNeighbours(seed, neighbours));
  const asked = all.map((each, at) => peopleScripts(seeds[at]!, each));
  const policies = asked.map(({ policy }) => readPolicy(policy));
  const database = await openNeighbourDatabase(all, policies);
  return {
    cases: all.map(({ tables }, at) => ({
      name: `people ${seeds[at]}`,
      policy: policies[at]!,
      scripts: asked[at]!.scripts,
      sides: tables.length,
      engine: (side, script) => {
        const layouts = database.layouts(at);
        return lying(database.engine, () =>
          database.lies(at, side, layouts[(at + script) % layouts.length]!),
        );
      },
    })),
    lastLogged: () => database.lastLogged(),
    close: () => database.close(),
  };
}
