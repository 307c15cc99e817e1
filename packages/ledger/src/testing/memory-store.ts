import { LetheError } from "@lethe/core";
import { sha256 } from "../records/record-hash.ts";
import type { Append, Contents, Snapshot, Store, StoredRecord, StoredRequest } from "../stores/store.ts";

/** A store in memory, for tests that play many records. It keeps the contract of every store but being durable. */
export function memoryStore(): Store & { contents(): Contents } {
  const records: StoredRecord[] = [];
  const nodes = new Map<string, string>();
  const bytes = new Map<number, Uint8Array>();
  let balance: string | null = null;
  let closed = false;

  const named = (record: StoredRecord): Readonly<Record<string, unknown>> => JSON.parse(record.payload);
  const requestOf = ({ principal, requestId }: StoredRequest): StoredRecord[] => {
    const own = records.filter((record) => {
      const { requestId: id, principal: who } = named(record);
      return id === requestId && (who === undefined || who === principal);
    });
    const paid = own.find(({ kind }) => kind === "reserve");
    return own.filter(
      (record) => named(record).principal !== undefined || (paid && paid.sequence < record.sequence),
    );
  };
  const payer = (record: StoredRecord): unknown =>
    record.kind === "reserve"
      ? named(record).principal
      : record.kind === "share"
        ? named(record).to
        : undefined;
  const snapshot = (asked: StoredRequest | null): Snapshot => {
    const request = asked ? requestOf(asked) : [];
    const settled = request.find(({ kind }) => kind === "settle");
    return {
      head: records.at(-1) ?? null,
      balance,
      request,
      release: (settled && bytes.get(settled.sequence)) ?? null,
      node: (path) => nodes.get(path) ?? null,
      record: (sequence) => records[sequence] ?? null,
      requestOf,
      principalsOf: (id) =>
        records.flatMap((record) =>
          record.kind === "reserve" && named(record).requestId === id
            ? [String(named(record).principal)]
            : [],
        ),
      charges: (principal, before, most) =>
        records
          .filter((record) => {
            const who = payer(record);
            return who !== undefined && (principal === null || who === principal);
          })
          .filter(({ sequence }) => before === null || sequence < before)
          .reverse()
          .slice(0, most),
    };
  };
  const corrupt = (): LetheError => new LetheError("ledger.corrupt", "it does not follow", { fix: "none" });
  const append = ({ record, balance: text, nodes: changed, release }: Append): void => {
    const head = records.at(-1);
    const follows = head
      ? record.sequence === head.sequence + 1 && record.previous === head.hash
      : record.sequence === 0;
    if (!follows) throw corrupt();
    const { requestId, principal, to } = named(record);
    const twice = records.some(
      (other) =>
        ["reserve", "settle", "share"].includes(record.kind) &&
        other.kind === record.kind &&
        named(other).requestId === requestId &&
        named(other).principal === principal &&
        named(other).to === to,
    );
    if (twice && requestId !== undefined) throw corrupt();
    records.push(record);
    balance = text;
    for (const [path, node] of changed) nodes.set(path, node);
    if (release) bytes.set(record.sequence, release);
  };
  const contents = (): Contents => ({
    records: [...records],
    balance,
    nodes: new Map(nodes),
    releases: new Map([...bytes].map(([sequence, release]) => [sequence, sha256(release)])),
  });
  const open = (): void => {
    if (closed) throw new LetheError("ledger.unreadable", "it is closed", { fix: "none" });
  };
  return {
    async transact(request, decide) {
      open();
      const decision = decide(snapshot(request));
      if (decision.append) append(decision.append);
      return decision.result;
    },
    async atHead(work) {
      open();
      return work(records.at(-1) ?? null);
    },
    async look(request, look) {
      open();
      return look(snapshot(request));
    },
    async record(sequence) {
      return records[sequence] ?? null;
    },
    async readAll() {
      open();
      return contents();
    },
    sound: async () => true,
    async close() {
      closed = true;
    },
    contents,
  };
}
