import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseRational } from "@lethe/core";
import { one, zero } from "@lethe/core/numeric";
import { afterAll, describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { policyHash, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { assumedBounds, learnedArguments, withBounds } from "../learned-bounds/learned-arguments.ts";
import { type AllocatedQuestion, allocateLoss } from "../passes/allocate-loss.ts";
import { chooseMechanisms } from "../passes/noise/choose-mechanisms.ts";
import type { Plan } from "../plan.ts";
import { deriveQuestion } from "../question/derive-question.ts";
import { planQuestion } from "../question/plan-question.ts";
import { verify, verifyPlan } from "./verify.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  people: { file: a.duckdb, unit: id, key: id, columns: { id: { type: integer } } }
  visits: { file: a.duckdb, unit: { through: person_id, references: people.id }, max_groups_contributed: 2, columns: {
    person_id: { type: integer }, ward: { type: text }, kind: { type: text, categories: [a, b] },
    cost: { type: number, bounds: [0, 9] }, fee: { type: number } } }
  guests: { file: a.duckdb, unit: row, columns: { age: { type: integer, bounds: [0, 9] } } }
`);
const options = { epsilon: one, delta: parseRational("1e-6") };

async function allocated(text: string): Promise<AllocatedQuestion> {
  const asked = resolveQuestion(await parseQuestion(text), policy);
  const learned = learnedArguments(asked);
  const assumed = withBounds(asked, learned, learned.map(assumedBounds));
  return allocateLoss(chooseMechanisms(deriveQuestion(assumed, policy, options, learned)));
}

const count = "SELECT COUNT(*) FROM guests";
const sums = "SELECT SUM(cost), AVG(cost) FROM visits";
const byWard = "SELECT ward, COUNT(*) FROM visits GROUP BY ward";
const rollup = "SELECT ward, COUNT(*) AS n FROM visits GROUP BY ROLLUP (ward)";
const median = "SELECT MEDIAN(age) FROM guests";
const auto = "SELECT SUM(fee, contribution_bounds_per_row => auto) FROM visits";
const joined = "SELECT COUNT(*) FROM people JOIN visits ON id = person_id";

type Changed = { readonly [K in keyof AllocatedQuestion]?: unknown };
type Stage = keyof typeof verify;
type Forgery = readonly [
  demand: string,
  stage: Stage,
  text: string,
  change: (question: AllocatedQuestion) => Changed,
];

const contribution =
  (changed: Partial<AllocatedQuestion["contribution"]>) =>
  ({ contribution: was }: AllocatedQuestion): Changed => ({ contribution: { ...was, ...changed } });
const first =
  <K extends "measurements" | "trees" | "pricedStages" | "pricedTotals">(
    part: K,
    changed: object | ((was: AllocatedQuestion[K][number]) => object),
  ) =>
  (question: AllocatedQuestion): Changed => {
    const [was, ...others] = question[part];
    return { [part]: [{ ...was!, ...(typeof changed === "function" ? changed(was!) : changed) }, ...others] };
  };
const asked =
  (changed: (question: AllocatedQuestion["question"]) => object) =>
  ({ question }: AllocatedQuestion): Changed => ({ question: { ...question, ...changed(question) } });

const forgeries: readonly Forgery[] = [
  [
    "rows that are not one unit's",
    "tracked",
    joined,
    asked(({ from }) => ({
      from: { ...from, type: "left", right: { kind: "table", unit: { kind: "row" } } },
    })),
  ],
  [
    "a table grants less than one row",
    "tracked",
    count,
    () => ({ granted: { maxGroups: 0, maxRowsPerGroup: 1 } }),
  ],
  [
    "a unit that is a row has more than one",
    "tracked",
    count,
    () => ({ granted: { maxGroups: 2, maxRowsPerGroup: 1 } }),
  ],
  ["bounded rows of a join", "bounded", joined, contribution({ limit: "rows-before-filter" })],
  ["k is not an integer", "bounded", sums, contribution({ groups: -1 })],
  ["k is not an integer", "bounded", sums, contribution({ groups: 0.5 })],
  ["r is not an integer", "bounded", sums, contribution({ rows: 0 })],
  ["r is not an integer", "bounded", sums, contribution({ rows: 1.5 })],
  ["more than the policy grants", "bounded", sums, contribution({ groups: 3 })],
  ["more than the policy grants", "bounded", sums, contribution({ rows: 2 })],
  ["more groups a unit than there are", "bounded", sums, contribution({ groups: 2 })],
  ["bounds that nothing enforces", "bounded", byWard, contribution({ enforced: false })],
  ["one row a unit that nothing enforces", "bounded", sums, contribution({ enforced: false })],
  [
    "a sum is computed twice",
    "derived",
    sums,
    ({ sums: all }) => ({ sums: [...all, { ...all[0]!, name: "again" }] }),
  ],
  ["a measurement of nothing", "derived", count, first("measurements", { terms: [] })],
  [
    "a measurement of nothing",
    "derived",
    count,
    first("measurements", { terms: [{ sum: "s1", coefficient: 1n }] }),
  ],
  [
    "sensitivities that no integer vector has",
    "derived",
    count,
    first("measurements", { l1: 2n, l2Squared: 1n }),
  ],
  [
    "sensitivities that no integer vector has",
    "derived",
    count,
    first("measurements", { l1: 2n, l2Squared: 5n }),
  ],
  ["a measurement that nothing uses", "derived", count, first("measurements", { importance: 0 })],
  [
    "measurements that no answer uses",
    "derived",
    count,
    ({ measurements: [one, ...others] }) => ({
      measurements: [one!, ...others, { ...one!, name: "another" }],
    }),
  ],
  [
    "measurements that no answer uses",
    "derived",
    count,
    () => ({ aggregates: [{ name: "COUNT(*)", kind: "count", count: "another" }] }),
  ],
  [
    "an output of what is no key and no answer",
    "derived",
    count,
    asked(() => ({ outputs: [{ kind: "aggregate", name: "n", aggregate: "SUM(x)" }] })),
  ],
  [
    "an output of what is no key and no answer",
    "derived",
    count,
    asked(() => ({ outputs: [{ kind: "key", name: "n", key: "ward" }] })),
  ],
  [
    "an output of what is no key and no answer",
    "derived",
    count,
    asked(() => ({ outputs: [{ kind: "interval-end", name: "n", end: "lower", output: "m" }] })),
  ],
  [
    "an output of what is no key and no answer",
    "derived",
    count,
    asked(({ post }) => ({
      post: {
        ...post,
        having: { kind: "call", operator: ">", args: [{ kind: "aggregate", aggregate: "SUM(x)" }] },
      },
    })),
  ],
  [
    "an output of what is no key and no answer",
    "derived",
    count,
    asked(({ post }) => ({ post: { ...post, orderBy: [{ by: { kind: "key", key: "ward" } }] } })),
  ],
  [
    "an output of what is no key and no answer",
    "derived",
    count,
    asked(({ post }) => ({ post: { ...post, orderBy: [{ by: { kind: "grouped-away", key: "ward" } }] } })),
  ],
  [
    "an output of what is no key and no answer",
    "derived",
    count,
    asked(({ outputs: [one] }) => ({ outputs: [one!, one!] })),
  ],
  [
    "an output of what is no key and no answer",
    "derived",
    count,
    ({ aggregates: [one] }) => ({ aggregates: [one!, one!] }),
  ],
  [
    "trees that no answer reads",
    "derived",
    median,
    ({ trees: [tree] }) => ({ trees: [tree, { ...tree!, name: "t" }] }),
  ],
  [
    "trees that no answer reads",
    "derived",
    median,
    ({ aggregates }) => ({ aggregates: [{ ...aggregates[0], tree: "another" }] }),
  ],
  [
    "a tree that is measured twice",
    "derived",
    median,
    ({ trees: [tree], aggregates }) => ({
      trees: [tree, { ...tree!, name: "t" }],
      aggregates: [...aggregates, { ...aggregates[0], name: "another", tree: "t" }],
    }),
  ],
  ["two things of one name", "derived", median, ({ trees }) => ({ trees: [...trees, ...trees] })],
  ["a tree of no shape, or too large a one", "derived", median, first("trees", { branching: 1 })],
  ["a tree of no shape, or too large a one", "derived", median, first("trees", { height: 0 })],
  ["a tree of no shape, or too large a one", "derived", median, first("trees", { branching: 2, height: 17 })],
  ["cells that do not hold every value", "derived", median, first("trees", { cellWidth: 0n })],
  [
    "cells that do not hold every value",
    "derived",
    median,
    first("trees", ({ grid }: { grid: object }) => ({ grid: { ...grid, hi: "99999999" } })),
  ],
  [
    "cells that do not hold every value",
    "derived",
    median,
    first("trees", (was: object) => {
      const { grid, cellWidth, branching, height } = was as AllocatedQuestion["trees"][number];
      const oneTooMany = BigInt(grid.lo) + BigInt(cellWidth) * BigInt(branching ** height);
      return { grid: { ...grid, hi: `${oneTooMany}` } };
    }),
  ],
  ["a tree of other sensitivities", "derived", median, first("trees", { l1: 1n })],
  ["a tree of other sensitivities", "derived", median, first("trees", { l2Squared: 1n })],
  ["a tree that nothing uses", "derived", median, first("trees", { importance: 0 })],
  ["a tree that nothing uses", "derived", median, first("trees", { magnitude: 0n })],
  [
    "a sum that may exceed 127 bits",
    "derived",
    sums,
    ({ sums: [sum, ...others] }) => ({ sums: [{ ...sum, hi: `${2n ** 90n}` }, ...others] }),
  ],
  [
    "a product that may exceed 63 bits",
    "derived",
    "SELECT SUM(cost * cost) FROM visits",
    ({ sums: [sum] }) => ({
      sums: [
        sum?.kind === "sum" ? { ...sum, factors: sum.factors!.map((one) => ({ ...one, power: 4 })) } : sum,
      ],
    }),
  ],
  [
    "counts of cells that may exceed 127 bits",
    "derived",
    median,
    first("trees", ({ l1, rowWeight }: AllocatedQuestion["trees"][number]) => {
      const [nodes, most] = [l1 / BigInt(rowWeight), 2n ** 90n];
      return { rowWeight: 2 ** 90, l1: nodes * most, l2Squared: nodes * most * most };
    }),
  ],
  [
    "a row that may be joined without bound",
    "tracked",
    joined,
    asked(({ from }) => {
      const { right } = from as Extract<typeof from, { kind: "join" }>;
      return { from: { ...from, right: { ...right, unit: { kind: "public" } } } };
    }),
  ],
  ["no mechanism", "chosen", count, () => ({ families: [] })],
  ["a measurement without noise of its own", "allocated", count, () => ({ priced: [] })],
  [
    "noise where none is due, or none where it is",
    "allocated",
    count,
    ({ priced }) => ({ priced: priced.map((each) => ({ ...each, noise: { mechanism: "constant@1" } })) }),
  ],
  [
    "noise where none is due, or none where it is",
    "allocated",
    count,
    ({ priced }) => ({ priced: priced.map((each) => ({ ...each, l1: "0" })) }),
  ],
  ["private keys without a selection", "allocated", byWard, () => ({ selection: null })],
  [
    "totals that no grouping asks for",
    "allocated",
    rollup,
    asked(({ groupings: _, ...rest }) => ({ ...rest, groupings: undefined })),
  ],
  ["a grouping by what is no key", "allocated", rollup, asked(() => ({ groupings: [["ward"], ["town"]] }))],
  ["a grouping by what is no key", "allocated", rollup, asked(() => ({ groupings: [["ward", "ward"], []] }))],
  ["totals of another plan", "allocated", rollup, asked(() => ({ groupings: [["ward"]] }))],
  [
    "totals of what does not add up",
    "allocated",
    rollup,
    ({ sums: all }) => ({ sums: all.map((sum) => ({ ...sum, kind: "units" })) }),
  ],
  ["totals within bounds that are learned", "allocated", rollup, () => ({ stages: [{}] })],
  [
    "a grouping that is not measured once",
    "allocated",
    rollup,
    ({ pricedTotals, totals, priced }) => ({
      pricedTotals: [...pricedTotals, ...pricedTotals],
      totals: [...totals, ...totals],
      priced,
    }),
  ],
  [
    "totals of keys that are data, as though all were known",
    "allocated",
    rollup,
    first("pricedTotals", { declared: [] }),
  ],
  [
    "totals of more or fewer measurements",
    "allocated",
    rollup,
    ({ pricedTotals: [total] }) => ({
      pricedTotals: [{ ...total, measurements: [...total!.measurements, ...total!.measurements] }],
      priced: [],
    }),
  ],
  [
    "totals of other measurements",
    "allocated",
    rollup,
    ({ pricedTotals: [total] }) => ({
      pricedTotals: [{ ...total, measurements: total!.measurements.map((each) => ({ ...each, terms: [] })) }],
    }),
  ],
  [
    "totals that a unit moves farther than is said",
    "allocated",
    rollup,
    ({ pricedTotals: [total] }) => ({
      pricedTotals: [
        { ...total, measurements: total!.measurements.map((each) => ({ ...each, l1: "1", l2Squared: "1" })) },
      ],
    }),
  ],
  ["totals that take the whole loss", "allocated", rollup, first("pricedTotals", { share: "1" })],
  [
    "a measurement that has its noise with two others",
    "allocated",
    sums,
    ({ joint }) => ({ joint: [...joint, ...joint] }),
  ],
  [
    "a measurement that has its noise with no other",
    "allocated",
    sums,
    ({ joint }) => ({ joint: joint.map((names) => names.slice(1)) }),
  ],
  [
    "noise together within bounds that are learned",
    "allocated",
    auto,
    () => ({ joint: [["SUM(fee)", "another"]] }),
  ],
  ["noise together for several groupings", "allocated", rollup, () => ({ joint: [["COUNT(*)", "another"]] })],
  [
    "noise together that is not the same",
    "allocated",
    sums,
    ({ priced, joint: [names] }) => ({
      priced: priced.map((each) => (each.name === names![1] ? { ...each, l2Squared: each.l1 } : each)),
    }),
  ],
  [
    "noise together that hides less than one unit",
    "allocated",
    sums,
    ({ priced, joint: [names] }) => ({
      priced: priced.map((each) =>
        names!.includes(each.name) ? { ...each, l1: "1", l2Squared: "1" } : each,
      ),
    }),
  ],
  ["two totals of one name", "allocated", sums, ({ combined }) => ({ combined: [...combined, combined[0]] })],
  [
    "a total of what is measured alone",
    "allocated",
    sums,
    ({ combined: [total] }) => ({
      combined: [{ ...total, terms: [{ measurement: "SUM(cost)", coefficient: "1" }] }],
    }),
  ],
  ["an answer of what is not measured", "allocated", sums, () => ({ combined: [] })],
  ["nominal noise without learned bounds", "allocated", auto, () => ({ nominal: null })],
  [
    "noise that costs more than what the event says",
    "allocated",
    auto,
    ({ nominal }) => ({ nominal: nominal!.slice(1) }),
  ],
  ["cells of another ℓ1 sensitivity", "allocated", auto, first("pricedStages", { l1: "1" })],
  ["cells of another ℓ2 sensitivity", "allocated", auto, first("pricedStages", { l2Squared: "1" })],
  ["cells without noise", "allocated", auto, first("pricedStages", { noise: { mechanism: "constant@1" } })],
  ["ends that do not increase", "allocated", auto, first("pricedStages", { ends: [1] })],
  ["ends that do not increase", "allocated", auto, first("pricedStages", { ends: [1, 1] })],
  [
    "more cells than one stage may have",
    "allocated",
    auto,
    first("pricedStages", { ends: Array.from({ length: 300 }, (_, at) => at + 1) }),
  ],
  ["learned bounds without an inside", "allocated", auto, first("pricedStages", { bounds: [1, 1] })],
  [
    "an event that is not the plan's",
    "allocated",
    count,
    () => ({ event: { kind: "constant", version: 1 } }),
  ],
  [
    "a price that is not the event's",
    "allocated",
    count,
    () => ({ price: { measure: "approximate", epsilon: zero, delta: zero } }),
  ],
  [
    "a price above what was asked",
    "allocated",
    count,
    ({ budget }) => ({ budget: { ...budget, epsilon: parseRational("1/100") } }),
  ],
];

const made = new Set<string>();
const broken = (judge: () => unknown): string => {
  try {
    judge();
  } catch (error) {
    return (error as Error).message.replace("the planner made ", "");
  }
  return "nothing is amiss";
};

describe("a question that a pass broke", () => {
  it.each(forgeries)("%s: after %s, of %s (%#)", async (demand, stage, text, change) => {
    const question = await allocated(text);
    const judge = verify[stage] as (question: AllocatedQuestion) => unknown;
    expect(judge(question)).toBe(question);
    const found = broken(() => judge({ ...question, ...change(question) } as AllocatedQuestion));
    made.add(found);
    expect(found).toBe(demand);
  });

  it.each<[string, string, (plan: Plan) => object]>([
    ["an event that is not the plan's", count, () => ({ event: { kind: "constant", version: 1 } })],
    [
      "a price that is not the event's",
      count,
      () => ({ price: { measure: "approximate", epsilon: "1/9", delta: "0" } }),
    ],
    ["more joined rows than it says a row may stand in", joined, () => ({ joinedRows: 5 })],
    ["noise that costs more than what the event says", auto, () => ({ measurements: [] })],
  ])("%s: as a plan", async (demand, text, change) => {
    const plan = planQuestion(
      resolveQuestion(await parseQuestion(text), policy),
      policy,
      options,
      policyHash(policy),
    );
    expect(broken(() => verifyPlan(plan))).toBe("nothing is amiss");
    const found = broken(() => verifyPlan({ ...plan, ...change(plan) } as Plan));
    made.add(found);
    expect(found).toBe(demand);
  });
});

afterAll(() => {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const files = readdirSync(folder).filter((name) => /^verify.*(?<!\.test)\.ts$/.test(name));
  const demands = files.flatMap((name) =>
    [
      ...readFileSync(`${folder}/${name}`, "utf8").matchAll(
        /demand\([^"]*?(?:"[\w-]+"[^"]*?)*"([^"]+ [^"]+)",?\s*\)/g,
      ),
    ].map(([, said]) => said!),
  );
  expect(demands.length).toBeGreaterThan(45);
  expect(demands.filter((demand) => !made.has(demand))).toEqual([]);
});
