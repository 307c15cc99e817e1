import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CompiledQuery, type Policy, readPolicy } from "@lethe/query";
import type { DuckDbOptions } from "../open-duckdb.ts";

/** For tests: a folder with files, and everything an engine or an import needs to work in it. */
export interface Fixture extends DuckDbOptions {
  readonly clock: () => number;
  readonly logged: string[];
  path(name: string): string;
  write(name: string, content: string | Uint8Array): void;
  /** Runs SQL on a plain DuckDB inside the folder. */
  prepare(...statements: readonly string[]): Promise<void>;
  with(policy: Policy): Fixture;
  remove(): void;
}

export function fixture(tables: string): Fixture {
  const directory = mkdtempSync(join(tmpdir(), "lethe-duckdb-"));
  const logged: string[] = [];
  const path = (name: string): string => join(directory, name);
  const made: Fixture = {
    policy: policyOf(tables),
    baseDirectory: directory,
    stateDirectory: path(".lethe"),
    seed: "a secret seed",
    limits: { memory: 512 << 20, threads: 2, timeoutMs: 60_000, spillDirectory: path("spill") },
    log: (detail) => logged.push(detail),
    clock: () => 1_700_000_000_000,
    logged,
    path,
    write: (name, content) => writeFileSync(path(name), content),
    async prepare(...statements) {
      const { DuckDBInstance } = await import("@duckdb/node-api");
      const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
      const connection = await instance.connect();
      for (const statement of statements) await connection.run(statement.replaceAll("$DIR", directory));
      connection.closeSync();
      instance.closeSync();
    },
    with: (policy) => ({ ...made, policy }),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
  return made;
}

/** A policy with these tables, written as in YAML. */
export function policyOf(tables: string): Policy {
  return readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
tables:
${tables
  .trim()
  .split("\n")
  .map((line) => `  ${line}`)
  .join("\n")}
`);
}

/** A query as only compile makes them otherwise. */
export function compiled(sql: string, keys: number, sums: number, needsSeed = false): CompiledQuery {
  return { dialect: "duckdb", sql, keys, sums, needsSeed } as unknown as CompiledQuery;
}
