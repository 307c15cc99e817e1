import { createHash } from "node:crypto";

/**
 * A store in memory that begins with the contents of another. `locked: false` is the mistake that a ledger must not
 * make: it reads, decides, and only then writes, while others do the same.
 */
export function memoryStore({ records: begun, balance: first, nodes: firstNodes }, { locked }) {
  const records = [...begun];
  const nodes = new Map(firstNodes);
  const releases = new Map();
  let balance = first;

  function requestOf({ principal, requestId }) {
    return records.filter(({ payload }) => {
      const named = JSON.parse(payload);
      return named.requestId === requestId && named.principal === principal;
    });
  }

  /** What a decision sees: of one moment, also where others write before it does. */
  function snapshotNow(asked) {
    const request = asked === null ? [] : requestOf(asked);
    const settle = request.find(({ kind }) => kind === "settle");
    const release = (settle && releases.get(settle.hash)) ?? null;
    const [seen, known] = [new Map(nodes), [...records]];
    return {
      head: records.at(-1),
      balance,
      request,
      release,
      node: (path) => seen.get(path) ?? null,
      record: (sequence) => known[sequence] ?? null,
      requestOf,
      principalsOf: () => [],
      charges: () => [],
    };
  }

  function append(added) {
    records.push(added.record);
    balance = added.balance;
    for (const [path, node] of added.nodes) nodes.set(path, node);
    if (added.release) releases.set(added.record.hash, added.release);
  }

  return {
    async transact(request, decide) {
      const seen = snapshotNow(request);
      if (!locked) await null;
      const decision = decide(seen);
      if (!locked) await null;
      if (decision.append) append(decision.append);
      return decision.result;
    },
    atHead: async (work) => work(records.at(-1)),
    look: async (request, look) => look(snapshotNow(request)),
    record: async (sequence) => records[sequence] ?? null,
    readAll: async () => ({
      records: [...records],
      balance,
      nodes: new Map(nodes),
      releases: hashesOf(records, releases),
    }),
    close: async () => {},
  };
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
