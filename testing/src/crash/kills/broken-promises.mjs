import { numberOf, questionOf } from "./question.mjs";

/**
 * The promises that a chain breaks, by the rows of its tables alone and by what processes were told before they died. `rows` is [{ sequence, kind, request, hash, release }] in their
 * order; `told` is [{ did, id, … }] of all processes. Returns lists of lines: overspent, unpaid, lost, doubled, and refused, of what would have fitted.
 */
export function brokenPromises(rows, told, affordable) {
  const found = { overspent: [], unpaid: [], lost: [], doubled: [], refused: [] };
  const of = (kind) => {
    const firsts = new Map();
    for (const row of rows.filter((each) => each.kind === kind)) {
      if (!firsts.has(row.request)) firsts.set(row.request, row);
      else if (kind !== "fail") found.doubled.push(`${row.request} has a second ${kind}`);
    }
    return firsts;
  };
  const [charges, settlements, failures] = ["reserve", "settle", "fail"].map(of);
  const partsOf = (id) => questionOf(numberOf(id)).parts;

  let spent = 0;
  for (const { kind, request, sequence } of rows) {
    if (kind !== "reserve") continue;
    spent += partsOf(request);
    if (spent > affordable) found.overspent.push(`record ${sequence}: ${spent} of ${affordable}`);
  }
  for (const [id, { sequence, release }] of settlements) {
    if (!(charges.get(id)?.sequence < sequence)) found.unpaid.push(`${id} was settled before a charge`);
    if (release === null) found.lost.push(`the answer of ${id} has no bytes`);
  }
  const bySequence = new Map(rows.map((row) => [row.sequence, row]));
  for (const { did, id, sequence, hash, release } of told) {
    if (did === "charged") {
      const row = bySequence.get(sequence);
      if (row?.kind !== "reserve" || row.request !== id || row.hash !== hash)
        found.lost.push(`the charge of ${id}`);
    }
    if (did === "failed" && !failures.has(id) && !settlements.has(id))
      found.lost.push(`the failure of ${id}`);
    if (did === "refused" && !charges.has(id) && spent + partsOf(id) <= affordable) found.refused.push(id);
    if (did !== "answered") continue;
    const kept = settlements.get(id);
    if (!charges.has(id)) found.unpaid.push(`${id} was answered without a charge`);
    if (!kept) found.lost.push(`the answer of ${id}`);
    else if (kept.release !== release) found.doubled.push(`${id} has two answers`);
  }
  return found;
}
