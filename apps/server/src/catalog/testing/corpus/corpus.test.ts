import { describeTables, type Policy } from "@lethe/query";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres } from "../../../../../../testing/src/postgres/start-postgres.ts";
import { asksOfCatalog } from "../../../wire/session/catalog-asking.ts";
import { openSide } from "./catalog-side.ts";
import { compareQuery, type Side, sideOf } from "./compare-query.ts";
import { anyPolicy, corpusPolicies } from "./corpus-policies.ts";
import { anyOrder, mustDiffer, ownRows } from "./must-differ.ts";
import { readCorpus } from "./read-corpus.ts";
import { RealCatalog } from "./real-catalog.ts";
import { refused } from "./refused.ts";

const corpus = readCorpus();
const tools = [...new Set(corpus.map(({ id }) => id.slice(0, id.indexOf("."))))];

describe.skipIf(!hasPostgres())("what tools ask the catalog", () => {
  let real: RealCatalog;
  beforeAll(async () => {
    real = await RealCatalog.start();
  });
  afterAll(() => real?.stop());

  const sidesOf = async (policy: Policy): Promise<readonly [Side, Side]> => {
    const tables = await describeTables(policy);
    await real.hold(tables);
    return [await sideOf((query) => real.ask(query), tables), await sideOf(await openSide(tables), tables)];
  };
  const outcomes = async (policy: Policy, ids: (id: string) => boolean): Promise<readonly string[]> => {
    const [theirs, ours] = await sidesOf(policy);
    const all: string[] = [];
    for (const query of corpus.filter(({ id }) => ids(id))) {
      const outcome = await compareQuery(query, theirs, ours);
      const isExpected =
        query.id in refused ? outcome.startsWith("refused: query.unsupported") : outcome === "same";
      if (!isExpected) all.push(`${query.id} ${outcome}`);
    }
    return all;
  };

  it.each(Object.keys(corpusPolicies))("has PostgreSQL's rows, with %s", async (name) => {
    expect(await outcomes(corpusPolicies[name] as Policy, () => true)).toEqual([]);
  });

  it("has PostgreSQL's rows, whatever the policy", async () => {
    await fc.assert(
      fc.asyncProperty(anyPolicy, fc.integer({ min: 0, max: 9 }), async (policy, share) => {
        // A tenth of the statements of each, another for each.
        const ids = new Set(corpus.filter((_, at) => at % 10 === share).map(({ id }) => id));
        expect(await outcomes(policy, (id) => ids.has(id))).toEqual([]);
      }),
      { seed: 91, numRuns: 12 },
    );
  });
});

describe("the statements", () => {
  it("are of many tools, each with its own id and its source", () => {
    expect(new Set(corpus.map(({ id }) => id)).size).toBe(corpus.length);
    expect(corpus.length).toBeGreaterThan(300);
    expect(tools).toEqual(
      expect.arrayContaining(["metabase", "superset", "grafana", "dbeaver", "npgsql", "jetbrains", "psql18"]),
    );
  });

  it("are told from questions of a policy's tables before they are read", () => {
    expect(corpus.filter(({ text }) => !asksOfCatalog(text)).map(({ id }) => id)).toEqual([]);
  });

  it("that are refused or differ are there", () => {
    const ids = new Set(["*", ...corpus.map(({ id }) => id)]);
    const named = [refused, anyOrder, ownRows].flatMap((each) => Object.keys(each));
    named.push(...mustDiffer.map(({ query }) => query));
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });
});
