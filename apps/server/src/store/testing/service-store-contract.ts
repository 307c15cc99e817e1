import { randomBytes } from "node:crypto";
import {
  type AuditLogStore,
  attemptRules,
  type KindRates,
  type LimitedRequest,
  type PeopleStore,
  type RequestKind,
  requestKinds,
  verifyAuditStore,
} from "@lethe/serve";
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

const slow = { burst: 5, perSecond: 0.0001 };
const wide = { burst: 9, perSecond: 0.0001 };
const rates = Object.fromEntries(
  requestKinds.map((kind) => [kind, { person: slow, address: wide }]),
) as unknown as Record<RequestKind, KindRates>;
const asks = (person: string | null, address: string, cost?: number): LimitedRequest => ({
  kind: "ask",
  person,
  address,
  at: 1_000,
  ...(cost === undefined ? {} : { cost }),
});

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

    it("holds a person and an address to their rates, however many ask at once", async () => {
      const [here] = await opened(1);
      const limits = here.limits(rates, 100);
      const waits = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          limits.waitMs(asks(at % 2 ? "ada" : "bob", `192.0.2.${at % 2}`)),
        ),
      );
      expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(10);
      // Nine of one address, whoever asks from it: and what is refused draws from neither bucket.
      const shared = [];
      for (let at = 0; at < 12; at += 1) shared.push(await limits.waitMs(asks(`p${at}`, "198.51.100.7")));
      expect(shared.filter((waitMs) => waitMs === 0)).toHaveLength(9);
      expect(await limits.waitMs(asks("p11", "198.51.100.8", 5))).toBe(0);
      expect(await limits.waitMs(asks("p0", "198.51.100.8", 5))).toBeGreaterThan(1_000);
    });

    it("draws what a request turned out to cost, and refuses what comes after", async () => {
      const [here] = await opened(1);
      const limits = here.limits(rates, 100);
      expect(await limits.waitMs(asks("ada", "192.0.2.1"))).toBe(0);
      await limits.spend({ ...asks("ada", "192.0.2.1"), cost: 3.5 });
      expect(await limits.waitMs(asks("ada", "192.0.2.1"))).toBeGreaterThan(0);
      expect(await limits.waitMs(asks("ada", "192.0.2.1", 0.25))).toBe(0);
      await limits.spend({ ...asks("bob", "192.0.2.2"), cost: 1e6 });
      const most = (slow.burst * 1000) / slow.perSecond;
      const waitMs = await limits.waitMs(asks("bob", "192.0.2.3", 5));
      expect(waitMs).toBeGreaterThan(0.99 * most);
      expect(waitMs).toBeLessThan(most + 1);
    });

    it("delays sign-ins after failures, and takes back what succeeded", async () => {
      const [{ attempts }] = await opened(1);
      const now = Date.now();
      const outcomes = [];
      for (let at = 0; at < 6; at += 1) outcomes.push(await attempts.admit("ada", "192.0.2.1", now));
      expect(outcomes.map(({ waitMs }) => waitMs === 0)).toEqual([true, true, true, true, false, false]);
      expect(await attempts.waitMs("ADA", "192.0.2.1", now)).toBeGreaterThan(0);
      expect(await attempts.waitMs("ada", "198.51.100.1", now)).toBe(0);
      for (let at = 0; at < 9; at += 1) {
        const begun = await attempts.admit("bob", "192.0.2.9", now);
        expect(begun.waitMs).toBe(0);
        await attempts.succeeded("bob", "192.0.2.9", begun.at);
      }
      expect(await attempts.waitMs("bob", "192.0.2.9", now)).toBe(0);
    });

    it("admits no more attempts at once than are free", async () => {
      const [{ attempts }] = await opened(1);
      const begun = await Promise.all(
        Array.from({ length: 20 }, () => attempts.admit("ada", "192.0.2.1", Date.now())),
      );
      expect(begun.filter(({ waitMs }) => waitMs === 0)).toHaveLength(attemptRules.pair.free + 1);
    });

    it("gives a sign-in that is away back once, to the browser that has its secret", async () => {
      const [{ pending }] = await opened(1);
      const away = { state: "s", nonce: "n", codeVerifier: "v", startedAt: Date.now() };
      const random = (count: number): Uint8Array => new Uint8Array(randomBytes(count));
      const secret = await pending.keep(away, random);
      const other = await pending.keep({ ...away, state: "t" }, random);
      for (const none of [null, "", `${secret}x`]) expect(await pending.take(none)).toBeNull();
      const taken = await Promise.all([pending.take(secret), pending.take(secret), pending.take(secret)]);
      expect(taken.filter((each) => each !== null)).toEqual([away]);
      expect(await pending.take(other)).toMatchObject({ state: "t" });
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
      expect((await verifyAuditStore(there!.audit)).sequence).toBe(4);
    });
  });
}
