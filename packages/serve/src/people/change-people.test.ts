import { beforeEach, describe, expect, it } from "vitest";
import { nobodyAt } from "../audit-log/index.ts";
import { memoryPeople } from "../testing/memory-people.ts";
import { seededBytes } from "../testing/seeded-bytes.ts";
import { addPerson, changePerson, endSessions, type PeopleHouse, setPassword } from "./change-people.ts";
import { derive, verifierText } from "./passwords/scram-verifier.ts";
import type { Person } from "./person.ts";

let house: PeopleHouse;
beforeEach(() => {
  house = {
    store: memoryPeople(),
    random: seededBytes("people"),
    now: () => 5,
    by: nobodyAt("192.0.2.1"),
    passwords: {
      least: 15,
      isKnown: (text) => text === "correct horse battery staple",
      iterations: 4096,
      derive,
    },
  };
});

describe("addPerson", () => {
  it("adds one who cannot sign in yet", async () => {
    const person = await addPerson(house, {
      name: "Ada",
      roles: ["analyst", "analyst"],
      projects: ["north"],
    });
    expect(person).toEqual({
      name: "Ada",
      roles: ["analyst"],
      disabled: false,
      projects: ["north"],
      password: null,
      tokens: [],
      identities: [],
      createdAt: 5,
      generation: 0,
    });
    expect(await house.store.list()).toEqual([person]);
  });

  it.each(["ADA", "ada", "Ada"])("refuses %s beside Ada, also while she is disabled", async (name) => {
    await addPerson(house, { name: "Olga", roles: ["owner"] });
    await addPerson(house, { name: "Ada", roles: ["analyst"] });
    await changePerson(house, "Ada", { disabled: true });
    await expect(addPerson(house, { name, roles: ["owner"] })).rejects.toMatchObject({
      code: "people.invalid",
    });
  });

  it.each(["", " ada", "ada ", "owner", "Owner", "a\u200bb", "\u2126", "x".repeat(64), "__proto__", "a\nb"])(
    "refuses the name %j",
    (name) => {
      expect(() => addPerson(house, { name, roles: [] })).toThrow(
        expect.objectContaining({ code: "people.invalid" }),
      );
    },
  );
});

describe("changePerson", () => {
  it("ends sessions where roles change or a person is disabled, and not for other changes", async () => {
    await addPerson(house, { name: "ada", roles: ["analyst"] });
    expect(await changePerson(house, "ada", { projects: ["south"] })).toMatchObject({ generation: 0 });
    expect(await changePerson(house, "ada", { roles: ["auditor"] })).toMatchObject({ generation: 1 });
    expect(await changePerson(house, "ada", { disabled: true })).toMatchObject({ generation: 2 });
    await endSessions(house, "ada");
    expect(await house.store.byName("ada")).toMatchObject({
      generation: 3,
      projects: ["south"],
      disabled: true,
    });
  });

  it("keeps the last owner", async () => {
    await addPerson(house, { name: "olga", roles: ["owner"] });
    await addPerson(house, { name: "otto", roles: ["owner"] });
    await changePerson(house, "otto", { roles: ["operator"] });
    for (const change of [{ disabled: true }, { roles: ["analyst"] as const }])
      await expect(changePerson(house, "OLGA", change)).rejects.toMatchObject({ code: "people.invalid" });
    await changePerson(house, "otto", { roles: ["owner"] });
    expect(await changePerson(house, "olga", { disabled: true })).toMatchObject({ disabled: true });
  });

  it("keeps the last owner also where both are disabled at the same time", async () => {
    for (const name of ["olga", "otto"]) await addPerson(house, { name, roles: ["owner"] });
    const both = ["olga", "otto"].map((name) => changePerson(house, name, { disabled: true }));
    const results = await Promise.allSettled(both);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await house.store.list()).filter(({ disabled }) => !disabled)).toHaveLength(1);
  });

  it("keeps the last owner where another one goes while it is looked who is left", async () => {
    for (const name of ["olga", "otto"]) await addPerson(house, { name, roles: ["owner"] });
    let looked = 0;
    const list = async (): Promise<readonly Person[]> => {
      const before = await house.store.list();
      looked += 1;
      if (looked === 1) await changePerson(house, "otto", { disabled: true });
      return before;
    };
    const slow = { ...house, store: { ...house.store, list } };
    await expect(changePerson(slow, "olga", { disabled: true })).rejects.toMatchObject({
      code: "people.invalid",
    });
    expect((await house.store.list()).map(({ disabled }) => disabled)).toEqual([false, true]);
  });

  it("gives one identity to one person", async () => {
    for (const name of ["ada", "bob"]) await addPerson(house, { name, roles: ["analyst"] });
    const identities = [{ issuer: "https://id.example", subject: "1" }];
    await changePerson(house, "ada", { identities });
    await changePerson(house, "ada", { identities });
    await expect(changePerson(house, "bob", { identities })).rejects.toMatchObject({
      code: "people.invalid",
    });
  });

  it("of somebody who does not exist is refused as such", async () => {
    await expect(changePerson(house, "nobody", {})).rejects.toMatchObject({ code: "serve.absent" });
    await expect(endSessions(house, "nobody")).rejects.toMatchObject({ code: "serve.absent" });
    await expect(setPassword(house, "nobody", "four words of no use")).rejects.toMatchObject({
      code: "serve.absent",
    });
  });

  it("gives up where the people never stay as they were read", async () => {
    const store = { ...house.store, put: async () => false };
    const adding = addPerson({ ...house, store }, { name: "ada", roles: [] });
    await expect(adding).rejects.toMatchObject({ code: "people.changed" });
  });

  it("loses none of many changes at the same time", async () => {
    await addPerson(house, { name: "ada", roles: ["analyst"] });
    await Promise.all(Array.from({ length: 5 }, () => endSessions(house, "ada")));
    expect(await house.store.byName("ada")).toMatchObject({ generation: 5 });
  });
});

describe("setPassword", () => {
  it("says of an empty password that it is empty", async () => {
    await addPerson(house, { name: "ada", roles: ["analyst"] });
    await expect(setPassword(house, "ada", "")).rejects.toThrow("the password is empty");
  });

  it("keeps a verifier and ends sessions", async () => {
    await addPerson(house, { name: "ada", roles: ["analyst"] });
    await setPassword(house, "ada", "four words of no use");
    const person = (await house.store.byName("ada"))!;
    expect(person.generation).toBe(1);
    expect(verifierText(person.password!)).toMatch(/^SCRAM-SHA-256\$4096:/);
  });

  it.each([
    ["fewer than 15 characters", "fourteen chars"],
    ["too long", "ab cdefgh".repeat(40)],
    ["too long", "x".repeat(100_000)],
    ["cannot be used", "four words\u0000 of no use"],
    ["easily guessed", "ada's own password"],
    ["easily guessed", "abababababababababab"],
    ["attackers try first", "Correct Horse Battery Staple"],
  ])("refuses a password that %s, without repeating it", async (what, password) => {
    await addPerson(house, { name: "ada", roles: ["analyst"] });
    const error: unknown = await setPassword(house, "ada", password).catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code: "people.invalid", message: expect.stringContaining(what) });
    expect(JSON.stringify(error)).not.toContain(password);
    expect(await house.store.byName("ada")).toMatchObject({ password: null, generation: 0 });
  });
});
