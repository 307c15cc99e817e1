import { buildIndex, importTable } from "@lethe/engine-duckdb";
import { importTrino, manifestsMark, openTrino, removeTrinoSnapshot } from "@lethe/engine-trino";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { standInForTrino, type TrinoStandIn } from "../../../testing/src/trino/stand-in-for-trino.ts";
import { mcpServers } from "./mcp/mcp-server.ts";
import { type EnginePlace, nameOf, password } from "./testing/app-house.ts";
import { openWireHouse, type WireHouse } from "./wire/testing/wire-house.ts";

const policyOf = (limit: string, where = "", source = "file: people.csv"): string => `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 100000 }
${where}
tables:
  people:
    ${source}
    unit: who
    limit: ${limit}
    columns: { who: { type: text }, town: { type: text, categories: [north, south] } }
`;
const people = `who,town\n${Array.from({ length: 60 }, (_, at) => `p${at % 20},${at % 3 === 0 ? "north" : "south"}`).join("\n")}\n`;
const sql = "SELECT COUNT(*) AS n FROM people";
const seed = "seed of a test";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function open(options: Parameters<typeof openWireHouse>[0]): Promise<WireHouse> {
  const house = await openWireHouse(options);
  opened.push(house);
  return house;
}

/** Asks a question's plan over HTTP. */
async function explained(
  house: WireHouse,
  text = sql,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await house.send("/v1/explain", { as: "analyst", json: { sql: text, epsilon: "1" } });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const readsOf = async (house: WireHouse, text = sql): Promise<unknown> =>
  (await explained(house, text)).body.reads;
const wordsOf = async (house: WireHouse, text = sql): Promise<readonly string[]> =>
  ((await readsOf(house, text)) as { words: string[] }[]).flatMap(({ words }) => words);

/** Asks the same over PostgreSQL's wire. */
async function readsOverWire({ port }: WireHouse): Promise<unknown> {
  const client = new pg.Client({ host: "127.0.0.1", port, user: "ada", password, database: "shop" });
  await client.connect();
  try {
    const { rows } = await client.query(
      `EXPLAIN PRIVACY SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1) COUNT(*) AS n FROM people`,
    );
    return rows[0].explanation.reads;
  } finally {
    await client.end();
  }
}

/** Asks the same as an agent does. */
async function readsOverMcp({ service }: WireHouse): Promise<unknown> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const proof = { kind: "session", session: "here" } as const;
  const who = { name: nameOf.bob, roles: ["analyst"], projects: [], proof } as const;
  serveStdio(
    mcpServers(service, async () => who),
    { transport: theirs as never },
  );
  const client = new Client({ name: "an agent", version: "1" });
  await client.connect(ours);
  try {
    const result = await client.callTool({ name: "explain", arguments: { sql, epsilon: "1" } });
    return JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? "null").reads;
  } finally {
    await client.close();
  }
}

describe("over DuckDB, explain says", () => {
  const data = { policy: policyOf("rows-before-filter"), people };
  const read = "people is read from its import, which froze the rows of its file";
  const frozen = (place: EnginePlace): Promise<unknown> =>
    importTable({ table: "people", clock: Date.now, ...place });

  it("that rows have no index: over HTTP, the wire and to an agent alike", async () => {
    const house = await open({ data });
    const reads = [
      {
        ...{ table: "people", from: "import", snapshot: null, asOf: null, order: "none" },
        words: [
          read,
          "Index of people: none; questions order the rows themselves, with the same answers: lethe index build makes one",
        ],
      },
    ];
    expect(await readsOf(house)).toEqual(reads);
    expect(await readsOverWire(house)).toEqual(reads);
    expect(await readsOverMcp(house)).toEqual(reads);
    expect((await house.ledger.report()).charges).toEqual([]);
  });

  it("that they have one, and nothing of the rows that it was made of", async () => {
    const house = await open({
      data,
      prepare: async (place) => {
        await frozen(place);
        await buildIndex({ table: "people", seed, clock: Date.now, ...place });
      },
    });
    expect(await wordsOf(house)).toEqual([read, "Index of people: built; questions use it"]);
    const { body } = await explained(house);
    expect(JSON.stringify(body.reads)).not.toMatch(/sha256|bytes|people\.csv|\b60\b/);
  });

  it("that the index was built under another seed", async () => {
    const house = await open({
      data,
      prepare: async (place) => {
        await frozen(place);
        await buildIndex({ table: "people", seed: "another", clock: Date.now, ...place });
      },
    });
    expect((await wordsOf(house))[1]).toMatch(/^Index of people: built under another secret seed/);
  });

  it("how the service's own engine reads, though an index is built while it runs", async () => {
    let place: EnginePlace | null = null;
    const house = await open({
      data,
      prepare: (own) => {
        place = own;
        return frozen(own);
      },
    });
    const before = await wordsOf(house);
    await buildIndex({ table: "people", seed, clock: Date.now, ...place! });
    expect(await wordsOf(house, `${sql} -- once more`)).toEqual(before);
  });

  it("no word of an index to a question that needs no order", async () => {
    const house = await open({ data: { policy: policyOf("groups-after-filter"), people } });
    expect(await wordsOf(house)).toEqual([read]);
    expect(await readsOf(house)).toMatchObject([{ order: null }]);
  });

  it("the same of other rows", async () => {
    const told = [];
    for (const rows of [people, `who,town\n${"q,south\n".repeat(500)}`]) {
      const house = await open({ data: { ...data, people: rows } });
      told.push(await explained(house));
    }
    expect(told[0]).toEqual(told[1]);
  });
});

describe("over Trino, explain says", () => {
  const moment = "2026-01-01T00:00:00.000Z";
  const data = {
    policy: policyOf(
      "rows-before-filter",
      "database: { kind: trino, url_env: LETHE_NONE }",
      "relation: lake.clinic.people",
    ),
    people,
  };

  interface TrinoHouse {
    readonly house: WireHouse;
    readonly trino: TrinoStandIn;
    /** Imports the table by its owner, at a moment. */
    import(at?: string): Promise<string>;
    remove(): Promise<unknown>;
  }

  async function openTrinoHouse(): Promise<TrinoHouse> {
    const trino = await standInForTrino({ who: "varchar", town: "varchar" });
    opened.push({ close: () => trino.stop() });
    const url = trino.urlOf("lethe", "lake/clinic");
    let place: EnginePlace | null = null;
    const house = await open({
      data,
      prepare: async (own) => {
        place = own;
      },
      openEngine: async (own) => openTrino({ url, seed, ...own }),
      imports: () => manifestsMark(place!.policy, place!.stateDirectory),
    });
    const owned = { table: "people", url, ownersUrl: trino.urlOf("owner", "lake/lethe"), seed, ...place! };
    return {
      house,
      trino,
      import: async (at = moment) => {
        const { manifest } = await importTrino({ ...owned, clock: () => Date.parse(at) });
        return manifest.relation.join(".");
      },
      remove: () => removeTrinoSnapshot(owned),
    };
  }

  it("that a table is read as it lies, then from its snapshot with its moment, then from a newer one, and as it lies again", async () => {
    const { house, import: freeze, remove } = await openTrinoHouse();
    const lies = await wordsOf(house);
    expect(lies).toEqual([
      "people is read as it lies, in Trino",
      expect.stringMatching(/^Index of people: none; questions on Trino order all rows themselves/),
    ]);
    for (const at of [moment, "2026-02-01T00:00:00.000Z"]) {
      const snapshot = await freeze(at);
      const reads = [
        {
          ...{ table: "people", from: "snapshot", snapshot, asOf: at, order: "built" },
          words: [
            `people is read from its snapshot in Trino, ${snapshot}, as of ${at}: lethe import makes a newer one`,
            "Index of people: in the snapshot; questions use it",
          ],
        },
      ];
      expect(await readsOf(house)).toEqual(reads);
      expect(await readsOverWire(house)).toEqual(reads);
      expect(await readsOverMcp(house)).toEqual(reads);
    }
    await remove();
    expect(await wordsOf(house)).toEqual(lies);
    expect((await house.ledger.report()).charges).toEqual([]);
  });

  it("asks Trino no more for it: what the next answer would be checked by, and no row", async () => {
    const { house, trino, import: freeze } = await openTrinoHouse();
    await freeze();
    const before = trino.asked.length;
    await explained(house);
    const asked = trino.asked.slice(before);
    expect(asked.length).toBeGreaterThan(0);
    for (const each of asked)
      expect(each).toMatch(/^(SELECT version\(\)|EXPLAIN \(TYPE VALIDATE\)|SELECT snapshot_id FROM )/);
    const after = trino.asked.length;
    await explained(house);
    expect(trino.asked.length).toBe(after);
  });

  it("nothing where Trino cannot be reached: it refuses, as asking does, and charges nothing", async () => {
    const { house, trino, import: freeze } = await openTrinoHouse();
    await freeze();
    const known = await explained(house);
    expect(known.status).toBe(200);
    await trino.stop();
    const other = await explained(house, `${sql} WHERE town = 'north'`);
    expect(other).toMatchObject({
      status: 503,
      body: {
        code: "engine.source",
        detail: "the service cannot answer now, and its operator has been told",
      },
    });
    // What was explained before is in the service's memory.
    expect(await explained(house)).toEqual(known);
    const asked = await house.send("/v1/query", { as: "analyst", json: { sql, epsilon: "1" } });
    expect([asked.status, JSON.parse(await asked.text())]).toEqual([503, other.body]);
    expect((await house.ledger.report()).charges).toEqual([]);
  });
});
