import { LetheError } from "@lethe/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CatalogColumn, CatalogRelation } from "../../catalog.ts";
import { readPolicy } from "../../file/read-policy.ts";
import { lintPolicy } from "../../lint/lint-policy.ts";
import type { Policy } from "../../policy.ts";
import { type CatalogDraft, draftFromCatalog } from "./draft-from-catalog.ts";

const source: CatalogDraft["source"] = { kind: "postgres", urlVariable: "LETHE_DATABASE_URL" };
const column = (name: string, more: Partial<CatalogColumn> = {}): CatalogColumn => ({
  ...{ name, native: "bigint", type: "integer", spelling: "integer", labels: [] },
  ...more,
});

/** A table with the primary key `id` and one foreign key for each table that it refers to. */
function table(
  name: string,
  to: readonly string[] = [],
  more: Partial<CatalogRelation> = {},
): CatalogRelation {
  return {
    schema: "public",
    name,
    kind: "table",
    columns: [column("id"), ...to.map((_, i) => column(`to_${i}`))],
    keys: [{ columns: ["id"], primary: true }],
    foreignKeys: to.map((target, i) => ({
      columns: [`to_${i}`],
      references: { schema: "public", name: target, columns: ["id"] },
    })),
    ...more,
  };
}

function drafted(relations: readonly CatalogRelation[], more: Partial<CatalogDraft> = {}): string {
  const words = { unit: "people.id", only: [], bounds: [], categories: [] };
  return draftFromCatalog({ catalog: { relations }, source, ...words, ...more }).yaml;
}

function refusal(run: () => unknown): LetheError {
  try {
    run();
  } catch (error) {
    if (error instanceof LetheError) return error;
    throw error;
  }
  throw new Error("was accepted");
}

/** Foreign keys on the way of a table to its unit. */
function steps(policy: Policy, name: string): number {
  const { unit } = policy.tables[name]!;
  return unit.kind === "through" ? 1 + steps(policy, unit.references.table) : 0;
}

test("every table that declared keys lead to the unit goes the shortest way, whatever the keys", () => {
  const names = ["people", "a", "b", "c", "d", "e", "f"];
  const graph = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 14 });
  fc.assert(
    fc.property(graph, fc.boolean(), (edges, isReversed) => {
      const relations = names.map((name) =>
        table(
          name,
          edges.filter(([from]) => from === name).map(([, to]) => to),
        ),
      );
      const text = drafted(isReversed ? relations.reverse() : relations);
      const policy = readPolicy(text);
      const distance = new Map([["people", 0]]);
      for (const _ of names)
        for (const [from, to] of edges) {
          const way = (distance.get(to) ?? Number.POSITIVE_INFINITY) + 1;
          if (way < (distance.get(from) ?? Number.POSITIVE_INFINITY)) distance.set(from, way);
        }
      expect(Object.keys(policy.tables).sort()).toEqual([...distance.keys()].sort());
      for (const [name, length] of distance) expect(steps(policy, name)).toBe(length);
      expect(lintPolicy(policy)).toEqual([]);
      // What stands beside the way that was chosen can be taken instead.
      for (const [whole, way] of text.matchAll(/^ {4}# another way, .*?: (unit: \{.*\})$/gm)) {
        const at = text.indexOf(whole);
        const start = text.lastIndexOf("    unit:", at);
        const line = text.slice(start, text.indexOf("\n", start));
        readPolicy(
          text.slice(0, start) +
            text
              .slice(start)
              .replace(line, `    ${way}`)
              .replace(/ +key: to_\d\n/, ""),
        );
      }
    }),
    { numRuns: 150, seed: 5 },
  );
});

test("whatever names, types and labels say, the policy can be read and says nothing else", () => {
  const word = fc.oneof(
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.constantFrom(
      "row",
      "true",
      "a: b",
      "- x",
      "#",
      "\n  public: true\n",
      '"',
      "people",
      "People",
      "a.b",
      "__proto__",
    ),
  );
  const any = fc.record({
    schema: fc.oneof(fc.constant("public"), word),
    name: word,
    kind: fc.constantFrom<CatalogRelation["kind"]>("table", "view"),
    columns: fc.array(
      fc.record({
        name: word,
        native: word,
        type: fc.constantFrom<CatalogColumn["type"]>("text", "number", "date", "boolean", null),
        spelling: fc.constantFrom("text", null),
        labels: fc.array(word, { maxLength: 3 }),
      }),
      { maxLength: 4 },
    ),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 5 }), (others) => {
      const relations = others.map(({ columns, ...rest }): CatalogRelation => {
        // Each column of this spelling refers to people.
        const links = columns.filter(({ spelling }) => spelling === "text");
        const references = { schema: "public", name: "people", columns: ["id"] };
        const foreignKeys = links.map(({ name }) => ({ columns: [name], references }));
        return { ...rest, columns, keys: [], foreignKeys };
      });
      const people = table("people", [], { columns: [column("id", { type: "text", spelling: "text" })] });
      const all = [people, ...relations.filter(({ name }) => name !== "people")];
      const text = drafted(all);
      const { tables } = readPolicy(text);
      for (const [name, { unit, relation }] of Object.entries(tables)) {
        const own = relation === null ? ["public", name] : relation.split(".");
        expect(all.map(({ schema, name }) => [schema, name])).toContainEqual(own);
        expect(unit.kind).toBe(own.join(".") === "public.people" ? "column" : "through");
      }
    }),
    { numRuns: 200, seed: 7 },
  );
});

test("a key that cannot be followed is said", () => {
  const two = [
    { columns: ["id"], primary: true },
    { columns: ["code"], primary: false },
  ];
  const visits = table("visits", ["people"], {
    columns: [column("id"), column("to_0"), column("code")],
    keys: two,
  });
  const by = (
    name: string,
    columns: string[],
    target: string[],
    types: Partial<CatalogColumn> = {},
  ): CatalogRelation =>
    table(name, [], {
      columns: columns.map((own) => column(own, types)),
      keys: [],
      foreignKeys: [{ columns, references: { schema: "public", name: "visits", columns: target } }],
    });
  const text = drafted([
    table("people"),
    visits,
    by("bills", ["visit"], ["id"]),
    by("doses", ["code"], ["code"]),
    by("exact", ["visit"], ["id"], { type: "number", native: "numeric", spelling: null }),
    by("pairs", ["visit", "code"], ["id", "code"]),
  ]);
  expect(Object.keys(readPolicy(text).tables).sort()).toEqual(["bills", "people", "visits"]);
  expect(text).toContain("code refers to visits.code, which is not the key that is proposed for that table");
  expect(text).toContain("visit refers to visits.id, and is not followed: by their types");
  expect(text).toContain("(visit, code) refers to visits by several columns");
});

test("a unit has to be named, by a column that names each person in one way", () => {
  const relations = [
    table("visits", ["people"]),
    table("people"),
    table("logs", [], { columns: [column("x", { spelling: null })] }),
  ];
  expect(refusal(() => drafted(relations, { unit: undefined })).fix).toContain("--unit people.id");
  expect(refusal(() => drafted(relations, { unit: "id" })).fix).toContain("people.id");
  expect(refusal(() => drafted(relations, { unit: "logs.x" })).message).toContain("spelled in two ways");
  expect(refusal(() => drafted([], { unit: "people.id" })).code).toBe("engine.source");
});

test("the unit's own column is drafted as a key where the database declares that no two rows share it", () => {
  const drawn = [table("people"), table("visits", ["people"])];
  expect(readPolicy(drafted(drawn)).tables.people!.key).toBe("id");
  const shared = [table("people", [], { keys: [] }), table("visits", ["people"])];
  expect(readPolicy(drafted(shared)).tables.people!.key).toBe(null);
  const looked = [table("people"), table("visits", ["people", "wards"]), table("wards")];
  expect(drafted(looked)).toContain("# rows_per_key: { COLUMN: 40 }");
});
