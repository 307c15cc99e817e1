// The subject of the simulated disk: a process that makes a ledger, asks, settles, fails, closes, opens and asks again,
// and writes into the shim's way in what it was told. Runs one story after the other, each in a folder of its own.
// node story.mjs MODULE-URL ROOT '[{"name":"calm","fault":null}, {"name":"w3","fault":"write 3 28 from"}]'
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { collectHandles } from "./collect-handles.mjs";
import { appliedUnits, budgetOf, clock, ledgerIn, storyBudget, storyRequest } from "./story-terms.mjs";

const [moduleUrl, root, plan] = process.argv.slice(2);
const { createLedger, openLedger } = await import(moduleUrl);
const wayIn = openSync(join(root, ".disk"), "w");
const tell = (what) => writeSync(wayIn, JSON.stringify(what));

for (const { name, fault } of JSON.parse(plan)) {
  tell({ did: "began", story: name });
  if (fault) writeSync(wayIn, `fault ${fault}`);
  else writeSync(wayIn, "fault any 0 0 once");
  await story(ledgerIn(join(root, name)));
  // What is still open would write into the next story.
  await collectHandles();
  writeSync(wayIn, "calm");
}
closeSync(wayIn);

async function story(directory) {
  let ledger = await attempt("create", async () => {
    const made = await createLedger(directory, { budget: storyBudget, policyHash: "", source: "s", clock });
    tell({ did: "created" });
    return made;
  });
  for (const [index, { id, units, end }] of [
    ...visits(),
    { id: "last", units: 1, end: "settle" },
  ].entries()) {
    // Another life of the process in the middle and towards the end.
    if (index === 4 || index === 7) {
      await attempt("close", () => ledger?.close(), 1);
      ledger = null;
    }
    if (!ledger) {
      ledger = await attempt("open", () => openLedger(directory, { clock }));
      if (!ledger) return;
    }
    if (appliedUnits[index]) await applyBudget(ledger, appliedUnits[index]);
    await visit(ledger, id, units, end);
  }
  await attempt("close", () => ledger.close(), 1);
}

/** Returns the visits. The third asks for more than there is; the fifth asks again what was answered before; the sixth is cut off. */
function visits() {
  return [
    { id: "a", units: 3, end: "settle" },
    { id: "b", units: 4, end: "fail" },
    { id: "c", units: 99, end: "settle" },
    { id: "d", units: 2, end: "settle" },
    { id: "a", units: 3, end: "settle" },
    { id: "e", units: 1, end: "nothing" },
    { id: "f", units: 2, end: "settle" },
    { id: "e", units: 1, end: "settle" },
  ];
}

async function applyBudget(ledger, units) {
  await attempt("apply", async () => {
    tell({ did: "applying", units });
    await ledger.apply({ budget: budgetOf(units), policyHash: "" });
    tell({ did: "applied", units });
  });
}

async function visit(ledger, id, units, end) {
  const reservation = await attempt("reserve", async () => {
    tell({ did: "asked", id, units });
    const reserved = await ledger.reserve(storyRequest(id, units));
    if (reserved.kind === "settled") tell({ did: "answered", id, release: reserved.release });
    else tell({ did: "charged", id, units, sequence: reserved.charge.sequence, hash: reserved.charge.hash });
    return reserved;
  });
  if (reservation?.kind !== "charged" || end === "nothing") return;
  if (end === "fail") {
    await attempt("fail", async () => {
      await ledger.fail(reservation.charge);
      tell({ did: "failed", id });
    });
    return;
  }
  await attempt("settle", async () => {
    const release = `${id} `.repeat(id === "d" ? 4000 : 20);
    tell({ did: "settling", id, release });
    tell({ did: "answered", id, release: await ledger.settle(reservation.charge, release) });
  });
}

/** Returns the result of the step, or null. A step may be refused with a code (and is tried again), or, what must never happen, fail without one. */
async function attempt(step, run, times = 3) {
  for (let tried = 0; tried < times; tried += 1) {
    try {
      return (await run()) ?? null;
    } catch (error) {
      const coded = error.name === "LetheError" && typeof error.code === "string";
      tell(
        coded ? { did: "refused", step, code: error.code } : { did: "uncoded", step, message: String(error) },
      );
      if (error.code === "ledger.budget" || error.code === "ledger.exists") return null;
    }
  }
  return null;
}
