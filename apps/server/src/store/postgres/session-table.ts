import { foldName, type Session, type SessionStore } from "@lethe/serve";
import { longestMs, mostKept } from "../session-table.ts";
import { writeEntries } from "./audit-table.ts";
import { schemaName } from "./schema.ts";
import type { Tables } from "./tables.ts";

const columns =
  'hash, id, person, generation::float8 AS generation, started_at::float8 AS "startedAt", used_at::float8 AS "usedAt"';

/** Sessions in the service's database: hashes of their secrets. None is remembered by a process, so that one that ended has ended in all of them. */
export function sessionTable(tables: Tables): SessionStore {
  return {
    async get(hash) {
      const [session] = await tables.run<Session>(
        `SELECT ${columns} FROM ${schemaName}.sessions WHERE hash = $1`,
        [hash],
      );
      return session ?? null;
    },
    add: ({ hash, id, person, generation, startedAt, usedAt }) =>
      tables.within(async (run) => {
        await run(`DELETE FROM ${schemaName}.sessions WHERE used_at < $1`, [startedAt - longestMs]);
        await run(
          `INSERT INTO ${schemaName}.sessions (hash, id, person, folded, generation, started_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          [hash, id, person, foldName(person), generation, startedAt, usedAt],
        );
        await run(
          `DELETE FROM ${schemaName}.sessions WHERE hash IN (SELECT hash FROM ${schemaName}.sessions ORDER BY used_at DESC, place DESC OFFSET $1)`,
          [mostKept],
        );
      }),
    async used(hash, at) {
      await tables.run(`UPDATE ${schemaName}.sessions SET used_at = $1 WHERE hash = $2`, [at, hash]);
    },
    remove: (hash, facts) =>
      tables.within(async (run) => {
        await run(`DELETE FROM ${schemaName}.sessions WHERE hash = $1`, [hash]);
        await writeEntries(run, facts);
      }),
    ofPerson: (name) =>
      tables.run<Session>(`SELECT ${columns} FROM ${schemaName}.sessions WHERE folded = $1`, [
        foldName(name),
      ]),
  };
}
