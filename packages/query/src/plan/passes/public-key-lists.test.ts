import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expressionBuilder } from "../../expressions/build/build-expression.ts";
import { publicKeys } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { scalarsOf } from "../../expressions/operators/domains.ts";
import { evaluate } from "../../expressions/possible/evaluate.ts";
import { parseQuestion } from "../../parse/parse-question.ts";
import { resolveQuestion } from "../../resolve/question/resolve-question.ts";
import { column, expressions, onGrids, row } from "../../resolve/testing/random-expressions.ts";
import { testPolicy } from "../../resolve/testing/test-policy.ts";
import { publicKeyLists } from "./public-key-lists.ts";

async function listOf(key: string, where: string, from = "people"): Promise<readonly unknown[] | null> {
  const text = `SELECT ${key}, COUNT(*) FROM ${from} WHERE ${where} GROUP BY ${key}`;
  const lists = [...publicKeyLists(await resolveQuestion(await parseQuestion(text), testPolicy)).values()];
  return lists[0] ?? null;
}

const day = (text: string): bigint => BigInt(Date.parse(text) / 86_400_000);

describe("a WHERE leaves of the public keys", () => {
  it.each<[string, string, readonly unknown[]]>([
    ["sector", "sector IN ('other', 'construction')", ["construction", "other"]],
    ["sector", "age > 30 AND sector <> 'other'", ["manufacturing", "construction"]],
    ["sector", "NOT (sector = 'other' OR age < 20)", ["manufacturing", "construction"]],
    ["sector", "sector LIKE '%ion'", ["construction"]],
    ["UPPER(sector)", "sector = 'other'", ["OTHER"]],
    ["UPPER(sector)", "UPPER(sector) IN ('OTHER', 'CONSTRUCTION')", ["CONSTRUCTION", "OTHER"]],
    ["grade", "grade >= 2", [2n, 3n]],
    ["grade", "grade = 1 OR grade IS NULL", [1n, null]],
    ["grade", "grade IS NULL", [null]],
    ["grade", "grade IS NOT NULL", [1n, 2n, 3n]],
    ["married", "married", [true]],
    ["married", "married IS NOT TRUE", [false, null]],
    ["width_bucket(age, 20, 80, 6)", "age BETWEEN 35 AND 45", [2n, 3n]],
    [
      "date_trunc('month', hired)",
      "hired >= DATE '2020-02-29' AND hired < DATE '2020-05-01'",
      [day("2020-02-01"), day("2020-03-01"), day("2020-04-01")],
    ],
    [
      "date_trunc('month', hired)",
      "date_trunc('month', hired) BETWEEN DATE '2020-02-01' AND DATE '2020-03-31'",
      [day("2020-02-01"), day("2020-03-01")],
    ],
    ["date_trunc('year', hired)", "hired > DATE '2029-12-31'", [day("2030-01-01"), day("2031-01-01")]],
  ])("%s: where %s", async (key, where, expected) => {
    expect(await listOf(key, where)).toEqual(expected);
  });

  it("what a subquery's WHERE leaves too", async () => {
    const from = "(SELECT sector, age FROM people WHERE sector <> 'other') AS p";
    expect(await listOf("sector", "age > 20", from)).toEqual(["manufacturing", "construction"]);
  });

  it.each<[string, string]>([
    ["sector", "sector = 'other' OR age > 30"],
    ["sector", "sector = name"],
    ["sector", "age > 30"],
    ["sector", "COALESCE(sector = 'other', TRUE) OR age > 30"],
  ])("all where they stand beside another column: %s, %s", async (key, where) => {
    expect(await listOf(key, where)).toEqual(["manufacturing", "construction", "other"]);
  });

  it("nothing of keys that are data", async () => {
    expect(await listOf("name", "name IN ('a', 'b')")).toBeNull();
  });
});

describe("the keys of rows that meet the WHERE", () => {
  const build = expressionBuilder;
  const columnKeys = fc
    .constantFrom("sector", "grade", "married", "member", "letter", "quarter", "age")
    .map(column);
  const keys: fc.Arbitrary<Expression> = fc.oneof(
    { weight: 4, arbitrary: columnKeys },
    fc
      .tuple(fc.constantFrom("hired", "everyday", "quarter"), fc.constantFrom("month", "quarter", "year"))
      .map(([name, unit]) => build().call("date-trunc", [column(name), build().literal(unit)])),
    expressions.text,
    expressions.number,
    expressions.boolean,
    expressions.date,
  );
  const constantOf = ({ domain }: Expression): fc.Arbitrary<Expression> => {
    if (domain.type === "date" || domain.type === "timestamp") {
      const { type, bounds } = domain;
      return fc.integer({ min: bounds[0], max: bounds[1] }).map((value) => build().time(type, value));
    }
    const others = domain.type === "text" ? ["a", "other"] : [0, 20, 40, 60];
    const present = scalarsOf(domain)?.filter((value) => value !== null) ?? [];
    const scalars = present.length > 0 ? present : others;
    return fc.constantFrom(...scalars).map((value) => build().literal(value));
  };
  const tests = (key: Expression): fc.Arbitrary<Expression> =>
    fc
      .constantFrom(key, ...["sector", "grade", "hired", "quarter", "age", "letter"].map(column))
      .chain((of) =>
        of.domain.type === "boolean"
          ? fc.constant(of)
          : fc.oneof(
              fc
                .tuple(fc.constantFrom("=", "<>", "is-distinct", "is-not-distinct"), constantOf(of))
                .map(([operator, constant]) => build().call(operator, [of, constant])),
              fc
                .array(constantOf(of), { minLength: 1, maxLength: 3 })
                .map((constants) => build().call("in", [of, ...constants])),
              fc.constantFrom("is-null", "is-not-null").map((operator) => build().call(operator, [of])),
              ...(of.domain.type === "text"
                ? []
                : [
                    fc
                      .tuple(fc.constantFrom("<", "<=", ">", ">="), constantOf(of), fc.boolean())
                      .map(([operator, constant, first]) =>
                        build().call(operator, first ? [of, constant] : [constant, of]),
                      ),
                  ]),
            ),
      );
  const conditions = (key: Expression): fc.Arbitrary<Expression> =>
    fc.letrec<{ tree: Expression }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        { weight: 3, arbitrary: tests(key) },
        expressions.boolean,
        fc
          .tuple(fc.constantFrom("and", "and", "or"), tie("tree"), tie("tree"))
          .map(([operator, a, b]) => build().call(operator, [a, b])),
        fc
          .tuple(fc.constantFrom("not", "is-true", "is-false"), tie("tree"))
          .map(([operator, a]) => build().call(operator, [a])),
      ),
    })).tree;

  it("are all in the list, whatever key and condition are", () => {
    const met = { conditions: 0, narrowed: 0 };
    fc.assert(
      fc.property(
        keys.chain((key) => fc.tuple(fc.constant(key), conditions(key))),
        fc.array(row, { minLength: 30, maxLength: 30 }),
        ([expression, where], rows) => {
          const all = publicKeys(expression.domain);
          const from = {
            ...({ kind: "table", table: "people", source: null } as const),
            ...{ unit: { kind: "row" } as const, oncePer: null, columns: {} },
          };
          const list = publicKeyLists({ from, where, groupBy: [{ name: "k", expression }] }).get("k");
          if (all === null) {
            expect(list).toBeNull();
            return;
          }
          const left = new Set(list?.map(String));
          if (left.size < all.length) met.narrowed += 1;
          for (const each of rows.map(onGrids)) {
            if (evaluate(where, each) !== true) continue;
            met.conditions += 1;
            expect(left).toContain(String(evaluate(expression, each)));
          }
        },
      ),
      { numRuns: 1500, seed: 17 },
    );
    expect(met.conditions).toBeGreaterThan(2000);
    expect(met.narrowed).toBeGreaterThan(100);
  });
});
