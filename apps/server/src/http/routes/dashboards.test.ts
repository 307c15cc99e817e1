import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppHouse, openHouse, type Sent } from "../../testing/app-house.ts";

let house: AppHouse;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const question = { title: "People", sql: "SELECT COUNT(*) AS n FROM people", epsilon: "1/3" };
const content = { name: "Towns", questions: [question], readers: [] as readonly string[] };
const change = { ...content, version: 1 };

async function told(path: string, sent: Sent): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await house.send(path, sent);
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}
const added = async (as: "analyst" | "bob", readers: readonly string[] = []): Promise<string> =>
  String((await told("/v1/dashboards", { as, json: { ...content, readers } })).body.id);
const namesOf = async (as: Sent["as"]): Promise<readonly unknown[]> =>
  ((await told("/v1/dashboards", { as })).body.items as { readonly id: string }[]).map(({ id }) => id);

describe("a dashboard", () => {
  it("is kept as it was stated, changed, and removed", async () => {
    const made = await told("/v1/dashboards", { as: "analyst", json: content });
    expect(made).toMatchObject({ status: 201, body: { ...content, person: "ada" } });
    const path = `/v1/dashboards/${made.body.id}`;
    expect(await told(path, { as: "analyst" })).toEqual({ status: 200, body: made.body });
    const changed = { name: "Others", questions: [question, { ...question, epsilon: null }], readers: [] };
    expect(
      await told(path, { as: "analyst", method: "PUT", json: { ...changed, version: 1 } }),
    ).toMatchObject({ status: 200, body: { ...changed, id: made.body.id, version: 2 } });
    expect(await told(path, { as: "analyst" })).toMatchObject({ body: { ...changed, version: 2 } });
    expect((await told(path, { as: "analyst", method: "DELETE" })).status).toBe(204);
    expect((await told(path, { as: "analyst" })).status).toBe(404);
  });

  it("is read by those whom its person names, in any case, and changed by nobody else", async () => {
    const id = await added("analyst", ["BOB", "Bob"]);
    const path = `/v1/dashboards/${id}`;
    expect(await namesOf("bob")).toContain(id);
    expect((await told(path, { as: "bob" })).body).toMatchObject({ person: "ada", questions: [question] });
    expect((await told(path, { as: "bob", method: "PUT", json: change })).status).toBe(404);
    expect((await told(path, { as: "bob", method: "DELETE" })).status).toBe(404);
    // An owner answers for the data, and reads nobody's notes.
    expect((await told(path, { as: "owner" })).status).toBe(404);
    expect(await namesOf("owner")).not.toContain(id);
    await told(path, { as: "analyst", method: "PUT", json: change });
    expect((await told(path, { as: "bob" })).status).toBe(404);
    expect(await namesOf("bob")).not.toContain(id);
  });

  it("is not changed by what was made of an earlier version, also where both come at once", async () => {
    const path = `/v1/dashboards/${await added("analyst")}`;
    const put = (name: string, version: unknown) =>
      told(path, { as: "analyst", method: "PUT", json: { ...content, name, version } });
    const names = Array.from({ length: 8 }, (_, at) => `name ${at}`);
    const all = await Promise.all(names.map((name) => put(name, 1)));
    const kept = all.filter(({ status }) => status === 200);
    expect(kept.length).toBe(1);
    for (const { status, body } of all)
      if (status !== 200)
        expect({ status, body }).toMatchObject({ status: 409, body: { code: "serve.changed" } });
    expect((await told(path, { as: "analyst" })).body).toEqual(kept[0]?.body);
    for (const version of [1, 3, 1e9]) expect((await put("late", version)).status).toBe(409);
    for (const version of [0, -1, 1.5, "2", null, undefined])
      expect((await put("no", version)).status).toBe(400);
    expect((await put("newest", 2)).status).toBe(200);
    // What was removed is not made again by a change of it.
    await told(path, { as: "analyst", method: "DELETE" });
    expect((await put("again", 3)).status).toBe(404);
  });

  it("says nothing of whether a reader's name is anybody's", async () => {
    const [there, nobody] = await Promise.all(
      ["bob", "nobody"].map((name) =>
        told("/v1/dashboards", { as: "analyst", json: { ...content, readers: [name] } }),
      ),
    );
    expect([there?.status, nobody?.status]).toEqual([201, 201]);
    const bad = await told("/v1/dashboards", { as: "analyst", json: { ...content, readers: ["a\u0000"] } });
    expect(bad.body.code).toBe("people.invalid");
  });

  it.each([
    ["without a name", { ...content, name: "" }],
    ["with 31 questions", { ...content, questions: Array.from({ length: 31 }, () => question) }],
    ["with 21 readers", { ...content, readers: Array.from({ length: 21 }, (_, at) => `reader ${at}`) }],
    [
      "with a question of more than 10,000 characters",
      { ...content, questions: [{ ...question, sql: "x".repeat(10_001) }] },
    ],
    ["with more than it may state", { ...content, person: "bob" }],
  ])("%s is refused", async (_, json) => {
    expect(await told("/v1/dashboards", { as: "analyst", json })).toMatchObject({ status: 400 });
  });

  it("outlives a restart", async () => {
    const id = await added("bob");
    const send = await house.restarted();
    expect((await send(`/v1/dashboards/${id}`, { as: "bob" })).status).toBe(200);
  });

  it("is one of at most 50 of a person, however many others let them read", async () => {
    for (let at = 0; at < 60; at += 1) if (!(await tryAdd("bob", ["ada"]))) break;
    const own = async (as: "analyst" | "bob", person: string): Promise<number> =>
      ((await told("/v1/dashboards", { as })).body.items as { readonly person: string }[]).filter(
        (dashboard) => dashboard.person === person,
      ).length;
    expect(await own("bob", "bob")).toBe(50);
    expect(await tryAdd("analyst", [])).toBe(true);
    const refused = await told("/v1/dashboards", { as: "bob", json: content });
    expect(refused.body).toMatchObject({ code: "parameter.invalid" });
    // One of the fifty may still be changed.
    const [first] = await namesOf("bob");
    expect((await told(`/v1/dashboards/${first}`, { as: "bob", method: "PUT", json: change })).status).toBe(
      200,
    );
  });
});

async function tryAdd(as: "analyst" | "bob", readers: readonly string[]): Promise<boolean> {
  return (await told("/v1/dashboards", { as, json: { ...content, readers } })).status === 201;
}
