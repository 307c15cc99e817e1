import type { ExactGroup, KeyValue } from "@lethe/core/mechanisms";
import { type Plan, readPolicy } from "@lethe/query";
import { beforeAll, describe, expect, test } from "vitest";
import { planned } from "../../../../testing/src/planned.ts";
import { distanceOf, nodeCounts, refutedClaims, refutedTrees, totalVectors } from "./refuted-claims.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-3 }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      town: { type: text, categories: [ur, uruk] }
      street: { type: text }
      age: { type: integer, bounds: [0, 100] }
`);

let byTown: Plan;
let byStreet: Plan;
let quantiles: Plan;
beforeAll(async () => {
  byTown = await planned("SELECT town, COUNT(*) FROM people GROUP BY town", policy);
  byStreet = await planned("SELECT street, COUNT(*) FROM people GROUP BY street", policy, {
    delta: { num: 1n, den: 1000n },
  });
  quantiles = await planned("SELECT town, MEDIAN(age) FROM people GROUP BY town", policy);
});

const group = (key: readonly KeyValue[] | string, ...sums: readonly bigint[]): ExactGroup => ({
  key: typeof key === "string" ? [key] : key,
  units: sums[0]!,
  sums,
});

test("vectors are as far apart as their coordinates, of which a missing one is 0", () => {
  const a = new Map([
    ["x", 5n],
    ["y", -2n],
    ["only a", 3n],
  ]);
  const b = new Map([
    ["y", 1n],
    ["x", 4n],
    ["only b", -7n],
  ]);
  // 1, 3, 3 and 7.
  expect(distanceOf(a, b)).toEqual([14n, 68n]);
  expect(distanceOf(b, a)).toEqual([14n, 68n]);
  expect(distanceOf(a, a)).toEqual([0n, 0n]);
});

describe("claims about measurements", () => {
  const refuted = (a: readonly ExactGroup[], b: readonly ExactGroup[]): string[] =>
    refutedClaims(byTown, a, b);
  test("stand where counts move as far as is paid for", () => {
    expect(refuted([group("ur", 3n)], [group("ur", 4n)])).toEqual([]);
    expect(refuted([group("ur", 4n)], [group("ur", 3n)])).toEqual([]);
    expect(refuted([group("ur", 3n)], [group("ur", 3n), group("uruk", 1n)])).toEqual([]);
  });
  test("are refuted in each norm where they move farther", () => {
    const { name } = byTown.measurements[0]!;
    expect(refuted([group("ur", 3n)], [group("ur", 1n)])).toEqual([
      `${name}: ℓ1 2 > 1`,
      `${name}: ℓ2² 4 > 1`,
    ]);
    expect(refuted([group("ur", 3n)], [group("ur", 2n), group("uruk", 1n)])).toEqual([
      `${name}: ℓ1 2 > 1`,
      `${name}: ℓ2² 2 > 1`,
    ]);
  });
  test("speak of declared groups alone", () => {
    expect(refuted([group("ur", 3n), group("moon", 9n)], [group("ur", 3n)])).toEqual([]);
  });
  test("are of a measurement's terms, each with its coefficient", () => {
    const [first] = byTown.measurements;
    const terms = [
      { sum: "s0", coefficient: "2" },
      { sum: "s1", coefficient: "-3" },
    ];
    const plan = (l1: string, l2Squared: string): Plan => ({
      ...byTown,
      sums: [
        { name: "s0", kind: "units" },
        { name: "s1", kind: "count", argument: null },
      ],
      measurements: [{ ...first!, name: "m", terms, l1, l2Squared }],
    });
    // 2·5 − 3·1 = 7 and 2·1 − 3·3 = −7, and of a group whose second sum is missing 2·4.
    const sides = [[group("ur", 5n, 1n)], [group("ur", 1n, 3n), group("uruk", 4n)]] as const;
    expect(refutedClaims(plan("22", "260"), ...sides)).toEqual([]);
    expect(refutedClaims(plan("21", "259"), ...sides)).toEqual(["m: ℓ1 22 > 21", "m: ℓ2² 260 > 259"]);
  });
  test("are of all that has one noise together, wherever its members move", () => {
    const [first] = byTown.measurements;
    const member = (sum: string) => ({
      ...{ ...first!, name: sum, terms: [{ sum, coefficient: "1" }] },
      ...{ l1: "5", l2Squared: "17" },
    });
    const plan: Plan = {
      ...byTown,
      sums: [
        { name: "s0", kind: "units" },
        { name: "s1", kind: "count", argument: null },
      ],
      measurements: [member("s0"), member("s1")],
    };
    const together: Plan = { ...plan, joint: [["s0", "s1"]] };
    const sides = [[group("ur", 5n, 1n)], [group("ur", 1n, 2n)]] as const;
    expect(refutedClaims(together, ...sides)).toEqual([]);
    const farther = [[group("ur", 5n, 1n)], [group("ur", 1n, 3n)]] as const;
    expect(refutedClaims(plan, ...farther)).toEqual([]);
    expect(refutedClaims(together, ...farther)).toEqual(["s0 and s1: ℓ1 6 > 5", "s0 and s1: ℓ2² 20 > 17"]);
  });
  test("cannot be judged of a group that is answered twice", () => {
    expect(() => refuted([group("ur", 1n), group("ur", 2n)], [])).toThrow("answered twice");
  });
});

describe("claims about private keys", () => {
  const refuted = (a: readonly ExactGroup[], b: readonly ExactGroup[], groups?: string): string[] => {
    const { event } = byStreet;
    if (event.kind !== "compose") throw new Error("a composition");
    const events = event.events.map((each) =>
      each.kind === "select-groups" && groups !== undefined ? { ...each, groups } : each,
    );
    const measurements = byStreet.measurements.map((each) => ({ ...each, l1: "99", l2Squared: "9999" }));
    return refutedClaims({ ...byStreet, measurements, event: { ...event, events } }, a, b);
  };
  test("stand where a unit moves in as many groups as are charged", () => {
    expect(refuted([group("a", 3n)], [group("a", 3n)])).toEqual([]);
    expect(refuted([group("a", 3n)], [group("a", 4n)])).toEqual([]);
    expect(refuted([group("a", 3n), group("b", 1n)], [group("a", 3n)])).toEqual([]);
    expect(refuted([group("a", 3n), group("b", 1n)], [group("a", 2n)], "2")).toEqual([]);
  });
  test("are refuted where it moves in more, or more than one does", () => {
    expect(refuted([group("a", 3n), group("b", 1n)], [group("a", 2n)])).toEqual([
      "2 groups change, 1 were charged",
    ]);
    expect(refuted([group("a", 3n)], [group("a", 5n)])).toEqual(["unit counts move by -2"]);
    expect(refuted([group("a", 5n)], [group("a", 3n)])).toEqual(["unit counts move by 2"]);
    expect(refuted([group("a", 3n)], [group("a", 4n)], "0")).toEqual(["1 groups change, 0 were charged"]);
  });
  test("have nothing charged where no selection is paid for", () => {
    const unpaid: Plan = { ...byStreet, event: { kind: "constant", version: 1 } };
    expect(refutedClaims(unpaid, [group("a", 3n)], [group("a", 4n)])).toEqual([
      "1 groups change, 0 were charged",
    ]);
  });
});

describe("claims about totals", () => {
  const withTotals = (
    total: Pick<NonNullable<Plan["totals"]>[number], "keys" | "declared">,
    l1 = "1",
  ): Plan => {
    const measurements = byTown.measurements.map((each) => ({
      ...each,
      name: "total",
      l1,
      l2Squared: l1,
    }));
    const free = byTown.measurements.map((each) => ({ ...each, l1: "99", l2Squared: "9999" }));
    return { ...byTown, measurements: free, totals: [{ ...total, share: "1", measurements }] };
  };
  test("are of the sums over all groups that agree in its keys", () => {
    const groups = [group("ur", 3n), group("uruk", 4n), group([null], 2n)];
    const whole = totalVectors(withTotals({ keys: [] }), groups);
    expect(whole.map((totals) => [...totals.values()])).toEqual([[9n]]);
    const byKey = totalVectors(withTotals({ keys: ["town"] }), [...groups, group("ur", 5n)]);
    expect(byKey.map((totals) => [...totals.values()])).toEqual([[8n, 4n, 2n]]);
    const declared = totalVectors(withTotals({ keys: ["town"], declared: [["uruk"]] }), groups);
    expect(declared.map((totals) => [...totals.values()])).toEqual([[4n]]);
    expect(totalVectors(byTown, groups)).toEqual([]);
  });
  test("are refuted in each norm", () => {
    const sides = [[group("ur", 3n)], [group("ur", 4n), group("uruk", 1n)]] as const;
    expect(refutedClaims(withTotals({ keys: [] }), ...sides)).toEqual([
      "total: ℓ1 2 > 1",
      "total: ℓ2² 4 > 1",
    ]);
    expect(refutedClaims(withTotals({ keys: [] }, "4"), ...sides)).toEqual([]);
    expect(refutedClaims(withTotals({ keys: ["town"], declared: [["ur"]] }), ...sides)).toEqual([]);
    expect(refutedClaims(withTotals({ keys: [] }, "2"), ...sides)).toEqual(["total: ℓ2² 4 > 2"]);
  });
});

describe("trees", () => {
  const cell = (town: string, at: number, count: bigint): ExactGroup => group([town, BigInt(at)], count);
  test("count each cell in a node of every level, group by group", () => {
    const tree = { ...quantiles.trees![0]!, branching: 3, height: 2 };
    const counts = nodeCounts(tree, [
      cell("ur", 0, 2n),
      cell("ur", 2, 5n),
      cell("ur", 8, 1n),
      cell("uruk", 3, 4n),
    ]);
    const named = Object.fromEntries(
      [...counts].map(([name, count]) => [name.replace(/^\S* /, `${/uruk/.test(name)} `), count]),
    );
    expect(named).toEqual({
      "false 1 0": 7n,
      "false 1 2": 1n,
      "false 2 0": 2n,
      "false 2 2": 5n,
      "false 2 8": 1n,
      "true 1 1": 4n,
      "true 2 3": 4n,
    });
    for (const at of [9, -1]) expect(() => nodeCounts(tree, [cell("ur", at, 1n)])).toThrow("beyond the tree");
    expect(nodeCounts({ ...tree, height: 0 }, [cell("ur", 0, 1n)]).size).toBe(0);
  });
  test("are refuted where a unit moves more nodes than is paid for", () => {
    const plan = (l1: string, l2Squared: string): Plan => ({
      ...quantiles,
      trees: [{ ...quantiles.trees![0]!, name: "tree", branching: 2, height: 2, l1, l2Squared }],
    });
    const [one, other] = [
      [[cell("ur", 0, 3n), cell("uruk", 3, 1n)]],
      [[cell("ur", 1, 3n), cell("uruk", 3, 2n)]],
    ];
    // Cells 0 and 1 lie below one node: 3 and 3 at the leaves, and 1 at each level of uruk.
    expect(refutedTrees(plan("8", "20"), one, other)).toEqual([]);
    expect(refutedTrees(plan("7", "19"), one, other)).toEqual(["tree: ℓ1 8 > 7", "tree: ℓ2² 20 > 19"]);
    expect(refutedTrees(plan("8", "19"), one, other)).toEqual(["tree: ℓ2² 20 > 19"]);
  });
  test("speak of declared groups alone, and of a plan without trees nothing is said", () => {
    const many = 10n ** 9n;
    const [one, other] = [[[cell("moon", 0, many)]], [[]]];
    expect(refutedTrees(quantiles, one, other)).toEqual([]);
    expect(refutedTrees(quantiles, [[cell("ur", 0, many)]], other)).not.toEqual([]);
    expect(refutedTrees(byTown, [], [])).toEqual([]);
  });
});
