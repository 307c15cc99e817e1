// One gateway of a storm of kills: opens the ledger of a directory when it is told where to begin, and lets several clients pay and settle until
// it is killed. It tells on stdout, line by line, what it asks, what it is told, and where its session stands.
// node gateway-process.mjs LEDGER-DIRECTORY '{"affordable":1500,"clients":3,"seed":1}' <<< NUMBER
import { randomUUID } from "node:crypto";
import { readFileSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { openLedger } from "@lethe/ledger";
import pg from "pg";
import { requestFor } from "../request-for.mjs";
import { seededRandom } from "../seeded-random.mjs";
import { numberOf, questionOf, window } from "./question.mjs";

const [directory, plan] = process.argv.slice(2);
const { affordable, clients, seed } = JSON.parse(plan);
const random = seededRandom(seed);

/** Synchronous: what is told before a kill has reached the pipe. */
function tell(what) {
  writeSync(1, `${JSON.stringify(what)}\n`);
}

/** Tells where the session of the writer stands: its transaction begins, writes, commits, is over. */
function tellSessions() {
  const { query } = pg.Client.prototype;
  const steps = [
    [/^BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE/, "begins"],
    [/^WITH new_records/, "writes"],
    [/^COMMIT/, "commits"],
    [/^ROLLBACK/, "ends"],
  ];
  pg.Client.prototype.query = function (asked, ...rest) {
    const text = String(asked?.text ?? asked);
    if (/READ ONLY/.test(text)) this.onlyReads = true;
    const step = this.onlyReads ? null : steps.find(([pattern]) => pattern.test(text))?.[1];
    if (step) tell({ did: step });
    const answer = query.call(this, asked, ...rest);
    if (step !== "commits") return answer;
    const over = () => tell({ did: "ends" });
    answer.then(over, over);
    return answer;
  };
}

tellSessions();
// Reading stops the process until it is told: by then all modules are loaded.
let base = Number(readFileSync(0, "utf8"));
tell({ did: "begun" });
const ledger = await openLedger(directory, { clock: Date.now }).catch((error) => {
  tell({ did: "error", code: error.code ?? "none" });
  process.exit(1);
});
tell({ did: "opened" });

async function ask(id, parts) {
  tell({ did: "asks", id });
  const reservation = await ledger.reserve(requestFor(id, String(affordable), parts));
  if (reservation.kind === "settled") return tell({ did: "answered", id, release: reservation.release });
  const { charge, resumed } = reservation;
  const { sequence, hash } = charge;
  tell({ did: "charged", id, sequence, hash, resumed });
  await pause(10 * random());
  if (random() < 0.03) {
    await ledger.fail(charge);
    return tell({ did: "failed", id });
  }
  tell({ did: "settles", id });
  tell({ did: "answered", id, release: await ledger.settle(charge, `${id} ${randomUUID()}`) });
}

await Promise.all(
  Array.from({ length: clients }, async () => {
    for (;;) {
      const { id, parts } = questionOf(base + Math.floor(window * random()));
      try {
        await ask(id, parts);
        base = Math.max(base, numberOf(id) - window / 2);
      } catch (error) {
        if (error.code === undefined) throw error;
        tell({ did: error.code === "ledger.budget" ? "refused" : "error", id, code: error.code });
        await pause(5);
      }
    }
  }),
);
