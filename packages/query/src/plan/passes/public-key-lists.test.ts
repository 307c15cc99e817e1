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

const days = (first: string, count: number): readonly bigint[] =>
  Array.from({ length: count }, (_, at) => day(first) + BigInt(at));

describe("conditions and bounds that leave few times or whole numbers make them public", () => {
  it.each<[string, string, readonly unknown[]]>([
    [
      "hired",
      "hired > DATE '2020-03-31' - INTERVAL '1 month' AND hired <= DATE '2020-03-01' + 1",
      days("2020-03-01", 2),
    ],
    [
      "CAST(seen AS date)",
      "seen >= DATE '2023-11-30' - 2 AND seen < DATE '2023-11-30'",
      days("2023-11-28", 2),
    ],
    ["born", "born BETWEEN 1990 AND 1993", [1990n, 1991n, 1992n, 1993n]],
    ["whole", "whole > 7.5 AND whole < 10", [8n, 9n]],
    ["FLOOR(anything)", "anything >= 3 AND anything < 5", [3n, 4n, 5n]],
    ["hired", "hired >= DATE '2020-02-27' AND hired < DATE '2020-03-02'", days("2020-02-27", 4)],
    ["hired", "hired BETWEEN DATE '2031-02-01' AND DATE '2040-01-01'", days("2031-02-01", 3)],
    ["hired", "hired > DATE '2031-01-31'", days("2031-02-01", 3)],
    ["hired", "hired >= DATE '2031-02-02' OR hired IS NULL", null as unknown as readonly unknown[]],
    ["everyday", "everyday BETWEEN DATE '2020-02-27' AND DATE '2020-03-01'", days("2020-02-27", 4)],
    [
      "hired",
      "date_trunc('month', hired) = DATE '2020-02-01' AND hired <> DATE '2020-02-29'",
      days("2020-02-01", 28),
    ],
    ["CAST(seen AS date)", "seen >= '2023-11-01' AND seen < '2023-11-03'", days("2023-11-01", 2)],
    ["CAST(seen AS date)", "CAST(seen AS date) BETWEEN '2023-11-01' AND '2023-11-02'", days("2023-11-01", 2)],
    ["CAST(moment AS date)", "EXTRACT(year FROM moment) = 2023", days("2023-01-01", 365)],
    ["CAST(moment AS date)", "CAST(moment AS date) = DATE '2023-11-02'", days("2023-11-02", 1)],
    [
      "EXTRACT(year FROM everyday)",
      "everyday BETWEEN DATE '2020-02-27' AND DATE '2021-03-01'",
      [2020n, 2021n],
    ],
    [
      "date_trunc('day', everyday)",
      "everyday > DATE '2020-02-27' AND everyday <= DATE '2020-03-01'",
      days("2020-02-28", 3),
    ],
    [
      "date_trunc('day', moment)",
      "CAST(moment AS date) BETWEEN DATE '2020-02-28' AND DATE '2020-02-29'",
      days("2020-02-28", 2).map((at) => at * 86_400_000_000n),
    ],
  ])("%s: where %s", async (key, where, expected) => {
    expect(await listOf(key, where)).toEqual(expected);
  });

  it.each<[string, string]>([
    ["hired", "age > 3"],
    ["born", "born BETWEEN 1900 AND 2000"],
    ["whole", "whole > 3"],
    ["whole + 1", "whole > 7.5 AND whole < 10"],
    ["born % 30", "born > 1916"],
    ["hired", "hired >= DATE '2020-02-27'"],
    ["everyday", "everyday < DATE '2020-02-27'"],
    ["CAST(moment AS date)", "EXTRACT(year FROM moment) IN (2021, 2022, 2023)"],
  ])("but not many: %s: where %s", async (key, where) => {
    expect(await listOf(key, where)).toBeNull();
  });

  it.each<[string, string]>([
    [
      "behind a subquery",
      "SELECT pid, on_day FROM Visits WHERE on_day BETWEEN '2024-02-28' AND '2024-03-01'",
    ],
    [
      "where it groups by the unit and the day",
      "SELECT pid, on_day, SUM(cost) AS c FROM Visits WHERE on_day >= '2024-02-28' AND on_day < '2024-03-02' GROUP BY pid, on_day",
    ],
    [
      "where HAVING bounds the day",
      "SELECT pid, on_day, SUM(cost) AS c FROM Visits GROUP BY pid, on_day HAVING on_day BETWEEN '2024-02-28' AND '2024-03-01'",
    ],
    [
      "where rows are joined",
      "SELECT a.pid, a.on_day FROM Visits a LEFT JOIN (SELECT pid, cost FROM Visits WHERE cost > 3) b ON b.pid = a.pid WHERE a.on_day >= '2024-02-28' AND a.on_day < '2024-03-02'",
    ],
  ])("%s", async (_, subquery) => {
    expect(await listOf("on_day", "TRUE", `(${subquery}) AS v`)).toEqual(days("2024-02-28", 3));
  });

  it("but not of a side that an outer join may miss", async () => {
    const side = "SELECT pid, on_day FROM Visits WHERE on_day BETWEEN '2024-02-28' AND '2024-03-01'";
    const joined = `SELECT a.pid, b.on_day FROM Visits a LEFT JOIN (${side}) b ON b.pid = a.pid`;
    expect(await listOf("on_day", "TRUE", `(${joined}) AS v`)).toBeNull();
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
      .tuple(
        fc.constantFrom("hired", "everyday", "quarter", "seen", "moment"),
        fc.constantFrom("hour", "day", "week", "month", "quarter", "year"),
      )
      .map(([name, unit]) => build().call("date-trunc", [column(name), build().literal(unit)])),
    fc.constantFrom("seen", "moment").map((name) => build().call("to-date", [column(name)])),
    fc.constantFrom("hired", "everyday", "quarter").map(column),
    expressions.text,
    expressions.number,
    expressions.boolean,
    expressions.date,
  );
  const nearby = {
    date: fc.integer({ min: Number(day("2020-02-01")), max: Number(day("2020-03-31")) }),
    timestamp: fc.integer({
      min: Number(day("2020-02-01")) * 86_400_000_000,
      max: Number(day("2020-03-31")) * 86_400_000_000,
    }),
  };
  const times = fc.record({
    ...{ hired: nearby.date, everyday: nearby.date, seen: nearby.timestamp, moment: nearby.timestamp },
  });
  const constantOf = ({ domain }: Expression): fc.Arbitrary<Expression> => {
    if (domain.type === "date" || domain.type === "timestamp") {
      const { type, bounds } = domain;
      return fc
        .oneof(fc.integer({ min: bounds[0], max: bounds[1] }), nearby[type])
        .map((value) => build().time(type, value));
    }
    const others = domain.type === "text" ? ["a", "other"] : [0, 20, 40, 60];
    const present = scalarsOf(domain)?.filter((value) => value !== null) ?? [];
    const scalars = present.length > 0 ? present : others;
    return fc.constantFrom(...scalars).map((value) => build().literal(value));
  };
  const tests = (key: Expression): fc.Arbitrary<Expression> =>
    fc
      .constantFrom(
        key,
        ...["sector", "grade", "hired", "quarter", "age", "letter", "seen", "moment", "everyday"].map(column),
        ...["seen", "everyday"].flatMap((name) => [
          build().call("to-date", [column(name)]),
          build().call("extract", [column(name), build().literal("year")]),
          build().call("date-trunc", [column(name), build().literal("month")]),
          build().call("to-timestamp", [column(name)]),
        ]),
      )
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
  const ranges = fc
    .tuple(fc.constantFrom("seen", "moment", "everyday", "hired").map(column), fc.nat(2))
    .chain(([of, at]) => {
      const { type } = of.domain as { type: "date" | "timestamp" };
      const asked = at === 0 && type === "timestamp" ? build().call("to-date", [of]) : of;
      const constant = nearby[at === 0 ? "date" : type].map((value) =>
        build().time(at === 0 ? "date" : type, value),
      );
      return fc
        .tuple(constant, constant)
        .map(([from, to]) =>
          build().call("and", [build().call(">=", [asked, from]), build().call("<", [asked, to])]),
        );
    });
  const conditions = (key: Expression): fc.Arbitrary<Expression> =>
    fc.letrec<{ tree: Expression }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        { weight: 3, arbitrary: tests(key) },
        { weight: 2, arbitrary: ranges },
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
    const met = { conditions: 0, narrowed: 0, made: 0, inMade: 0 };
    fc.assert(
      fc.property(
        keys.chain((key) => fc.tuple(fc.constant(key), conditions(key))),
        fc.array(
          fc
            .tuple(row, times, fc.boolean())
            .map(([all, near, isNear]) => ({ ...all, ...(isNear ? near : {}) })),
          { minLength: 30, maxLength: 30 },
        ),
        ([expression, where], rows) => {
          const all = publicKeys(expression.domain);
          const from = {
            ...({ kind: "table", table: "people", source: null } as const),
            ...{ unit: { kind: "row" } as const, oncePer: null, columns: {} },
          };
          const list = publicKeyLists({ from, where, groupBy: [{ name: "k", expression }] }).get("k");
          if (!list) {
            expect(all).toBeNull();
            return;
          }
          const left = new Set(list.map(String));
          if (all === null) met.made += 1;
          else if (left.size < all.length) met.narrowed += 1;
          for (const each of rows.map(onGrids)) {
            if (evaluate(where, each) !== true) continue;
            met.conditions += 1;
            if (all === null) met.inMade += 1;
            expect(left).toContain(String(evaluate(expression, each)));
          }
        },
      ),
      { numRuns: 3000, seed: 17 },
    );
    expect(met.conditions).toBeGreaterThan(2000);
    expect(met.narrowed).toBeGreaterThan(100);
    expect(met.made).toBeGreaterThan(50);
    expect(met.inMade).toBeGreaterThan(150);
  });
});
