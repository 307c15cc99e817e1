// One question from charge to answer, with the ledger's head kept in a file: what is killed at each of its writes.
// node ask-once.mjs MODULE-URL LEDGER-DIRECTORY HEAD-FILE ID
import { writeSync } from "node:fs";
import { requestFor } from "./request-for.mjs";

const [moduleUrl, directory, headFile, id] = process.argv.slice(2);
const { openLedger } = await import(moduleUrl);
const ledger = await openLedger(directory, { clock: Date.now, headFile });
const reservation = await ledger.reserve(requestFor(id, "1000"));
const release =
  reservation.kind === "settled"
    ? reservation.release
    : await ledger.settle(reservation.charge, `${id} ${Math.random()} ${"x".repeat(9000)}`);
writeSync(1, release);
await ledger.close();
