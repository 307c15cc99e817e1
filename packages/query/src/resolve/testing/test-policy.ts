import { readPolicy } from "../../policy/file/read-policy.ts";
import type { Policy } from "../../policy/policy.ts";

/** A policy with one column of every kind; for the tests of this folder. */
export const testPolicy: Policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      wage: { type: number, bounds: [0, 60] }
      sector: { type: text, categories: [manufacturing, construction, other], default: other }
      age: { type: integer, bounds: [16, 90] }
      born: { type: integer, bounds: [1900, 2020], default: 1950 }
      grade: { type: integer, categories: [1, 2, 3] }
      balance: { type: number, bounds: [-5, 5], default: 0 }
      anything: { type: number }
      whole: { type: integer }
      married: { type: boolean }
      member: { type: boolean, default: false }
      name: { type: text, max_length: 12 }
      letter: { type: text, categories: [A, b, " c "] }
      hired: { type: date, bounds: [1999-12-20, 2031-02-03] }
      quarter: { type: date, bounds: [2020-01-01, 2020-03-31], default: 2020-02-29 }
      everyday: { type: date }
      seen: { type: timestamp, bounds: ["1969-12-31 22:15:00", "2024-02-29 23:59:59.5"] }
      moment: { type: timestamp }
      "Größe": { type: number, bounds: [0, 3] }
      "order": { type: number, bounds: [0, 1] }
      'quo"ted': { type: integer, bounds: [0, 9] }
  Visits:
    file: visits.parquet
    unit: pid
    max_groups_contributed: 3
    max_rows_contributed_per_group: 5
    columns:
      pid: { type: text }
      cost: { type: number, bounds: [0, 1000] }
      Ward: { type: text, categories: [a, b] }
      on_day: { type: date }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
`);
