import type { Plan } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { withTodaysPlans } from "./first-plan.ts";

const column = (name: string): object => ({
  kind: "column",
  name,
  domain: { type: "text", nullable: true, values: null, maxLength: 9 },
});
const first = {
  version: 1,
  measurements: [{ describes: "COUNT(*)", terms: [] }],
  aggregates: [
    { kind: "count", count: 0 },
    { kind: "count", count: 0 },
  ],
  keys: { expressions: [column("ward"), column("Kind")], program: { kind: "none" } },
  groupings: [[0, 1], [1]],
  totals: [{ keys: [1], measurements: [] }],
};
const read = (more: object): Plan =>
  (withTodaysPlans({ certificate: { plan: { ...first, ...more } } }) as { certificate: { plan: Plan } })
    .certificate.plan;
const key = (place: unknown): object => ({ kind: "key", key: place });
const having = (place: unknown): unknown => read({ post: { having: key(place), orderBy: [] } }).post.having;

describe("a plan of version 1 that spoke of places", () => {
  it("has names: keys are called as they are written, aggregates by what they are read from", () => {
    const plan = read({});
    expect(plan.keys.parts.map(({ name }) => name)).toEqual(["ward", '"Kind"']);
    expect(plan.aggregates.map(({ name }) => name)).toEqual(["count of COUNT(*)", "count of COUNT(*) (2)"]);
    expect(plan.groupings).toEqual([["ward", '"Kind"'], ['"Kind"']]);
    expect(plan.totals?.[0]?.keys).toEqual(['"Kind"']);
  });

  it("shows keys, answers and ends of intervals by their names", () => {
    const outputs = [
      { name: "k", kind: "key", key: 1 },
      { name: "n", kind: "aggregate", aggregate: 1 },
      { name: "end", kind: "interval-end", end: "lower", output: 1 },
    ];
    expect(read({ outputs }).outputs).toEqual([
      { name: "k", kind: "key", key: '"Kind"' },
      { name: "n", kind: "aggregate", aggregate: "count of COUNT(*) (2)" },
      { name: "end", kind: "interval-end", end: "lower", output: "n" },
    ]);
  });

  it("told behind its keys which are grouped away, and of which a row stands for all others", () => {
    expect([0, 1, 2, 3, 4, 5].map(having)).toEqual([
      { kind: "key", key: "ward" },
      { kind: "key", key: '"Kind"' },
      { kind: "grouped-away", key: "ward" },
      { kind: "grouped-away", key: '"Kind"' },
      { kind: "other", key: "ward" },
      { kind: "other", key: '"Kind"' },
    ]);
  });

  it.each([-1, -2, 6, 7, 0.5, Number.NaN, "0", "ward", null])("has no key in the place %s", (place) => {
    expect(having(place)).not.toHaveProperty("key", expect.any(String));
  });

  it("has the names in every part of an expression", () => {
    const one = { kind: "aggregate", aggregate: 0 };
    const branches = [
      {
        when: { kind: "call", operator: "is-null", args: [key(0)] },
        // biome-ignore lint/suspicious/noThenProperty: the plan's own name for a branch; it is never awaited
        then: one,
      },
    ];
    const by = { kind: "case", branches, otherwise: { kind: "literal", value: 3 } };
    const { post } = read({ post: { having: null, orderBy: [{ by }] } });
    expect(JSON.stringify(post.orderBy)).toBe(
      JSON.stringify([{ by }])
        .replace('"key":0', '"key":"ward"')
        .replace('"aggregate":0', '"aggregate":"count of COUNT(*)"'),
    );
  });
});
