// One process of a crash round: asks the ledger for every id and tells on stdout, line by line, what it was given.
// node child.mjs MODULE-URL LEDGER-DIRECTORY '{"ids":["a"],"per":"100","executeMs":2}'
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { requestFor } from "./request-for.mjs";

const [moduleUrl, directory, plan] = process.argv.slice(2);
const { ids, per, executeMs } = JSON.parse(plan);

/** Synchronous: what is told before a kill has reached the pipe. */
function tell(what) {
  writeSync(1, `${JSON.stringify(what)}\n`);
}

const { openLedger } = await import(moduleUrl);
const ledger = await openLedger(directory, { clock: Date.now });
tell({ did: "opened" });
for (const id of ids) {
  try {
    const reservation = await ledger.reserve(requestFor(id, per));
    if (reservation.kind === "settled") {
      tell({ did: "answered", id, release: reservation.release });
      continue;
    }
    const { charge } = reservation;
    tell({ did: "charged", id, sequence: charge.sequence, hash: charge.hash });
    if (executeMs > 0) await pause(Math.random() * executeMs);
    if (Math.random() < 0.1) {
      await ledger.fail(charge);
      tell({ did: "failed", id });
    } else {
      const release = await ledger.settle(charge, `${id} ${randomUUID()}`);
      tell({ did: "answered", id, release });
    }
  } catch (error) {
    if (error.code !== "ledger.budget") throw error;
    tell({ did: "refused", id });
  }
}
await ledger.close();
tell({ did: "finished" });
