import { existsSync } from "node:fs";
import { clock, storyRequest } from "./story-terms.mjs";

/**
 * Returns the promises to its owner that the ledger in `directory` breaks, one line each; `facts` from factsOf. Opens it, reads it, asks again what
 * was answered, goes on with it, and verifies it against the last head that was acknowledged. A ledger that was acknowledged must open. One that was
 * not may be missing, but never half there.
 */
export async function brokenPromises({ openLedger, verifyLedger }, directory, facts) {
  const head = [...facts.charged.values()].at(-1);
  let ledger;
  try {
    ledger = await openLedger(directory, { clock });
  } catch (error) {
    if (error.name !== "LetheError") return [`opens with an uncoded error: ${error}`];
    const absent = error.code === "ledger.missing" && !existsSync(directory);
    return absent && !facts.created ? [] : [`does not open: ${error.message}`];
  }
  try {
    const found = compareReport(await ledger.report(), facts);
    for (const [id, release] of facts.answered) {
      const again = await ledger.reserve(storyRequest(id, facts.asked.get(id)));
      if (again.release !== release) found.push(`${id} has another answer`);
    }
    found.push(...(await goesOn(ledger)));
    await verifyLedger(directory, head ? { head } : {});
    return found;
  } catch (error) {
    return [`does not hold: ${error.message}`];
  } finally {
    await ledger.close();
  }
}

function compareReport(
  { granted, spent, charges },
  { granted: allowed, asked, charged, settling, answered },
) {
  const found = [];
  const units = ({ epsilon: { num, den } }) => Number((num * 100n) / den);
  const byId = new Map(charges.map((charge) => [charge.requestId, charge]));
  const sum = charges.reduce((total, { loss }) => total + units(loss), 0);
  if (byId.size !== charges.length) found.push("a request is charged twice");
  if (!allowed.includes(units(granted))) found.push("the budget is another than was put on record");
  if (units(spent) !== sum) found.push(`spent ${units(spent)} is not the sum ${sum} of the charges`);
  if (!(sum <= units(granted))) found.push(`overspent: ${sum}`);
  for (const [id, { sequence }] of charged) {
    if (byId.get(id)?.sequence !== sequence) found.push(`the charge of ${id} is lost`);
  }
  for (const id of answered.keys()) {
    if (byId.get(id)?.state !== "settled") found.push(`the answer of ${id} is lost`);
  }
  for (const { requestId, loss, state } of charges) {
    if (asked.get(requestId) !== units(loss)) found.push(`${requestId} is charged what was not asked`);
    if (state === "settled" && !settling.has(requestId))
      found.push(`${requestId} has an answer from nowhere`);
  }
  return found;
}

/** Returns no line where the next question is charged and answered, or there is no budget for it. */
async function goesOn(ledger) {
  try {
    const { charge } = await ledger.reserve(storyRequest("after", 1));
    return (await ledger.settle(charge, "after")) === "after" ? [] : ["another answer is settled"];
  } catch (error) {
    return error.code === "ledger.budget" ? [] : [`does not go on: ${error.message}`];
  }
}
