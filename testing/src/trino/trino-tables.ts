import { randomUUID } from "node:crypto";
import { askTrino } from "./ask-trino.ts";

/** The URL of the tests' Trino for a user, and for what lies behind a catalog and a schema. */
export function trinoUrlOf(user: string, path = ""): string {
  const url = new URL(process.env.LETHE_TRINO ?? "http://127.0.0.1:8080");
  url.username = user;
  return `${url.href}${path}`;
}

/** A schema of a test's own, with what is made in it. */
export interface TrinoTables {
  readonly catalog: string;
  readonly schema: string;
  /** Removes the tables, the views and the schema. */
  readonly drop: () => Promise<void>;
}

/** Makes a schema in a catalog of the tests' Trino. */
export async function trinoTables(catalog = "memory"): Promise<TrinoTables> {
  const schema = `test_${randomUUID().replaceAll("-", "")}`;
  await askTrino(`CREATE SCHEMA ${catalog}.${schema}`);
  const drop = async (): Promise<void> => {
    const tables = await askTrino(
      `SELECT table_name, table_type FROM ${catalog}.information_schema.tables WHERE table_schema = '${schema}'`,
    );
    for (const [name, type] of tables)
      await askTrino(`DROP ${type === "VIEW" ? "VIEW" : "TABLE"} ${catalog}.${schema}."${name}"`);
    await askTrino(`DROP SCHEMA ${catalog}.${schema}`);
  };
  return { catalog, schema, drop };
}
