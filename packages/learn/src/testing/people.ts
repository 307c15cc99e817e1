import { type Policy, readPolicy } from "@lethe/query";

/** The policy of the tests: one row a person, and visits of which a person has several. */
export const peoplePolicy: string = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      age: { type: integer, bounds: [18, 90], default: 18 }
      wage: { type: number, bounds: [-10, 60] }
      hours: { type: number, bounds: [0, 80] }
      debt: { type: number }
      sector: { type: text, categories: [trade, "it's", other] }
      level: { type: integer, categories: [1, 2, 3], default: 1 }
      member: { type: boolean, default: false }
      name: { type: text }
      born: { type: date }
  visits:
    file: visits.csv
    unit: person
    max_groups_contributed: 4
    columns:
      person: { type: integer }
      cost: { type: number, bounds: [0, 10] }
  stays:
    file: stays.csv
    unit: person
    max_groups_contributed: 4
    limit: rows-before-filter
    columns:
      person: { type: integer }
      cost: { type: number, bounds: [0, 10] }
      days: { type: number, bounds: [0, 10] }
  zones:
    file: zones.csv
    public: true
    columns:
      size: { type: number, bounds: [0, 10] }
views:
  workers: SELECT wage / 10 AS pay, sector FROM people WHERE hours > 0
budget: { measure: approximate, epsilon: 10000, delta: 1e-3 }
`;

export const people: Policy = readPolicy(peoplePolicy);
