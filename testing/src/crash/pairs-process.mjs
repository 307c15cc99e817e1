// One process of a bench: several clients of one ledger pay for a question and settle it, again and again, for so many seconds;
// then it tells how many pairs it made. node pairs-process.mjs MODULE-URL LEDGER-DIRECTORY '{"name":"a","clients":32,"seconds":5}'
import { once } from "node:events";
import { requestFor } from "./request-for.mjs";

const [moduleUrl, directory, plan] = process.argv.slice(2);
const { name, clients, seconds } = JSON.parse(plan);
const { openLedger } = await import(moduleUrl);
const ledger = await openLedger(directory, { clock: Date.now });
console.log("ready");
await once(process.stdin, "data");
process.stdin.destroy();

const release = "x".repeat(2000);
const end = performance.now() + 1000 * seconds;
let pairs = 0;
await Promise.all(
  Array.from({ length: clients }, async (_, client) => {
    for (let i = 0; performance.now() < end; i += 1) {
      const { charge } = await ledger.reserve(requestFor(`${name}-${client}-${i}`, "100"));
      await ledger.settle(charge, release);
      pairs += 1;
    }
  }),
);
await ledger.close();
console.log(String(pairs));
