import { parseRational } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import type { Plan } from "@lethe/query";
import { describe, expect, it } from "vitest";
import type { Release } from "../format/release.ts";
import { sample } from "../testing/people.ts";
import { samplePlan } from "../testing/sample-release.ts";
import { groupingsAmiss, marksAmiss } from "./groupings.ts";

const policyOf = (measure: string): string => `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: ${measure}, epsilon: 100, delta: 1e-3 }
tables:
  visits: { file: a.duckdb, unit: person, max_groups_contributed: 2, columns: {
    person: { type: text }, cost: { type: number, bounds: [0, 9] }, ward: { type: text }, kind: { type: text, categories: [a, b] } } }
`;
const cube = "SELECT ward, kind, COUNT(*), SUM(cost) FROM visits GROUP BY CUBE (ward, kind)";

const planned = (
  text: string,
  measure = "approximate",
  mechanism: "laplace" | "gaussian" = "laplace",
): Promise<Plan> =>
  samplePlan(text, policyOf(measure), { epsilon: one, delta: parseRational("1e-6"), mechanism });

type Totals = NonNullable<Plan["totals"]>[number];
/** Changes one of a plan's totals: 0 is the total by ward, 1 the totals by kind and over all. */
const total =
  (at: number, change: (of: Totals) => object) =>
  (plan: Plan): Plan => ({
    ...plan,
    totals: plan.totals!.map((of, place) => (place === at ? { ...of, ...change(of) } : of)),
  });

describe("several groupings at once", () => {
  for (const measure of ["approximate", "zcdp"])
    for (const mechanism of ["laplace", "gaussian"] as const)
      it(`are as they were planned: ${mechanism} in ${measure}`, async () => {
        const questions = [
          cube,
          "SELECT ward, COUNT(*) FROM visits GROUP BY ROLLUP (ward)",
          "SELECT kind, AVG(cost) FROM visits GROUP BY ROLLUP (kind)",
          "SELECT kind, COUNT(*) FROM visits GROUP BY kind",
        ];
        for (const text of questions)
          expect([...groupingsAmiss(await planned(text, measure, mechanism))]).toEqual([]);
      });

  it.each<[RegExp, (plan: Plan) => Plan]>([
    [/no grouping asks for$/, ({ groupings: _, ...plan }) => plan as Plan],
    [/not by the plan's keys/, (plan) => ({ ...plan, groupings: [...plan.groupings!, ["ward", "ward"]] })],
    [/not by the plan's keys/, (plan) => ({ ...plan, groupings: [...plan.groupings!, ["kind", "ward"]] })],
    [/groups that may be missing/, ({ totals: _, ...plan }) => plan as Plan],
    [/bounds that are learned/, (plan) => ({ ...plan, learned: { stages: [], nominal: [] } as never })],
    [
      /groups that are all released/,
      (plan) => ({ ...plan, keys: { ...plan.keys, program: { kind: "public", declared: [] } } }),
    ],
    [
      /groups that are not asked/,
      (plan) => ({ ...plan, groupings: plan.groupings!.filter((set) => set.length < 2) }),
    ],
    [/measured that no row is made of/, (plan) => ({ ...plan, groupings: [["ward", "kind"], ["ward"]] })],
    [/another length/, total(1, () => ({ declared: [["a", "b"]] }))],
    [/declared twice/, total(1, () => ({ declared: [["a"], ["a"]] }))],
    [/not of what the groups are/, total(0, ({ measurements }) => ({ measurements: measurements.slice(1) }))],
    [/not their noise's/, total(0, () => ({ share: "1/100" }))],
    [/what does not add up/, (plan) => ({ ...plan, trees: [{} as never] })],
    [
      /what does not add up/,
      (plan) => ({ ...plan, sums: plan.sums.map(({ name }) => ({ name, kind: "units" })) }),
    ],
  ])("are amiss: %s", async (message, change) => {
    const plan = await planned(cube);
    expect(plan.totals).toHaveLength(2);
    expect([...groupingsAmiss(change(plan))]).toContainEqual(expect.stringMatching(message));
  });
});

describe("the marks of rows", () => {
  const text = "SELECT sector, COUNT(*) FROM people GROUP BY ROLLUP (sector)";
  const amiss = (release: Release): readonly string[] => [...marksAmiss(release)];

  it("say of each row a grouping that the plan has", async () => {
    const { release } = await sample({ text });
    const marks = release.groupings!;
    expect(amiss(release)).toEqual([]);
    const wrong = "a row is not of the grouping that it is said to be of";
    for (const grouping of [marks.length + 7, -1]) {
      const strange = marks.map((mark, at) => (at === 0 ? { ...mark, grouping } : mark));
      expect(amiss({ ...release, groupings: strange })).toEqual([wrong]);
    }
    expect(amiss({ ...release, groupings: marks.slice(1) })).toEqual([wrong]);
    expect(amiss({ ...release, groupings: [...marks, marks[0]!] })).toEqual([wrong]);
  });

  it("are there where there are groupings, and not elsewhere", async () => {
    const { release } = await sample({ text });
    const { groupings: marks, ...unmarked } = release;
    const one = (await sample({ text: "SELECT sector, COUNT(*) FROM people GROUP BY sector" })).release;
    const wrong = "rows do not say which grouping they are of, or say it of one";
    expect(amiss(unmarked as Release)).toEqual([wrong]);
    expect(amiss({ ...one, groupings: marks! })).toEqual([wrong]);
    expect(amiss(one)).toEqual([]);
  });
});
