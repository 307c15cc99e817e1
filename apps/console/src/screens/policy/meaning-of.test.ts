import { describe, expect, it } from "vitest";
import { meaningOf } from "./meaning-of.ts";

const effectOf = (path: string, from: string | null, to: string | null) =>
  meaningOf({ path, from, to }).effect;

describe("what a change of a policy means", () => {
  it("for the account's caps follows from their direction, of fractions too", () => {
    expect(effectOf("budget.epsilon", "5", "10")).toBe("weaker");
    expect(effectOf("budget.epsilon", "10", "5")).toBe("stronger");
    expect(effectOf("budget.epsilon", "1/3", "1/2")).toBe("weaker");
    expect(effectOf("budget.delta", "0.000001", "0.00000001")).toBe("stronger");
    expect(effectOf("budget.epsilon", "5", null)).toBe("weaker");
  });

  it("is told as weaker where nothing bounds, checks or protects any more", () => {
    expect(effectOf("budget.lifetime", null, "none")).toBe("weaker");
    expect(effectOf("budget.closed", "true", null)).toBe("weaker");
    expect(effectOf("tables.people.unit.kind", "row", "public")).toBe("weaker");
    expect(effectOf("tables.people.trusted", "false", "true")).toBe("weaker");
  });

  it("is another promise where other units are protected", () => {
    expect(effectOf("privacyUnit.adjacency", "add-or-remove-one", "replace-one")).toBe("promise");
    expect(effectOf("tables.people.unit.column", "id", "household")).toBe("promise");
    expect(effectOf("tables.people.unit.kind", "public", "row")).toBe("promise");
  });

  it("keeps the promise where accuracy alone changes", () => {
    expect(effectOf("tables.people.columns.age.bounds", "[0,100]", "[0,120]")).toBe("accuracy");
    expect(effectOf("tables.a.people.contribution.maxGroups", "1", "3")).toBe("accuracy");
    expect(effectOf("defaults.epsilon", "0.5", "1")).toBe("accuracy");
  });

  it("of a name that looks like a word of the format is that of its place", () => {
    expect(effectOf("budget.analysts.closed", null, "1")).toBe("spending");
    expect(effectOf("views.trusted", null, "SELECT 1")).toBe("answers");
    expect(effectOf("tables.new", null, "{}")).toBe("answers");
  });
});
