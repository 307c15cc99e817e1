import { type AuditLogStore, type PeopleStore, type Person, verifyAuditLog } from "@lethe/serve";
import { afterEach, describe, expect, it } from "vitest";
import { contractRecord } from "./audit-log-contract.ts";

export interface PeopleStoreSubject {
  readonly store: PeopleStore;
  /** The log that holds the facts of its changes. */
  readonly log: AuditLogStore;
  /** Another handle on the same people, as another process would open it; null for a store that has none. */
  readonly open: (() => Promise<PeopleStore>) | null;
  dispose(): Promise<void>;
}

const bytes = (length: number, from: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (from + 37 * index) & 255);

/** A person with something in every member. */
export function contractPerson(name: string, number: number): Person {
  return {
    name,
    roles: ["analyst", "owner"],
    disabled: number % 2 === 1,
    projects: ["north", "süd"],
    password: {
      iterations: 4096,
      salt: bytes(16, number),
      storedKey: bytes(32, number),
      serverKey: bytes(32, number + 1),
    },
    tokens: [
      {
        id: number.toString(16).padStart(16, "0"),
        name: "notebook",
        hash: "ab".repeat(32),
        verifier: {
          iterations: 4096,
          salt: bytes(16, number + 2),
          storedKey: bytes(32, number + 3),
          serverKey: bytes(32, number + 4),
        },
        roles: ["analyst"],
        maxEpsilon: { num: 1n, den: 3n },
        createdAt: 1,
        expiresAt: 2,
      },
      {
        id: number.toString(16).padStart(16, "f"),
        name: "script",
        hash: "cd".repeat(32),
        verifier: null,
        roles: ["owner"],
        maxEpsilon: null,
        createdAt: 1,
        expiresAt: 2,
      },
    ],
    identities: [{ issuer: "https://id.example", subject: `s${number}` }],
    createdAt: 1_700_000_000_000,
    generation: number,
  };
}

/** What every store of people must do. */
export function peopleStoreContract(name: string, make: () => Promise<PeopleStoreSubject>): void {
  describe(`people in ${name}`, () => {
    const subjects: PeopleStoreSubject[] = [];
    async function opened(): Promise<PeopleStoreSubject> {
      const subject = await make();
      subjects.push(subject);
      return subject;
    }
    afterEach(async () => {
      for (const subject of subjects.splice(0)) await subject.dispose();
    });
    const ada = contractPerson("Ada", 1);
    const bob = contractPerson("bob", 2);

    it("holds nobody at first", async () => {
      const { store } = await opened();
      expect(await store.list()).toEqual([]);
      expect(await store.byName("ada")).toBe(null);
      expect(await store.byToken("0".repeat(16))).toBe(null);
      expect(await store.byIdentity({ issuer: "", subject: "" })).toBe(null);
    });

    it("finds a person, whole, by name in any case, by each token and by each identity", async () => {
      const { store } = await opened();
      expect(await store.put(bob, await store.revision(), [])).toBe(true);
      expect(await store.put(ada, await store.revision(), [])).toBe(true);
      for (const asked of ["Ada", "ada", "ADA"]) expect(await store.byName(asked)).toEqual(ada);
      for (const { id } of ada.tokens) expect(await store.byToken(id)).toEqual(ada);
      expect(await store.byIdentity(ada.identities[0]!)).toEqual(ada);
      expect(await store.byIdentity({ ...ada.identities[0]!, issuer: "https://other.example" })).toBe(null);
      expect(await store.list()).toEqual([ada, bob]);
    });

    it("replaces a person whole: what is left out is no longer found", async () => {
      const { store } = await opened();
      await store.put(ada, await store.revision(), []);
      const less: Person = { ...ada, tokens: [ada.tokens[1]!], identities: [], password: null };
      expect(await store.put(less, await store.revision(), [])).toBe(true);
      expect(await store.byToken(ada.tokens[0]!.id)).toBe(null);
      expect(await store.byIdentity(ada.identities[0]!)).toBe(null);
      expect(await store.list()).toEqual([less]);
    });

    it("puts nothing under a revision that is past", async () => {
      const { store } = await opened();
      const before = await store.revision();
      expect(await store.put(ada, before, [])).toBe(true);
      expect(await store.revision()).not.toBe(before);
      expect(await store.put({ ...ada, disabled: false }, before, [])).toBe(false);
      expect(await store.put(bob, before, [])).toBe(false);
      expect(await store.list()).toEqual([ada]);
    });

    it("gives one token or identity to one person only, and changes nothing otherwise", async () => {
      const { store } = await opened();
      await store.put(ada, await store.revision(), []);
      const revision = await store.revision();
      expect(await store.put({ ...bob, tokens: ada.tokens }, revision, [])).toBe(false);
      expect(await store.put({ ...bob, identities: ada.identities }, revision, [])).toBe(false);
      expect(await store.revision()).toBe(revision);
      expect(await store.list()).toEqual([ada]);
    });

    it("takes no change without its facts, and no fact without its change", async () => {
      const { store, log } = await opened();
      const facts = [contractRecord(1), contractRecord(2)];
      const kept = async () => (await log.page(null, 9)).map(({ fact }) => fact).reverse();
      const revision = await store.revision();
      expect(await store.put(ada, revision, facts)).toBe(true);
      expect(await kept()).toEqual(facts.map(({ fact }) => fact));
      expect(await store.put(bob, revision, [contractRecord(3)])).toBe(false);
      expect(await store.put({ ...bob, tokens: ada.tokens }, await store.revision(), facts)).toBe(false);
      expect(await kept()).toHaveLength(2);
      verifyAuditLog([...(await log.page(null, 9))].reverse());
    });

    it("of many changes at the same revision takes one, also through several handles", async () => {
      const { store, open } = await opened();
      const handles = open ? [store, await open(), await open()] : [store];
      const revision = await store.revision();
      const puts = Array.from({ length: 12 }, (_, index) =>
        handles[index % handles.length]!.put(contractPerson(`p${index}`, index), revision, []),
      );
      expect((await Promise.all(puts)).filter(Boolean)).toHaveLength(1);
      for (const handle of handles) expect(await handle.list()).toHaveLength(1);
    });
  });
}
