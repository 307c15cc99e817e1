// One of several processes that spend one account as fast as they can, with several clients each: opens the ledger, waits
// for a line on stdin, asks what it was given, and then tells on stdout what each question was told and when.
// node charge-process.mjs MODULE-URL LEDGER-DIRECTORY; stdin: {"clients":[[{"id","principal","cost"}, …], …]} on one line
import { once } from "node:events";
import { createInterface } from "node:readline";
import { requestOf } from "./client.mjs";

const [moduleUrl, directory] = process.argv.slice(2);
const { openLedger } = await import(moduleUrl);
const ledger = await openLedger(directory, { clock: Date.now });
console.log("ready");
const input = createInterface({ input: process.stdin });
const [plan] = await once(input, "line");
console.log("planned");
await once(input, "line");
input.close();

const told = [];
async function ask({ id, principal, cost }) {
  const begin = process.hrtime.bigint();
  const outcome = await ledger
    .reserve(requestOf({ id, principal, question: id, costs: [cost] }))
    .then(({ charge }) => charge.sequence)
    .catch((error) => {
      if (error.code === "ledger.budget") return "refused";
      throw error;
    });
  told.push([id, principal, cost, outcome, String(begin), String(process.hrtime.bigint())]);
}
/** Lets the other clients of this process have their turn between two questions. */
const turn = () => new Promise((resolve) => setImmediate(resolve));
await Promise.all(
  JSON.parse(plan).clients.map(async (questions) => {
    for (const question of questions) {
      await ask(question);
      await turn();
    }
  }),
);
await ledger.close();
console.log(JSON.stringify(told));
