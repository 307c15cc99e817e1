import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that says of one table what a Trino says, as far as it is asked before rows are read and by an import. It has no rows. */
export interface TrinoStandIn {
  /** The address as a user names it, with a catalog and a schema behind it. */
  urlOf(user: "lethe" | "owner", place: string): string;
  /** The statements that it was asked so far. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

type Rows = readonly (readonly string[])[];

/**
 * Starts one on the loopback, for tests of what is told without rows where no Trino is at hand. Its user `owner` may write; each table that is made has a state of its own.
 * @param columns the types of the columns of its one table
 */
export async function standInForTrino(columns: Readonly<Record<string, string>>): Promise<TrinoStandIn> {
  const asked: string[] = [];
  let made = 0;
  const facts: Rows = [
    ...Object.entries(columns).map(([name, type]) => ["column", name, type]),
    ["relation", "BASE TABLE", ""],
    ["connector", "iceberg", ""],
  ];
  function rowsOf(sql: string, isOwner: boolean): Rows | null {
    if (sql === "SELECT version()") return [["476"]];
    if (sql.includes(".information_schema.") || sql.includes('"information_schema".')) return facts;
    if (sql.startsWith("EXPLAIN (TYPE VALIDATE) SELECT")) return [["true"]];
    if (sql.includes("$refs")) return [[String(made)]];
    if (!isOwner) return null;
    if (sql.startsWith("CREATE TABLE")) {
      made += 1;
      return [["6"]];
    }
    if (sql.startsWith("DROP TABLE")) return [["true"]];
    return / HAVING .* LIMIT 1$/.test(sql) ? [] : null;
  }
  const server = createServer(async (request, response) => {
    let sql = "";
    for await (const chunk of request.setEncoding("utf8")) sql += chunk;
    asked.push(sql);
    const rows = rowsOf(sql, request.headers["x-trino-user"] === "owner");
    const error = { errorName: "PERMISSION_DENIED", message: "there are no rows to read here" };
    const names = Array.from({ length: rows?.[0]?.length ?? 1 }, (_, at) => ({
      name: `c${at}`,
      type: "varchar",
    }));
    const page = rows === null ? { id: "q", error } : { id: "q", columns: names, data: rows, stats: {} };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(page));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (user, place) => `http://${user}@127.0.0.1:${port}/${place}`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
