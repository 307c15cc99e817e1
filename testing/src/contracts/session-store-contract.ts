import type { Session, SessionStore } from "@lethe/serve";
import { afterEach, describe, expect, it } from "vitest";

export interface SessionStoreSubject {
  readonly store: SessionStore;
  /** The same store after a restart; null for one that forgets. */
  readonly open: (() => Promise<SessionStore>) | null;
  dispose(): Promise<void>;
}

const at = 1_800_000_000_000;

/** A session that differs by its number. */
export function contractSession(number: number, person = "ada"): Session {
  return {
    hash: String(number).padStart(64, "0"),
    id: String(number).padStart(16, "0"),
    person,
    generation: number,
    startedAt: at + number,
    usedAt: at + number,
  };
}

/** What every store of sessions must do. */
export function sessionStoreContract(name: string, make: () => Promise<SessionStoreSubject>): void {
  describe(`sessions in ${name}`, () => {
    const subjects: SessionStoreSubject[] = [];
    const opened = async (): Promise<SessionStoreSubject> => {
      const subject = await make();
      subjects.push(subject);
      return subject;
    };
    afterEach(async () => {
      for (const subject of subjects.splice(0)) await subject.dispose();
    });

    it("are found by their hash and by their person, in any case", async () => {
      const { store } = await opened();
      const [one, two, other] = [
        contractSession(1, "Ada"),
        contractSession(2, "Ada"),
        contractSession(3, "bob"),
      ];
      for (const session of [one, two, other]) await store.add(session);
      expect(await store.get(one.hash)).toEqual(one);
      expect(await store.get("f".repeat(64))).toBeNull();
      expect([...(await store.ofPerson("ADA"))].sort((a, b) => a.generation - b.generation)).toEqual([
        one,
        two,
      ]);
      expect(await store.ofPerson("nobody")).toEqual([]);
    });

    it("are used and removed; what was removed stays so", async () => {
      const { store } = await opened();
      const session = contractSession(1);
      await store.add(session);
      await store.used(session.hash, at + 60_000);
      expect(await store.get(session.hash)).toEqual({ ...session, usedAt: at + 60_000 });
      await store.remove(session.hash, []);
      await store.used(session.hash, at + 120_000);
      expect(await store.get(session.hash)).toBeNull();
      expect(await store.ofPerson("ada")).toEqual([]);
    });

    it("hold after a restart, where the store keeps them, and one that ended does not", async () => {
      const { store, open } = await opened();
      const [one, two] = [contractSession(1), contractSession(2)];
      await store.add(one);
      await store.add(two);
      await store.remove(two.hash, []);
      if (open === null) return;
      const again = await open();
      expect(await again.ofPerson("ada")).toEqual([one]);
    });
  });
}
