import pg from "pg";
import { runLethe } from "../workspace.mjs";
import { newDatabase } from "./new-database.mjs";

/** The role that gateways charge as: it may add records, and change none. */
const role = "lethe_gateway";

/** Moves the ledger of a folder into a database of its own on a server of PostgreSQL, by the commands that owners use. */
export async function moveLedgerTo(server, folder) {
  const url = await newDatabase(server);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const { rowCount } = await admin.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
  if (rowCount === 0) await admin.query(`CREATE ROLE ${role} LOGIN`);
  await admin.query(runLethe(folder, ["ledger", "tables", "--schema", "lethe", "--role", role]));
  await admin.end();
  const place = new URL(url);
  place.username = role;
  runLethe(folder, ["ledger", "move", `${place.href}?schema=lethe`]);
}
