import type { AuditLogStore, PeopleStore } from "@lethe/serve";
import { afterEach, describe, expect, it } from "vitest";
import { auditLogContract, contractRecord } from "../../../../../testing/src/contracts/audit-log-contract.ts";
import { dashboardStoreContract } from "../../../../../testing/src/contracts/dashboard-store-contract.ts";
import {
  contractPerson,
  peopleStoreContract,
} from "../../../../../testing/src/contracts/people-store-contract.ts";
import {
  contractSession,
  sessionStoreContract,
} from "../../../../../testing/src/contracts/session-store-contract.ts";
import type { ServiceStore } from "../service-store.ts";

/** A place where a service's store can be made. */
export interface ServiceStorePlace {
  /** Makes the store the first time, and opens it as another process would after that. */
  open(): Promise<ServiceStore>;
  dispose(): Promise<void>;
}

const month = 30 * 24 * 3_600_000;

/** Puts a person whom the contract knows. */
export async function addContractPerson(people: PeopleStore, name: string, number: number): Promise<boolean> {
  return people.put(contractPerson(name, number), await people.revision(), []);
}

/** What every store of a service must do: the contracts of its parts, and what holds between them and between processes. */
export function serviceStoreContract(name: string, make: () => Promise<ServiceStorePlace>): void {
  /** A subject of the contract of one part. */
  const subject = async <T>(part: (store: ServiceStore) => T) => {
    const place = await make();
    const opened: ServiceStore[] = [];
    const open = async (): Promise<T> => {
      const store = await place.open();
      opened.push(store);
      return part(store);
    };
    return {
      store: await open(),
      open,
      async dispose() {
        for (const store of opened) await store.close();
        await place.dispose();
      },
    };
  };
  peopleStoreContract(name, async () => {
    let log: AuditLogStore | null = null;
    const people = await subject(({ people, audit }) => {
      log ??= audit;
      return people;
    });
    return { ...people, log: log as unknown as AuditLogStore };
  });
  auditLogContract(name, () => subject(({ audit }) => audit));
  sessionStoreContract(name, () => subject(({ sessions }) => sessions));
  dashboardStoreContract(name, () => subject(({ dashboards }) => dashboards));

  describe(`the store of a service in ${name}`, () => {
    const disposals: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const dispose of disposals.splice(0)) await dispose();
    });
    /** Several handles on one store, each as another process has it. */
    async function opened(count: number): Promise<readonly [ServiceStore, ...ServiceStore[]]> {
      const place = await make();
      const stores = [await place.open()] as [ServiceStore, ...ServiceStore[]];
      while (stores.length < count) stores.push(await place.open());
      disposals.push(async () => {
        for (const store of stores) await store.close();
        await place.dispose();
      });
      return stores;
    }

    it("has one secret, in every process and after each start", async () => {
      const [here, there] = await opened(2);
      expect(here.secret).toHaveLength(32);
      expect(new Set(here.secret).size).toBeGreaterThan(8);
      expect(there!.secret).toEqual(here.secret);
    });

    it("shows at once what another process changed of a person who was just read", async () => {
      const [here, there] = await opened(2);
      await addContractPerson(here.people, "ada", 1);
      const ada = (await here.people.byName("ada"))!;
      const { id } = ada.tokens[0]!;
      for (const change of [{ disabled: true }, { disabled: false, generation: 9 }, { tokens: [] }]) {
        expect(await here.people.byToken(id)).toMatchObject({ name: "ada" });
        const changed = { ...(await there!.people.byName("ada"))!, ...change };
        expect(await there!.people.put(changed, await there!.people.revision(), [])).toBe(true);
        expect(await here.people.byName("ada")).toEqual(changed);
        expect(await here.people.byToken(id)).toEqual(changed.tokens.length > 0 ? changed : null);
      }
    });

    it("ends a session for every process at once, with its facts", async () => {
      const [here, there] = await opened(2);
      const session = contractSession(1);
      await here.sessions.add(session);
      expect(await there!.sessions.get(session.hash)).toEqual(session);
      await there!.sessions.remove(session.hash, [contractRecord(4)]);
      expect(await here.sessions.get(session.hash)).toBeNull();
      await here.sessions.used(session.hash, session.usedAt + 60_000);
      expect(await there!.sessions.ofPerson("ada")).toEqual([]);
      expect(await here.audit.page(null, 9)).toMatchObject([contractRecord(4)]);
    });

    it("forgets a session that is dead by any configuration when another one begins", async () => {
      const [{ sessions }] = await opened(1);
      const old = contractSession(0);
      await sessions.add(old);
      const later = old.usedAt + month + 1;
      await sessions.add({ ...contractSession(1), startedAt: later, usedAt: later });
      expect(await sessions.get(old.hash)).toBeNull();
    });

    it("writes facts of changes and of sessions into one chain, whoever writes beside", async () => {
      const [here, there] = await opened(2);
      await addContractPerson(here.people, "ada", 1);
      const session = contractSession(1);
      await here.sessions.add(session);
      const [written] = await Promise.all([
        here.people.put(
          { ...(await there!.people.byName("ada"))!, disabled: true },
          await here.people.revision(),
          [contractRecord(1)],
        ),
        there!.sessions.remove(session.hash, [contractRecord(2)]),
        here.audit.write([contractRecord(3), contractRecord(4)]),
        there!.audit.write([contractRecord(5)]),
      ]);
      expect(written).toBe(true);
      const { verifyAuditStore } = await import("@lethe/serve");
      expect((await verifyAuditStore(there!.audit)).sequence).toBe(4);
    });
  });
}
