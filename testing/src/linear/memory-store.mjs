import { createHash } from "node:crypto";

/**
 * A store in memory that begins with the contents of another. `locked: false` is the mistake that a ledger must not
 * make: it reads, decides, and only then writes, while others do the same.
 */
export function memoryStore({ records: begun, balance: first }, { locked }) {
  const records = [...begun];
  const releases = new Map();
  let balance = first;

  function snapshotNow(requestId) {
    const request = records.filter(
      ({ kind, payload }) => kind !== "grant" && kind !== "apply" && idIn(payload) === requestId,
    );
    const settle = request.find(({ kind }) => kind === "settle");
    const release = (settle && releases.get(settle.hash)) ?? null;
    return { head: records.at(-1), balance, request: requestId === null ? [] : request, release };
  }

  function append(added) {
    records.push(added.record);
    balance = added.balance;
    if (added.release) releases.set(added.record.hash, added.release);
  }

  return {
    async transact(requestId, decide) {
      const [seen, known] = [snapshotNow(requestId), [...records]];
      if (!locked) await null;
      const decision = decide(seen, () => [...known]);
      if (!locked) await null;
      if (decision.append) append(decision.append);
      return decision.result;
    },
    snapshot: async (requestId) => snapshotNow(requestId),
    record: async (sequence) => records[sequence] ?? null,
    readAll: async () => ({ records: [...records], balance, releases: hashesOf(records, releases) }),
    close: async () => {},
  };
}

function idIn(payload) {
  return JSON.parse(payload).requestId;
}

function hashesOf(records, releases) {
  const settled = records.filter(({ hash }) => releases.has(hash));
  return new Map(
    settled.map(({ sequence, hash }) => [
      sequence,
      createHash("sha256").update(releases.get(hash)).digest("hex"),
    ]),
  );
}
