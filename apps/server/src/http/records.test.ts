import { readFileSync } from "node:fs";
import { type AuditEntry, verifyAuditLog } from "@lethe/serve";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppHouse, openHouse, origin, password, policyText, secretValue } from "../testing/app-house.ts";

let house: AppHouse;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

interface AuditPage {
  readonly items: readonly AuditEntry[];
  readonly before: string | null;
}
interface ShownSession {
  readonly id: string;
  readonly current: boolean;
}
interface Told {
  readonly text: string;
  readonly hash: string | null;
  readonly advice: readonly { readonly path: string }[];
  readonly differs: readonly {
    readonly path: string;
    readonly from: string | null;
    readonly to: string | null;
  }[];
  readonly budget: readonly string[];
  readonly refused: { readonly code: string; readonly line: number | null } | null;
}
const told = async <T = Told>(response: Response): Promise<T> => JSON.parse(await response.text());

describe("the policy", () => {
  const check = async (text: string) =>
    told(await house.send("/v1/policy/check", { as: "owner", json: { text } }));

  test("is shown to owners and auditors as it was written, with advice", async () => {
    for (const as of ["owner", "auditor"] as const) {
      const shown = await told(await house.send("/v1/policy", { as }));
      expect(shown.text).toBe(policyText);
      expect(shown.hash).toMatch(/^[0-9a-f]{64}$/);
      expect(shown.advice.map(({ path }) => path)).toContain("budget");
    }
    for (const as of ["analyst", "operator"] as const)
      expect((await house.send("/v1/policy", { as })).status).toBe(403);
  });

  test("is compared with another one, in its parts and in what the account would be", async () => {
    const same = await check(policyText);
    expect(same).toMatchObject({ differs: [], budget: [], refused: null });
    const other = policyText
      .replace("epsilon: 100000", "epsilon: 200000")
      .replace("bounds: [0, 100]", "bounds: [0, 120]");
    const found = await check(other);
    expect(found.refused).toBeNull();
    expect(found.differs).toEqual([
      { path: "budget.epsilon", from: "100000", to: "200000" },
      { path: "tables.people.columns.age.bounds", from: "[0,100]", to: "[0,120]" },
    ]);
    expect(found.budget.join()).toContain("200000");
    expect(found.hash).not.toBe(same.hash);
  });

  test("that cannot be served says why, and nothing of it is put on record", async () => {
    const before = (await house.ledger.report()).budgets;
    await house.send("/v1/query", {
      as: "analyst",
      json: { sql: "SELECT COUNT(*) FROM people", epsilon: "3" },
    });
    for (const [text, code] of [
      ["version: [", "policy.unreadable"],
      ["version: 1", "policy.invalid"],
      [policyText.replace("epsilon: 100000", "epsilon: 1"), "ledger.budget"],
      [policyText.replace("measure: pure, epsilon: 100000", "measure: zcdp, rho: 1"), "policy.changed"],
    ] as const)
      expect([text.slice(0, 20), (await check(text)).refused?.code]).toEqual([text.slice(0, 20), code]);
    expect((await house.ledger.report()).budgets).toEqual(before);
    const found = await check(policyText.replace("bounds: [0, 100]", "bounds: [100, 0]"));
    expect(found.refused?.line).toBe(policyText.split("\n").findIndex((line) => line.includes("bounds")) + 1);
    expect((await check(policyText.replace("epsilon: 100000", "epsilon: 1"))).refused?.line).toBeNull();
  });

  test("names a part that one of the two lacks whole, and exact numbers as they are written", async () => {
    const other = policyText
      .replace("epsilon: 100000", 'epsilon: "100000.1"')
      .replace("      name: { type: text }\n", "");
    expect((await check(other)).differs).toEqual([
      { path: "budget.epsilon", from: "100000", to: "100000.1" },
      {
        path: "tables.people.columns.name",
        from: expect.stringContaining('"type":"text"'),
        to: null,
      },
    ]);
  });
});

test("a policy is put in place as the owner was shown it, and in no other way; the ledger and the log tell", async () => {
  const other = await openHouse();
  const put = (as: "owner" | "auditor" | "analyst", json: object) =>
    other.send("/v1/policy", { as, method: "PUT", json });
  const text = policyText.replace("epsilon: 100000", "epsilon: 200000");
  const check = await told(await other.send("/v1/policy/check", { as: "owner", json: { text } }));
  const asked = { text, agreed: check.budget, reason: "more questions" };
  for (const as of ["auditor", "analyst"] as const) expect((await put(as, asked)).status).toBe(403);
  for (const wrong of [
    { ...asked, agreed: [] },
    { ...asked, text: text.replace("200000", "300000") },
    { ...asked, text: "version: [" },
    { ...asked, text: text.replace("measure: pure", "measure: zcdp").replace("epsilon:", "rho:") },
  ]) {
    const response = await put("owner", wrong);
    expect(response.status).toBe(409);
    expect((await told<{ code: string }>(response)).code).toBe("serve.policy");
  }
  expect((await other.ledger.report()).budgets).toEqual([]);
  expect(other.order).not.toContain("policy-changed");
  expect((await put("owner", asked)).status).toBe(202);
  const [record, ...more] = (await other.ledger.report()).budgets;
  expect(more).toEqual([]);
  expect(record).toMatchObject({ kind: "apply", reason: "more questions" });
  expect(readFileSync(`${other.folder}/lethe.yaml`, "utf8")).toBe(text);
  expect(other.order.slice(-2)).toEqual(["policy-changed", "again"]);
  const [last] = await other.audit.page(null, 1);
  expect(last).toMatchObject({ actor: { name: "olga" }, fact: { kind: "policy-changed", to: check.hash } });
  await other.close();
});

describe("the audit log", () => {
  test("is read by pages, from the newest on, and holds when it is put together; each look is in it", async () => {
    for (let turn = 0; turn < 7; turn += 1)
      await house.send("/v1/people", { as: "owner", json: { name: `p${turn}`, roles: ["analyst"] } });
    const entries: AuditEntry[] = [];
    let before: string | null = null;
    do {
      const page: AuditPage = await told(
        await house.send(`/v1/audit-log?limit=3${before === null ? "" : `&before=${before}`}`, {
          as: "auditor",
        }),
      );
      entries.push(...page.items);
      before = page.before;
    } while (before !== null);
    verifyAuditLog(entries.reverse());
    expect(entries[0]?.sequence).toBe(0);
    expect(entries.at(-1)).toMatchObject({
      actor: { name: "max" },
      fact: { kind: "read", route: "audit-log.read" },
    });
    expect(JSON.stringify(entries)).not.toContain(secretValue);
  });

  test("is for no analyst and no operator, and takes no page that is none", async () => {
    for (const as of ["analyst", "operator"] as const)
      expect((await house.send("/v1/audit-log", { as })).status).toBe(403);
    for (const query of ["before=x", "before=-1", "limit=0", "limit=100000"])
      expect((await house.send(`/v1/audit-log?${query}`, { as: "owner" })).status).toBe(400);
  });
});

describe("what was asked", () => {
  interface Line {
    readonly sequence: number;
    readonly at: string;
    readonly principal: string;
    readonly text: string;
    readonly state: string;
  }
  let other: AppHouse;
  const asked = async (query: string, as: "owner" | "auditor" = "auditor") =>
    told<{ items: readonly Line[]; before: string | null }>(await other.send(`/v1/charges?${query}`, { as }));
  const texts = [
    "SELECT COUNT(*) AS n FROM people",
    "SELECT COUNT(*) AS peoples FROM people WHERE age > 50",
    "SELECT town, COUNT(*) AS n FROM People GROUP BY town",
  ];
  beforeAll(async () => {
    other = await openHouse();
    for (const [at, sql] of texts.entries())
      await other.send("/v1/query", { as: at === 1 ? "bob" : "analyst", json: { sql, epsilon: "1" } });
  });
  afterAll(() => other.close());

  test("is listed for owners and auditors, newest first, by pages", async () => {
    for (const as of ["owner", "auditor"] as const) {
      const all = await asked("", as);
      expect(all.items.map(({ text }) => text)).toEqual([...texts].reverse());
      expect(all.items.map(({ principal, state }) => [principal, state])).toEqual(
        ["ada", "bob", "ada"].map((name) => [name, "settled"]),
      );
    }
    const first = await asked("limit=2");
    expect(first.items).toHaveLength(2);
    const rest = await asked(`limit=2&before=${first.before}`);
    expect(rest.items.map(({ text }) => text)).toEqual([texts[0]]);
    expect(rest.before).toBeNull();
  });

  test("is found by who asked, by a word alone and by time", async () => {
    const found = async (query: string) => (await asked(query)).items.map(({ text }) => text);
    expect(await found("person=BOB")).toEqual([texts[1]]);
    expect(await found("person=nobody")).toEqual([]);
    expect(await found("word=PEOPLE")).toEqual([...texts].reverse());
    expect(await found("word=peoples")).toEqual([texts[1]]);
    expect(await found("word=peop")).toEqual([]);
    expect(await found("word=town&person=ada")).toEqual([texts[2]]);
    const [last] = (await asked("limit=1")).items;
    const later = new Date(Date.parse(last?.at ?? "") + 1).toISOString();
    expect(await found(`from=${later}`)).toEqual([]);
    expect((await found(`to=${later}`)).length).toBe(3);
    expect((await found(`from=${last?.at}&to=${later}`))[0]).toBe(texts[2]);
    for (const wrong of ["from=yesterday", "to=1", "person=", "word="])
      expect((await other.send(`/v1/charges?${wrong}`, { as: "owner" })).status).toBe(400);
  });

  test("is found in the audit log by person, by kind and by time", async () => {
    const found = async (query: string) =>
      (await told<AuditPage>(await other.send(`/v1/audit-log?${query}`, { as: "owner" }))).items;
    const ofBob = await found("person=bob&kind=asked");
    expect(ofBob.map(({ actor, fact }) => [actor.name, fact.kind])).toEqual([["bob", "asked"]]);
    expect((await found("person=bob&kind=policy-changed")).length).toBe(0);
    expect((await found("kind=asked")).length).toBe(3);
    // What was done to somebody is found by their name too.
    expect((await found("person=eve")).map(({ fact }) => fact.kind)).toContain("person-changed");
    const at = new Date(ofBob[0]?.at ?? 0).toISOString();
    expect((await found(`kind=asked&from=${at}`)).length).toBe(2);
    expect((await found(`kind=asked&to=${at}`)).length).toBe(1);
  });
});

describe("sessions", () => {
  const signIn = async (name: string): Promise<string> => {
    const response = await house.send("/v1/session", { headers: { origin }, json: { name, password } });
    return response.headers.get("set-cookie")?.split(";")[0] ?? "";
  };
  const by = (cookie: string) => ({ headers: { origin, cookie } });
  const own = async (cookie: string) =>
    (await told<{ items: readonly ShownSession[] }>(await house.send("/v1/sessions", by(cookie)))).items;

  test("are listed without what proves them, and ended one by one or together, at once", async () => {
    const [one, two, three] = [await signIn("bob"), await signIn("bob"), await signIn("bob")];
    const listed = await own(one);
    expect(listed).toHaveLength(3);
    expect(listed.filter(({ current }) => current)).toHaveLength(1);
    for (const cookie of [one, two, three])
      expect(JSON.stringify(listed)).not.toContain(cookie.split("=")[1]);
    const id = (await own(two)).filter(({ current }) => current)[0]?.id;
    // Another analyst may neither see nor end it, and is told what is told of one that does not exist.
    for (const path of [`/v1/sessions/${id}?of=bob`, `/v1/sessions/${id}`, "/v1/sessions?of=bob"])
      expect((await house.send(path, { as: "analyst", method: "DELETE" })).status).toBe(
        path === "/v1/sessions" ? 204 : 404,
      );
    expect((await house.send(`/v1/sessions/${id}`, { ...by(one), method: "DELETE" })).status).toBe(204);
    expect((await house.send("/v1/me", by(two))).status).toBe(401);
    expect((await house.send("/v1/me", by(three))).status).toBe(200);
    expect((await house.send("/v1/sessions?of=bob", { as: "owner", method: "DELETE" })).status).toBe(204);
    for (const cookie of [one, three]) expect((await house.send("/v1/me", by(cookie))).status).toBe(401);
  });

  test("hold after a restart, and ended ones do not", async () => {
    const [kept, ended] = [await signIn("bob"), await signIn("bob")];
    await house.send("/v1/session", { ...by(ended), method: "DELETE" });
    const again = await house.restarted();
    expect((await again("/v1/me", by(kept))).status).toBe(200);
    expect((await again("/v1/me", by(ended))).status).toBe(401);
    // The file holds nothing that signs in.
    for (const end of ["", "-wal"])
      expect(readFileSync(`${house.folder}/service.db${end}`, "latin1")).not.toContain(kept.split("=")[1]);
  });

  test("are ended by no page of another site", async () => {
    const cookie = await signIn("bob");
    const headers = { origin: "https://evil.example", cookie };
    expect((await house.send("/v1/sessions", { headers, method: "DELETE" })).status).toBe(403);
    expect((await house.send("/v1/me", by(cookie))).status).toBe(200);
  });

  test("one's own password is changed by the one so far alone, and ends every session", async () => {
    const cookie = await signIn("bob");
    const change = (current: string | undefined, next: string, address = "192.0.2.1") =>
      house.send("/v1/people/bob/password", {
        ...by(cookie),
        method: "PUT",
        json: { password: next, ...(current === undefined ? {} : { current }) },
        address,
      });
    expect((await change(undefined, "another long password")).status).toBe(401);
    expect((await change("a wrong password", "another long password")).status).toBe(401);
    expect((await change(password, "short")).status).toBe(422);
    expect((await house.send("/v1/me", by(cookie))).status).toBe(200);
    // Guesses at it are delayed as sign-ins are.
    for (let turn = 0; turn < 3; turn += 1) await change("wrong", "another long password", "192.0.2.77");
    const many = [];
    for (let turn = 0; turn < 4; turn += 1)
      many.push((await change("wrong", "another long password", "192.0.2.77")).status);
    expect(many).toContain(429);
    expect((await change(password, "another long password")).status).toBe(204);
    expect((await house.send("/v1/me", by(cookie))).status).toBe(401);
    expect(await signIn("bob")).toBe("");
    // A token of bob's own is not enough either.
    const stolen = await house.send("/v1/people/bob/password", {
      as: "bob",
      method: "PUT",
      json: { password },
    });
    expect(stolen.status).toBe(401);
  });
});

test("the page of the audit log names each kind of fact", () => {
  const page = readFileSync(new URL("../../../../docs/reference/audit-log.md", import.meta.url), "utf8");
  const source = readFileSync(
    new URL("../../../../packages/serve/src/audit-log/audit-fact.ts", import.meta.url),
    "utf8",
  );
  const kinds = [...source.matchAll(/readonly kind: ([^;]+);/g)].flatMap(([, words]) =>
    [...(words ?? "").matchAll(/"([a-z-]+)"/g)].map(([, kind]) => kind),
  );
  expect(kinds.length).toBeGreaterThan(12);
  for (const kind of kinds) expect(page).toContain(`\`${kind}\``);
});
