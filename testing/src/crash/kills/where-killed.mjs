/** Where a gateway can be when it dies: the first that holds. */
export const places = ["opening", "committing", "writing", "deciding", "executing", "waiting"];

/**
 * Where a gateway was when it died, by what it told: opening its ledger; its COMMIT sent and not answered; its records sent; in a transaction that holds or
 * waits for the lock; outside of one, with a question that is paid for and not settled; or with none.
 */
export function whereKilled(told) {
  if (!told.some(({ did }) => did === "opened")) return "opening";
  const session = told.findLast(({ did }) => ["begins", "writes", "commits", "ends"].includes(did))?.did;
  const within = { commits: "committing", writes: "writing", begins: "deciding" }[session];
  if (within) return within;
  return unsettled(told).length > 0 ? "executing" : "waiting";
}

/** Questions that a gateway was charged for, and whose end it was not told. */
export function unsettled(told) {
  const open = new Set();
  for (const { did, id } of told) {
    if (did === "charged") open.add(id);
    if (did === "answered" || did === "failed") open.delete(id);
  }
  return [...open];
}
