import type { Release } from "@lethe/gateway";
import { type Plan, planAlone, readPolicy, stagePlan } from "@lethe/query";
import { beforeAll, describe, expect, test } from "vitest";
import { planned } from "../../../../../testing/src/planned.ts";
import { limitsOf, plansRun, statementsOf } from "./plans-run.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-3 }
tables:
  people: { file: people.csv, unit: row, columns: { age: { type: integer, bounds: [0, 7] } } }
`);
const release = (certificate: object): Release => ({ certificate }) as Release;
let [plan, learned, tree]: Plan[] = [];
beforeAll(async () => {
  plan = await planned("SELECT COUNT(*), SUM(age) FROM people", policy);
  learned = await planned("SELECT AVG(age, contribution_bounds_per_row => auto) FROM people", policy);
  tree = await planned("SELECT MEDIAN(age) FROM people", policy);
});

describe("the plans on the way to a release", () => {
  test("are its own, with the stages of learned bounds before", () => {
    expect(plansRun(release({ plan }))).toEqual([plan]);
    expect(plansRun(release({ plan: learned }))).toEqual([stagePlan(learned!), learned]);
  });
  test("are the pilot's too where there was one, and these alone where its target was not paid", () => {
    const pilot = release({ plan: learned });
    expect(plansRun(release({ plan, pilot, target: {} }))).toEqual([stagePlan(learned!), learned, plan]);
    expect(plansRun(release({ plan, pilot }))).toEqual([stagePlan(learned!), learned]);
  });
  test("are those of all questions of a text", async () => {
    const both = await planned(
      "SELECT (SELECT COUNT(*) FROM people) AS n, (SELECT AVG(age) FROM people) AS a",
      policy,
    );
    const [other] = both.others ?? [];
    expect(plansRun(release({ plan: both }))).toEqual([planAlone(both), other!.plan]);
    expect(both.event).toMatchObject({ kind: "compose", events: [planAlone(both).event, other!.plan.event] });
  });
  test("are a statement each, and one more for each tree", () => {
    expect([plan, tree].map((each) => statementsOf(each!))).toEqual([1, 2]);
    expect(statementsOf({ ...tree!, trees: [...tree!.trees!, ...tree!.trees!] })).toBe(3);
  });
});

test("limits stand under the names of the parts that draw", () => {
  const part = (l1: string, l2Squared: string) => ({ ...plan!.measurements[0]!, l1, l2Squared });
  const made: Plan = {
    ...plan!,
    measurements: [part("1", "2"), part("3", "4")],
    trees: [{ ...tree!.trees![0]!, l1: "5", l2Squared: "6" }],
    totals: [
      { keys: [], share: "1", measurements: [part("7", "8")] },
      { keys: [], share: "1", measurements: [part("9", "10"), part("11", "12")] },
    ],
  };
  const names = plan!.measurements.map(({ name }) => name);
  expect(Object.fromEntries(limitsOf({ ...made, joint: [] }))).toEqual({
    "measurement 0": { vector: "measurement 0", l1: 1n, l2Squared: 2n },
    "measurement 1": { vector: "measurement 1", l1: 3n, l2Squared: 4n },
    "tree 0": { vector: "tree 0", l1: 5n, l2Squared: 6n },
    "total 0 measurement 0": { vector: "total 0 measurement 0", l1: 7n, l2Squared: 8n },
    "total 1 measurement 0": { vector: "total 1 measurement 0", l1: 9n, l2Squared: 10n },
    "total 1 measurement 1": { vector: "total 1 measurement 1", l1: 11n, l2Squared: 12n },
  });
  expect(plan!.joint).toEqual([names]);
  expect([...limitsOf(plan!).values()].map(({ vector }) => vector)).toEqual(names.map(() => "measurement 0"));
});
