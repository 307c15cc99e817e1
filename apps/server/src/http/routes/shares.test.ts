import { parseRational } from "@lethe/core";
import { createToken } from "@lethe/serve";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type AppHouse, bodyOf, nameOf, openHouse, policyText } from "../../testing/app-house.ts";

let house: AppHouse;
beforeAll(async () => {
  const shares = "budget: { measure: pure, epsilon: 100000, analysts: { ada: 1000, bob: 5, olga: 1000 } }";
  house = await openHouse({
    data: {
      policy: policyText.replace(/^budget: .*$/m, shares),
      people: `age,town,name\n${"3,south,x\n".repeat(50)}`,
    },
  });
});
afterAll(async () => {
  vi.useRealTimers();
  await house.close();
});

let number = 0;
/** The id of an answer that somebody paid for. */
async function paid(as: "analyst" | "bob" | "owner", epsilon = "1"): Promise<string> {
  number += 1;
  const json = { sql: `SELECT COUNT(*) AS n FROM people WHERE age < ${number}`, epsilon };
  return (await house.send("/v1/query", { as, json })).headers.get("lethe-request") ?? "";
}
const told = async (response: Response) => JSON.parse(await response.text());
const offer = (as: "analyst" | "bob" | "owner", id: string, to: string, of = "") =>
  house.send(`/v1/releases/${encodeURIComponent(id)}/offers${of}`, { as, json: { to } });
const offered = async (id: string, to: string): Promise<string> =>
  (await told(await offer("analyst", id, to))).offer;
const receive = (as: "analyst" | "bob" | "owner", text: string, headers: Record<string, string> = {}) =>
  house.send("/v1/received", { as, json: { offer: text }, headers });
const spentBy = async (name: string): Promise<string> => {
  const { periods } = await house.ledger.balance(["analyst", name], name);
  const spent = periods[0]?.spent;
  return spent?.measure === "pure" ? `${spent.epsilon.num}/${spent.epsilon.den}` : "";
};
const accountSpent = async () => (await house.ledger.account()).spent;

describe("an answer that is offered", () => {
  test("is received as it is, at the receiver's expense alone, once; both are facts", async () => {
    const id = await paid("analyst", "2");
    const [account, own] = [await accountSpent(), await spentBy("bob")];
    house.order.length = 0;
    const text = await offered(id, "bob");
    expect(await spentBy("bob")).toBe(own);
    const first = await told(await receive("bob", text));
    const again = await told(await receive("bob", text));
    const source = await told(await house.send(`/v1/releases/${encodeURIComponent(id)}`, { as: "analyst" }));
    expect(first.signature).toBe(source.signature);
    expect(first.rows).toEqual(source.rows);
    expect(first.answer.charged).toMatchObject({ epsilon: "2" });
    expect(again.answer.charged).toMatchObject({ epsilon: "0" });
    expect(await spentBy("bob")).toBe("2/1");
    expect(await accountSpent()).toEqual(account);
    expect(house.order).toEqual(["offered", "received", "received"]);
    const facts = (await house.audit.page(null, 3)).map(({ actor, fact }) => [actor.name, fact]);
    expect(facts).toEqual([
      ["bob", expect.objectContaining({ kind: "received", person: "ada", request: id, outcome: "repeated" })],
      ["bob", expect.objectContaining({ kind: "received", person: "ada", request: id, outcome: "charged" })],
      ["ada", { kind: "offered", request: id, person: "ada", to: "bob" }],
    ]);
  });

  test("is charged to nobody who looks at it with made: its price is told, to whom it is for", async () => {
    const id = await paid("analyst", "1/3");
    const text = await offered(id, "bob");
    const look = (as: "bob" | "owner") =>
      house.send("/v1/received", { as, json: { offer: text, made: true } });
    const [own, facts] = [await spentBy("bob"), house.order.length];
    const refused = await look("bob");
    expect([refused.status, await told(refused)]).toEqual([
      400,
      expect.objectContaining({ code: "query.option", fields: { epsilon: "1/3" } }),
    ]);
    expect(await told(await look("owner"))).toMatchObject({ code: "serve.offer", fields: {} });
    expect([await spentBy("bob"), house.order.length]).toEqual([own, facts]);
    expect((await receive("bob", text)).status).toBe(200);
    const again = await told(await look("bob"));
    expect(again.answer.charged).toMatchObject({ epsilon: "0" });
  });

  test("stays the receiver's: the list of what they have gives it again, when the offer is long over", async () => {
    const id = await paid("analyst");
    const [text, untaken] = [await offered(id, "bob"), await offered(id, nameOf.owner)];
    expect((await receive("bob", text)).status).toBe(200);
    vi.useFakeTimers({ now: Date.now() + 8 * 24 * 3_600_000, toFake: ["Date"] });
    const tokens = await Promise.all(
      (["bob", "olga"] as const).map((name) =>
        createToken(
          house.people,
          name,
          {
            name: "later",
            roles: [name === "bob" ? "analyst" : "owner"],
            maxEpsilon: null,
            expiresAt: Date.now() + 60_000,
          },
          null,
        ),
      ),
    );
    const [bob, olga] = tokens.map((token) => ({ headers: { authorization: `Bearer ${token.text}` } }));
    const take = (by: typeof bob, offer: string) => house.send("/v1/received", { ...by, json: { offer } });
    expect((await take(bob, text)).status).toBe(200);
    expect((await take(olga, untaken)).status).toBe(403);
    const { items } = await told(await house.send("/v1/releases?limit=1", bob));
    expect(items).toMatchObject([{ requestId: id, principal: "bob", sharedBy: "ada", state: "settled" }]);
    expect((await take(bob, items[0].offer)).status).toBe(200);
    vi.useRealTimers();
  });

  test("may be offered by an owner, and by nobody else who did not pay; a missing one looks the same", async () => {
    const id = await paid("analyst");
    expect((await offer("owner", id, "bob", "?of=ada")).status).toBe(201);
    const [others, none] = [
      await offer("bob", id, "cleo", "?of=ada"),
      await offer("bob", "none", "cleo", "?of=ada"),
    ];
    expect([others.status, await others.text()]).toEqual([404, await none.text()]);
    expect((await offer("bob", id, "cleo")).status).toBe(404);
  });

  test("is offered to any name alike, and to none that is none", async () => {
    const id = await paid("analyst");
    const [there, missing] = [await offer("analyst", id, "bob"), await offer("analyst", id, "eno")];
    expect(there.status).toBe(201);
    expect([...there.headers]).toEqual([...missing.headers]);
    expect((await there.text()).length).toBe((await missing.text()).length);
    for (const name of [" bob", "owner", "a\u0000b"])
      expect((await offer("analyst", id, name)).status).toBe(422);
  });

  test("is received by nobody else, and by no text that the service did not make; all are refused alike", async () => {
    const text = await offered(await paid("analyst"), "bob");
    const [head = "", proof = ""] = text.split(".");
    const forged = Buffer.from(head.slice(6), "base64url").toString().replace('"bob"', '"olga"');
    const texts = [
      text,
      "offer_none",
      `${head}.${"A".repeat(43)}`,
      `offer_${Buffer.from(forged).toString("base64url")}.${proof}`,
    ];
    const refusals = await Promise.all(texts.map(async (each) => (await receive("owner", each)).text()));
    expect(new Set(refusals).size).toBe(1);
    expect(JSON.parse(refusals[0] ?? "")).toMatchObject({ status: 403, code: "serve.offer" });
  });

  test("is not received beyond the receiver's caps, or the token's, and then nothing is charged", async () => {
    const text = await offered(await paid("analyst", "4"), "bob");
    const before = await spentBy("bob");
    const refused = await receive("bob", text);
    expect([refused.status, (await bodyOf(refused)).code]).toEqual([402, "ledger.budget"]);
    const wish = { name: "agent", roles: ["analyst"], expiresAt: Date.now() + 60_000 } as const;
    const capped = async (cap: string) =>
      (await createToken(house.people, "bob", { ...wish, maxEpsilon: parseRational(cap) }, null)).text;
    const [small, large] = [await capped("1/4"), await capped("1/2")];
    const half = await offered(await paid("analyst", "0.5"), "bob");
    const by = (token: string) =>
      house.send("/v1/received", { headers: { authorization: `Bearer ${token}` }, json: { offer: half } });
    const aboveCap = await by(small);
    expect([aboveCap.status, (await bodyOf(aboveCap)).code]).toEqual([403, "serve.cap"]);
    expect(await spentBy("bob")).toBe(before);
    expect((await by(large)).status).toBe(200);
    // What was received costs nothing more, and is refused to no token.
    expect((await by(small)).status).toBe(200);
  });

  test("is not offered where it has a pilot, for which another charge paid", async () => {
    const json = {
      sql: "SELECT COUNT(*) AS n FROM people WHERE age < 99",
      targetErrorRelative: "1/2",
      pilotEpsilon: "1",
      maxEpsilon: "50",
    };
    const asked = await house.send("/v1/query", { as: "analyst", json });
    expect([asked.status, "pilot" in (await told(asked.clone())).certificate]).toEqual([200, true]);
    const refused = await offer("analyst", asked.headers.get("lethe-request") ?? "", "bob");
    expect([refused.status, (await bodyOf(refused)).code]).toEqual([403, "serve.offer"]);
  });

  test("is written as CSV too, and refused in a format that there is none of", async () => {
    const text = await offered(await paid("analyst", "0.1"), "bob");
    const csv = await receive("bob", text, { accept: "text/csv" });
    expect(await csv.text()).toMatch(/^n,n_lower,n_upper\n/);
    for (const accept of ["image/png", "text/event-stream"]) {
      const response = await receive("bob", text, { accept });
      expect([response.status, (await bodyOf(response)).code]).toEqual([406, "serve.not-acceptable"]);
    }
  });
});
