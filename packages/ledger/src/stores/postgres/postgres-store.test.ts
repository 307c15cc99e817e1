import { hasPostgres, serverWith, storeContract } from "@lethe/testing";
import { describe, expect, it } from "vitest";
import type { Store } from "../store.ts";
import { describedHash, schemaHash } from "./check-schema.ts";
import { connect } from "./connection.ts";
import { readPostgresUrl } from "./place.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { postgresSchema } from "./schema.ts";

describe.skipIf(!hasPostgres())("a ledger on PostgreSQL", () => {
  const own = serverWith("CREATE ROLE keeper; CREATE ROLE gateway LOGIN", { fsync: "on" });
  let made = 0;

  /** A place with the tables of an empty ledger. */
  async function freshUrl(): Promise<string> {
    made += 1;
    const schema = `ledger_${made}`;
    await own.admin.query(postgresSchema(schema, "gateway"));
    return `${own.server.urlOf("gateway")}?schema=${schema}`;
  }

  storeContract("postgres", async () => {
    const url = await freshUrl();
    const handles: Store[] = [await openPostgresStore(url)];
    return {
      store: handles[0]!,
      async open() {
        const handle = await openPostgresStore(url);
        handles.push(handle);
        return handle;
      },
      async dispose() {
        for (const handle of handles) await handle.close();
      },
    };
  });

  it("has the tables of its version", async () => {
    const place = readPostgresUrl(await freshUrl());
    const connection = await connect(place, 1000);
    expect(await describedHash(connection, place.schema)).toBe(schemaHash);
    await connection.end();
  });
});
