import { parseRational } from "@lethe/core";
import { expect, test } from "vitest";
import { dialects } from "../dialects/index.ts";
import { parseQuestion } from "../parse/index.ts";
import { planQuestion } from "../plan/index.ts";
import { readPolicy } from "../policy/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { compileTrees } from "./compile-trees.ts";

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1, delta: 1e-6 }
tables:
  visits:
    file: a.duckdb
    unit: id
    max_groups_contributed: 300
    columns: { id: { type: text }, town: { type: text }, code: { type: integer }, wild: { type: number }, cost: { type: number, bounds: [0, 9] } }
`);

/** Others rank rows, and join nothing. */
const joining = Object.values(dialects).filter(({ firstGroups }) => firstGroups.by === "bits");

test.each(joining)(
  "$name finds a unit's kept groups by equalities, so that rows times groups are not compared",
  async (dialect) => {
    const text =
      "SELECT town, code, wild, cost > 3, MEDIAN(cost) FROM visits GROUP BY town, code, wild, cost > 3";
    const question = resolveQuestion(await parseQuestion(text), policy);
    const plan = planQuestion(question, policy, { epsilon: parseRational("1") }, "hash");
    const [tree] = compileTrees(plan, () => ({ relation: ["visits"], layout: "snapshot" }), dialect);
    const conditions = tree!.sql.split(" AS least ON ")[1]!.split(") AS unit")[0]!.split(" AND ");
    expect(conditions).toHaveLength(9);
    for (const condition of conditions)
      expect(condition).toMatch(/^(.*)question\.q\d(.*) = (?:\1)least\.(?:u|k\d)(?:\2)$/);
  },
);
