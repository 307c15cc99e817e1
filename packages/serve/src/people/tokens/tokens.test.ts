import { parseRational } from "@lethe/core";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Principal } from "../../access/index.ts";
import { nobodyAt } from "../../audit-log/index.ts";
import { memoryPeople } from "../../testing/memory-people.ts";
import { seededBytes } from "../../testing/seeded-bytes.ts";
import { addPerson, changePerson, createToken, type PeopleHouse, revokeToken } from "../change-people.ts";
import { derive } from "../passwords/scram-verifier.ts";
import { bearer } from "./bearer.ts";
import { principalOfToken } from "./check-token.ts";
import { longestTokenMs, mostTokens, type TokenRequest } from "./issue-token.ts";
import { newToken, tokenHash, tokenId } from "./token-text.ts";

const hour = 3_600_000;
const request: TokenRequest = {
  name: "notebook",
  roles: ["analyst"],
  maxEpsilon: parseRational("0.5"),
  expiresAt: hour,
};
let house: PeopleHouse;

beforeEach(async () => {
  house = {
    store: memoryPeople(),
    random: seededBytes("tokens"),
    now: () => 0,
    by: nobodyAt("192.0.2.1"),
    passwords: { least: 15, isKnown: () => false, iterations: 4096, derive },
  };
  await addPerson(house, { name: "ada", roles: ["analyst", "auditor"], projects: ["north"] });
  await addPerson(house, { name: "olga", roles: ["owner"] });
});

const ofToken = (text: string, now = 0): Promise<Principal> => principalOfToken(house.store, text, now);

describe("a token", () => {
  it("says who sends it, with what it may", async () => {
    const { id, text } = await createToken(house, "Ada", request, null);
    expect(await ofToken(text)).toEqual({
      name: "ada",
      roles: ["analyst"],
      projects: ["north"],
      proof: { kind: "token", token: id, maxEpsilon: parseRational("0.5"), expiresAt: hour },
    });
  });

  it("has 256 bits beside its public id, and is kept as a hash alone", async () => {
    const drawn: number[] = [];
    const random = (count: number): Uint8Array => {
      drawn.push(count);
      return seededBytes(String(drawn.length))(count);
    };
    const { id, text, hash } = newToken(random);
    expect(drawn).toEqual([8, 32]);
    expect(text).toMatch(/^lethe_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    expect([tokenId(text), tokenHash(text)]).toEqual([id, hash]);
    const made = await createToken(house, "ada", request, null);
    const kept = JSON.stringify(await house.store.list(), (_, value) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    expect(kept).toContain(tokenHash(made.text));
    expect(kept).not.toContain(made.text.slice(-43));
  });

  it("is refused with one text once it is wrong, unknown, expired, revoked, or its person is disabled", async () => {
    const { id, text } = await createToken(house, "ada", request, null);
    const other = await createToken(house, "olga", { ...request, roles: ["owner"] }, null);
    const refusals = new Set<string>();
    const refuse = async (sent: string, now = 0): Promise<void> => {
      const answer = await ofToken(sent, now).then(
        () => "in",
        (error: unknown) => JSON.stringify(error),
      );
      refusals.add(answer);
    };
    const swapped = `${text.slice(0, 23)}${other.text.slice(23)}`;
    for (const sent of ["", "x", text.slice(0, -1), `${text}A`, ` ${text}`, text.toUpperCase(), swapped])
      await refuse(sent);
    await refuse(newToken(seededBytes("another")).text);
    await refuse(text, hour);
    expect(await ofToken(text, hour - 1)).toMatchObject({ name: "ada" });
    await changePerson(house, "ada", { disabled: true });
    await refuse(text);
    await changePerson(house, "ada", { disabled: false });
    expect(await ofToken(text)).toMatchObject({ name: "ada" });
    await revokeToken(house, "ada", id);
    await refuse(text);
    expect([...refusals]).toEqual([expect.stringContaining('"serve.signed-out"')]);
  });

  it("with one character changed does not hold", async () => {
    const { text } = await createToken(house, "ada", request, null);
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom(...letters), async (at, letter) => {
        fc.pre(text[at] !== letter);
        const changed = text.slice(0, at) + letter + text.slice(at + 1);
        await expect(ofToken(changed)).rejects.toMatchObject({ code: "serve.signed-out" });
      }),
    );
  });

  it("loses a role that its person loses", async () => {
    const { text } = await createToken(house, "ada", { ...request, roles: ["analyst", "auditor"] }, null);
    await changePerson(house, "ada", { roles: ["auditor", "operator"] });
    expect((await ofToken(text)).roles).toEqual(["auditor"]);
  });
});

describe("a new token is refused", () => {
  const asked: [string, Partial<TokenRequest>][] = [
    ["without a name", { name: "" }],
    ["with a name that reorders text", { name: "a\u202eb" }],
    ["without a role", { roles: [] }],
    ["with a role that its person lacks", { roles: ["analyst", "owner"] }],
    ["that has ended", { expiresAt: 0 }],
    ["that never ends", { expiresAt: Number.POSITIVE_INFINITY }],
    ["that ends at no moment", { expiresAt: Number.NaN }],
    ["that lasts more than a year", { expiresAt: longestTokenMs + 1 }],
    ["with a cap of 0", { maxEpsilon: parseRational("0") }],
    ["with a cap below 0", { maxEpsilon: parseRational("-1") }],
  ];
  it.each(asked)("%s", async (_, change) => {
    const made = createToken(house, "ada", { ...request, ...change }, null);
    await expect(made).rejects.toMatchObject({ code: "people.invalid", fields: { what: "token" } });
    expect((await house.store.byName("ada"))?.tokens).toEqual([]);
  });

  it("where it would be stronger than the token that it is made with", async () => {
    const first = await ofToken((await createToken(house, "ada", request, null)).text);
    const make = (change: Partial<TokenRequest>): Promise<unknown> =>
      createToken(house, "ada", { ...request, ...change }, first);
    await expect(make({ roles: ["auditor"] })).rejects.toMatchObject({ code: "people.invalid" });
    await expect(make({ expiresAt: hour + 1 })).rejects.toMatchObject({ code: "people.invalid" });
    await expect(make({ maxEpsilon: null })).rejects.toMatchObject({ code: "people.invalid" });
    await expect(make({ maxEpsilon: parseRational("0.50001") })).rejects.toMatchObject({
      code: "people.invalid",
    });
    await expect(make({})).resolves.toMatchObject({ text: expect.stringMatching(/^lethe_/) });
    const session: Principal = { ...first, proof: { kind: "session", session: "s" } };
    const wider = createToken(house, "ada", { ...request, roles: ["auditor"], maxEpsilon: null }, session);
    await expect(wider).resolves.toMatchObject({ id: expect.any(String) });
  });

  it("beyond the most of one person, those that ended aside", async () => {
    for (let index = 0; index < mostTokens; index += 1) await createToken(house, "ada", request, null);
    await expect(createToken(house, "ada", request, null)).rejects.toMatchObject({ code: "people.invalid" });
    const later = { ...house, now: () => hour };
    await createToken(later, "ada", { ...request, expiresAt: 2 * hour }, null);
    expect((await house.store.byName("ada"))?.tokens).toHaveLength(1);
  });
});

it("a token that is another's is revoked as one that does not exist", async () => {
  const { id, text } = await createToken(house, "ada", request, null);
  const refusal = (of: string, which: string): Promise<string> =>
    revokeToken(house, of, which).then(
      () => "revoked",
      (error: unknown) => JSON.stringify(error),
    );
  expect(await refusal("olga", id)).toBe(await refusal("olga", "0".repeat(16)));
  expect(await refusal("nobody", id)).toBe(await refusal("olga", id));
  expect(await ofToken(text)).toMatchObject({ name: "ada" });
});

it.each([
  ["Bearer lethe_x", "lethe_x"],
  ["bearer   t", "t"],
  ["Bearer", null],
  ["Bearer a b", null],
  ["Basic dTpw", null],
  ["", null],
  [null, null],
  [undefined, null],
])("the token of %j is %j", (header, token) => {
  expect(bearer(header)).toBe(token);
});
