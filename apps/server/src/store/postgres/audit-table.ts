import {
  type AuditEntry,
  type AuditHead,
  type AuditLogStore,
  type AuditRecord,
  entriesAfter,
} from "@lethe/serve";
import { schemaName } from "./schema.ts";
import type { Run, Tables } from "./tables.ts";

/** Writes records within a transaction: the place of the last entry is locked until that ends, so that one writer in all processes follows another. It is the last lock that a transaction takes. */
export async function writeEntries(
  run: Run,
  records: readonly AuditRecord[],
): Promise<readonly AuditEntry[]> {
  if (records.length === 0) return [];
  const [head] = await run<AuditHead>(
    `SELECT sequence::float8 AS sequence, hash FROM ${schemaName}.audit_head WHERE id = 0 FOR UPDATE`,
  );
  const entries = entriesAfter(head as AuditHead, records);
  const last = entries.at(-1) as AuditEntry;
  await run(
    `WITH written AS (
      INSERT INTO ${schemaName}.audit SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[])
    ) UPDATE ${schemaName}.audit_head SET sequence = $4, hash = $5 WHERE id = 0`,
    [
      entries.map(({ sequence }) => sequence),
      entries.map(({ hash }) => hash),
      entries.map((entry) => JSON.stringify(entry)),
      last.sequence,
      last.hash,
    ],
  );
  return entries;
}

/** The audit log in the service's database. What is to be written while a transaction is under way is written by the next one together, so that a busy process waits for the disk no more often than it must. */
export function auditTable(tables: Tables): AuditLogStore {
  const write = together((records: readonly AuditRecord[]) =>
    tables.within((run) => writeEntries(run, records)),
  );
  return {
    async head() {
      const [head] = await tables.run<AuditHead>(
        `SELECT sequence::float8 AS sequence, hash FROM ${schemaName}.audit_head WHERE id = 0`,
      );
      return head as AuditHead;
    },
    write: async (records) => (records.length === 0 ? [] : write(records)),
    async page(before, most) {
      const rows = await tables.run<{ readonly content: string }>(
        `SELECT content FROM ${schemaName}.audit WHERE sequence < $1 ORDER BY sequence DESC LIMIT $2`,
        [before ?? Number.MAX_SAFE_INTEGER, most],
      );
      return rows.map(({ content }) => JSON.parse(content) as AuditEntry);
    },
  };
}

interface Waiting<In, Out> {
  readonly given: readonly In[];
  readonly resolve: (got: readonly Out[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Returns what does the same work for each of its callers, for all who came while it was done for others at once. What fails fails for all whom it was done for. */
function together<In, Out>(
  work: (given: readonly In[]) => Promise<readonly Out[]>,
): (given: readonly In[]) => Promise<readonly Out[]> {
  let waiting: Waiting<In, Out>[] = [];
  let isBusy = false;
  const next = async (): Promise<void> => {
    isBusy = true;
    while (waiting.length > 0) {
      const all = waiting;
      waiting = [];
      try {
        const got = await work(all.flatMap(({ given }) => given));
        let from = 0;
        for (const { given, resolve } of all) {
          resolve(got.slice(from, from + given.length));
          from += given.length;
        }
      } catch (error) {
        for (const { reject } of all) reject(error);
      }
    }
    isBusy = false;
  };
  return (given) =>
    new Promise((resolve, reject) => {
      waiting.push({ given, resolve, reject });
      if (!isBusy) void next();
    });
}
