import type { PoolClient } from "pg";
import { describe, expect, it } from "vitest";
import { checkComputed } from "./check-computed.ts";
import { checkRights } from "./check-rights.ts";
import { checkRole } from "./check-role.ts";
import { checkStored } from "./check-stored.ts";
import { policyOfPeople } from "./testing/asked-server.ts";

/*
 * The words of a refusal, for what the catalog says. That the catalog says so of a role or a relation is tested on a server:
 * refused-roles.test.ts, refused-relations.test.ts.
 */

/** A server that answers one question after another with these rows. */
function clientOf(...answers: readonly (readonly object[])[]): PoolClient {
  const left = [...answers];
  return { query: async () => ({ rows: left.shift() ?? [] }) } as unknown as PoolClient;
}

const asRole =
  "connect as a role that may only read it: CREATE ROLE lethe LOGIN; GRANT SELECT ON the tables TO lethe";

describe("rights on a relation", () => {
  const base = {
    role: "r",
    holder: "r",
    everybody: false,
    relation: "hr.staff",
    own: true,
    owner: false,
    right: "INSERT",
  };
  const told = (fault: Partial<typeof base>): Promise<unknown> =>
    checkRights(clientOf([{ ...base, ...fault }]), "people", "7").catch((error: unknown) => error);

  it.each([
    [{}, "may write to the relation of people", "REVOKE INSERT ON hr.staff FROM r; or "],
    [{ right: "UPDATE" }, "may write to the relation of people", "REVOKE UPDATE ON hr.staff FROM r; or "],
    [{ right: "DELETE" }, "may write to the relation of people", "REVOKE DELETE ON hr.staff FROM r; or "],
    [{ right: "TRUNCATE" }, "may write to the relation of people", "REVOKE TRUNCATE ON hr.staff FROM r; or "],
    [
      { right: "UPDATE WITH GRANT OPTION" },
      "may write to the relation of people",
      "REVOKE UPDATE ON hr.staff FROM r; or ",
    ],
    [{ right: "TRIGGER" }, "has TRIGGER on the relation of people", "REVOKE TRIGGER ON hr.staff FROM r; or "],
    [
      { right: "SELECT WITH GRANT OPTION" },
      "has SELECT WITH GRANT OPTION on the relation of people",
      "REVOKE GRANT OPTION FOR SELECT ON hr.staff FROM r; or ",
    ],
    [{ owner: true, right: "OWNER" }, "owns the relation of people", ""],
    [
      { own: false },
      "may write to hr.staff, which is read with the relation of people",
      "REVOKE INSERT ON hr.staff FROM r; or ",
    ],
    [
      { holder: "writers" },
      "may write to the relation of people, as a member of writers",
      "REVOKE INSERT ON hr.staff FROM writers; or ",
    ],
    [
      { holder: "PUBLIC", everybody: true },
      "may write to the relation of people, as everybody may",
      "REVOKE INSERT ON hr.staff FROM PUBLIC; or ",
    ],
    [
      { holder: "PUBLIC", everybody: false },
      "may write to the relation of people, as a member of PUBLIC",
      "REVOKE INSERT ON hr.staff FROM PUBLIC; or ",
    ],
  ])("%j are told in words, with the SQL that takes them away", async (fault, words, remedy) => {
    const { role, holder, right } = { ...base, ...fault };
    expect(await told(fault)).toMatchObject({
      code: "engine.source",
      message: `the role r ${words}`,
      fix: `${remedy}${asRole}`,
      fields: { table: "people", role, holder, right },
    });
  });

  it("are accepted where the catalog finds none", async () => {
    await expect(checkRights(clientOf([]), "people", "7")).resolves.toBeUndefined();
  });
});

describe("a role", () => {
  const own = "connect as a role made for this: CREATE ROLE lethe LOGIN; GRANT SELECT ON the tables TO lethe";
  it.each([
    [{ holder: "r", said: "may do it", remedy: null }, "may do it", own],
    [{ holder: "r", said: "may do it", remedy: "REVOKE it" }, "may do it", `REVOKE it; or ${own}`],
    [{ holder: "chief", said: "may do it", remedy: null }, "may do it, as a member of chief", own],
    [{ holder: "PUBLIC", said: "may do it", remedy: "R" }, "may do it, as everybody may", `R; or ${own}`],
    [{ holder: "pg_x", said: "is a member of pg_x", remedy: "R" }, "is a member of pg_x", `R; or ${own}`],
  ])("of which the catalog says %j is told so", async (fault, words, fix) => {
    await expect(checkRole(clientOf([{ role: "r", ...fault }]))).rejects.toMatchObject({
      code: "engine.source",
      message: `the role r ${words}`,
      fix,
      fields: { role: "r", holder: fault.holder },
    });
  });

  it("of which it says nothing is accepted", async () => {
    await expect(checkRole(clientOf([]))).resolves.toBeUndefined();
  });
});

describe("a relation that is not stored", () => {
  it.each([
    [
      "foreign",
      "is a foreign table: one line of it that cannot be read would make the question fail, which would reveal that line",
      "copy its rows into a table: CREATE TABLE … AS SELECT * FROM hr.staff; and name that one",
    ],
    ["temporary", "is a temporary table, which no other session can read", "name a table that stays"],
    ["empty", "is a materialized view that was never filled", "REFRESH MATERIALIZED VIEW hr.staff"],
  ])("but %s is told so, itself or what is read with it", async (fault, words, fix) => {
    for (const [isOwn, subject] of [
      [true, "the relation of people"],
      [false, "hr.staff, which is read with the relation of people,"],
    ] as const) {
      const client = clientOf([{ name: "hr.staff", own: isOwn, fault }]);
      await expect(checkStored(client, "people", "7")).rejects.toMatchObject({
        code: "engine.source",
        message: `${subject} ${words}`,
        fix,
        fields: { table: "people", relation: "hr.staff" },
      });
    }
    await expect(checkStored(clientOf([]), "people", "7")).resolves.toBeUndefined();
  });
});

describe("a relation that is computed", () => {
  const policy = policyOfPeople("unit: row, columns: { a: { type: text } }").tables.people!;

  it("is told with all that it computes, the relation's before its columns'", async () => {
    const client = clientOf(
      [{ said: "is a view" }, { said: "has row-level security for this role" }],
      [
        { said: "computes % when it is read (VIRTUAL)", name: "a" },
        { said: "reads % through a cast", name: "%" },
      ],
    );
    await expect(checkComputed(client, "people", policy, "7")).rejects.toMatchObject({
      code: "engine.untrusted",
      message:
        "the relation of people is a view, and has row-level security for this role, and computes a when it is read (VIRTUAL), and reads % through a cast",
      fix: expect.stringContaining("write trusted: true below people in the policy"),
      fields: { table: "people" },
    });
  });

  it("is refused for one of either, and accepted for none or where the policy vouches for it", async () => {
    const [view, column] = [[{ said: "is a view" }], [{ said: "computes %", name: "a" }]];
    await expect(checkComputed(clientOf(view, []), "people", policy, "7")).rejects.toMatchObject({
      message: "the relation of people is a view",
    });
    await expect(checkComputed(clientOf([], column), "people", policy, "7")).rejects.toMatchObject({
      message: "the relation of people computes a",
    });
    await expect(checkComputed(clientOf([], []), "people", policy, "7")).resolves.toBeUndefined();
    const vouched = { ...policy, trusted: true };
    await expect(checkComputed(clientOf(view, column), "people", vouched, "7")).resolves.toBeUndefined();
  });
});
