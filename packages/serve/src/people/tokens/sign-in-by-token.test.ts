import { parseRational } from "@lethe/core";
import { beforeEach, expect, test } from "vitest";
import { nobodyAt } from "../../audit-log/index.ts";
import { memoryPeople } from "../../testing/memory-people.ts";
import { scramProof } from "../../testing/scram-client.ts";
import { seededBytes } from "../../testing/seeded-bytes.ts";
import { addPerson, changePerson, createToken, type PeopleHouse, revokeToken } from "../change-people.ts";
import { Attempts } from "../passwords/attempts.ts";
import { derive, mockVerifier } from "../passwords/scram-verifier.ts";
import type { Person, TokenRecord } from "../person.ts";
import { principalOfProved } from "./check-token.ts";
import { type ProvedToken, signInByToken } from "./sign-in-by-token.ts";
import { idOfTokenUser, tokenUser } from "./token-text.ts";

const hour = 3_600_000;
const secret = new Uint8Array(32).fill(5);
let house: PeopleHouse;
let clock = 0;
let attempts = new Attempts();
let token = { id: "", text: "" };

beforeEach(async () => {
  clock = 0;
  attempts = new Attempts();
  house = {
    store: memoryPeople(),
    random: seededBytes("tokens"),
    now: () => clock,
    by: nobodyAt("192.0.2.1"),
    passwords: { least: 15, isKnown: () => false, iterations: 600_000, derive },
  };
  await addPerson(house, { name: "ada", roles: ["analyst", "auditor"] });
  token = await createToken(
    house,
    "ada",
    { name: "n", roles: ["analyst"], maxEpsilon: parseRational("0.5"), expiresAt: hour },
    null,
  );
});

interface Exchange {
  readonly in: ProvedToken | null;
  /** What the client was told: the server's first words without their nonce, and the refusal. */
  readonly told: string;
}

/** Signs in as a client does, and gives what it is told. */
async function exchanged(
  user: string = tokenUser(token.id),
  password: string = token.text,
): Promise<Exchange> {
  const first = "n,,n=,r=abc";
  let [said, server] = ["", ""];
  const prove = async (serverFirst: string): Promise<string> => {
    said = serverFirst.replace(/^r=[^,]+,/, "");
    const proof = scramProof({ first, serverFirst, channel: Buffer.from("n,,") }, password);
    server = proof.server;
    return proof.final;
  };
  const opening = { mechanism: "SCRAM-SHA-256", clientFirst: first, binding: null } as const;
  const given = { name: user, address: "192.0.2.7", opening, prove };
  const signIns = { store: house.store, attempts, passwords: { derive, iterations: 600_000, secret } };
  try {
    const proved = await signInByToken(signIns, given, house);
    expect(proved.serverFinal).toBe(server);
    return { in: proved, told: said };
  } catch (error) {
    return { in: null, told: JSON.stringify([said, error]) };
  }
}

/** Replaces a token as it is kept. */
async function rewrite(change: (record: TokenRecord) => TokenRecord): Promise<void> {
  const ada = (await house.store.byName("ada")) as Person;
  await house.store.put({ ...ada, tokens: ada.tokens.map(change) }, await house.store.revision(), []);
}

test("a token is proved by SCRAM, and holds from then on as long as it does", async () => {
  const { in: proved } = await exchanged();
  const who = { name: "ada", roles: ["analyst"], proof: { kind: "token", token: token.id } };
  expect(proved?.who).toMatchObject(who);
  expect(proved?.who.proof).toMatchObject({ maxEpsilon: parseRational("0.5"), expiresAt: hour });
  const { token: kept } = proved as ProvedToken;
  const renewed = (now: number): Promise<unknown> => principalOfProved(house.store, kept, now);
  expect(await renewed(hour - 1)).toMatchObject(who);
  const signedOut = { code: "serve.signed-out" };
  await expect(renewed(hour)).rejects.toMatchObject(signedOut);
  await changePerson(house, "ada", { disabled: true });
  await expect(renewed(0)).rejects.toMatchObject(signedOut);
  await changePerson(house, "ada", { disabled: false });
  expect(await renewed(0)).toMatchObject(who);
  // Another token of the same id is not the one that was proved.
  await rewrite((record) => ({ ...record, hash: "ab".repeat(32) }));
  await expect(renewed(0)).rejects.toMatchObject(signedOut);
});

test("no token tells whether it is there: unknown, wrong, expired, revoked, without a verifier, or of somebody disabled", async () => {
  const shape = ({ in: proved, told }: Exchange): string => {
    expect(proved).toBeNull();
    expect(told).toContain(",i=4096");
    return told.replace(/s=[^,]+/, "s");
  };
  const told = new Set<string>();
  told.add(shape(await exchanged(tokenUser("0".repeat(16)))));
  told.add(shape(await exchanged(undefined, `${token.text.slice(0, -1)}_`)));
  clock = hour;
  told.add(shape(await exchanged()));
  clock = 0;
  attempts = new Attempts();
  await changePerson(house, "ada", { disabled: true });
  told.add(shape(await exchanged()));
  await changePerson(house, "ada", { disabled: false });
  const before = await house.store.byName("ada");
  await rewrite((record) => ({ ...record, verifier: null }));
  const older = await exchanged();
  told.add(shape(older));
  const mock = mockVerifier(tokenUser(token.id), secret, 4096);
  expect(older.told).toContain(Buffer.from(mock.salt).toString("base64"));
  await house.store.put(before as Person, await house.store.revision(), []);
  expect((await exchanged()).in).not.toBeNull();
  await revokeToken(house, "ada", token.id);
  told.add(shape(await exchanged()));
  expect([...told]).toEqual([expect.stringContaining("serve.signed-out")]);
});

test("failed proofs wait, as failed passwords do", async () => {
  for (let turn = 0; turn < 4; turn += 1) await exchanged(undefined, "wrong");
  expect((await exchanged()).told).toContain("serve.too-many");
  clock = 60_000;
  expect((await exchanged()).in).not.toBeNull();
});

test("a verifier is of 4,096 iterations, whatever passwords have, and holds no token", async () => {
  const { tokens } = (await house.store.byName("ada")) as Person;
  expect(tokens[0]?.verifier).toMatchObject({ iterations: 4096 });
  expect(tokens[0]?.verifier?.salt).toHaveLength(16);
});

test.each([
  ["lethe_0123456789abcdef", "0123456789abcdef"],
  ["lethe_0123456789ABCDEF", null],
  ["Lethe_0123456789abcdef", null],
  ["lethe_0123456789abcdef_", null],
  ["lethe_0123456789abcde", null],
  ["token", null],
  ["ada", null],
])("the user %s has the token %j", (user, id) => {
  expect(idOfTokenUser(user)).toBe(id);
});
