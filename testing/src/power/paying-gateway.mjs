import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLedger, openLedger, postgresSchema } from "@lethe/ledger";
import { Client } from "pg";
import { requestFor } from "../crash/request-for.mjs";
import { violations } from "../crash/violations.mjs";

const clock = Date.now;
/** How many questions the budget has room for. */
const affordable = 1000;

/** Runs `use` with the folder of a new ledger and the file of its head: of a file, or of tables where there is a URL. */
export async function withLedger({ url, keepsHead = true }, use) {
  const folder = mkdtempSync(join(tmpdir(), "lethe-power-ledger-"));
  try {
    const [directory, headFile] = [join(folder, "ledger"), keepsHead ? join(folder, "head") : undefined];
    const [zero, one] = [0n, 1n].map((num) => ({ num, den: 1n }));
    const budget = { measure: "pure", epsilon: one, delta: zero, rho: null, analysts: {} };
    const made = { budget, policyHash: "", source: "s", clock, url, headFile };
    await (await createLedger(directory, made)).close();
    return await use({ directory, headFile });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the tables of a ledger, which a gateway may write to, and gives their URL. */
export async function newTables(server, schema) {
  const admin = new Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(
    "DO $$ BEGIN CREATE ROLE gateway LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
  );
  await admin.query(postgresSchema(schema, "gateway"));
  await admin.end();
  return `${server.urlOf("gateway")}?schema=${schema}`;
}

/** Asks one question as a gateway does that starts: opens the ledger, pays, answers, and notes in `told` what it was told. Gives the code of a refusal, or null. */
export async function pay({ directory, headFile }, id, told) {
  try {
    const ledger = await openLedger(directory, { clock, headFile });
    try {
      const { kind, release, charge } = await ledger.reserve(requestFor(id, String(affordable)));
      if (kind !== "settled") told.push({ did: "charged", ...charge, id });
      const answer = kind === "settled" ? release : await ledger.settle(charge, `${id} ${told.length}`);
      told.push({ did: "answered", id, release: answer });
      return null;
    } finally {
      await ledger.close();
    }
  } catch (error) {
    return codeOf(error);
  }
}

/** Returns the promises that a ledger breaks, given what gateways were told; a ledger that does not open is one. */
export async function broken({ directory, headFile }, told) {
  try {
    const ledger = await openLedger(directory, { clock, headFile });
    try {
      return violations(await ledger.report(), told, affordable);
    } finally {
      await ledger.close();
    }
  } catch (error) {
    return [`does not open: ${codeOf(error)}`];
  }
}

/** Returns the code of an error; one without is thrown. */
export function codeOf(error) {
  if (error.code === undefined) throw error;
  return error.code;
}
