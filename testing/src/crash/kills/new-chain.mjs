import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/**
 * A new ledger in a schema of its own, whose budget is `affordable` parts. `directoryOver(port)` copies its directory for another gateway, which
 * reaches the server by that port, or directly where it is null; `rows` reads its tables, and nothing of the ledger's own code with them.
 */
export async function newChain(server, { module, schema, affordable }) {
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(module.postgresSchema(schema, "gateway"));
  await admin.end();
  const parent = mkdtempSync(join(tmpdir(), "lethe-kills-"));
  const directory = join(parent, "ledger");
  const [zero, one] = [0n, 1n].map((num) => ({ num, den: 1n }));
  const budget = { measure: "pure", epsilon: one, delta: zero, rho: null, analysts: {} };
  const url = `${server.urlOf("gateway")}?schema=${schema}`;
  const options = { budget, policyHash: "", source: "s", clock: Date.now, failureCap: 1_000_000, url };
  await (await module.createLedger(directory, options)).close();
  let copies = 0;
  return {
    directory,
    affordable,
    directoryOver(port) {
      copies += 1;
      const copy = join(parent, `gateway-${copies}`);
      cpSync(directory, copy, { recursive: true });
      const way = new URL(url);
      if (port !== null) way.port = String(port);
      writeFileSync(join(copy, "ledger.url"), `${way.href}\n`);
      return copy;
    },
    async rows() {
      const reader = new pg.Client({ connectionString: server.url });
      await reader.connect();
      const { rows } = await reader.query(
        `SELECT sequence::integer, kind, request, hash, convert_from(bytes, 'UTF8') AS release
         FROM ${schema}.records LEFT JOIN ${schema}.releases USING (sequence) ORDER BY sequence`,
      );
      await reader.end();
      return rows;
    },
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}
