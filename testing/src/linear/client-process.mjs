// One of several processes that use a ledger at the same moment: opens it, waits for a line on stdin, then plays the
// scripts of its clients and tells every call on stdout before and after it.
// node client-process.mjs MODULE-URL LEDGER-DIRECTORY '{"clients":[{"client":"a","steps":[…]}],"diesAfter":null}'
// With a number in `diesAfter` it dies by SIGKILL after so many lines, the next answer untold.
import { once } from "node:events";
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { playScript } from "./client.mjs";

const [moduleUrl, directory, plan] = process.argv.slice(2);
const { clients, diesAfter } = JSON.parse(plan);
let lines = 0;

/** Synchronous: what is told before a kill has reached the pipe. */
function tell(what) {
  if (diesAfter !== null && lines >= diesAfter && what.end) process.kill(process.pid, "SIGKILL");
  lines += 1;
  writeSync(
    1,
    `${JSON.stringify(what, (_, value) => (typeof value === "bigint" ? String(value) : value))}\n`,
  );
}

const { openLedger } = await import(moduleUrl);
const ledger = await openLedger(directory, { clock: Date.now });
tell({ ready: true });
await once(process.stdin, "data");
process.stdin.destroy();
await Promise.all(clients.map(({ client, steps }) => playScript(ledger, steps, client, tell, pause)));
await ledger.close();
