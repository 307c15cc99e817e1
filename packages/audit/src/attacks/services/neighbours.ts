import { canary } from "./expressions.ts";
import type { World } from "./service.ts";

/** People with a number, a name and a team; in one world the last is the canary, in the other she is like anybody. */
export function withAndWithoutCanary(): readonly [World, World] {
  const crowd = Array.from({ length: 40 }, (_, at) => [
    (at * 37) % 1000,
    `person-${at}`,
    at % 2 === 0 ? "a" : "b",
  ]);
  const world = (last: readonly (number | string)[]): World => ({
    tables: [
      {
        name: "people",
        columns: [
          { name: "x", type: "integer" },
          { name: "name", type: "text" },
          { name: "team", type: "text" },
        ],
        rows: [...crowd, last],
      },
    ],
    policy: `version: 1
privacy_unit: { name: person, adjacency: replace-one }
tables:
  people:
    file: people.parquet
    unit: row
    columns:
      x: { type: integer, bounds: [0, 1000000] }
      name: { type: text }
      team: { type: text, categories: [a, b], default: a }
`,
  });
  return [world([500, "person-40", "a"]), world([canary.number, canary.text, "b"])];
}
