import type { AuditLogStore } from "../audit-log/audit-log.ts";
import type { PeopleStore } from "../people/people-store.ts";
import type { Identity, Person } from "../people/person.ts";
import { foldName } from "../people/person-name.ts";
import { memoryAuditLog } from "./memory-audit-log.ts";

const same = (a: Identity, b: Identity): boolean => a.issuer === b.issuer && a.subject === b.subject;

/** A {@link PeopleStore} in memory, for tests, and the log that it writes to. */
export function memoryPeople(log: AuditLogStore = memoryAuditLog()): PeopleStore {
  const people = new Map<string, Person>();
  let revision = 0;
  const first = (test: (person: Person) => boolean): Person | null => [...people.values()].find(test) ?? null;
  return {
    revision: async () => revision,
    byName: async (name) => people.get(foldName(name)) ?? null,
    byToken: async (id) => first(({ tokens }) => tokens.some((token) => token.id === id)),
    byIdentity: async (identity) =>
      first(({ identities }) => identities.some((each) => same(each, identity))),
    list: async () => [...people].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, person]) => person),
    put: async (person, seen, facts) => {
      const clash = first(
        (other) =>
          foldName(other.name) !== foldName(person.name) &&
          (other.tokens.some(({ id }) => person.tokens.some((token) => token.id === id)) ||
            other.identities.some((each) => person.identities.some((identity) => same(each, identity)))),
      );
      if (seen !== revision || clash) return false;
      people.set(foldName(person.name), person);
      revision += 1;
      await log.write(facts);
      return true;
    },
  };
}
