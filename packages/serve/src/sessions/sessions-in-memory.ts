import type { AuditRecord } from "../audit-log/index.ts";
import { foldName } from "../people/index.ts";
import type { Session, SessionStore } from "./session-store.ts";

/** Sessions in the memory of one process: a restart signs everybody out. At most `most` are kept; those that were not used for longest go first. `note` writes the facts of a removal. */
export function sessionsInMemory(
  most = 10_000,
  note: (fact: AuditRecord) => Promise<unknown> = async () => undefined,
): SessionStore {
  const sessions = new Map<string, Session>();
  return {
    get: async (hash) => sessions.get(hash) ?? null,
    async add(session) {
      sessions.set(session.hash, session);
      const oldest = sessions.keys().next();
      if (sessions.size > most && !oldest.done) sessions.delete(oldest.value);
    },
    async used(hash, at) {
      const session = sessions.get(hash);
      if (session === undefined) return;
      sessions.delete(hash);
      sessions.set(hash, { ...session, usedAt: at });
    },
    async remove(hash, facts) {
      for (const fact of facts) await note(fact);
      sessions.delete(hash);
    },
    ofPerson: async (name) =>
      [...sessions.values()].filter((each) => foldName(each.person) === foldName(name)),
  };
}
