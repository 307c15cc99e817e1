import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noBrowser, openPageHouse, type PageHouse } from "../../testing/page-house.ts";
import { wageData } from "../../testing/wage-data.ts";
import { look } from "./testing/watch.ts";

if (noBrowser) console.log(`skipped: ${noBrowser}`);

/** A word that stands in all that is bob's, and in nothing of anybody else. */
const mark = "walrus";
const sql = `SELECT COUNT(*) AS ${mark} FROM people WHERE age > 42`;
const screens = [
  "ask",
  "dashboards",
  "budget",
  "history",
  "release",
  "policy",
  "audit",
  "audit/asked",
  "audit/log",
  "audit/ledger",
  "audit/attacks",
  "people",
  "help",
];
const ofOwners = ["policy", "audit", "audit/asked", "audit/log", "audit/ledger", "audit/attacks"];

describe.skipIf(noBrowser !== null)("what is bob's", () => {
  let pages: PageHouse;
  let ada: Page;
  const bodies: string[] = [];
  const refusedFor: string[] = [];
  const ids = { request: "", dashboard: "", token: "", session: "", offer: "" };
  beforeAll(async () => {
    pages = await openPageHouse({ data: wageData });
    const { send } = pages.house;
    const told = async <T>(path: string, sent: Parameters<typeof send>[1]): Promise<T> =>
      JSON.parse(await (await send(path, sent)).text()) as T;
    const asked = await send("/v1/query", { as: "bob", json: { sql } });
    ids.request = asked.headers.get("lethe-request") ?? "";
    await asked.text();
    const content = { name: mark, questions: [{ title: mark, sql, epsilon: null }], readers: ["olga"] };
    ids.dashboard = (await told<{ id: string }>("/v1/dashboards", { as: "bob", json: content })).id;
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    ids.token = (
      await told<{ id: string }>("/v1/people/bob/tokens", {
        as: "bob",
        json: { name: mark, roles: ["analyst"], expiresAt },
      })
    ).id;
    await pages.visit("bob");
    ids.session =
      (await told<{ items: { id: string }[] }>("/v1/sessions?of=bob", { as: "owner" })).items[0]?.id ?? "";
    ids.offer = (
      await told<{ offer: string }>(`/v1/releases/${encodeURIComponent(ids.request)}/offers`, {
        as: "bob",
        json: { to: "olga" },
      })
    ).offer;
    ada = (await pages.visit("ada", "#/help")).page;
    ada.on("response", async (response) => {
      if (!response.url().includes("/v1/")) return;
      if (response.status() >= 400) refusedFor.push(response.url());
      bodies.push(await response.text().catch(() => ""));
    });
    await ada.getByRole("heading", { level: 1 }).waitFor();
  });
  afterAll(() => pages?.close());
  const open = async (place: string): Promise<void> => {
    await ada.evaluate(`location.hash = ${JSON.stringify(`#/${place}`)}`);
    await ada.locator("main h1").waitFor();
    await expect.poll(() => ada.locator(".loading").count()).toBe(0);
  };

  it("is on no screen of ada's, and in nothing that her page is sent", async () => {
    for (const screen of screens) {
      await open(screen);
      expect({ screen, found: (await look(ada)).text.includes(mark) }).toEqual({ screen, found: false });
    }
    expect(bodies.length).toBeGreaterThan(8);
    expect(bodies.filter((body) => body.includes(mark) || body.includes(ids.request))).toEqual([]);
  });

  it("is not shown at an address that names it, of the screens that ada may see", async () => {
    for (const place of [
      `history/${ids.request}`,
      `release/${encodeURIComponent(ids.request)}`,
      `release/${encodeURIComponent(ids.request)}?of=bob`,
      `history/x?offer=${encodeURIComponent(ids.offer)}`,
      `dashboards/${ids.dashboard}`,
      "people/bob",
    ]) {
      await open(place);
      await ada.getByRole("alert").first().waitFor();
      expect({ place, found: (await look(ada)).text.includes(mark) }).toEqual({ place, found: false });
    }
    expect(bodies.filter((body) => body.includes(mark))).toEqual([]);
  });

  it("an owner's screen that ada opens by its address asks the service for nothing, and shows nothing", async () => {
    await open("help");
    const before = bodies.length;
    for (const place of [...ofOwners, "policy/x", "audit/asked?person=bob"]) {
      await open(place);
      await ada.getByRole("heading", { level: 1, name: "Nothing here" }).waitFor();
    }
    expect(bodies.length).toBe(before);
  });

  it("is answered like what is not there, to whatever ada's own page asks", async () => {
    const attempt = (
      method: string,
      path: string,
      body?: object,
    ): Promise<{ status: number; text: string }> =>
      ada.evaluate(
        `fetch(${JSON.stringify(`/v1/${path}`)}, { method: ${JSON.stringify(method)}, headers: { "content-type": "application/json" }, body: ${JSON.stringify(body === undefined ? undefined : JSON.stringify(body))} }).then(async (answer) => ({ status: answer.status, text: await answer.text() }))`,
      );
    const one = (id: string): string => encodeURIComponent(id);
    const content = { name: "x", questions: [], readers: ["ada"] };
    const tries: readonly (readonly [
      string,
      (of: typeof ids & { readonly name: string }) => string,
      object?,
    ])[] = [
      ["GET", ({ request }) => `releases/${one(request)}`],
      ["GET", ({ request, name }) => `releases/${one(request)}?of=${name}`],
      ["GET", ({ request, name }) => `releases/${one(request)}/certificate?of=${name}`],
      ["POST", ({ request, name }) => `releases/${one(request)}/offers?of=${name}`, { to: "ada" }],
      ["POST", ({ request }) => `releases/${one(request)}/offers`, { to: "ada" }],
      ["GET", ({ request }) => `requests/${one(request)}`],
      ["POST", ({ request }) => `requests/${one(request)}/cancel`],
      ["GET", ({ dashboard }) => `dashboards/${one(dashboard)}`],
      ["PUT", ({ dashboard }) => `dashboards/${one(dashboard)}`, { ...content, version: 1 }],
      ["DELETE", ({ dashboard }) => `dashboards/${one(dashboard)}`],
      ["GET", ({ name }) => `people/${name}`],
      ["GET", ({ name }) => `people/${name}/tokens`],
      ["DELETE", ({ name, token }) => `people/${name}/tokens/${one(token)}`],
      [
        "POST",
        ({ name }) => `people/${name}/tokens`,
        { name: "t", roles: ["analyst"], expiresAt: new Date(Date.now() + 600_000).toISOString() },
      ],
      ["PUT", ({ name }) => `people/${name}/password`, { password: "another long password" }],
      ["PATCH", ({ name }) => `people/${name}`, { roles: ["auditor"] }],
      ["GET", ({ name }) => `budget?of=${name}`],
      ["GET", ({ name }) => `certificates?of=${name}`],
      ["GET", ({ name }) => `sessions?of=${name}`],
      ["DELETE", ({ name, session }) => `sessions/${one(session)}?of=${name}`],
      ["DELETE", ({ name }) => `sessions?of=${name}`],
      ["GET", () => "policy"],
      ["GET", () => "audit-log"],
      ["GET", () => "ledger"],
      ["GET", () => "charges"],
      ["GET", () => "people"],
    ];
    const nobody = {
      request: "q-none-1",
      dashboard: "none",
      token: "none",
      session: "none",
      offer: "offer_x",
      name: "nobody",
    };
    for (const [method, path, body] of tries) {
      const theirs = await attempt(method, path({ ...ids, name: "bob" }), body);
      const none = await attempt(method, path(nobody), body);
      const told = `${method} ${path({ ...ids, name: "bob" })}`;
      expect({ told, isRefused: theirs.status >= 400 && theirs.status < 500 }).toEqual({
        told,
        isRefused: true,
      });
      expect({ told, ...theirs }).toEqual({ told, ...none });
      expect(theirs.text).not.toContain(mark);
    }
    // The same is there for bob.
    const own = await pages.house.send(`/v1/releases/${one(ids.request)}`, { as: "bob" });
    expect(await own.text()).toContain(mark);
    expect((await pages.house.people.store.byName("bob"))?.roles).toEqual(["analyst"]);
  });
});
