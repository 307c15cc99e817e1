import type { Cell, InventedTable, Reply, World } from "./service.ts";

/** People with a number and a secret, one row each: the simplest data that there is something to learn from. */
export function peopleWithSecrets(secrets: readonly (0 | 1)[]): World {
  const table: InventedTable = {
    name: "people",
    columns: [
      { name: "id", type: "integer" },
      { name: "sick", type: "integer" },
    ],
    rows: secrets.map((sick, id) => [id, sick]),
  };
  return {
    tables: [table],
    policy: onePerson(
      "people",
      `{ id: { type: integer, bounds: [0, ${secrets.length - 1}] }, sick: { type: integer, bounds: [0, 1] } }`,
    ),
  };
}

/** A policy over one table in which each row is a person and everybody is replaced by anybody: an attribute is as safe as a presence. */
export function onePerson(table: string, columns: string): string {
  return `version: 1
privacy_unit: { name: person, adjacency: replace-one }
tables:
  ${table}:
    file: ${table}.parquet
    unit: row
    columns: ${columns}
`;
}

/** The crowd around a target: secrets that look like coins, the same in every world. */
export function crowd(size: number, target: number, secret: 0 | 1): readonly (0 | 1)[] {
  return Array.from({ length: size }, (_, id) =>
    id === target ? secret : ((Math.imul(id + 1, 0x9e3779b1) >>> 31) as 0 | 1),
  );
}

/** The numbers of the first row; null for what is none, nothing where there is no row. */
export function numbersIn(reply: Reply): readonly (number | null)[] {
  const row: readonly Cell[] = reply.kind === "rows" ? (reply.rows[0] ?? []) : [];
  return row.map((cell) => (typeof cell === "number" ? cell : null));
}

/** The single number that was asked for; null where there was none. */
export function numberIn(reply: Reply): number | null {
  return numbersIn(reply).at(-1) ?? null;
}
