import type { OverColumn, OverRelation, PostExpression } from "@lethe/query";
import { describe, expect, it } from "vitest";
import type { Cell, Column, Release } from "../format/release.ts";
import { overCounts } from "../testing/forgeries/over.ts";
import { call, key, literal, windowOf } from "../testing/made-of.ts";
import { signer } from "../testing/people.ts";
import { signed } from "../testing/sample-release.ts";
import { verifyRelease } from "../verify-release.ts";
import { overFollows } from "./over-checks.ts";

const number = { type: "number", bounds: null, integer: true, nullable: true, values: null };
const textual = { type: "text", nullable: true, values: null, maxLength: 9 };
const part = (name: string, domain: object): object => ({
  name,
  expression: { kind: "column", name, domain },
});

const outputs = [
  { name: "ward", kind: "key", key: "ward" },
  { name: "id", kind: "key", key: "id" },
  { name: "n", kind: "aggregate", aggregate: "n" },
  { name: "day", kind: "aggregate", aggregate: "day" },
  { name: "half", kind: "computed", type: "number", expression: literal(null) },
  { name: "size", kind: "computed", type: "text", expression: literal(null) },
  { name: "low", kind: "interval-end", end: "lower", output: "n" },
];
const columns = ["key", "key", "aggregate", "aggregate", "computed", "label", "label"].map((kind, at) => ({
  name: outputs[at]?.name,
  kind,
}));
const estimate = (value: number | null, lower: number | null = null, upper: number | null = null): Cell => ({
  value,
  lower,
  upper,
});
const day: Cell = { value: "2024-01-02", lower: "2024-01-01", upper: "2024-01-03" };
const rows: readonly (readonly Cell[])[] = [
  ["north", "9007199254740993", estimate(3, 1, 5), day, estimate(1.5, 0.5, 2.5), "few", 1],
  [{ other: true }, null, estimate(5, 3, 7), day, estimate(2.5, 1.5, 3.5), "many", 3],
];

const release = (over: OverRelation, shown: Release["over"]): Release =>
  ({
    columns,
    rows,
    over: shown,
    certificate: {
      plan: {
        keys: { parts: [part("ward", textual), part("id", number)], program: { kind: "none" } },
        outputs,
        aggregates: [
          { name: "n", kind: "count", count: "n" },
          { name: "day", kind: "quantile", tree: "t", share: 0.5, standsFor: null, time: "date" },
        ],
        over,
      },
    },
  }) as unknown as Release;

const of: OverRelation = { kind: "answer" };
type Shown = readonly [name: string, kind: Column["kind"], ...cells: Cell[]];
/** Returns the verdict on columns of cells. */
const found = (over: OverRelation, ...shown: readonly Shown[]): ReturnType<typeof overFollows> =>
  overFollows(
    release(over, {
      columns: shown.map(([name, kind]) => ({ name, kind })),
      rows: (shown[0]?.slice(2) ?? []).map((_, row) => shown.map((cells) => cells[row + 2] ?? null)),
    }),
  );
const outcome = (...given: Parameters<typeof found>): string => found(...given).outcome;
const column = (name: string, type: OverColumn["type"], expression: PostExpression): OverColumn => ({
  name,
  type,
  expression,
});
const shownBy = (...columnsShown: readonly OverColumn[]): OverRelation => ({
  kind: "shown",
  of,
  columns: columnsShown,
});
const copied = (name: string): OverColumn => column(`${name}2`, "text", key(name));
const cellsOf = (at: number): readonly Cell[] => rows.map((row) => row[at] ?? null);

describe("a column over an answer that is one of the answer's", () => {
  it("has its kind and its cells, under another name too", () => {
    for (const [at, { name, kind }] of columns.entries())
      expect(
        outcome(shownBy(copied(`${name}`)), [`${name}2`, kind as Column["kind"], ...cellsOf(at)]),
        name,
      ).toBe("passed");
    expect(outcome(shownBy(copied("n")), ["n2", "computed", ...cellsOf(2)])).toBe("failed");
    expect(outcome(shownBy(copied("n")), ["n2", "aggregate", estimate(3, 2, 4), estimate(5, 3, 7)])).toBe(
      "failed",
    );
    expect(outcome(shownBy(copied("ward")), ["ward2", "key", "north", null])).toBe("failed");
  });

  it("has no value on the side of a join that meets nothing", () => {
    const over: OverRelation = {
      kind: "joined",
      type: "left",
      left: shownBy(copied("ward")),
      right: shownBy(copied("n"), copied("half"), copied("size"), copied("day")),
      on: literal(false),
    };
    const unknown = estimate(null);
    const shown: readonly Shown[] = [
      ["ward2", "key", ...cellsOf(0)],
      ["n2", "aggregate", unknown, unknown],
      ["half2", "computed", unknown, unknown],
      ["size2", "label", null, null],
      ["day2", "aggregate", unknown, unknown],
    ];
    expect(found(over, ...shown)).toMatchObject({ outcome: "passed" });
    expect(outcome(over, ...shown.with(1, ["n2", "aggregate", null, null]))).toBe("failed");
  });

  it("stays one where rows are grouped by keys and labels, and is computed where they are grouped by estimates", () => {
    const over: OverRelation = { kind: "grouped", of, by: ["ward", "size", "n", "day"], values: [] };
    const days = ["2024-01-02", "2024-01-02"];
    const shown: readonly Shown[] = [
      ["ward", "key", ...cellsOf(0)],
      ["size", "label", ...cellsOf(5)],
      ["n", "computed", estimate(3), estimate(5)],
      ["day", "label", ...days],
    ];
    expect(found(over, ...shown)).toMatchObject({ outcome: "passed" });
    expect(outcome(over, ...shown.with(2, ["n", "aggregate", ...cellsOf(2)]))).toBe("failed");
  });

  it("stays one where every part of a union has one of its kind", () => {
    const union = (...names: readonly string[]): OverRelation => ({
      kind: "union",
      parts: names.map((name) => shownBy(column("x", "number", key(name)))),
    });
    expect(outcome(union("n", "n"), ["x", "aggregate", ...cellsOf(2), ...cellsOf(2)])).toBe("passed");
    expect(outcome(union("ward", "id"), ["x", "key", ...cellsOf(0), ...cellsOf(1)])).toBe("passed");
    const mixed = [3, 5, 1.5, 2.5].map((value) => estimate(value));
    expect(outcome(union("n", "half"), ["x", "computed", ...mixed])).toBe("passed");
    expect(outcome(union("n", "half"), ["x", "aggregate", ...cellsOf(2), ...cellsOf(4)])).toBe("failed");
  });
});

describe("a column over an answer that is made", () => {
  const plus = call("+", key("n"), literal(1));

  it("is an estimate where it is a number, whose interval is not checked but for its form", () => {
    const over = shownBy(column("more", "number", plus));
    expect(outcome(over, ["more", "computed", estimate(4), estimate(6, 1, 7)])).toBe("passed");
    expect(outcome(over, ["more", "computed", estimate(4), estimate(6 * (1 + 2 ** -50))])).toBe("passed");
    expect(outcome(over, ["more", "computed", estimate(4), estimate(6.001)])).toBe("failed");
    expect(outcome(over, ["more", "computed", estimate(4), estimate(null)])).toBe("failed");
    expect(outcome(over, ["more", "computed", estimate(4, 3), estimate(6)])).toBe("failed");
    expect(outcome(over, ["more", "computed", 4, 6])).toBe("failed");
  });

  it("is a bare value where it is none", () => {
    const over = shownBy(column("much", "boolean", call(">", plus, literal(4))));
    expect(outcome(over, ["much", "label", false, true])).toBe("passed");
    expect(outcome(over, ["much", "label", false, false])).toBe("failed");
    expect(outcome(over, ["much", "computed", estimate(0), estimate(1)])).toBe("failed");
  });

  it("sees NULL in the place of all groups that are not released", () => {
    const over = shownBy(column("w", "text", call("coalesce", key("ward"), literal("rest"))));
    expect(outcome(over, ["w", "label", "north", "rest"])).toBe("passed");
  });

  it("sees integers that no double holds, times and ends of intervals", () => {
    const over = shownBy(
      column("same", "boolean", call("=", key("id"), literal(9007199254740992))),
      column("early", "boolean", call("<", key("day"), literal("2024-01-03"))),
      column("width", "number", call("-", key("n"), key("low"))),
    );
    const early: Shown = ["early", "label", true, true];
    const width: Shown = ["width", "computed", estimate(2), estimate(2)];
    // The nearest double is too close to tell them apart.
    expect(outcome(over, ["same", "label", false, null], early, width)).toBe("not-made");
    expect(outcome(over, ["same", "label", false, true], early, width)).toBe("failed");
  });

  it("has the type of a window's argument", () => {
    const windows = [
      { ...windowOf("lag", [key("ward"), literal(1), literal("none")]), name: "before" },
      { ...windowOf("lead", [key("n"), literal(1), literal(null)]), name: "next" },
    ];
    const shown: readonly Shown[] = columns.map(({ name, kind }, at) => [
      `${name}`,
      kind as Column["kind"],
      ...cellsOf(at),
    ]);
    const before: Shown = ["before", "label", "none", "north"];
    const next: Shown = ["next", "computed", estimate(5), estimate(null)];
    expect(found({ kind: "windowed", of, windows }, ...shown, before, next)).toMatchObject({
      outcome: "passed",
    });
  });
});

describe("a signed release", () => {
  it("has the hash of what is selected over its answer", async () => {
    const { release: honest } = await overCounts();
    const whole = signed(honest, signer);
    const outcomes = async (given: Release): Promise<readonly (string | undefined)[]> => {
      const { checks } = await verifyRelease(JSON.stringify(given));
      return ["rows", "over"].map((name) => checks.find((each) => each.name === name)?.outcome);
    };
    expect(await outcomes(whole)).toEqual(["passed", "passed"]);
    const less = {
      ...whole,
      over: { columns: whole.over?.columns ?? [], rows: whole.over?.rows.slice(1) ?? [] },
    };
    expect(await outcomes(less)).toEqual(["failed", "failed"]);
  });
});
