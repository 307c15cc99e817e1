import type { Dice } from "../dice.ts";

/** The number of a unit's rows that are read before a join, by table. For people, 1 says that `id` is a key. */
export type JoinWords = Readonly<Record<string, number>>;

/** Returns a policy with a chain of keys, two ways round a diamond of which one is declared, and public tables. */
export function shopPolicy(
  adjacency = "add-or-remove-one",
  groups = 2,
  rows = 3,
  joins: JoinWords = {},
): string {
  const word = (table: string): string =>
    joins[table] === undefined ? "" : `, max_rows_before_join: ${joins[table]}`;
  const key = joins.people === 1 ? ", key: id" : "";
  const bounds = `max_groups_contributed: ${groups}, max_rows_contributed_per_group: ${rows}`;
  return `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: approximate, epsilon: 1000, delta: 1e-5 }
tables:
  people: { file: shop.duckdb, unit: id${key}${word("people")}, columns: {
    id: { type: integer }, town: { type: text, categories: [a, b] }, age: { type: integer, bounds: [0, 9] } } }
  visits: { file: shop.duckdb, unit: { through: person_id, references: people.id }, key: visit_id, ${bounds}${word("visits")}, columns: {
    visit_id: { type: text }, person_id: { type: integer }, cost: { type: number, bounds: [-2, 5] }, ward: { type: text } } }
  items: { file: shop.duckdb, unit: { through: visit_id, references: visits.visit_id }, key: item_id, ${bounds}${word("items")}, columns: {
    item_id: { type: text }, visit_id: { type: text }, price: { type: integer, bounds: [1, 6], default: 2 },
    code: { type: text, max_length: 3 } } }
  notes: { file: shop.duckdb, unit: { through: item_id, references: items.item_id }, ${bounds}${word("notes")}, columns: {
    item_id: { type: text }, visit_id: { type: text }, grade: { type: integer, categories: [1, 2, 3] } } }
  codes: { file: shop.duckdb, public: true, key: code, rows_per_key: { kind: 2 }, columns: {
    code: { type: text, max_length: 3 }, kind: { type: text, categories: [x, y], default: y }, weight: { type: number, bounds: [0, 2] } } }
  days: { file: shop.duckdb, public: true, key: day, expected_rows: 7, max_rows: 7, columns: { day: { type: integer, bounds: [1, 7], default: 1 } } }
  guests: { file: shop.duckdb, unit: row, columns: {
    code: { type: text, max_length: 3 }, fee: { type: number, bounds: [0, 3] } } }
  loans: { file: shop.duckdb, unit: borrower, columns: { borrower: { type: integer }, sum: { type: number, bounds: [0, 3] } } }
`;
}

/** Returns random limits before joins, at times so low that rows are left out. */
export function joinWords(dice: Dice): JoinWords {
  const said = ["people", "visits", "items", "notes"].filter(() => dice.below(2) === 0);
  return Object.fromEntries(said.map((table) => [table, 1 + dice.below(3)]));
}
