import { describe, expect, it } from "vitest";
import { changePolicy, readPolicyText } from "./policy-texts.ts";

const text = `# The people of a survey
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget:
  measure: approximate
  epsilon: 5 # for ever
  delta: 1e-6
tables:
  people:
    file: people.csv
    unit: row
    columns:
      age: { type: integer, bounds: [0, 100] }
`;

describe("a policy's text", () => {
  it("is read as the service reads it, and its numbers are shown as they are written", async () => {
    const { stated, refused } = await readPolicyText(text);
    expect(refused).toBeNull();
    expect(stated).toMatchObject({
      version: "1",
      budget: { epsilon: "5", delta: "1e-6" },
      tables: { people: { columns: { age: { bounds: ["0", "100"] } } } },
    });
  });

  it("that is none says why and where; what is stated is shown as far as it is YAML", async () => {
    const wrong = await readPolicyText(text.replace("[0, 100]", "[100, 0]"));
    expect(wrong.refused).toMatchObject({ code: "policy.invalid", line: 13 });
    expect(wrong.stated).toMatchObject({ version: "1" });
    const broken = await readPolicyText("version: [");
    expect(broken.refused?.code).toBe("policy.unreadable");
    expect(broken.stated).toBeNull();
  });

  it("has its advice, also of a budget that promises little", async () => {
    const { advice } = await readPolicyText(text.replace("epsilon: 5", "epsilon: 500"));
    expect(advice.map(({ path, line }) => [path, line])).toContainEqual(["budget", 4]);
  });

  it("has the place of its advice, also below a name with a dot", async () => {
    const named = text
      .replace("  people:\n", "  a.people:\n")
      .replace("unit: row", "unit: row\n    trusted: true");
    const { advice } = await readPolicyText(named);
    expect(advice.map(({ path, line }) => [path, line])).toContainEqual(["tables.a.people.trusted", 12]);
  });

  it("is changed in one place, and stays as it was written elsewhere", () => {
    const changed = changePolicy({ text, path: ["budget", "delta"], to: "1e-8" });
    expect(changed).toBe(text.replace("1e-6", "1e-8"));
    expect(
      changePolicy({ text, path: ["tables", "people", "columns", "age", "bounds"], to: "[0, 120]" }),
    ).toBe(text.replace("[0, 100]", "[0, 120]"));
  });

  it("gains a place and loses one", async () => {
    const added = changePolicy({
      text,
      path: ["tables", "people", "columns", "town"],
      to: '{ type: text, categories: ["a: b", "=c"] }',
    });
    const { stated, refused } = await readPolicyText(added);
    expect(refused).toBeNull();
    expect(stated).toMatchObject({
      tables: { people: { columns: { town: { categories: ["a: b", "=c"] } } } },
    });
    expect(changePolicy({ text: added, path: ["tables", "people", "columns", "town"], to: null })).toBe(
      text.replace("[0, 100]", "[ 0, 100 ]"),
    );
    expect(changePolicy({ text, path: ["defaults", "epsilon"], to: "0.1" })).toContain(
      "defaults:\n  epsilon: 0.1\n",
    );
  });

  it("that is no YAML is not changed", () => {
    expect(changePolicy({ text: "version: [", path: ["version"], to: "2" })).toBe("version: [");
  });
});
