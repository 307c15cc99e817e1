import type { LetheError } from "@lethe/core";
import { readPolicy } from "@lethe/query";
import { afterEach, describe, expect, it } from "vitest";
import { openTrino, type TrinoOptions } from "./open-trino.ts";
import { type FakeAnswer, type FakeTrino, fakeTrino, type MetRequest } from "./testing/fake-trino.ts";

const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: trino, url_env: LETHE_DATABASE_URL }
tables:
  people: { unit: row, columns: { wage: { type: number } } }
`);

let fake: FakeTrino | null = null;
afterEach(async () => {
  await fake?.stop();
  fake = null;
});

interface Told {
  readonly error: LetheError;
  readonly logged: readonly string[];
  readonly met: readonly MetRequest[];
}

/** Asks an engine over a server that answers so: what it says of the table, or of a question. */
async function told(
  answer: (request: MetRequest, count: number) => FakeAnswer,
  ask: "storage" | "run",
  options: Partial<TrinoOptions> = {},
): Promise<Told> {
  fake = await fakeTrino(answer);
  const logged: string[] = [];
  const url = `${fake.url.replace("//", "//lethe@")}/lake/clinic`;
  const engine = openTrino({ policy, url, seed: "s", log: (detail) => logged.push(detail), ...options });
  const query = { dialect: "trino", sql: "SELECT 0, 1", keys: 0, sums: 1, needsSeed: false };
  const asked = ask === "storage" ? engine.storage("people") : engine.run(query as never);
  const error = await asked.then(
    () => expect.fail("it was answered"),
    (thrown: LetheError) => thrown,
  );
  await engine.close();
  return { error, logged, met: fake.met };
}

const result = (rows: readonly (readonly unknown[])[]): string => {
  const columns = (rows[0] ?? []).map((_, at) => ({ name: `c${at}`, type: "varchar" }));
  return JSON.stringify({ id: "q", columns, data: rows, stats: {} });
};
const failure = (errorName: string, message: string): string =>
  JSON.stringify({ error: { errorName, message } });

/** A server of this version, whose catalog says this of the relation, and which lets a role do what is allowed. */
const server =
  (version: string, facts: readonly (readonly string[])[], allowed: RegExp) =>
  ({ body }: MetRequest): FakeAnswer => {
    if (body.includes("version()")) return result([[version]]);
    if (body.startsWith("EXPLAIN (TYPE VALIDATE)"))
      return allowed.test(body) ? result([["true"]]) : failure("PERMISSION_DENIED", "secret");
    return result(facts);
  };

const table = [
  ["column", "wage", "double"],
  ["relation", "BASE TABLE", ""],
  ["connector", "iceberg", ""],
];
const reads = /VALIDATE\) SELECT/;

describe("before a charge", () => {
  it.each(["475", "352-e.1", "0"])("a Trino of version %s is refused", async (version) => {
    const { error } = await told(server(version, table, reads), "storage");
    expect(error).toMatchObject({
      code: "engine.source",
      message: `the server is Trino ${Number.parseInt(version, 10)}`,
      fix: "ask one of version 476 or later",
    });
  });

  it.each(["", "testversion", "<html>secret</html>"])(
    "a server of version %j is refused",
    async (version) => {
      const { error } = await told(server(version, table, reads), "storage");
      expect(error).toMatchObject({
        code: "engine.source",
        message: "the server states no version of Trino",
      });
      expect(JSON.stringify(error)).not.toContain("secret");
    },
  );

  it("a table with two columns that differ in capitals alone is refused", async () => {
    const { error } = await told(server("476", [["column", "WAGE", "double"], ...table], reads), "storage");
    expect(error).toMatchObject({
      code: "engine.schema",
      message:
        "the relation of people has two columns wage that differ in capitals alone, and are one to Trino",
      fields: { table: "people", column: "wage" },
    });
    expect(error.fix).toContain("rename one of the two");
  });

  it("a policy with two such columns is none", () => {
    const twice = "{ unit: row, columns: { wage: { type: number }, Wage: { type: number } } }";
    const text = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: trino, url_env: LETHE_DATABASE_URL }
tables: { people: ${twice} }
`;
    expect(() => readPolicy(text)).toThrow(/tables.people.columns.Wage: differs from "wage" only by case/);
  });

  it.each(["476", "476-e.3", "483"])("one of version %s is asked", async (version) => {
    fake = await fakeTrino(server(version, table, reads));
    const url = `${fake.url.replace("//", "//lethe@")}/lake/clinic`;
    const engine = openTrino({ policy, url, seed: "s", log: () => undefined });
    expect(await engine.storage("people")).toEqual({
      relation: ["lake", "clinic", "people"],
      layout: "raw",
      types: { wage: "double" },
    });
    await engine.close();
  });

  it.each([
    ["CREATE TABLE", "make tables beside"],
    ["CREATE VIEW", "make views beside"],
    ["INSERT INTO", "insert into"],
    ["DELETE FROM", "delete from"],
  ])("a user that may %s is refused", async (right, said) => {
    const { error } = await told(
      server("476", table, new RegExp(`VALIDATE\\) (SELECT|${right})`)),
      "storage",
    );
    expect(error).toMatchObject({
      code: "engine.source",
      message: `the user of Trino may ${said} the relation of people`,
      fields: { table: "people" },
    });
  });

  it("a check of rights that fails in another way is no right to go on", async () => {
    const broken = (request: MetRequest): FakeAnswer =>
      request.body.includes("VALIDATE) DELETE")
        ? failure("GENERIC_INTERNAL_ERROR", "secret")
        : server("476", table, reads)(request);
    const { error, logged } = await told(broken, "storage");
    expect(error).toMatchObject({
      code: "engine.source",
      message: "the Trino of the policy cannot be asked",
    });
    expect(JSON.stringify(error)).not.toContain("secret");
    expect(logged).toEqual(["people: GENERIC_INTERNAL_ERROR: secret"]);
  });

  it.each<[string, FakeAnswer]>([
    ["cuts the connection", "cut"],
    ["asks for a password", { status: 401, headers: { "www-authenticate": "Basic" }, body: "secret" }],
    ["sends it elsewhere", { status: 307, headers: { location: "http://127.0.0.1:1/secret" } }],
    ["is another program", { status: 200, body: "<html>secret</html>" }],
    ["fails", failure("GENERIC_INTERNAL_ERROR", "secret")],
    ["sends pages to another server", '{"nextUri":"http://127.0.0.1:1/v1/statement/secret"}'],
  ])("a server that %s cannot be asked", async (_, answer) => {
    const { error, logged, met } = await told(() => answer, "storage");
    expect(error).toMatchObject({
      code: "engine.source",
      message: "the Trino of the policy cannot be asked",
      fields: { table: "people" },
    });
    expect(JSON.stringify(error)).not.toContain("secret");
    expect(error.cause).toBeUndefined();
    expect([logged.length, met.length]).toEqual([1, 1]);
  });

  it("two tables over one relation in two roles are refused, whatever its catalog", async () => {
    fake = await fakeTrino(server("476", table, reads));
    const twice = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
database: { kind: trino, url_env: LETHE_DATABASE_URL }
tables:
  people: { relation: lake.clinic.people, unit: row, columns: { wage: { type: number } } }
  open: { relation: swamp.Clinic.People, public: true, columns: { wage: { type: number } } }
`);
    const url = fake.url.replace("//", "//lethe@");
    const engine = openTrino({ policy: twice, url, seed: "s", log: () => undefined });
    for (const name of ["people", "open"])
      await expect(engine.storage(name)).rejects.toMatchObject({ code: "policy.roles" });
    await engine.close();
  });

  it("a server that is not there cannot be asked", async () => {
    const gone = await fakeTrino(() => "cut");
    await gone.stop();
    const logged: string[] = [];
    const url = `${gone.url.replace("//", "//lethe@")}/lake/clinic`;
    const engine = openTrino({ policy, url, seed: "s", log: (detail) => logged.push(detail) });
    await expect(engine.storage("people")).rejects.toMatchObject({ code: "engine.source" });
    expect(logged).toEqual(["people: the server cannot be reached (ECONNREFUSED)"]);
    await engine.close();
  });

  it("a server that does not answer in time cannot be asked", async () => {
    const { error, logged } = await told(() => "silence", "storage", { limits: { requestMs: 50 } });
    expect(error).toMatchObject({ code: "engine.source" });
    expect(logged).toEqual(["people: no answer within 50 ms"]);
  });
});

describe("after a charge", () => {
  const numbers = '"columns":[{"name":"u","type":"bigint"},{"name":"s","type":"decimal(38,0)"}]';
  it.each<[string, (request: MetRequest) => FakeAnswer]>([
    ["fails", () => failure("DIVISION_BY_ZERO", "secret")],
    [
      "loses a worker",
      ({ method }) =>
        method === "GET" ? failure("REMOTE_TASK_ERROR", "secret") : `{"nextUri":"$/v1/statement/1"}`,
    ],
    ["answers with a page that is none", () => "secret"],
    ["answers with too few values", () => `{${numbers},"data":[[1]]}`],
    ["answers with a fraction", () => `{${numbers},"data":[[1,"1.5"]]}`],
    ["answers with text for numbers", () => `{${numbers},"data":[[1,"secret"]]}`],
    ["answers with other columns", () => '{"columns":[{"name":"u","type":"bigint"}],"data":[[1]]}'],
    [
      "answers with doubles for sums",
      () => '{"columns":[{"name":"u","type":"bigint"},{"name":"s","type":"double"}],"data":[]}',
    ],
    ["answers without columns", () => "{}"],
    ["cuts the connection", () => "cut"],
    ["refuses", () => ({ status: 403, body: "secret" })],
  ])("a server that %s gives the one constant", async (_, answer) => {
    const { error, logged } = await told(answer, "run");
    expect(error.toJSON()).toEqual({
      code: "engine.failed",
      message: "the database could not answer; details are in the owner's log",
      fix: "ask the owner of the data",
      fields: {},
    });
    expect(error.cause).toBeUndefined();
    expect(logged).toHaveLength(1);
  });

  it("a server whose pages have no end is left at the statement's time", async () => {
    const forever = (_: MetRequest, count: number): FakeAnswer => `{"nextUri":"$/v1/statement/${count}"}`;
    fake = await fakeTrino(forever);
    const url = `${fake.url.replace("//", "//lethe@")}/lake/clinic`;
    const logged: string[] = [];
    const engine = openTrino({
      policy,
      url,
      seed: "s",
      log: (detail) => logged.push(detail),
      limits: { timeoutMs: 1, graceMs: 100 },
    });
    const query = { dialect: "trino", sql: "SELECT 0, 1", keys: 0, sums: 1, needsSeed: false };
    await expect(engine.run(query as never)).rejects.toMatchObject({ code: "engine.failed" });
    expect(logged).toEqual(["the statement took longer than it may"]);
    expect(fake.met.at(-1)!.method).toBe("DELETE");
    await engine.close();
  });
});
