import type { LetheError } from "@lethe/core";
import { type Policy, readPolicy, type TableStorage } from "@lethe/query";
import type { PostgresServer } from "@lethe/testing";
import { openPostgres } from "../open-postgres.ts";

/** A policy over one table `people`, its lines in YAML's flow style. */
export function policyOfPeople(lines: string): Policy {
  return readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: postgres }
tables:
  people: { ${lines} }
`);
}

/** Returns what an engine of this role says of the table before anything is charged: its place, or its refusal. */
export async function toldOfPeople(
  server: PostgresServer,
  role: string,
  lines: string,
): Promise<TableStorage | LetheError> {
  const engine = openPostgres({
    policy: policyOfPeople(lines),
    url: server.urlOf(role),
    seed: "a secret seed",
    log: () => undefined,
  });
  try {
    return await engine.storage("people").catch((error: LetheError) => error);
  } finally {
    await engine.close();
  }
}
