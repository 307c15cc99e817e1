import type { Ledger } from "@lethe/ledger";
import { expect, it } from "vitest";
import type { Principal } from "../access/index.ts";
import type { Door } from "../ask/index.ts";
import { openAuditTrail } from "../audit-log/index.ts";
import { addPerson, type PeopleHouse, type SignInHouse } from "../people/index.ts";
import { type SessionHouse, sessionRules, sessionsInMemory } from "../sessions/index.ts";
import { memoryAuditLog } from "../testing/memory-audit-log.ts";
import { memoryPeople } from "../testing/memory-people.ts";
import { seededBytes } from "../testing/seeded-bytes.ts";
import { openGate } from "./gate.ts";
import { openPeopleDesk } from "./open-people-desk.ts";
import { openService } from "./open-service.ts";

const now = (): number => 1_800_000_000_000;
const ada: Principal = {
  name: "ada",
  roles: ["analyst"],
  projects: [],
  proof: { kind: "session", session: "s" },
};
const absent = expect.objectContaining({ code: "serve.absent" });
const gate = openGate(
  { accountShown: false },
  openAuditTrail({ store: memoryAuditLog(), now, lost: () => undefined }),
);

it("what another may have is not looked for, so that no time tells whether it is there", async () => {
  const looked: string[] = [];
  const ledger = {
    settled: async (id: string, name: string) => {
      looked.push(`${name}: ${id}`);
      return null;
    },
    charge: async ({ requestId, principal }: { requestId: string; principal: string }) => {
      looked.push(`${principal}: ${requestId}`);
      return null;
    },
    charges: async () => {
      looked.push("a page");
      return { charges: [], before: null };
    },
  } as unknown as Ledger;
  const door = { isUnderWay: async () => false } as unknown as Door;
  const offers = { secret: new Uint8Array(32), now };
  const service = openService({ door, ledger, gate, offers });
  for (const of of ["bob", "nobody", "ADA"]) {
    await expect(service.release(ada, "r", of)).rejects.toEqual(absent);
    await expect(service.certificate(ada, "r", of)).rejects.toEqual(absent);
    await expect(service.offer(ada, { requestId: "r", of, to: "cleo" })).rejects.toEqual(absent);
    await expect(service.certificates(ada, { of, before: null, most: 5 })).rejects.toEqual(absent);
  }
  expect(looked).toEqual([]);
  await expect(service.release(ada, "r", null)).rejects.toEqual(absent);
  await expect(service.request(ada, { id: "r", isKey: false })).rejects.toEqual(absent);
  await expect(service.stopWaiting(ada, { id: "r", isKey: false })).rejects.toEqual(absent);
  expect(looked).toEqual(["ada: r", "ada: r", "ada: r"]);
});

it("nor is another person", async () => {
  const store = memoryPeople();
  const looked: string[] = [];
  const watched = {
    ...store,
    byName: (name: string) => {
      looked.push(name);
      return store.byName(name);
    },
  };
  const people = { store: watched, random: seededBytes("desk"), now } as unknown as PeopleHouse;
  for (const name of ["ada", "bob"]) await addPerson(people, { name, roles: ["analyst"] });
  looked.length = 0;
  const sessions: SessionHouse = {
    sessions: sessionsInMemory(),
    people: watched,
    rules: sessionRules,
    random: people.random,
    now,
  };
  const desk = openPeopleDesk({ gate, people, signIns: {} as SignInHouse, sessions });
  const wish = { name: "t", roles: ["analyst"], maxEpsilon: null, expiresAt: now() + 1000 } as const;
  for (const name of ["bob", "nobody"])
    for (const call of [
      () => desk.person(ada, name),
      () => desk.change(ada, name, { disabled: true }),
      () => desk.setPassword(ada, name, { current: null, next: "long enough for all", address: "192.0.2.1" }),
      () => desk.tokens(ada, name),
      () => desk.createToken(ada, name, wish),
      () => desk.revokeToken(ada, name, "0"),
      () => desk.sessions(ada, name),
      () => desk.endSession(ada, name, "0"),
      () => desk.endSessions(ada, name),
    ])
      await expect(call()).rejects.toEqual(absent);
  expect(looked).toEqual([]);
  expect(await desk.person(ada, "ADA")).toMatchObject({ name: "ada" });
});
