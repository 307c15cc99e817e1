import type { Plan } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { sample } from "../testing/people.ts";
import { unmatchedWords } from "./unmatched-words.ts";

const planOf = async (condition: string): Promise<Plan> =>
  (await sample({ text: `SELECT COUNT(*) FROM people WHERE ${condition}` })).release.certificate.plan;
const told = async (condition: string): Promise<readonly string[]> => [
  ...unmatchedWords(await planOf(condition)),
];

describe("the note on texts that are no categories", () => {
  const note = "'Farming' is no declared category of sector, so no row matches it";

  it.each([
    "sector IN ('other', 'Farming')",
    "sector NOT IN ('other', 'Farming', 'Farming')",
    "sector = 'Farming' OR change > 3 OR 'other' = sector",
    "sector <> 'Farming' AND sector <> 'other'",
    "sector IN ('Farm' || 'ing', 'other')",
    "CASE WHEN sector IN ('other', 'Farming') THEN change > 3 ELSE wage > 3 END",
  ])("is due: %s", async (condition) => {
    expect(await told(condition)).toEqual([note]);
  });

  it.each([
    "sector IN ('other', 'construction', NULL)",
    "city IN ('other', 'Farming')",
    "sector = 'other' OR city = 'Farming'",
    "sector LIKE 'Farming' OR sector = 'other'",
    "sector > 'Farming'",
  ])("is not due: %s", async (condition) => {
    expect(await told(condition)).toEqual([]);
  });

  it("is one for each text, in their order", async () => {
    expect(await told("sector IN ('z', 'other', 'b')")).toEqual([
      "'b' is no declared category of sector, so no row matches it",
      "'z' is no declared category of sector, so no row matches it",
    ]);
  });
});
