import { beforeEach, describe, expect, it } from "vitest";
import { nobodyAt } from "../audit-log/index.ts";
import { addPerson, createToken, derive, type PeopleHouse } from "../people/index.ts";
import { memoryPeople } from "../testing/memory-people.ts";
import { seededBytes } from "../testing/seeded-bytes.ts";
import { identify, type SenderHeaders } from "./identify.ts";
import { openSession, type SessionHouse, sessionRules } from "./session.ts";
import { sessionsInMemory } from "./sessions-in-memory.ts";

const place = { origin: "https://lethe.example", tls: true };
const plain: SenderHeaders = {
  method: "POST",
  authorization: null,
  cookie: null,
  origin: null,
  fetchSite: null,
};
let house: SessionHouse;
let token: string;
let cookie: string;

beforeEach(async () => {
  const people: PeopleHouse = {
    store: memoryPeople(),
    random: seededBytes("identify"),
    now: () => 0,
    by: nobodyAt("192.0.2.1"),
    passwords: { least: 15, isKnown: () => false, iterations: 4096, derive },
  };
  const ada = await addPerson(people, { name: "ada", roles: ["analyst"] });
  await addPerson(people, { name: "bob", roles: ["analyst"] });
  house = {
    sessions: sessionsInMemory(),
    people: people.store,
    rules: sessionRules,
    random: people.random,
    now: () => 0,
  };
  const request = { name: "t", roles: ["analyst"], maxEpsilon: null, expiresAt: 1000 } as const;
  token = (await createToken(people, "bob", request, null)).text;
  cookie = `__Host-lethe=${await openSession(house, ada, null)}`;
});

/** The name of who sends it, null for nobody, or the code of the refusal. */
const who = (headers: Partial<SenderHeaders>): Promise<string | null> =>
  identify(house, { ...plain, ...headers }, place).then(
    (principal) => principal?.name ?? null,
    (error: unknown) => (error as { code: string }).code,
  );

describe("identify", () => {
  it("takes a token from any page, and a cookie from the service's own", async () => {
    expect(await who({})).toBe(null);
    expect(await who({ authorization: `Bearer ${token}`, origin: "https://other.example" })).toBe("bob");
    expect(await who({ cookie, origin: place.origin })).toBe("ada");
    expect(await who({ cookie, method: "GET" })).toBe("ada");
    expect(await who({ cookie })).toBe("serve.origin");
    expect(await who({ cookie, origin: "https://other.example", fetchSite: "cross-site" })).toBe(
      "serve.origin",
    );
  });

  it("lets an Authorization header decide alone", async () => {
    expect(await who({ authorization: `Bearer ${token}`, cookie, origin: place.origin })).toBe("bob");
    for (const authorization of ["", "Bearer", "Basic YTpi", `Bearer ${token}x`, `Bearer ${token} ${token}`])
      expect(await who({ authorization, cookie, origin: place.origin }), authorization).toBe(
        "serve.signed-out",
      );
  });

  it("takes a cookie of the plain name only without TLS", async () => {
    const bare = cookie.replace("__Host-", "");
    expect(await who({ cookie: bare, origin: place.origin })).toBe(null);
    const loopback = { origin: "http://127.0.0.1:8377", tls: false };
    const sent = { ...plain, cookie: bare, origin: loopback.origin };
    expect(await identify(house, sent, loopback)).toMatchObject({ name: "ada" });
  });
});
