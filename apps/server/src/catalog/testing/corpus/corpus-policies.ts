import { type Policy, readPolicy } from "@lethe/query";
import fc from "fast-check";

const head = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
`;

/** Policies whose tables both sides hold: one table, several schemas, public tables and views, names that must be quoted, names of other scripts, very many columns. */
export const corpusPolicies: Readonly<Record<string, Policy>> = {
  "one table": readPolicy(`${head}
tables:
  people:
    file: people.csv
    unit: row
    columns:
      wage: { type: number, bounds: [0, 60] }
      sector: { type: text, categories: [manufacturing, construction, other], default: other }
      hired: { type: date, bounds: [2010-01-01, 2029-12-31] }
`),
  "every type, two schemas": readPolicy(`${head}
database: { kind: postgres }
tables:
  people:
    relation: public.people
    unit: id
    columns:
      id: { type: integer }
      age: { type: integer, bounds: [0, 120], default: 30 }
      wage: { type: number, bounds: [0, 60] }
      name: { type: text, max_length: 40 }
      active: { type: boolean }
      born: { type: date, bounds: [1900-01-01, 2029-12-31] }
      seen: { type: timestamp, bounds: [2000-01-01, 2030-12-31] }
  visits:
    relation: clinic.visits
    unit: person_id
    columns:
      person_id: { type: integer }
      cost: { type: number, bounds: [0, 100] }
      at: { type: timestamp, bounds: [2000-01-01, 2030-12-31] }
  regions:
    relation: clinic.regions
    public: true
    key: region
    columns:
      region: { type: text }
      millions: { type: number, bounds: [0, 8] }
`),
  "a public table and views": readPolicy(`${head}
tables:
  people: { file: people.csv, unit: id, columns: { id: { type: integer }, region: { type: text }, wage: { type: number, bounds: [0, 60] } } }
  regions: { file: regions.csv, public: true, key: region, columns: { region: { type: text }, millions: { type: number, bounds: [0, 8] } } }
views:
  well_paid: SELECT region, wage FROM people WHERE wage > 20
  named: SELECT p.wage, r.millions FROM people p JOIN regions r ON p.region = r.region
`),
  "odd names": readPolicy(`${head}
tables:
  "My Table": { file: a.csv, unit: row, columns: { "a b": { type: number, bounds: [0, 1] }, "Select": { type: text }, "it's": { type: integer, bounds: [0, 9] }, 'q"q': { type: boolean } } }
  "order": { file: b.csv, unit: row, columns: { "where": { type: date, bounds: [2010-01-01, 2029-12-31] }, "x.y": { type: text }, "100%": { type: number, bounds: [0, 1] } } }
  "größe": { file: c.csv, unit: row, columns: { "名前": { type: text }, "école": { type: timestamp, bounds: [2000-01-01, 2030-12-31] } } }
`),
  "five thousand columns": readPolicy(`${head}
tables:
${Array.from({ length: 100 }, (_, at) => `  t${at}: { file: people.csv, unit: row, columns: { ${manyColumns(50)} } }`).join("\n")}
`),
};

function manyColumns(count: number): string {
  return Array.from({ length: count }, (_, at) => `c${at}: { type: number, bounds: [0, 60] }`).join(", ");
}

const columns = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/),
  fc.constantFrom(
    "{ type: number, bounds: [0, 10] }",
    "{ type: integer, bounds: [-5, 5] }",
    "{ type: text, max_length: 20 }",
    "{ type: text, categories: [a, b, c] }",
    "{ type: boolean }",
    "{ type: date, bounds: [2010-01-01, 2029-12-31] }",
    "{ type: timestamp, bounds: [2000-01-01, 2030-12-31] }",
  ),
  { minKeys: 1, maxKeys: 12 },
);

/** Any policy of up to twelve tables. */
export const anyPolicy: fc.Arbitrary<Policy> = fc
  .dictionary(fc.stringMatching(/^t[a-zA-Z0-9_]{0,10}$/), columns, { minKeys: 1, maxKeys: 12 })
  .map((tables) =>
    readPolicy(
      `${head}tables:\n${Object.entries(tables)
        .map(
          ([table, held]) =>
            `  "${table}": { file: "${table}.csv", unit: row, columns: { ${Object.entries(held)
              .map(([column, type]) => `"${column}": ${type}`)
              .join(", ")} } }`,
        )
        .join("\n")}\n`,
    ),
  );
