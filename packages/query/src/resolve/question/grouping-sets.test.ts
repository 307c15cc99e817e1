import { describe, expect, it } from "vitest";
import { writeSql } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/parse-question.ts";
import type { ResolvedQuery } from "../names/resolved-query.ts";
import { testPolicy } from "../testing/test-policy.ts";
import { resolveQuestion } from "./resolve-question.ts";

async function resolve(groupBy: string, select = "COUNT(*)"): Promise<ResolvedQuery> {
  return resolveQuestion(await parseQuestion(`SELECT ${select} FROM people GROUP BY ${groupBy}`), testPolicy);
}

/** Each grouping as its keys' SQL. */
async function groupings(groupBy: string): Promise<readonly string[]> {
  const { groupBy: keys, groupings: sets = [keys.map(({ name }) => name)] } = await resolve(groupBy);
  expect(keys.map(({ name }) => name)).toEqual(keys.map(({ expression }) => writeSql(expression)));
  return sets.map((set) => set.join(" "));
}

describe("groupings", () => {
  it.each([
    ["sector, married", ["sector married"]],
    ["ROLLUP (sector, married)", ["sector married", "sector", ""]],
    ["CUBE (sector, married)", ["sector married", "sector", "married", ""]],
    ["GROUPING SETS ((sector, married), sector, ())", ["sector married", "sector", ""]],
    ["GROUPING SETS (sector, married)", ["sector", "married"]],
    ["GROUPING SETS (ROLLUP (sector), CUBE (married))", ["sector", "", "married", ""]],
    ["sector, ROLLUP (married, grade)", ["sector married grade", "sector married", "sector"]],
    ["ROLLUP ((sector, married), grade)", ["sector married grade", "sector married", ""]],
    ["ROLLUP (sector), ROLLUP (married)", ["sector married", "sector", "married", ""]],
    ["ROLLUP (age > 40, UPPER(sector))", ["age > 40 upper(sector)", "age > 40", ""]],
    ["ROLLUP (sector, sector)", ["sector", "sector", ""]],
    ["GROUPING SETS ((sector))", ["sector"]],
    ["()", [""]],
  ])("GROUP BY %s", async (groupBy, expected) => {
    const sets = await groupings(groupBy);
    expect(sets.map((set) => set.toLowerCase())).toEqual(expected);
  });

  it("there are none beside the grouping by all keys", async () => {
    for (const plain of ["sector, married", "GROUPING SETS ((sector, married))", "()"])
      expect(await resolve(plain)).not.toHaveProperty("groupings");
  });

  it("a key's place and alias stand for it", async () => {
    const { groupBy, groupings: sets } = await resolve("ROLLUP (1, m)", "sector, married AS m, COUNT(*)");
    expect(groupBy.map(({ name }) => name)).toEqual(["sector", "married"]);
    expect(sets).toEqual([["sector", "married"], ["sector"], []]);
  });

  it("GROUPING is made of what is told of each key, the last in the lowest bit", async () => {
    const { outputs } = await resolve(
      "ROLLUP (sector, married)",
      "GROUPING(married), GROUPING(sector, married), COUNT(*)",
    );
    const two = { kind: "literal", value: 2 };
    expect(outputs.slice(0, 2)).toEqual([
      {
        name: "grouping",
        kind: "computed",
        type: "number",
        expression: { kind: "grouped-away", key: "married" },
      },
      {
        name: "grouping_2",
        kind: "computed",
        type: "number",
        expression: {
          kind: "call",
          operator: "+",
          args: [
            { kind: "call", operator: "*", args: [{ kind: "grouped-away", key: "sector" }, two] },
            { kind: "grouped-away", key: "married" },
          ],
        },
      },
    ]);
  });

  it("a hostile list of groupings is refused before it is built", async () => {
    const cube = `CUBE (${new Array(60).fill("sector").join(", ")})`;
    await expect(resolve(cube)).rejects.toThrow(/more than 64 groupings/);
    const nested = `GROUPING SETS (${new Array(40).fill("CUBE (sector, married)").join(", ")})`;
    await expect(resolve(nested)).rejects.toThrow(/more than 64 groupings/);
    await expect(resolve(new Array(30).fill("ROLLUP (sector)").join(", "))).rejects.toThrow(/more than 64/);
  });
});
