import { verifyAuditLog } from "@lethe/serve";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type AppHouse,
  bodyOf,
  nameOf,
  openHouse,
  origin,
  password,
  secretValue,
} from "../testing/app-house.ts";

let house: AppHouse;
beforeAll(async () => {
  house = await openHouse();
  // Those that made the people.
  await news();
});
afterAll(() => house.close());

const sql = "SELECT COUNT(*) AS n FROM people WHERE age < 33";

/** The facts that came since the last time. */
let seen = 0;
async function news(): Promise<readonly Record<string, unknown>[]> {
  // What nobody waits for is written in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  const entries = [...(await house.audit.page(null, 10_000))].reverse().slice(seen);
  seen += entries.length;
  return entries.map(({ actor, fact }) => ({ who: actor.name, ...fact }));
}
const signIn = (given: string, address = "192.0.2.1", name: string = nameOf.bob) =>
  house.send("/v1/session", { headers: { origin }, json: { name, password: given }, address });

test("signing in, failing to, asking and signing out are each a fact, with who did it", async () => {
  const signedIn = await signIn(password);
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect(await news()).toEqual([{ who: "bob", kind: "signed-in", by: "password" }]);
  await house.send("/v1/query", { headers: { origin, cookie }, json: { sql, epsilon: "1" } });
  expect(await news()).toMatchObject([{ who: "bob", kind: "asked", outcome: "charged" }]);
  await house.send("/v1/session", { method: "DELETE", headers: { origin, cookie } });
  expect(await news()).toEqual([{ who: "bob", kind: "signed-out" }]);
  await signIn("a wrong password");
  await signIn("my password, typed as a name", "192.0.2.1", "correct horse battery staple");
  expect(await news()).toEqual([
    { who: null, kind: "sign-in-refused", person: "bob", code: "serve.sign-in" },
    { who: null, kind: "sign-in-refused", person: null, code: "serve.sign-in" },
  ]);
  await house.send("/v1/tables", { headers: { authorization: "Bearer lethe_none" } });
  await house.send("/v1/people", { as: "analyst" });
  await house.send("/v1/people/bob", { as: "analyst" });
  expect(await news()).toEqual([
    { who: null, kind: "denied", route: null, code: "serve.signed-out" },
    { who: "ada", kind: "denied", route: "person.list", code: "serve.forbidden" },
    { who: "ada", kind: "denied", route: "person.read", code: "serve.absent" },
  ]);
});

test("each change of people, their tokens and sessions is a fact", async () => {
  const change = (method: string, path: string, json?: unknown) =>
    house.send(path, { as: "owner", method, ...(json === undefined ? {} : { json }) });
  await change("POST", "/v1/people", { name: "cleo", roles: ["analyst"], password });
  await change("PATCH", "/v1/people/cleo", { roles: ["auditor"], projects: ["p"] });
  await change("PATCH", "/v1/people/cleo", { disabled: true });
  await change("PATCH", "/v1/people/cleo", { disabled: false });
  await change("PUT", "/v1/people/cleo/password", { password });
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const made = await house.send("/v1/people/ada/tokens", {
    as: "analyst",
    json: { name: "t", roles: ["analyst"], expiresAt },
  });
  const { id } = JSON.parse(await made.text());
  await house.send(`/v1/people/ada/tokens/${id}`, { as: "analyst", method: "DELETE" });
  const of = { who: "olga", kind: "person-changed", person: "cleo" };
  expect(await news()).toEqual([
    { ...of, change: "added", roles: ["analyst"] },
    { ...of, change: "password" },
    { ...of, change: "roles", roles: ["auditor"] },
    { ...of, change: "projects" },
    { ...of, change: "disabled" },
    { ...of, change: "enabled" },
    { ...of, change: "password" },
    { who: "ada", kind: "token-created", person: "ada", token: id },
    { who: "ada", kind: "token-revoked", person: "ada", token: id },
  ]);
  // What was refused changed nothing, and is no change.
  await change("PATCH", "/v1/people/olga", { disabled: true });
  await change("POST", "/v1/people", { name: "dora", roles: ["analyst"], password: "short" });
  expect(await news()).toEqual([]);
});

test("the log holds, and nothing in it is a question, a secret, a token or a value", async () => {
  const entries = [...(await house.audit.page(null, 10_000))].reverse();
  verifyAuditLog(entries);
  const text = JSON.stringify(entries);
  for (const hidden of ["SELECT", password, "wrong", "horse", secretValue, house.folder, "Bearer"])
    expect(text).not.toContain(hidden);
  for (const token of Object.values(house.tokens)) expect(text).not.toContain(token.slice(-20));
});

test("once the log is lost, every route answers with one constant, and nothing is charged", async () => {
  const before = (await house.ledger.report()).charges.length;
  house.disk.isFull = true;
  const refusals = new Set<string>();
  const send = async (path: string, sent: Parameters<AppHouse["send"]>[1]): Promise<void> => {
    const response = await house.send(path, sent);
    refusals.add(`${response.status} ${JSON.stringify(await bodyOf(response))}`);
  };
  await send("/v1/session", { headers: { origin }, json: { name: "bob", password } });
  house.disk.isFull = false;
  for (const path of ["/v1/tables", "/v1/budget", "/v1/releases", "/v1/me"])
    await send(path, { as: "owner" });
  await send("/v1/query", { as: "analyst", json: { sql, epsilon: "2" } });
  await send("/v1/session", { headers: { origin }, json: { name: "bob", password } });
  expect([...refusals]).toHaveLength(1);
  expect([...refusals][0]).toMatch(/^503 .*"log\.lost"/);
  expect([...refusals][0]).not.toMatch(new RegExp(`disk|file|${secretValue}`));
  expect((await house.ledger.report()).charges).toHaveLength(before);
  expect(house.lost).toHaveLength(1);
});
