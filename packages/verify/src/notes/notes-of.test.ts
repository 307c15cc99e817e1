import { describe, expect, it } from "vitest";
import { type Sample, sample } from "../testing/people.ts";
import { notesOf } from "./notes-of.ts";

const notes = async (given: Sample): Promise<readonly string[]> =>
  notesOf((await sample(given)).release.certificate);

describe("the notes of a plan", () => {
  it("name both ends of the bounds that a question has for an argument", async () => {
    const text = "SELECT SUM(wage, contribution_bounds_per_row => (2, 9)) FROM people";
    expect((await notes({ text })).join("\n")).toContain(
      "values of wage below 2 or above 9 (bounds of the question)",
    );
  });

  it("say of each column's bounds what they do to the answers that read it, and to no others", async () => {
    const told = await notes({ text: "SELECT SUM(wage), AVG(change), SUM(wage + change) FROM people" });
    const all = told.join("\n");
    expect(all).toContain(
      "values of wage below 0 or above 60 count as the nearer bound: SUM(wage) is off by the sum of what lies beyond the bounds; expressions of it are computed from the clamped values",
    );
    expect(all).toContain(
      "values of change below -5 or above 12 count as the nearer bound: AVG(change) is off",
    );
    expect(all).not.toMatch(/values of wage[^\n]*AVG\(change\)/);
    expect(all).not.toMatch(/values of change[^\n]*SUM\(wage\) is/);
  });

  it("say nothing of a unit's further rows where an answer only counts units", async () => {
    const text = "SELECT COUNT(DISTINCT id) FROM people";
    expect((await notes({ text, unit: "id" })).join("\n")).not.toContain("if a unit has more than");
  });

  it("say it where an answer counts rows", async () => {
    const text = "SELECT COUNT(*) FROM people";
    expect((await notes({ text, unit: "id" })).join("\n")).toContain("if a unit has more than 4 rows");
  });
});
