import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { sessionStoreContract } from "../../../../testing/src/contracts/session-store-contract.ts";
import { nobodyAt } from "../audit-log/index.ts";
import {
  addPerson,
  changePerson,
  derive,
  endSessions,
  type PeopleHouse,
  setPassword,
} from "../people/index.ts";
import { memoryPeople } from "../testing/memory-people.ts";
import { seededBytes } from "../testing/seeded-bytes.ts";
import { pendingCookie, readCookie, sessionCookie, setCookie } from "./cookie.ts";
import { isSameOrigin, requireSameOrigin } from "./same-origin.ts";
import {
  closeSession,
  mostSessions,
  openSession,
  principalOfSession,
  revokeSession,
  type SessionHouse,
  sessionRules,
  sessionsOf,
} from "./session.ts";
import { sessionsInMemory } from "./sessions-in-memory.ts";

sessionStoreContract("memory", async () => ({
  store: sessionsInMemory(),
  open: null,
  dispose: async () => undefined,
}));

const minute = 60_000;
let at: number;
let people: PeopleHouse;
let house: SessionHouse;

beforeEach(async () => {
  at = 1e12;
  people = {
    store: memoryPeople(),
    random: seededBytes("sessions"),
    now: () => at,
    by: nobodyAt("192.0.2.1"),
    passwords: { least: 15, isKnown: () => false, iterations: 4096, derive },
  };
  for (const name of ["ada", "bob"])
    await addPerson(people, { name, roles: ["analyst"], projects: ["north"] });
  house = {
    sessions: sessionsInMemory(),
    people: people.store,
    rules: sessionRules,
    random: people.random,
    now: () => at,
  };
});

async function opened(name = "ada", before: string | null = null): Promise<string> {
  return openSession(house, (await people.store.byName(name))!, before);
}

/** "in", or the refusal as it is sent. */
const answer = (secret: string | null): Promise<string> =>
  principalOfSession(house, secret).then(
    () => "in",
    (error: unknown) => JSON.stringify(error),
  );

describe("a session", () => {
  it("says whose it is, with the roles of now, and is kept as a hash alone", async () => {
    const secret = await opened();
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const who = await principalOfSession(house, secret);
    expect(who).toMatchObject({
      name: "ada",
      roles: ["analyst"],
      projects: ["north"],
      proof: { kind: "session" },
    });
    expect(JSON.stringify(await house.sessions.ofPerson("ada"))).not.toContain(secret);
    await changePerson(people, "ada", { projects: [] });
    expect(await principalOfSession(house, secret)).toMatchObject({ projects: [] });
  });

  it("ends after half an hour without a request, and after twelve hours in all", async () => {
    const idle = await opened();
    const busy = await opened();
    at += 30 * minute - 1;
    expect(await answer(busy)).toBe("in");
    at += 1;
    expect(await answer(idle)).toContain("serve.signed-out");
    for (let elapsed = 30; elapsed < 12 * 60; elapsed += 15) {
      expect(await answer(busy)).toBe("in");
      at += 15 * minute;
    }
    expect(await answer(busy)).toContain("serve.signed-out");
  });

  it("that ended by its times does not come back when the clock does", async () => {
    const secret = await opened();
    at += 31 * minute;
    expect(await answer(secret)).not.toBe("in");
    at -= 31 * minute;
    expect(await answer(secret)).not.toBe("in");
    const later = await opened();
    at -= 60 * minute;
    expect(await answer(later)).not.toBe("in");
  });

  it("ends with the sign-in that follows, so that a secret from before it is worth nothing", async () => {
    const before = await opened("bob");
    const after = await opened("ada", before);
    expect(after).not.toBe(before);
    expect(await answer(before)).not.toBe("in");
    expect(await answer(after)).toBe("in");
  });

  it.each([
    ["signing out", (secret: string) => closeSession(house, secret, "192.0.2.1")],
    ["ending all", () => endSessions(people, "ada")],
    ["disabling the person", () => changePerson(people, "ada", { disabled: true })],
    ["another role", () => changePerson(people, "ada", { roles: ["auditor"] })],
    ["a new password", () => setPassword(people, "ada", "four words of no use")],
  ])("ends by %s, and nobody else's does", async (_, end) => {
    const [secret, other] = [await opened(), await opened("bob")];
    await end(secret);
    expect(await answer(secret)).not.toBe("in");
    expect(await answer(other)).toBe("in");
    await changePerson(people, "ada", { disabled: false, roles: ["analyst"] });
    expect(await answer(secret)).not.toBe("in");
  });

  it("is refused with one text, whatever is wrong", async () => {
    const ended = await opened();
    await closeSession(house, ended, "192.0.2.1");
    const disabled = await opened("bob");
    await changePerson(people, "bob", { disabled: true });
    const old = await opened();
    at += 13 * 60 * minute;
    const answers = [null, "", "x", "A".repeat(43), ended, disabled, old].map(answer);
    expect(new Set(await Promise.all(answers)).size).toBe(1);
  });

  it("that ends during a request stays ended", async () => {
    const secret = await opened();
    at += 2 * minute;
    const people = {
      ...house.people,
      byName: async (name: string) => {
        await closeSession(house, secret, "192.0.2.1");
        return house.people.byName(name);
      },
    };
    await principalOfSession({ ...house, people }, secret).catch(() => null);
    expect(await answer(secret)).not.toBe("in");
  });
});

describe("the sessions of a person", () => {
  it("are shown without their hashes, and ended one by one", async () => {
    const [first, second] = [await opened(), await opened()];
    const shown = await sessionsOf(house, "ADA");
    expect(shown.map((each) => Object.keys(each).sort())).toEqual(
      Array.from({ length: 2 }, () => ["generation", "id", "person", "startedAt", "usedAt"]),
    );
    await revokeSession(house, "Ada", shown[0]!.id, nobodyAt("192.0.2.1"));
    expect([await answer(first), await answer(second)].filter((each) => each === "in")).toHaveLength(1);
    const refusal = (name: string, id: string): Promise<string> =>
      revokeSession(house, name, id, nobodyAt("192.0.2.1")).then(
        () => "ended",
        (error: unknown) => JSON.stringify(error),
      );
    expect(await refusal("bob", shown[1]!.id)).toBe(await refusal("bob", "0".repeat(16)));
    expect(await answer(second)).toBe("in");
    await endSessions(people, "ada");
    expect(await sessionsOf(house, "ada")).toEqual([]);
  });

  it("are a bounded number: a further one ends the oldest", async () => {
    const secrets: string[] = [];
    for (let count = 0; count < mostSessions + 3; count += 1) {
      secrets.push(await opened());
      at += 1000;
    }
    expect(await house.sessions.ofPerson("ada")).toHaveLength(mostSessions);
    const answers = await Promise.all(secrets.map(answer));
    expect(answers.map((each) => each === "in")).toEqual(secrets.map((_, index) => index >= 3));
  });

  it("in memory are a bounded number in all", async () => {
    const small = { ...house, sessions: sessionsInMemory(5) };
    const [ada, bob] = [(await people.store.byName("ada"))!, (await people.store.byName("bob"))!];
    const kept = await openSession(small, bob, null);
    for (let count = 0; count < 12; count += 1) {
      await openSession(small, ada, null);
      at += 2 * minute;
      await principalOfSession(small, kept);
    }
    expect(await small.sessions.ofPerson("ada")).toHaveLength(4);
  });
});

describe("the cookie", () => {
  it("is for this host, over TLS, and out of reach of scripts and other sites", () => {
    const secret = "A".repeat(43);
    expect(setCookie(sessionCookie(true), secret)).toBe(
      `__Host-lethe=${secret}; Path=/; HttpOnly; SameSite=Strict; Secure`,
    );
    expect(setCookie(sessionCookie(false), null)).toBe(
      "lethe=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0",
    );
    expect(setCookie(pendingCookie(true), secret)).toBe(
      `__Host-lethe-sign-in=${secret}; Path=/; HttpOnly; SameSite=Lax; Secure`,
    );
  });

  it("is read where it is there once, and is one of ours", () => {
    const [form, secret] = [sessionCookie(true), `${"a".repeat(42)}_`];
    expect(readCookie(`x=1; __Host-lethe=${secret};y=2`, form)).toBe(secret);
    for (const header of [
      null,
      undefined,
      "",
      `lethe=${secret}`,
      `__Host-lethe=${secret}x`,
      `__Host-lethe=${secret}; __Host-lethe=${"b".repeat(43)}`,
      `__host-lethe=${secret}`,
      `x__Host-lethe=${secret}`,
    ])
      expect(readCookie(header, form)).toBe(null);
  });

  it("is read from any text without a fault", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(readCookie(header, sessionCookie(false))).toBe(null);
      }),
    );
  });
});

describe("a request that changes something", () => {
  const own = "https://lethe.example";
  it.each([
    ["POST", own, null, true],
    ["POST", own, "same-origin", true],
    ["POST", null, "same-origin", true],
    ["POST", null, null, false],
    ["POST", null, "none", false],
    ["POST", null, "same-site", false],
    ["POST", null, "cross-site", false],
    ["POST", "null", "same-origin", false],
    ["POST", "https://lethe.example:8443", null, false],
    ["POST", "http://lethe.example", null, false],
    ["POST", "https://lethe.example.evil.example", null, false],
    ["POST", "https://evil.example", "same-origin", false],
    ["POST", "", "same-origin", false],
    ["DELETE", "https://evil.example", null, false],
    ["PUT", null, null, false],
    ["PATCH", null, null, false],
    ["OPTIONS", null, null, false],
    ["get", null, null, false],
    ["GET", "https://evil.example", "cross-site", true],
    ["HEAD", null, null, true],
  ])("%s of origin %j, Sec-Fetch-Site %j passes: %j", (method, origin, fetchSite, passes) => {
    const sent = { method, origin, fetchSite };
    expect(isSameOrigin(sent, own)).toBe(passes);
    if (passes) expect(() => requireSameOrigin(sent, own)).not.toThrow();
    else
      expect(() => requireSameOrigin(sent, own)).toThrow(expect.objectContaining({ code: "serve.origin" }));
  });
});
