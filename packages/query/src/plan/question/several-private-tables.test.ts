import { one } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { explainPlan } from "../../explain/index.ts";
import { parseQuestion } from "../../parse/index.ts";
import { type Policy, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import type { Plan } from "../plan.ts";
import { planQuestion } from "./plan-question.ts";

/* Under replace-one a person may be replaced by one whose rows all lie in another private table. */

const tables = {
  row: "unit: row, columns: { age: { type: integer, bounds: [50, 60], default: 55 }, wage: { type: integer, bounds: [50, 60] } }",
  column:
    "unit: id, columns: { id: { type: text }, age: { type: integer, bounds: [50, 60], default: 55 }, wage: { type: integer, bounds: [50, 60] } }",
  through: "unit: { through: a_id, references: a.id }, columns: { a_id: { type: text } }",
  public: "public: true, key: code, columns: { code: { type: text } }",
} as const;

type Kind = keyof typeof tables;

function policyOf(asked: Kind, others: readonly Kind[], adjacency = "replace-one"): Policy {
  const lines = [asked, ...others].map((kind, at) => `  ${"abcd"[at]}: { file: ${at}.csv, ${tables[kind]} }`);
  return readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: pure, epsilon: 10 }
tables:
${lines.join("\n")}
`);
}

async function planOf(text: string, policy: Policy): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planQuestion(question, policy, { epsilon: one }, "hash");
}

async function moves(text: string, policy: Policy): Promise<readonly string[]> {
  return (await planOf(text, policy)).measurements.map(({ l1 }) => l1);
}

const beside: readonly (readonly [Kind, readonly Kind[]])[] = [
  ["row", ["row"]],
  ["row", ["column"]],
  ["row", ["public", "row", "column"]],
  ["column", ["row"]],
  ["column", ["column"]],
  ["column", ["through"]],
  ["column", ["public", "row"]],
];

describe("under replace-one", () => {
  it.each(beside)("a %s table beside %j may lose a unit or gain one", async (asked, others) => {
    const policy = policyOf(asked, others);
    expect(await moves("SELECT COUNT(*) FROM a", policy)).toEqual(["1"]);
    expect(await moves("SELECT COUNT(age) FROM a", policy)).toEqual(["1"]);
    expect(await moves("SELECT SUM(age) FROM a", policy)).toEqual(["60"]);
    if (asked === "column") expect(await moves("SELECT COUNT(DISTINCT id) FROM a", policy)).toEqual(["1"]);
    expect((await planOf("SELECT COUNT(*) FROM a", policy)).unit).toMatchObject({
      kind: asked,
      shared: true,
    });
  });

  it.each<[Kind, readonly Kind[]]>([
    ["row", []],
    ["row", ["public"]],
    ["column", []],
    ["column", ["public", "public"]],
  ])("every unit has rows in a %s table that stands alone beside %j", async (asked, others) => {
    const policy = policyOf(asked, others);
    expect(await moves("SELECT COUNT(*) FROM a", policy)).toEqual(["0"]);
    expect(await moves("SELECT SUM(age) FROM a", policy)).toEqual(["10"]);
    expect(await moves("SELECT SUM(wage) FROM a", policy)).toEqual(["60"]);
    expect(await moves("SELECT SUM(age) FROM a WHERE age > 51", policy)).toEqual(["60"]);
    expect(await moves("SELECT SUM(age) FROM (SELECT age FROM a WHERE age > 51) t", policy)).toEqual(["60"]);
    expect((await planOf("SELECT COUNT(*) FROM a", policy)).unit).not.toHaveProperty("shared");
  });

  it("what a database computes may leave a unit's rows out", async () => {
    const { tables: declared, ...policy } = policyOf("row", ["public"]);
    const trusting = { ...policy, tables: { ...declared, a: { ...declared.a!, trusted: true } } };
    expect(await moves("SELECT COUNT(*) FROM a", trusting)).toEqual(["1"]);
    expect(await moves("SELECT SUM(age) FROM a", trusting)).toEqual(["60"]);
  });

  it("says which number is public", async () => {
    const told = async (policy: Policy): Promise<string> =>
      explainPlan(await planOf("SELECT COUNT(*) FROM a", policy), policy).adjacency;
    expect(await told(policyOf("row", []))).toMatch(/the number of units is public$/);
    expect(await told(policyOf("row", ["row"]))).toMatch(/units in all private tables together is public$/);
  });
});

describe("where units come and go", () => {
  it.each(beside)("other tables change nothing: %s beside %j", async (asked, others) => {
    for (const text of ["SELECT COUNT(*) FROM a", "SELECT SUM(age) FROM a"])
      expect(await moves(text, policyOf(asked, others, "add-or-remove-one"))).toEqual(
        await moves(text, policyOf(asked, [], "add-or-remove-one")),
      );
  });
});
