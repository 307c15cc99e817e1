import { accessSync, constants, statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { LetheError } from "@lethe/core";
import type { TablePolicy } from "@lethe/query";

export type SourceKind = "csv" | "parquet" | "duckdb";

const kinds: Readonly<Record<string, SourceKind>> = {
  ".csv": "csv",
  ".parquet": "parquet",
  ".duckdb": "duckdb",
};

/** The file of a table. Errors: engine.source where the policy keeps it in a database. */
export function fileOf(policy: TablePolicy): string {
  if (policy.file !== null) return policy.file;
  throw new LetheError("engine.source", "the policy's tables lie in a database, not in files", {
    fix: "ask them there; only files are imported",
  });
}

/** The kind of a file, by its name alone. Errors: engine.source for a name Lethe does not read. */
export function sourceKind(table: string, policy: TablePolicy): SourceKind {
  const kind = kinds[extname(fileOf(policy)).toLowerCase()];
  if (!kind) {
    throw new LetheError(
      "engine.source",
      `${table}: ${fileOf(policy)} is not a kind of file that can be asked`,
      {
        fix: "name a .csv, .parquet or .duckdb file in the policy",
        fields: { table, file: fileOf(policy) },
      },
    );
  }
  return kind;
}

/** The absolute path of a table's file, which must be a readable file of this machine. Errors: engine.source. */
export function sourcePath(table: string, policy: TablePolicy, baseDirectory: string): string {
  const path = resolve(baseDirectory, fileOf(policy));
  const refuse = (problem: string, fix: string): never => {
    throw new LetheError("engine.source", `${table}: ${fileOf(policy)} ${problem}`, {
      fix,
      fields: { table, file: fileOf(policy) },
    });
  };
  // DuckDB reads these as patterns, and a pattern may match files that the owner never named.
  if (/[*?[\]{}]/.test(path)) refuse("has one of * ? [ ] { } in its path", "rename the file or its folder");
  try {
    if (!statSync(path).isFile()) refuse("is not a file", "name a file in the policy");
    accessSync(path, constants.R_OK);
  } catch (error) {
    if (error instanceof LetheError) throw error;
    refuse(
      "is missing or cannot be read",
      "check the path in the policy, which is relative to the policy's folder",
    );
  }
  return path;
}
