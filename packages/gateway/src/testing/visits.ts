/** 1,487 visits of 500 people, made up. Their sums are odd numbers of many digits, which nothing yields by chance. */
export const visitRows = 1487;

const wards = ["north", "south"] as const;
const cities = ["Ur", "Uruk", "Kish"] as const;

interface Visit {
  readonly person: string;
  readonly city: string;
  readonly ward: (typeof wards)[number];
  readonly cost: number | null;
  readonly stay: number;
}

export const visits: readonly Visit[] = Array.from({ length: visitRows }, (_, i) => ({
  person: `p${i % 500}`,
  city: cities[i % 3]!,
  ward: wards[i % 2]!,
  cost: i % 50 === 0 ? null : 7000 + ((i * 7919) % 2003),
  stay: (i % 14) - 4,
}));

export const visitsCsv: string = `person,city,ward,cost,stay\n${visits
  .map(({ person, city, ward, cost, stay }) => `${person},${city},${ward},${cost ?? ""},${stay}`)
  .join("\n")}\n`;

const columns = `
      city: { type: text }
      ward: { type: text, categories: [north, south], default: south }
      cost: { type: number, bounds: [0, 10000] }
      stay: { type: integer, bounds: [-4, 9] }`;

/** A policy whose units have many rows: 3 groups, 4 rows in each hold all that these data have. */
export function personPolicy(budget: string, adjacency = "add-or-remove-one"): string {
  return `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
tables:
  visits:
    file: visits.csv
    unit: person
    max_groups_contributed: 3
    max_rows_contributed_per_group: 4
    columns:
      person: { type: text }${columns}
budget: ${budget}
`;
}

/** A policy under which every row is a unit. */
export function rowPolicy(budget: string, adjacency = "add-or-remove-one"): string {
  return `
version: 1
privacy_unit: { name: visit, adjacency: ${adjacency} }
tables:
  visits:
    file: visits.csv
    unit: row
    columns:
      person: { type: text }${columns}
budget: ${budget}
`;
}
