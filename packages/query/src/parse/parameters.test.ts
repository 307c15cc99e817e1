import { type LetheError, parseRational } from "@lethe/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Plan, planQuestion } from "../plan/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { testPolicy } from "../resolve/testing/test-policy.ts";
import { refusalOf } from "../testing/refusal-of.ts";
import { checkParameters, type ParameterValue } from "./parameters.ts";
import { parseQuestion } from "./parse-question.ts";

async function planned(text: string, parameters: readonly ParameterValue[] = []): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text, parameters), testPolicy);
  return planQuestion(question, testPolicy, { epsilon: parseRational("1") }, "hash");
}

const refusal = (text: string, parameters: readonly unknown[]): Promise<LetheError> =>
  refusalOf(planned(text, parameters as ParameterValue[]));

const count = "SELECT COUNT(*) FROM people WHERE";

describe("a parameter means what its value written out means", () => {
  it.each<[string, readonly ParameterValue[], string]>([
    [`${count} age > $1`, [30], `${count} age > 30`],
    [`${count} age > $1 AND age < $2 + $1`, [-30, 2.5e300], `${count} age > -30 AND age < 2.5e300 + -30`],
    [`${count} wage < $1`, [9007199254740991], `${count} wage < 9007199254740991`],
    [`${count} name = $2 AND age = $1`, [77, "it's"], `${count} name = 'it''s' AND age = 77`],
    [`${count} name LIKE $1`, ["a%"], `${count} name LIKE 'a%'`],
    [`${count} name IN ($1, $2)`, ["", "b"], `${count} name IN ('', 'b')`],
    [`${count} age > 3 AND $1`, [true], `${count} age > 3 AND TRUE`],
    [`${count} COALESCE(age, $1) > 3`, [null], `${count} COALESCE(age, NULL) > 3`],
    [
      "SELECT age, COUNT(*) FROM people GROUP BY age HAVING COUNT(*) > $1 ORDER BY 1 LIMIT $2",
      [10, 5],
      "SELECT age, COUNT(*) FROM people GROUP BY age HAVING COUNT(*) > 10 ORDER BY 1 LIMIT 5",
    ],
    [
      "SELECT SUM(wage, contribution_bounds_per_row => ($1, $2)) FROM people",
      [0, 10],
      "SELECT SUM(wage, contribution_bounds_per_row => (0, 10)) FROM people",
    ],
  ])("%s %j", async (text, parameters, written) => {
    const bound = await planned(text, parameters);
    expect(bound.parameters).toEqual(parameters);
    expect(bound.text).toBe(text);
    const { parameters: _, ...rest } = bound;
    const plain = await planned(written);
    expect({ ...rest, text: "" }).toEqual({ ...plain, text: "" });
    expect("parameters" in plain).toBe(false);
  });

  it("whatever a text holds", async () => {
    const hostile = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "'; DROP TABLE people; --",
        "' OR '1' = '1",
        "\\'; SELECT 1",
        "$1",
        "$$ $x$",
        "/*",
        "--",
        "\u202e\u0001\n",
        `"${"'".repeat(50)}`,
      ),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (value) => {
        const text = `${count} name < $1`;
        const bound = await planned(text, [value]).catch((error) => error);
        if (/[\0\p{Cs}]/u.test(value)) {
          expect(bound).toMatchObject({ code: "query.parameter" });
          return;
        }
        const { where } = bound as Plan;
        expect(where).toMatchObject({ kind: "call", args: [{ kind: "column" }, { kind: "literal", value }] });
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

describe("refused, with its place", () => {
  it.each<[string, readonly unknown[], string, RegExp]>([
    [`${count} age = $1`, [], "query.parameter", /\$1 has no value: none is given/],
    [`${count} age = $3`, [1, 2], "query.parameter", /\$3 has no value: 2 given/],
    [`${count} age = $0`, [1], "query.parameter", /\$0 has no value/],
    [`${count} age = $2`, [1, 2], "query.parameter", /no \$1/],
    ["SELECT COUNT(*) FROM people", [1], "query.parameter", /no \$1/],
    [`${count} age = $1`, ["1"], "query.type", /./],
    [`${count} name = $1`, [1], "query.type", /./],
    [`${count} $1`, [1], "query.type", /./],
    [`${count} age = $1`, [Number.NaN], "query.parameter", /finite/],
    [`${count} age = $1`, [Number.POSITIVE_INFINITY], "query.parameter", /finite/],
    [`${count} age = $1`, [undefined], "query.parameter", /finite/],
    [`${count} age = $1`, [{ ival: 1 }], "query.parameter", /finite/],
    [`${count} name = $1`, ["a\0b"], "query.parameter", /NUL/],
    [`${count} name = $1`, ["\ud800"], "query.parameter", /NUL/],
    [
      "SELECT COUNT(*) FROM people GROUP BY $1",
      [1],
      "query.parameter",
      /cannot group or order by a parameter/,
    ],
    [
      "SELECT age, COUNT(*) FROM people GROUP BY age ORDER BY $1",
      [1],
      "query.parameter",
      /cannot group or order/,
    ],
    ["SELECT COUNT(*) FROM people LIMIT $1", ["1"], "query.unsupported", /LIMIT/],
    ["SELECT COUNT(*) FROM $1", ["people"], "query.syntax", /./],
  ])("%s %j", async (text, parameters, code, says) => {
    const error = await refusal(text, parameters);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(says);
    expect(error.fix).not.toBe("");
  });

  it("points at the parameter", async () => {
    const text = `/* é 🦊 */ ${count} age = $4`;
    expect((await refusal(text, [1])).offset).toBe(text.indexOf("$4"));
  });

  it("names the first in the text that has no value, and the first value that no text has", async () => {
    const both = `${count} age = $7 OR age = $6`;
    expect(await refusal(both, [1])).toMatchObject({
      message: expect.stringContaining("$7 has no value: 1 given"),
      offset: both.indexOf("$7"),
    });
    expect((await refusal(`${count} age = $1 OR age = $3`, [1, 2, 3])).message).toContain("no $2,");
    expect((await refusal(`${count} age = $1 OR age = $2`, [1, Number.NaN])).message).toContain("of $2 is");
  });

  it.each([
    ["SELECT COUNT(*) FROM people GROUP BY age, $1", "$1"],
    ["SELECT age, COUNT(*) FROM people GROUP BY age ORDER BY age, $1", "$1"],
  ])("%s points at it", async (text, at) => {
    expect((await refusal(text, [1])).offset).toBe(text.indexOf(at));
  });

  it("is a place of LIMIT where a written number is one", async () => {
    const limited = (value: ParameterValue): Promise<Plan> =>
      planned("SELECT COUNT(*) FROM people LIMIT $1", [value]);
    expect((await limited(2 ** 31 - 1)).post.limit).toBe(2 ** 31 - 1);
    await expect(limited(2 ** 31)).rejects.toMatchObject({ code: "query.unsupported" });
    await expect(planned("SELECT COUNT(*) FROM people LIMIT 2147483648")).rejects.toMatchObject({
      code: "query.unsupported",
    });
    await expect(limited(1.5)).rejects.toMatchObject({ code: "query.unsupported" });
  });

  it("takes no more than a question's worth of text, and no list that goes on", async () => {
    const long = "x".repeat(40_000);
    expect((await refusal(`${count} name IN ($1, $2)`, [long, long])).code).toBe("query.too-large");
    expect((await refusal(`${count} age = $1`, [1n])).code).toBe("query.parameter");
    expect((await refusal(`${count} age = $1`, Array(1001).fill(1))).code).toBe("query.parameter");
  });
});

describe("values are taken as they will be read", () => {
  it("up to 1,000 of them, and 64 KiB of UTF-8 in all texts together", () => {
    expect(checkParameters(Array(1000).fill(1))).toHaveLength(1000);
    expect(() => checkParameters(Array(1001).fill(1))).toThrow(/at most 1000 values/);
    const [half, rest] = ["é".repeat(2 ** 14), "a".repeat(2 ** 15)];
    expect(checkParameters([half, 5, rest, true, null])).toEqual([half, 5, rest, true, null]);
    expect(checkParameters(["a".repeat(2 ** 16)])).toHaveLength(1);
    expect(() => checkParameters([half, rest, "b"])).toThrow(/longer than 64 KiB/);
    expect(() => checkParameters(["a".repeat(2 ** 16 + 1)])).toThrow(/of \$1 is not/);
  });

  it("with one zero, and nothing but a list", () => {
    expect(Object.is(checkParameters([-0])[0], 0)).toBe(true);
    expect(checkParameters([-1, 2.5])).toEqual([-1, 2.5]);
    expect(() => checkParameters({ length: 1, 0: 1 } as unknown as unknown[])).toThrow(/a list of at most/);
    // biome-ignore lint/suspicious/noSparseArray: a hole is no value
    expect(() => checkParameters([1, , 3])).toThrow(/of \$2 is not/);
  });
});
