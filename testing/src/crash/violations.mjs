/**
 * Returns the violations of a ledger's report, given what processes told before they died: one line a violation.
 * `told` is [{ did: "charged" | "answered", id, sequence?, hash?, release? }].
 */
export function violations(report, told, affordable) {
  const found = [];
  const charges = new Map();
  for (const charge of report.charges) {
    if (charges.has(charge.requestId)) found.push(`${charge.requestId} was charged twice`);
    charges.set(charge.requestId, charge);
  }
  if (report.charges.length > affordable) {
    found.push(`${report.charges.length} charges where ${affordable} are affordable`);
  }
  const answers = new Map();
  for (const { did, id, sequence, release } of told) {
    const charge = charges.get(id);
    if (did === "charged" && charge?.sequence !== sequence) found.push(`the charge of ${id} was lost`);
    if (did !== "answered") continue;
    if (charge?.state !== "settled") found.push(`${id} was answered without a settled charge`);
    if (answers.has(id) && answers.get(id) !== release) found.push(`${id} has two answers`);
    answers.set(id, release);
  }
  return found;
}

/** Returns the whole lines of a process's output as objects; a kill may cut the last one. */
export function toldBy(stdout) {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
