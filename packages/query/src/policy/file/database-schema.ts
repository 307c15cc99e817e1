import { z } from "zod";
import type { DatabaseKind } from "../policy.ts";
import type { PathFault } from "./check-paths.ts";
import type { PolicyFile } from "./policy-file.ts";
import { closed, says } from "./schema-fields.ts";

const variableFix =
  "name the environment variable that holds the URL, as LETHE_DATABASE_URL; the URL itself stays out of the policy";

export const databaseSchema: z.ZodType<PolicyFile["database"]> = closed({
  kind: z
    .enum(["postgres", "trino"], {
      error: says("is not a database that Lethe reads", "write kind: postgres, or kind: trino"),
    })
    .describe("What kind of server it is: postgres, or trino."),
  url_env: z
    .string({ error: says("must be a name", variableFix) })
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/, {
      error: says("is not the name of an environment variable", variableFix),
    })
    .optional()
    .describe(
      "The environment variable that holds the URL. Left out, PGHOST, PGDATABASE, PGUSER and the like say it; a Trino needs one.",
    ),
});

/** The most parts of a relation's name, and how they are written. */
const relationForms: Readonly<Record<DatabaseKind, readonly [parts: number, form: string]>> = {
  postgres: [2, "schema.table"],
  trino: [3, "catalog.schema.table"],
};

/** Each table lies in a file, or all of them in one database. */
export function checkSources({ database, tables }: PolicyFile): readonly PathFault[] {
  if (database?.kind === "trino" && database.url_env === undefined)
    return [{ path: ["database"], wrong: "names no variable for the URL of Trino", fix: variableFix }];
  return Object.entries(tables).flatMap(([table, { file, relation }]): PathFault[] => {
    const at = ["tables", table];
    if (!database) {
      if (file !== undefined) return [];
      const fix = "write file: with a .csv, .parquet or .duckdb file, or name the policy's database";
      return [{ path: at, wrong: "names no file", fix }];
    }
    if (file !== undefined) {
      const wrong = "cannot stand in a policy whose tables lie in a database";
      return [{ path: [...at, "file"], wrong, fix: "remove it, or keep files in a policy of their own" }];
    }
    const parts = relation?.split(".") ?? [];
    const [most, form] = relationForms[database.kind];
    if (parts.length > most || parts.includes("") || parts.some((part) => bytes(part) > longestName))
      return [
        {
          path: [...at, "relation"],
          wrong: "is not the name of a relation",
          fix: `write relation: ${form}`,
        },
      ];
    return [];
  });
}

/** Longer names PostgreSQL cuts. */
const longestName = 63;
const bytes = (text: string): number => new TextEncoder().encode(text).length;
