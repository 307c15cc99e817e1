import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { duckdb } from "../dialects/index.ts";
import { printColumn } from "../dialects/print-query.ts";
import { parseQuestion } from "../parse/index.ts";
import { type Plan, planQuestion } from "../plan/index.ts";
import { readPolicy } from "../policy/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { compilePlan } from "./compile-plan.ts";
import { keyLiteral } from "./contributions/declared-only.ts";
import { sameKey } from "./contributions/same-key.ts";
import { bitOfPlace, groupOrder, stretchOfPlace } from "./physical/group-order.ts";
import { TextColumns } from "./stored/text-columns.ts";
import { rowsWithinBounds, type UnitSum } from "./values/sum-text.ts";
import { textKeys } from "./values/text-keys.ts";

const list = (count: number): string => Array.from({ length: count }, (_, at) => at).join(", ");
const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  t: { file: t.csv, unit: id, max_groups_contributed: 300, columns: { id: { type: text }, town: { type: text }, wild: { type: number }, code: { type: integer },
    sure: { type: boolean, default: false }, odd: { type: integer, categories: [${list(59)}], default: 0 }, many: { type: integer, categories: [${list(60)}], default: 0 },
    most: { type: integer, categories: [${list(252)}], default: 0 }, x: { type: integer, bounds: [0, 9] }, g: { type: text, categories: [a, b], default: a } } }
  people: { file: p.csv, unit: row, columns: { town: { type: text } } }
`);
const planned = async (select: string, options = {}): Promise<Plan> =>
  planQuestion(
    resolveQuestion(await parseQuestion(`SELECT ${select}`), policy),
    policy,
    { epsilon: parseRational("1"), delta: parseRational("1e-6"), ...options },
    "hash",
  );

describe("the order of a unit's groups", () => {
  const of = async (key: string) => groupOrder(await planned(`${key}, COUNT(*) FROM t GROUP BY ${key}`));

  it("has a place for each where there are few, and stretches of places where there are many", async () => {
    expect(await of("g")).toEqual({ modulus: 59, distinct: true, words: 1 });
    expect(await of("odd")).toEqual({ modulus: 59, distinct: true, words: 1 });
    expect(await of("many")).toEqual({ modulus: 113, distinct: true, words: 2 });
    expect(await of("most")).toEqual({ modulus: 2_147_483_579, distinct: false, words: 1 });
    expect(await of("town")).toEqual({ modulus: 2_147_483_579, distinct: false, words: 1 });
    // Cubes of different residues differ only where a modulus is a prime that leaves 2 when divided by 3.
    for (const modulus of [59, 113, 179, 251, 2_147_483_579]) {
      expect(modulus % 3).toBe(2);
      for (let divisor = 2; divisor * divisor <= modulus; divisor += 1) expect(modulus % divisor).not.toBe(0);
    }
  });

  it("is one bit for each place, 63 to a word", () => {
    const few = { modulus: 59, distinct: true, words: 1 };
    const { integer } = duckdb.types;
    expect(bitOfPlace(few, "p", duckdb)).toEqual([`(CAST(1 AS ${integer}) << CAST(p AS integer))`]);
    const words = bitOfPlace({ modulus: 179, distinct: true, words: 3 }, "p", duckdb);
    expect(words.map((word) => /p >= (\d+) AND p < (\d+)/.exec(word)!.slice(1).map(Number))).toEqual([
      [0, 63],
      [63, 126],
      [126, 189],
    ]);
    for (const word of words) expect(word).toMatch(/<< CAST\(p % 63 AS integer\)\) ELSE 0 END$/);
    expect(stretchOfPlace(few, "p", duckdb)).toBe("p");
    // 2^31 places in stretches of 2^25 are 64, of which the last two are one.
    expect(stretchOfPlace({ modulus: 2_147_483_579, distinct: false, words: 1 }, "p", duckdb)).toBe(
      "least(p >> 25, 62)",
    );
  });
});

describe("keys as SQL", () => {
  it("are compared by equalities, also where they may be NULL", async () => {
    const { keys } = await planned(
      "code, wild, sure, town, x > 3, g, COUNT(*) FROM t GROUP BY 1, 2, 3, 4, 5, 6",
    );
    const same = keys.parts.map(({ expression: key }) => sameKey("a", "b", key, duckdb));
    const nullable = (something: string) => [
      `coalesce(a, ${something}) = coalesce(b, ${something})`,
      "(a IS NULL) = (b IS NULL)",
    ];
    expect(same).toEqual([
      nullable("0"),
      nullable(duckdb.double(0)),
      ["a = b"],
      nullable(duckdb.text("")),
      nullable("FALSE"),
      ["a = b"],
    ]);
  });

  it("are literals that say what they are", () => {
    expect(["it's", true, false, 7n, -7n, 0.5].map((value) => keyLiteral(value, duckdb))).toEqual([
      duckdb.text("it's"),
      "TRUE",
      "FALSE",
      "7",
      "-7",
      duckdb.double(0.5),
    ]);
  });

  it("are texts at the places that an engine is told", async () => {
    const plan = await planned("code, town, sure, g, COUNT(*) FROM t GROUP BY 1, 2, 3, 4");
    expect(textKeys(plan)).toEqual([1, 3]);
    const compiled = compilePlan(plan, () => ({ relation: ["t"], layout: "snapshot" }), duckdb);
    expect(compiled).toMatchObject({ dialect: "duckdb", keys: 4, textKeys: [1, 3], needsSeed: true });
    expect(compiled.sums).toBe(plan.sums.length);
    const all = compilePlan(
      await planned("COUNT(*) FROM t"),
      () => ({ relation: ["t"], layout: "snapshot" }),
      duckdb,
    );
    expect(all).toMatchObject({ keys: 0, textKeys: [], sums: 1, needsSeed: false });
  });
});

describe("the rows of a unit that add up by themselves", () => {
  const sum = (lo: string, hi: string, grid = { exponent: 0, lo: "-2", hi: "5" }): UnitSum => ({
    kind: "sum",
    argument: null as never,
    grid,
    lo,
    hi,
  });
  const count: UnitSum = { kind: "count", argument: null };

  it("are fewer beyond the first than a group may have, where no sum is clamped", () => {
    expect(rowsWithinBounds([count], 3)).toBe(3);
    expect(rowsWithinBounds([sum("-6", "15"), count], 3)).toBe(3);
    expect(rowsWithinBounds([sum("-2", "5")], 1)).toBe(1);
    expect(rowsWithinBounds([], 4)).toBe(4);
  });

  it("are one a group where units are counted", () => {
    expect(rowsWithinBounds([{ kind: "units" }, count], 3)).toBe(1);
    expect(rowsWithinBounds([{ kind: "units-with", argument: null as never }], 3)).toBe(1);
  });

  it("cannot be told where a sum may be clamped, of one row or of all", () => {
    for (const [lo, hi] of [
      ["-5", "15"],
      ["-6", "14"],
      ["-1", "15"],
      ["-6", "4"],
    ] as const)
      expect(rowsWithinBounds([count, sum(lo, hi)], 3), `${lo}, ${hi}`).toBeNull();
    // Of rows that lie above 0, one alone is the least.
    const above = { exponent: 0, lo: "2", hi: "5" };
    expect(rowsWithinBounds([sum("2", "15", above)], 3)).toBe(3);
    expect(rowsWithinBounds([sum("3", "15", above)], 3)).toBeNull();
    const below = { exponent: 0, lo: "-5", hi: "-2" };
    expect(rowsWithinBounds([sum("-15", "-2", below)], 3)).toBe(3);
    expect(rowsWithinBounds([sum("-15", "-3", below)], 3)).toBeNull();
  });
});

it("the columns of an inner SELECT are each there once, by the name that the outer one finds them by", () => {
  const columns = new TextColumns("inside", "c");
  expect(columns.list().map(printColumn)).toEqual([]);
  expect(["a + 1", "b", "a + 1", "c", "b"].map((text) => columns.add(text))).toEqual([
    "inside.c0",
    "inside.c1",
    "inside.c0",
    "inside.c2",
    "inside.c1",
  ]);
  expect(columns.list().map(printColumn)).toEqual(["a + 1 AS c0", "b AS c1", "c AS c2"]);
});
