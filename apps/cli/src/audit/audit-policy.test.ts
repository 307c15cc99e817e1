import type { Measured } from "@lethe/audit";
import { LetheError } from "@lethe/core";
import type { Plan } from "@lethe/query";
import { beforeEach, expect, it, vi } from "vitest";
import { inFolder } from "../testing/command-line.ts";
import { auditPolicy, policySubjects } from "./audit-policy.ts";

/** The database's answer to the plan of a question, each time that it is asked. */
const measured = vi.hoisted(() => vi.fn<(text: string) => Promise<Measured | null>>());
const close = vi.hoisted(() => vi.fn(() => Promise.resolve()));

vi.mock("@lethe/audit", async (original) => ({
  ...(await original<object>()),
  measure: (plan: Plan) => measured(plan.text),
}));
vi.mock("../open.ts", () => ({ openEngine: () => Promise.resolve({ close }) }));
beforeEach(() => {
  measured.mockReset();
  close.mockClear();
  measured.mockResolvedValue(groups(1n, 2n));
});

const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  visits:
    file: v.parquet
    unit: pid
    columns:
      pid: { type: text }
      cost: { type: number, bounds: [0, 9] }
      age: { type: integer, bounds: [0, 120] }
      ward: { type: text, categories: [a, b] }
      married: { type: boolean }
  wards: { file: w.parquet, public: true, key: ward, columns: { ward: { type: text } } }
  many: { file: m.parquet, unit: row, columns: { a: { type: text }, b: { type: text }, c: { type: text }, d: { type: text } } }
views:
  both: SELECT * FROM visits WHERE ward = 'a'
budget: { measure: pure, epsilon: 5 }
`;
/** Rows of one measurement: these sums, a group each, in this order. */
const groups = (...sums: readonly bigint[]): Measured =>
  [sums.map((sum, at) => ({ key: [`k${at}`], units: 1n, sums: [sum] }))] as unknown as Measured;
const audited = (...subjects: readonly string[]): ReturnType<typeof auditPolicy> =>
  inFolder({ "lethe.yaml": policy }, () => auditPolicy("lethe.yaml", subjects));
const asked = (): readonly string[] => measured.mock.calls.map(([text]) => text);

it("what can be checked are the policy's tables and views", () =>
  inFolder({ "lethe.yaml": policy }, async () => {
    expect(policySubjects("lethe.yaml")).toEqual(["visits", "wards", "many", "both"]);
  }));

it("a table is asked for a count and for what is usual of each column, all of it twice, and the engine is closed", async () => {
  const [row, last, ...more] = await audited("visits");
  const questions = [
    'SELECT COUNT(*) FROM "visits"',
    'SELECT COUNT(DISTINCT "pid") FROM "visits"',
    'SELECT COUNT("cost") FROM "visits"',
    'SELECT SUM("cost"), AVG("cost") FROM "visits"',
    'SELECT COUNT("age") FROM "visits"',
    'SELECT SUM("age"), AVG("age") FROM "visits"',
    'SELECT "ward", COUNT(*) FROM "visits" GROUP BY "ward"',
    'SELECT "married", COUNT(*) FROM "visits" GROUP BY "married"',
  ];
  expect(asked()).toEqual(questions.flatMap((question) => [question, question]));
  expect(row).toEqual({
    audit: "policy",
    subject: "visits",
    of: "user",
    finding: null,
    claim: "every plan runs, and depends on the rows alone",
    measured: "questions that do not: 0 of 8; refused: none",
    interval: null,
    ceiling: 0,
    how: "counts, sums, averages and groups of each column, each run twice",
  });
  expect(last).toMatchObject({ of: "told", subject: "not checked", finding: null, ceiling: null });
  expect(more).toEqual([]);
  expect(close).toHaveBeenCalledTimes(1);
});

it("a view is asked for a count, and a public table for nothing", async () => {
  const [view, open] = await audited("both", "wards");
  expect(view).toMatchObject({ subject: "both", finding: null, how: "a count of the view, run twice" });
  expect(asked()).toHaveLength(2);
  expect(open).toMatchObject({
    subject: "wards",
    of: "told",
    measured: "not looked at",
    how: "the policy says that it is public",
  });
});

it("numbers that differ between two runs are a finding, and another order of the groups is none", async () => {
  measured.mockResolvedValueOnce([[...groups(1n, 2n)![0]!].reverse()]).mockResolvedValueOnce(groups(1n, 2n));
  expect((await audited("both"))[0]!.finding).toBeNull();
  measured.mockResolvedValueOnce(groups(1n, 2n)).mockResolvedValueOnce(groups(1n, 3n));
  expect((await audited("both"))[0]).toMatchObject({
    finding: "COUNT(*): the same rows gave other numbers",
    measured: "questions that do not: 1 of 1; refused: none",
  });
  for (const [once, twice] of [
    [null, groups(1n)],
    [groups(1n), null],
  ] as const) {
    measured.mockResolvedValueOnce(once).mockResolvedValueOnce(twice);
    expect((await audited("both"))[0]!.finding).toBe(
      "COUNT(*): the database could not answer; details are in the owner's log",
    );
  }
});

it("a refusal that a policy may have is told by its questions, of which three are named, and is no finding", async () => {
  const [row] = await audited("many");
  expect(row).toMatchObject({
    finding: null,
    measured:
      'questions that do not: 0 of 5; refused: query.missing-delta ("a", COUNT(*); "b", COUNT(*); "c", COUNT(*); and 1 more)',
  });
  for (const code of ["query.unsupported", "query.missing-delta", "query.type"] as const) {
    measured.mockRejectedValueOnce(new LetheError(code, "no", { fix: "x" }));
    const [view] = await audited("both");
    expect(view).toMatchObject({
      of: "told",
      measured: "not looked at",
      how: `every plain question is refused: ${code} (COUNT(*))`,
    });
  }
});

it("any other refusal of a question is a finding, and one that stands in the way of all ends the table's questions", async () => {
  measured.mockRejectedValueOnce(
    new LetheError("query.unknown-function", "no RANDOM", { fix: "leave it out" }),
  );
  expect((await audited("visits"))[0]).toMatchObject({
    finding: "query.unknown-function: no RANDOM; leave it out",
    measured: "questions that do not: 1 of 8; refused: none",
  });
  for (const code of [
    "engine.source",
    "engine.schema",
    "engine.not-imported",
    "policy.changed",
    "policy.roles",
  ] as const) {
    measured.mockReset();
    measured.mockRejectedValue(new LetheError(code, "no", { fix: "x" }));
    expect((await audited("visits"))[0]!.finding).toBe(`${code}: no; x`);
    expect(measured).toHaveBeenCalledTimes(1);
  }
});

it("an error of another kind is no row, and closes the engine too", async () => {
  for (const error of [new LetheError("engine.failed", "no", { fix: "x" }), new Error("a bug")]) {
    close.mockClear();
    measured.mockRejectedValueOnce(error);
    await expect(audited("both")).rejects.toBe(error);
    expect(close).toHaveBeenCalledTimes(1);
  }
});
