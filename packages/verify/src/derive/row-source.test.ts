import type { Plan } from "@lethe/query";
import { describe, expect, it } from "vitest";
import type { Release } from "../format/release.ts";
import { groupsOf } from "./groups-of.ts";
import { groupsWithin } from "./groups-within.ts";
import { rowDraws } from "./row-draws.ts";
import { isNextCoarser, rowSource } from "./row-source.ts";

type Keys = readonly (readonly (string | null)[])[];
const cells: Keys = [
  ["a", "x"],
  ["a", "y"],
  ["a", "z"],
  ["b", "x"],
  ["b", "y"],
  ["b", "z"],
];
const parts = [{ name: "a" }, { name: "x" }] as unknown as Plan["keys"]["parts"];
const planOf = (program: object, more: object = {}): Plan =>
  ({ keys: { parts, program }, ...more }) as unknown as Plan;
const declared = planOf({ kind: "public", declared: cells });
const data = (totals: readonly object[]): Plan => planOf({ kind: "private" }, { totals });

describe("the rows of a grouping", () => {
  it.each([
    [["a", "x"], 1],
    [["a"], 3],
    [["x"], 2],
    [[], 6],
  ])("by %j add up %i groups, where all are listed", (set, draws) => {
    expect(rowSource(set, declared)).toEqual({ level: 0, draws, isListed: true });
    expect(groupsOf(set, parts, cells)).toBe(6 / draws);
  });

  it("are measured by all keys, and once for each coarser grouping, where groups are data", () => {
    const plan = data([{ keys: ["a"] }, { keys: [] }]);
    expect(rowSource(["a", "x"], plan)).toEqual({ level: 0, draws: 1, isListed: false });
    expect(rowSource(["a"], plan)).toEqual({ level: 1, draws: 1, isListed: false });
    expect(rowSource([], plan)).toEqual({ level: 2, draws: 1, isListed: false });
    expect(() => rowSource(["x"], plan)).toThrow(/not measured once/);
    expect(() => rowSource(["a"], data([{ keys: ["a"] }, { keys: ["a"] }]))).toThrow(/not measured once/);
  });

  it("add up listed totals of more keys", () => {
    const plan = data([{ keys: ["x"], declared: [["x"], ["y"]] }]);
    expect(rowSource(["x"], plan)).toEqual({ level: 1, draws: 1, isListed: true });
    expect(rowSource([], plan)).toEqual({ level: 1, draws: 2, isListed: true });
    expect(() => rowSource(["a"], plan)).toThrow(/not measured once/);
  });

  it("add up one number of groups each", () => {
    const uneven = planOf({ kind: "public", declared: cells.slice(1) });
    expect(() => rowSource(["a"], uneven)).toThrow(/different numbers of groups/);
    expect(rowSource([], uneven).draws).toBe(5);
    expect(() => rowSource(["a"], planOf({ kind: "public", declared: [] }))).toThrow(/different numbers/);
  });
});

it("the next coarser grouping has fewer of its keys, and none lies between", () => {
  const plan = { groupings: [["a", "b", "c"], ["a", "b"], ["a"], ["c"], [], ["a", "b"]] } as unknown as Plan;
  const coarser = (fine: number): readonly number[] =>
    [0, 1, 2, 3, 4, 5, 6].filter((coarse) => isNextCoarser(coarse, fine, plan));
  expect([0, 1, 2, 3, 4, 5, 6].map(coarser)).toEqual([[1, 3, 5], [2], [4], [4], [], [2], []]);
});

describe("the groups within a row's", () => {
  const other = { other: true };
  const plan = {
    groupings: [["a", "x"], ["a"], []],
    keys: { parts, program: { kind: "private" } },
    totals: [{ keys: ["a"] }, { keys: [] }],
    outputs: [
      { kind: "key", key: "x" },
      { kind: "key", key: "a" },
    ],
    post: { having: null, limit: null, offset: 0, orderBy: [] },
  } as unknown as Plan;
  const release = (more: object = {}): Release =>
    ({
      rows: [
        ["x", "a"],
        ["y", "a"],
        ["x", "b"],
        [other, "a"],
        [other, "b"],
        [null, "a"],
        [null, "b"],
        [null, other],
        [null, null],
      ],
      groupings: [
        ...[0, 0, 0].map((grouping) => ({ grouping, over: null })),
        ...[0, 0].map((grouping) => ({ grouping, over: 1 })),
        ...[1, 1].map((grouping) => ({ grouping, over: null })),
        { grouping: 1, over: 2 },
        { grouping: 2, over: null },
      ],
      certificate: { plan: { ...plan, ...more } },
    }) as unknown as Release;

  it("agree in its keys, or in its total's where it is what is left", () => {
    const within = groupsWithin(release());
    expect([0, 3, 4, 5, 7, 8].map((row) => within(row))).toEqual([[0], [0, 1], [2], [5], [5, 6], [8]]);
    expect(within(3, 1)).toEqual([5]);
    expect(within(5, 0)).toEqual([0, 1]);
    expect(within(8, 0)).toEqual([0, 1, 2]);
    expect(within(7, 2)).toEqual([8]);
  });

  it("hold the noise of what they are made of", () => {
    const noise = rowDraws(release());
    const [group, total, whole] = [0, 1, 2].map((level) => ({ level, draws: 1 }));
    expect(noise(0)).toEqual([group]);
    expect(noise(3)).toEqual([total, { level: 0, draws: 2 }]);
    expect(noise(4)).toEqual([total, { level: 0, draws: 1 }]);
    expect(noise(5)).toEqual([total]);
    expect(noise(7)).toEqual([whole, { level: 1, draws: 2 }]);
    expect(noise(8)).toEqual([whole]);
    const alone = { ...release(), rows: [[other, "c"]], groupings: [{ grouping: 0, over: 1 }] };
    expect(rowDraws(alone as unknown as Release)(0)).toEqual([total]);
    const plain = { ...release({ groupings: undefined }), groupings: undefined };
    expect(rowDraws(plain as unknown as Release)(0)).toEqual([group]);
  });

  it.each([
    ["HAVING", { post: { having: {}, limit: null, offset: 0 } }],
    ["LIMIT", { post: { having: null, limit: 9, offset: 0 } }],
    ["OFFSET", { post: { having: null, limit: null, offset: 1 } }],
    ["a key that is not shown", { outputs: [{ kind: "key", key: "x" }] }],
  ])("are not told with %s", (_, more) => {
    expect(groupsWithin(release(more))(3)).toBeNull();
    expect(rowDraws(release(more))(3)).toBeNull();
    expect(rowDraws(release(more))(0)).toEqual([{ level: 0, draws: 1 }]);
  });
});
