import { parseRational } from "@lethe/core";
import { keepProbability } from "@lethe/core/mechanisms";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../parse/index.ts";
import { expectedGroupRows, expectedRows } from "../plan/expected-error/expected-group-rows.ts";
import { type Plan, planQuestion } from "../plan/index.ts";
import { type Policy, readPolicy } from "../policy/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { hopelessKeys, keyNotice } from "./key-chances.ts";

const policyOf = (expected = "expected_rows: 500,"): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-4 }
defaults: { delta: 1e-6 }
tables:
  people: { file: p.csv, unit: row, ${expected} columns: { age: { type: integer, bounds: [1, 101] }, year: { type: integer, bounds: [1900, 2000], default: 1950 },
    sector: { type: text, categories: [a, b, c] }, wage: { type: number, bounds: [0, 60] }, town: { type: text }, zip: { type: integer } } }
  units: { file: u.csv, unit: id, expected_rows: 70, columns: { id: { type: text }, g: { type: text, categories: [x, y, z], default: x } } }
  codes: { file: c.csv, public: true, key: sector, columns: { sector: { type: text }, kind: { type: text, categories: [k], default: k } } }
`);
const policy = policyOf();
const planned = async (text: string, epsilon: string, under = policy): Promise<Plan> =>
  planQuestion(
    resolveQuestion(await parseQuestion(text), under),
    under,
    { epsilon: parseRational(epsilon) },
    "hash",
  );
const by = (keys: string): string => `SELECT ${keys}, COUNT(*) FROM people GROUP BY ${keys}`;

/** The least number of units whose chance is at least this, by trying one after the other. */
function unitsAt(plan: Plan, chance: number): number {
  const { program } = plan.keys;
  if (program.kind !== "private") throw new Error("keys that are data are due");
  let units = 1;
  while (keepProbability(program.rule, BigInt(units)) < chance) units += 1;
  return units;
}

describe("the notice of keys that are data", () => {
  it("names them, and how large a group is released", async () => {
    const one = await planned(by("town"), "1");
    expect(keyNotice(one)).toBe(
      `town is a key that the policy does not list, so a group is released by chance: a group of ${unitsAt(one, 0.5)} units one time in two, a group of ${unitsAt(one, 0.95)} units 95 times in 100, and smaller groups hardly ever`,
    );
    const two = await planned(by("town, sector, zip"), "1");
    expect(keyNotice(two)).toMatch(/^town and zip are keys that the policy does not list/);
    // Of several keys one may be data alone.
    expect(keyNotice(await planned(by("sector, town"), "1"))).toMatch(/^town is a key/);
    expect(keyNotice(await planned(by("sector"), "1"))).toBeNull();
  });
});

describe("the notice of listed keys that the question takes as data", () => {
  it.each([
    ["g", "g is a key whose listed values the question does not use, so a group is released by chance"],
    ["g, g = 'x'", "g and g = 'x' are keys whose listed values the question does not use"],
  ])("names them: %s", async (keys, says) => {
    const option = "WITH DIFFERENTIAL_PRIVACY OPTIONS(group_selection_strategy = private)";
    const text = `SELECT ${option} ${keys}, COUNT(*) FROM units GROUP BY ${keys}`;
    expect(keyNotice(await planned(text, "1"))).toContain(says);
  });
});

describe("the warning of keys that are hopeless", () => {
  it("says how many units a group needs, what is expected, and among how many groups", async () => {
    const plan = await planned(by("age"), "0.5");
    expect(hopelessKeys(plan, policy)).toEqual({
      // 101 ages and NULL.
      message: `hardly any group of age will be released: a group needs ${unitsAt(plan, 0.5)} units for an even chance, and the policy expects 500 rows among 102 possible groups`,
      fix: "group by WIDTH_BUCKET(age, 1, 101, 10), whose keys are public, or pay more epsilon",
    });
    expect(hopelessKeys(await planned(by("year"), "0.5"), policy)!.message).toContain(
      "among 101 possible groups",
    );
    expect(hopelessKeys(await planned(by("age, sector"), "0.5"), policy)!.message).toContain(
      "among 408 possible groups",
    );
    const town = hopelessKeys(await planned(by("town"), "0.02"), policy)!;
    expect(town.message).toMatch(/and the policy expects 500 rows$/);
    expect(town.fix).toBe("list categories of town in the policy, from what is public, or pay more epsilon");
    const wage = hopelessKeys(await planned(by("wage"), "0.02"), policy)!;
    expect(wage.fix).toBe(
      "group by WIDTH_BUCKET(wage, 0, 60, 10), whose keys are public, or pay more epsilon",
    );
    expect(wage.message).toMatch(/expects 500 rows$/);
    expect(hopelessKeys(await planned(by("zip"), "0.02"), policy)!.fix).toContain("list categories of zip");
  });

  it("is given where four even shares of the rows are released less than once in twenty", async () => {
    const plan = await planned(by("year"), "0.5");
    const least = unitsAt(plan, 0.05);
    // Of 101 groups four shares are ⌈4·rows/101⌉.
    const rowsOf = (rows: number): Policy => policyOf(`expected_rows: ${rows},`);
    const enough = Math.floor((101 * (least - 1)) / 4) + 1;
    expect(hopelessKeys(plan, rowsOf(enough))).toBeNull();
    expect(hopelessKeys(plan, rowsOf(enough - 1))).not.toBeNull();
    // A group of a key that is not known may hold all rows, and no more.
    const town = await planned(by("town"), "0.5");
    expect(hopelessKeys(town, rowsOf(unitsAt(town, 0.05)))).toBeNull();
    expect(hopelessKeys(town, rowsOf(unitsAt(town, 0.05) - 1))).not.toBeNull();
  });

  it("is none where keys are listed, or no rows are expected", async () => {
    expect(hopelessKeys(await planned(by("sector"), "0.001"), policy)).toBeNull();
    expect(hopelessKeys(await planned(by("age"), "0.001"), policyOf(""))).toBeNull();
  });
});

describe("the rows that are expected", () => {
  const expected = async (text: string, under = policy): Promise<readonly (number | null)[]> => {
    const plan = await planned(text, "1", under);
    return [expectedRows(plan, under), expectedGroupRows(plan, under)];
  };

  it("are the policy's, shared out over listed groups, one at least", async () => {
    expect(await expected("SELECT COUNT(*) FROM people")).toEqual([500, 500]);
    // Three sectors and NULL.
    expect(await expected(by("sector"))).toEqual([500, 125]);
    expect(await expected("SELECT g, COUNT(*) FROM units GROUP BY g")).toEqual([70, 23]);
    expect(await expected(by("sector"), policyOf("expected_rows: 1,"))).toEqual([1, 1]);
    expect(await expected(by("sector"), policyOf("expected_rows: 6,"))).toEqual([6, 2]);
  });

  it("are not known of groups that are data, or where the policy says nothing", async () => {
    expect(await expected(by("town"))).toEqual([500, null]);
    expect(await expected(by("sector"), policyOf(""))).toEqual([null, null]);
  });

  it("are those of the one table that is owned", async () => {
    expect(await expected("SELECT COUNT(*) FROM people JOIN codes USING (sector)")).toEqual([500, 500]);
    expect(await expected("SELECT COUNT(*) FROM units a JOIN units b ON a.id = b.id")).toEqual([null, null]);
  });
});
