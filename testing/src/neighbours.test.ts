import { replayPlan } from "@lethe/audit";
import { readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { planned } from "./planned.ts";
import { openPolicyCases } from "./policies/policy-cases.ts";
import { randomNeighbours } from "./random-neighbours.ts";
import { openNeighbourDatabase } from "./replay/neighbour-database.ts";
import { openPeopleCases } from "./replay/people-cases.ts";
import {
  countsOf,
  nothing,
  type OpenedCases,
  replayScripts,
  together,
  told,
} from "./replay/replay-scripts.ts";
import { report } from "./replay/report.ts";
import { openShopCases } from "./replay/shop-cases.ts";

/*
 * Replay over neighbours: questions of every form go the whole way, from text to signed bytes and the ledger's records, on tables that
 * differ in one unit, with the mechanisms' outputs frozen. No exact measurement may move farther than the price assumes, and nothing
 * else may differ. NEIGHBOURS=700 NEIGHBOURS_EACH=4 replays about 5,000 questions over four neighbours each.
 */

const cases = Number(process.env.NEIGHBOURS ?? 30);
const firstSeed = Number(process.env.NEIGHBOURS_SEED ?? 1);
const neighboursEach = Number(process.env.NEIGHBOURS_EACH ?? 1);
/** Policies of several tables, one neighbour each unless more are asked for. */
const policies = Number(process.env.NEIGHBOURS_POLICIES ?? Math.min(cases, 5));
const casesAtOnce = 20;

const forms: Readonly<
  Record<
    string,
    {
      readonly cases: number;
      open(seeds: readonly number[], neighbours: number): Promise<OpenedCases>;
    }
  >
> = {
  "a table of people": { cases, open: openPeopleCases },
  "several private tables": { cases: policies, open: openPolicyCases },
  "the tables of a shop": { cases: Math.ceil(cases / 5), open: openShopCases },
};

describe("between neighbours", () => {
  it("a price that assumes no movement is refuted", async () => {
    const neighbours = [randomNeighbours(1), randomNeighbours(2), randomNeighbours(3)].find(({ policy }) =>
      policy.includes("add-or-remove-one"),
    )!;
    const policy = readPolicy(neighbours.policy);
    const database = await openNeighbourDatabase([neighbours], [policy]);
    try {
      const plan = await planned("SELECT COUNT(*) FROM people", policy);
      const free = {
        ...plan,
        measurements: plan.measurements.map((each) => ({ ...each, l1: "0", l2Squared: "0" })),
      };
      const [first, moved] = [0, 1].map((side) => ({
        engine: database.engine,
        lies: () => database.lies(0, side, "raw"),
      }));
      expect(await replayPlan(free, [moved!, moved!])).toEqual([]);
      expect(await replayPlan(free, [first!, moved!])).toContainEqual(
        expect.stringMatching(/neighbour 1: .*ℓ1 .* > 0/),
      );
      expect(await replayPlan(plan, [first!, moved!])).toEqual([]);
    } finally {
      await database.close();
    }
  });

  it.each(Object.keys(forms))("nothing that leaves differs but by the noise: %s", async (form) => {
    const { cases: all, open } = forms[form]!;
    let replayed = nothing;
    for (let at = 0; at < all; at += casesAtOnce) {
      const seeds = Array.from({ length: Math.min(casesAtOnce, all - at) }, (_, n) => firstSeed + at + n);
      const opened = await open(seeds, neighboursEach);
      try {
        for (const each of opened.cases) {
          const one = await replayScripts(each);
          if (one.findings.length > 0) console.log(opened.lastLogged(), one.findings);
          replayed = together(replayed, one);
        }
      } finally {
        await opened.close();
      }
      if (process.env.NEIGHBOURS) console.log(`${form}: ${neighboursEach} neighbours of ${told(replayed)}`);
    }
    report(`${form} on DuckDB`, { pairs: all * neighboursEach, ...countsOf(replayed) });
    expect(replayed.findings).toEqual([]);
    // The replay replays something.
    expect(replayed.ended.get("answered")).toBeGreaterThan(0.9 * replayed.requests);
    expect(replayed.rows).toBeGreaterThan(replayed.scripts / 2);
    expect(replayed.draws).toBeGreaterThan(2 * replayed.scripts);
  });
});
