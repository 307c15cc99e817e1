import { parseRational } from "@lethe/core";
import { expect, it } from "vitest";
import { trino } from "../../dialects/index.ts";
import { parseQuestion } from "../../parse/index.ts";
import { planQuestion } from "../../plan/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { compilePlan } from "../compile-plan.ts";
import { numberColumn } from "../stored/snapshot-select.ts";

it("takes a unit's number as a snapshot keeps it, and hashes no number again", async () => {
  const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  t: { file: t.csv, unit: id, max_groups_contributed: 3, max_rows_contributed_per_group: 2, columns: { id: { type: text }, town: { type: text } } }
`);
  const question = resolveQuestion(await parseQuestion("SELECT town, COUNT(*) FROM t GROUP BY town"), policy);
  const plan = planQuestion(
    question,
    policy,
    { epsilon: parseRational("1"), delta: parseRational("1e-6") },
    "hash",
  );
  const { sql } = compilePlan(
    plan,
    () => ({ relation: ["t"], layout: "snapshot", hasUnitNumbers: true }),
    trino,
  );
  const number = trino.identifier(numberColumn);
  expect(sql).toContain(`bitwise_xor(source.${number}, `);
  expect(sql).not.toContain(`to_utf8(source.${number})`);
});
