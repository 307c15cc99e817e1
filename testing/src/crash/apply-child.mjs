// One process of a budget race. "ask": charges small questions under one budget, telling each on stdout, until it is refused as
// another's policy. "apply": waits a while, looks at what a budget would change, and applies it.
// node apply-child.mjs MODULE-URL LEDGER-DIRECTORY HEAD-FILE '{"does":"ask","name":"a","cap":"1","waitMs":5}'
import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { requestFor } from "./request-for.mjs";

const [moduleUrl, directory, headFile, plan] = process.argv.slice(2);
const { does, name, cap, waitMs } = JSON.parse(plan);
const tell = (what) => writeSync(1, `${JSON.stringify(what)}\n`);
const fraction = (text) => ({ num: BigInt(text), den: 1n });
const budget = {
  measure: "pure",
  epsilon: fraction(cap),
  delta: { num: 0n, den: 1n },
  rho: null,
  analysts: {},
};

const { openLedger } = await import(moduleUrl);
const open = (policy) => openLedger(directory, { clock: Date.now, headFile, policy });
try {
  await (does === "ask" ? ask() : apply());
} catch (error) {
  if (!["policy.changed", "ledger.budget", "ledger.busy"].includes(error.code)) throw error;
  tell({ did: "refused", code: error.code });
}

async function ask() {
  const ledger = await open({ budget, policyHash: "" });
  for (let i = 0; i < 400; i += 1) {
    const { charge } = await ledger.reserve(requestFor(`${name}${i}`, "50"));
    tell({ did: "charged", id: `${name}${i}`, sequence: charge.sequence });
    await ledger.settle(charge, `${name}${i}`);
    tell({ did: "answered", id: `${name}${i}`, release: `${name}${i}` });
  }
}

async function apply() {
  const ledger = await open();
  await pause(waitMs);
  const application = { budget, policyHash: "", reason: name };
  const { changes } = await ledger.propose(application);
  await pause(Math.random() * 4);
  const { needed } = await ledger.apply(application, changes);
  tell({ did: "applied", name, needed });
}
