import { describe, expect, test } from "vitest";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { ColumnPolicy } from "../policy.ts";
import { readPolicy } from "./read-policy.ts";

const read = (column: string): ColumnPolicy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 5 }
tables:
  t: { file: a.csv, unit: row, columns: { c: ${column} } }`).tables.t!.columns.c!;

/** The place below the column that is refused, with what is wrong and what would be accepted. */
const refused = async (column: string): Promise<readonly [place: string, wrong: string, fix: string]> => {
  const { code, message, fix } = await refusalOf((async () => read(column))());
  expect(code).toBe("policy.invalid");
  const [, place, wrong] = /^line \d+, tables\.t\.columns\.c\.?(\S*): (.*)$/.exec(message)!;
  return [place!, wrong!, fix];
};

const most = 2 ** 50;
const list = (count: number): string => `[${Array.from({ length: count }, (_, at) => at).join(", ")}]`;
const nearBounds = "choose a default between the bounds, or leave it out: NULL";
const numberFix = "write bounds: [lowest, highest], two finite numbers with lowest < highest";

describe("a column of numbers", () => {
  test.each(["number", "integer"])("of type %s has bounds of up to ±2^50, in order", async (type) => {
    expect(read(`{ type: ${type}, bounds: [${-most}, ${most}] }`)).toMatchObject({ bounds: [-most, most] });
    expect(await refused(`{ type: ${type}, bounds: [0, ${most + 1}] }`)).toEqual([
      "bounds[1]",
      "is above 2^50",
      "rescale the column, or state tighter bounds",
    ]);
    expect((await refused(`{ type: ${type}, bounds: [${-most - 1}, 0] }`)).slice(0, 2)).toEqual([
      "bounds[0]",
      "is below -2^50",
    ]);
    const order = ["bounds", "the lower bound must be below the upper", numberFix];
    expect(await refused(`{ type: ${type}, bounds: [7, 7] }`)).toEqual(order);
    expect(await refused(`{ type: ${type}, bounds: [8, 7] }`)).toEqual(order);
    expect(await refused(`{ type: ${type}, bounds: [1, 2, 3] }`)).toEqual([
      "bounds",
      "must be a pair of numbers",
      numberFix,
    ]);
  });

  test.each(["number", "integer"])(
    "of type %s has a default within its bounds, ends included",
    async (type) => {
      for (const value of [-3, 0, 4])
        expect(read(`{ type: ${type}, bounds: [-3, 4], default: ${value} }`)).toMatchObject({
          nullable: false,
          default: value,
        });
      for (const value of [-4, 5])
        expect(await refused(`{ type: ${type}, bounds: [-3, 4], default: ${value} }`)).toEqual([
          "default",
          "must lie within the bounds",
          nearBounds,
        ]);
      expect(read(`{ type: ${type}, default: ${most} }`)).toMatchObject({ bounds: null, default: most });
      expect((await refused(`{ type: ${type}, default: ${most + 1} }`))[1]).toBe("is above 2^50");
    },
  );

  test("of type integer holds no fractions", async () => {
    for (const [words, place] of [
      ["bounds: [0, 1.5]", "bounds[1]"],
      ["categories: [1, 1.5]", "categories[1]"],
      ["default: 1.5", "default"],
    ] as const)
      expect(await refused(`{ type: integer, ${words} }`)).toEqual([
        place,
        "must be a whole number",
        "write it without a fraction",
      ]);
  });

  test("of type integer has bounds or categories, and a default among them", async () => {
    expect(read("{ type: integer, categories: [5, -1], default: -1 }")).toEqual({
      type: "integer",
      nullable: false,
      bounds: null,
      categories: [5, -1],
      default: -1,
    });
    expect(await refused("{ type: integer, categories: [1, 3], default: 2 }")).toEqual([
      "default",
      "must be one of the categories",
      "choose one of them, or leave it out: NULL",
    ]);
    expect(await refused("{ type: integer, bounds: [1, 3], categories: [1, 3] }")).toEqual([
      "categories",
      "cannot stand beside bounds",
      "state one of the two: categories have their own bounds",
    ]);
    expect((await refused("{ type: number, categories: [1] }"))[1]).toBe('unknown key "categories"');
  });

  test("of type integer has 10000 categories at most, and one at least", async () => {
    expect(read(`{ type: integer, categories: ${list(10_000)} }`)).toMatchObject({
      categories: expect.objectContaining({ length: 10_000 }),
    });
    expect(read("{ type: integer, categories: [7] }")).toMatchObject({ categories: [7] });
    expect(await refused(`{ type: integer, categories: ${list(10_001)} }`)).toEqual([
      "categories",
      "holds more than 10000 categories",
      "leave categories out: keys are then selected privately",
    ]);
    expect((await refused("{ type: integer, categories: [] }"))[1]).toBe("must not be empty");
    expect(await refused("{ type: integer, categories: [1, 2, 1] }")).toEqual([
      "categories",
      "names a category twice",
      "write each category once",
    ]);
  });
});

describe("a column of texts", () => {
  test("is cut at 256 characters unless a category is longer, or it says", () => {
    const length = (words: string): unknown => {
      const column = read(`{ type: text${words} }`);
      return column.type === "text" && column.maxLength;
    };
    expect(length("")).toBe(256);
    expect(length(`, categories: [${"x".repeat(256)}, b]`)).toBe(256);
    expect(length(`, categories: [a, ${"x".repeat(257)}, b]`)).toBe(257);
    expect(length(`, categories: [${"😀".repeat(300)}]`)).toBe(300);
    expect(length(", max_length: 1")).toBe(1);
    expect(length(", max_length: 10000")).toBe(10_000);
  });

  test("is cut at 10000 characters at most, and no shorter than what it lists", async () => {
    expect(await refused("{ type: text, max_length: 10001 }")).toEqual([
      "max_length",
      "is above 10000",
      "write at most 10000",
    ]);
    expect((await refused("{ type: text, max_length: 0 }")).slice(1)).toEqual([
      "must be at least 1",
      "write 1, 2, 3 …",
    ]);
    const short = ["max_length", "is shorter than a category or the default", "raise max_length"];
    // A character outside the basic plane is one character.
    expect(read('{ type: text, categories: ["😀😀"], max_length: 2 }')).toMatchObject({ maxLength: 2 });
    expect(await refused('{ type: text, categories: [a, "😀😀"], max_length: 1 }')).toEqual(short);
    expect(read("{ type: text, default: abc, max_length: 3 }")).toMatchObject({ default: "abc" });
    expect(await refused("{ type: text, default: abc, max_length: 2 }")).toEqual(short);
    expect(read(`{ type: text, categories: [${"x".repeat(10_000)}] }`)).toMatchObject({ maxLength: 10_000 });
    expect(await refused(`{ type: text, categories: [${"x".repeat(10_001)}] }`)).toEqual(short);
  });

  test("has a default among its categories, which may be empty where there are none", async () => {
    expect(read("{ type: text, categories: [a, b], default: b }")).toMatchObject({
      default: "b",
      nullable: false,
    });
    expect(read("{ type: text, categories: [a, b] }")).toMatchObject({ default: null, nullable: true });
    expect(read('{ type: text, default: "" }')).toMatchObject({ default: "", nullable: false });
    expect((await refused("{ type: text, categories: [a, b], default: c }")).slice(0, 2)).toEqual([
      "default",
      "must be one of the categories",
    ]);
    expect(await refused('{ type: text, categories: [a, ""] }')).toEqual([
      "categories[1]",
      "must not be the empty text",
      "leave it out: an empty value is NULL",
    ]);
  });

  test.each([
    "\\u0007",
    "\\u2028",
    "\\u2029",
    "\\u061c",
    "\\u200e",
    "\\u200f",
    "\\u202a",
    "\\u202e",
    "\\u2066",
    "\\u2069",
  ])("holds no %s, which hides or reorders what a reader sees", async (character) => {
    for (const words of [`categories: ["a${character}"]`, `default: "a${character}"`])
      expect((await refused(`{ type: text, ${words} }`)).slice(1)).toEqual([
        "holds a control or text-direction character",
        "remove it; such texts can hide what a reader sees",
      ]);
  });
});

describe("a column of times", () => {
  const day = 86_400;
  test.each([
    [
      "date",
      "2020-01-01",
      "2020-01-03",
      "2019-12-31",
      "2020-01-04",
      [18_262, 18_264],
      "must be a pair of dates",
    ],
    [
      "timestamp",
      '"2020-01-01 00:00:00"',
      '"2020-01-03 00:00:00"',
      '"2019-12-31 23:59:59.999999"',
      '"2020-01-03 00:00:00.000001"',
      [18_262 * day * 1e6, 18_264 * day * 1e6],
      "must be a pair of timestamps",
    ],
  ] as const)(
    "of type %s has a default within its bounds, ends included",
    async (type, first, last, before, after, numbers, pair) => {
      const bounds = `bounds: [${first}, ${last}]`;
      expect(read(`{ type: ${type}, ${bounds} }`)).toEqual({
        type,
        nullable: true,
        bounds: numbers,
        default: null,
      });
      for (const [at, value] of [first, last].entries())
        expect(read(`{ type: ${type}, ${bounds}, default: ${value} }`)).toMatchObject({
          nullable: false,
          default: numbers[at],
        });
      for (const value of [before, after])
        expect(await refused(`{ type: ${type}, ${bounds}, default: ${value} }`)).toEqual([
          "default",
          "must lie within the bounds",
          nearBounds,
        ]);
      const fix =
        type === "date"
          ? "write bounds: [2020-01-01, 2029-12-31]"
          : 'write bounds: ["2020-01-01 00:00:00", "2029-12-31 23:59:59"]';
      const order = ["bounds", "the lower bound must be before the upper", fix];
      expect(await refused(`{ type: ${type}, bounds: [${first}, ${first}] }`)).toEqual(order);
      expect(await refused(`{ type: ${type}, bounds: [${last}, ${first}] }`)).toEqual(order);
      expect(await refused(`{ type: ${type}, bounds: [${first}] }`)).toEqual(["bounds", pair, fix]);
      expect(read(fix.replace("write ", `{ type: ${type}, `).concat(" }"))).toMatchObject({ type });
    },
  );

  test("may hold any time that every engine knows, and no other", async () => {
    // 0001-01-01 and 9999-12-31 lie 719162 days before and 2932896 days after 1970-01-01.
    expect(read("{ type: date }")).toMatchObject({ bounds: [-719_162, 2_932_896], default: null });
    expect(read("{ type: date, default: 1970-01-02 }")).toMatchObject({ default: 1 });
    expect(await refused("{ type: date, default: 2020-02-30 }")).toEqual([
      "default",
      "is not a date that every engine knows",
      "write it as 2020-02-29, in UTC, between 0001-01-01 and 9999-12-31",
    ]);
    expect(await refused("{ type: timestamp, default: 10000-01-01 }")).toEqual([
      "default",
      "is not a timestamp that every engine knows",
      'write it as "2020-02-29 12:30:00", in UTC, between 1700-01-01 and 2249-12-31',
    ]);
  });
});

describe("any other column", () => {
  test("of type boolean has a default of either value, or NULL", () => {
    expect(read("{ type: boolean }")).toEqual({ type: "boolean", nullable: true, default: null });
    for (const value of [true, false])
      expect(read(`{ type: boolean, default: ${value} }`)).toEqual({
        type: "boolean",
        nullable: false,
        default: value,
      });
  });

  test("is refused, with the types that there are", async () => {
    const types = "number, integer, text, boolean, date or timestamp";
    expect((await refused("{ type: float }")).slice(1)).toEqual([
      "is not a type of column",
      `write type: ${types}`,
    ]);
    expect(await refused("number")).toEqual([
      "",
      "must be a map of keys",
      "write a column as { type: number, bounds: [0, 60] }",
    ]);
  });
});
