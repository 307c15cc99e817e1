import { describe, expect, it } from "vitest";
import { readPolicy } from "../../policy/index.ts";
import type { Policy } from "../../policy/policy.ts";
import { explainedReadings } from "./explained-reading.ts";
import { orderWords } from "./order-words.ts";
import { readingAsItLies, type TableReading } from "./table-reading.ts";

const policyOf = (where: "files" | "postgres" | "trino"): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 5 }
${where === "files" ? "" : `database: { kind: ${where}, url_env: LETHE_DATABASE_URL }`}
tables:
  visits:
    ${where === "files" ? "file: /home/olga/private/visits.parquet" : ""}
    unit: who
    key: id
    columns: { who: { type: text }, id: { type: text } }
  notes:
    ${where === "files" ? "file: notes.csv" : ""}
    unit: { through: visit, references: visits.id }
    columns: { visit: { type: text } }
  codes:
    ${where === "files" ? "file: codes.csv" : ""}
    public: true
    columns: { code: { type: text } }
`);
const policies = { files: policyOf("files"), postgres: policyOf("postgres"), trino: policyOf("trino") };
const moment = "2026-01-01T00:00:00.000Z";
const frozen: Readonly<Record<string, Partial<TableReading>>> = {
  import: { from: "import" },
  copy: { from: "copy", asOf: moment },
  snapshot: { from: "snapshot", snapshot: "lake.lethe.visits_1", asOf: moment },
};

/** The words of a question of visits, in which rows are limited before the filter, or groups after it, or nothing is. */
function wordsOf(
  place: keyof typeof policies,
  change: Partial<TableReading>,
  limit: "rows" | "groups" | null = null,
): readonly string[] {
  const question = {
    tables: ["visits"],
    ordered: limit === "rows" ? "visits" : null,
    limited: limit === "groups" ? ["visits"] : [],
  };
  const policy = policies[place];
  const [told] = explainedReadings(question, policy, (table, needsOrder) => ({
    ...readingAsItLies(policy, table, needsOrder),
    ...change,
  }));
  return told?.words ?? [];
}

describe("how a question reads a table", () => {
  it.each([
    ["files", {}, "is read as it lies, in its file"],
    ["postgres", {}, "is read as it lies, in PostgreSQL"],
    ["trino", {}, "is read as it lies, in Trino"],
    ["files", frozen.import, "is read from its import, which froze the rows of its file"],
    [
      "postgres",
      frozen.copy,
      `is read from its copy of PostgreSQL's rows, as of ${moment}: lethe import makes a newer one`,
    ],
    [
      "trino",
      frozen.snapshot,
      `is read from its snapshot in Trino, lake.lethe.visits_1, as of ${moment}: lethe import makes a newer one`,
    ],
    [
      "files",
      { from: "not-imported" },
      "cannot be read, since it was not imported: run lethe import --table visits",
    ],
    [
      "trino",
      { from: "not-imported" },
      "cannot be read, since it was not imported and other tables were: run lethe import",
    ],
    [
      "postgres",
      { from: "stale" },
      "cannot be read, since the policy changed after its import: run lethe import",
    ],
  ] as const)("is said in %s of %j", (place, change, words) => {
    expect(wordsOf(place, change ?? {})).toEqual([`visits ${words}`]);
  });

  it.each(["files", "postgres", "trino"] as const)(
    "names an import in %s where units are limited and rows lie",
    (place) => {
      const [, advice] = wordsOf(place, {}, "groups");
      expect(advice).toMatch(/^Import of visits: none; questions .*: run lethe import, which /);
      expect(
        wordsOf(
          place,
          frozen[place === "files" ? "import" : place === "trino" ? "snapshot" : "copy"]!,
          "groups",
        ),
      ).toHaveLength(1);
      expect(wordsOf(place, { from: "not-imported" }, "groups")).toHaveLength(1);
    },
  );

  it.each([
    ["files", { order: "none" }, "not imported: run lethe import, then lethe index build"],
    ["files", { ...frozen.import, order: "built" }, "built; questions use it"],
    [
      "files",
      { ...frozen.import, order: "other-seed" },
      "built under another secret seed, so questions do not use it: run lethe index build",
    ],
    [
      "postgres",
      { ...frozen.copy, order: "none" },
      "none; questions order the rows themselves, with the same answers: lethe index build makes one",
    ],
    ["trino", { ...frozen.snapshot, order: "built" }, "in the snapshot; questions use it"],
    [
      "trino",
      { ...frozen.snapshot, order: "other-seed" },
      "noted under another secret seed, so questions order the rows themselves: run lethe import",
    ],
    [
      "trino",
      { ...frozen.snapshot, order: "none" },
      "none in the snapshot; questions order the rows themselves, with the same answers",
    ],
  ] as const)("says in %s what the order of its rows is worth, of %j", (place, change, words) => {
    expect(wordsOf(place, change, "rows").slice(1)).toEqual([`Index of visits: ${words}`]);
    expect(
      orderWords({ ...readingAsItLies(policies[place], "visits", true), ...change }, policies[place]),
    ).toBe(words);
  });

  it("is said of every table, in the order of the question, and of an order only where one is needed", () => {
    const asked: [string, boolean][] = [];
    const told = explainedReadings(
      { tables: ["notes", "visits", "codes"], ordered: "visits", limited: ["notes"] },
      policies.trino,
      (table, needsOrder) => {
        asked.push([table, needsOrder]);
        return readingAsItLies(policies.trino, table, needsOrder);
      },
    );
    expect(asked).toEqual([
      ["notes", false],
      ["visits", true],
      ["codes", false],
    ]);
    expect(told.map(({ table, order, words }) => [table, order, words.length])).toEqual([
      ["notes", null, 2],
      ["visits", "none", 2],
      ["codes", null, 1],
    ]);
  });

  it("has no order where rows do not name their units", () => {
    for (const table of ["notes", "codes"]) {
      const reading = readingAsItLies(policies.files, table, true);
      expect(reading.order).toBe("not-needed");
      expect(orderWords({ ...reading, from: "stale" }, policies.files)).toBe(
        "its rows do not name their units: there is nothing to order",
      );
    }
  });

  it("names no path of the owner's machine", () => {
    const said = [
      ...wordsOf("files", {}, "groups"),
      ...wordsOf("files", {}, "rows"),
      ...wordsOf("files", { from: "import" }),
      ...wordsOf("files", { from: "not-imported" }),
    ].join("\n");
    expect(said).toContain("visits is read as it lies");
    expect(said).not.toMatch(/olga|parquet/);
  });
});
