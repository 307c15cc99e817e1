import { type PendingSignIn, type PendingStore, pendingMs, randomText, tokenHash } from "@lethe/serve";
import { schemaName } from "./schema.ts";
import type { Tables } from "./tables.ts";

/** The most sign-ins that are away at a provider; the oldest go first. */
const mostPending = 10_000;

/** Sign-ins that have not come back, for all processes: a browser may come back to another one than it left. Each is found by the hash of its cookie, and taken once. */
export function sharedPending(tables: Tables): PendingStore {
  return {
    async keep(pending, random) {
      const secret = randomText(random);
      await tables.within(async (run) => {
        await run(`INSERT INTO ${schemaName}.pending_sign_ins VALUES ($1, $2, $3)`, [
          tokenHash(secret),
          pending.startedAt,
          JSON.stringify(pending),
        ]);
        await run(
          `DELETE FROM ${schemaName}.pending_sign_ins WHERE started_at < $1 OR hash IN (
            SELECT hash FROM ${schemaName}.pending_sign_ins ORDER BY started_at DESC OFFSET $2)`,
          [pending.startedAt - pendingMs, mostPending],
        );
      });
      return secret;
    },
    async take(secret) {
      const [row] = await tables.run<{ readonly content: string }>(
        `DELETE FROM ${schemaName}.pending_sign_ins WHERE hash = $1 RETURNING content`,
        [tokenHash(secret ?? "")],
      );
      return row ? (JSON.parse(row.content) as PendingSignIn) : null;
    },
  };
}
