import { describe, expect, it } from "vitest";
import { policyHash } from "../policy-hash.ts";
import { readPolicy } from "./read-policy.ts";

const policy = (more = ""): string => `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 10 }
tables: { people: { file: people.parquet, unit: row, columns: { age: { type: integer } } } }
${more}`;

describe("answers_valid", () => {
  it.each([
    ["1m", 60_000],
    ["30m", 1_800_000],
    ["12h", 43_200_000],
    ["1d", 86_400_000],
    ["99999d", 99_999 * 86_400_000],
  ])("%s is so many milliseconds, and changes no hash", (written, due) => {
    const read = readPolicy(policy(`answers_valid: ${written}`));
    expect(read.answersValid).toBe(due);
    expect(policyHash(read)).toBe(policyHash(readPolicy(policy())));
  });

  it("may be left out", () => {
    expect("answersValid" in readPolicy(policy())).toBe(false);
  });

  it.each(["0d", "1", "d", "1w", "1.5h", "-1d", "100000d", "1d ", '""', "[1d]", "true", "forever"])(
    "is not %s",
    (written) => {
      expect(() =>
        readPolicy(policy(`answers_valid: ${written.endsWith(" ") ? `"${written}"` : written}`)),
      ).toThrow(
        expect.objectContaining({
          code: "policy.invalid",
          message: expect.stringContaining("is not a period"),
          fix: expect.stringContaining("30m, 12h or 1d"),
        }),
      );
    },
  );
});

describe("round_filters", () => {
  const column = (declared: string): string => policy().replace("{ type: integer }", declared);
  const read = (declared: string): unknown => readPolicy(column(declared)).tables.people?.columns.age;

  it.each([
    ["{ type: timestamp, round_filters: 15m }", 900_000_000],
    ["{ type: timestamp, round_filters: 1000d }", 86_400_000_000_000],
    ["{ type: date, round_filters: 7d }", 7],
    ["{ type: date, round_filters: 48h }", 2],
  ])("%s is a length in the column's unit", (declared, rounding) => {
    expect(read(declared)).toMatchObject({ rounding });
  });

  it("changes the hash, and a column without it has none", () => {
    const plain = readPolicy(column("{ type: timestamp }"));
    expect(plain.tables.people?.columns.age).not.toHaveProperty("rounding");
    expect(policyHash(readPolicy(column("{ type: timestamp, round_filters: 1h }")))).not.toBe(
      policyHash(plain),
    );
  });

  it.each([
    ["{ type: timestamp, round_filters: 30s }", "round_filters: 30m, 12h or 1d"],
    ["{ type: timestamp, round_filters: 1001d }", "at most 1000 days"],
    ["{ type: date, round_filters: 36h }", "whole days"],
    ["{ type: date, round_filters: 1001d }", "at most 1000"],
    ["{ type: integer, round_filters: 1h }", "round_filters"],
  ])("%s is refused", (declared, told) => {
    expect(() => read(declared)).toThrow(expect.objectContaining({ code: "policy.invalid" }));
    try {
      read(declared);
    } catch (error) {
      expect(JSON.stringify(error)).toContain(told);
    }
  });
});
