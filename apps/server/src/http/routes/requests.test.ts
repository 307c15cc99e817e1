import { createHash } from "node:crypto";
import type { AskOptions } from "@lethe/gateway";
import { requestIdOfKey } from "@lethe/serve";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppHouse, nameOf, openHouse, secretValue } from "../../testing/app-house.ts";

let house: AppHouse;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const told = async <T = Record<string, unknown>>(response: Response): Promise<T> =>
  JSON.parse(await response.text());
let number = 0;
const fresh = (more: Partial<AskOptions> = {}) => {
  number += 1;
  return { sql: `SELECT COUNT(*) AS n FROM people WHERE age < ${number}`, epsilon: "1", ...more };
};
const ask = (as: "analyst" | "bob" | "owner", headers: Record<string, string> = {}) =>
  house.send("/v1/query", { as, headers, json: fresh() });
const idOf = (response: Response): string => response.headers.get("lethe-request") ?? "";
const path = (id: string, end = ""): string => `/v1/requests/${encodeURIComponent(id)}${end}`;

describe("one request", () => {
  test("is read by its id and by the key that it was sent with, by whoever asked alone", async () => {
    const asked = await ask("analyst", { "idempotency-key": "the-key" });
    const id = idOf(asked);
    expect(id).toBe(requestIdOfKey(nameOf.analyst, "the-key"));
    const line = await told(await house.send(path(id), { as: "analyst" }));
    expect(line).toMatchObject({
      requestId: id,
      principal: nameOf.analyst,
      price: { measure: "pure", epsilon: "1" },
      state: "settled",
      sharedBy: null,
      offer: null,
    });
    expect(await told(await house.send(path("the-key", "?by=key"), { as: "analyst" }))).toEqual(line);
    expect((await house.send(path("the-key"), { as: "analyst" })).status).toBe(404);
    for (const as of ["bob", "owner"] as const)
      for (const each of [path(id), path("the-key", "?by=key"), path("none")])
        expect((await house.send(each, { as })).status).toBe(404);
    expect((await house.send(path(id, "?by=name"), { as: "analyst" })).status).toBe(400);
  });

  test("is cancelled in the same words whether it is answered or failed, and not at all where it is another's", async () => {
    const id = idOf(await ask("analyst"));
    const reserved = await house.ledger.reserve({
      principal: nameOf.analyst,
      requestId: "by hand",
      requestHash: "0".repeat(64),
      loss: { measure: "pure", epsilon: { num: 1n, den: 1n } },
      event: { kind: "laplace", version: 1, scale: "10", l1: "1" },
      text: "a question",
    });
    const cancel = async (each: string, as: "analyst" | "bob" = "analyst") => {
      const response = await house.send(path(each, "/cancel"), { as, method: "POST" });
      return [response.status, [...response.headers], await response.text()];
    };
    const open = await cancel("by hand");
    if (reserved.kind === "charged") await house.ledger.fail(reserved.charge);
    expect([await cancel("by hand"), await cancel(id)]).toEqual([open, open]);
    expect(open[0]).toBe(202);
    expect(await cancel(id, "bob")).toEqual(await cancel("none", "bob"));
    expect((await cancel(id, "bob"))[0]).toBe(404);
    // The answer is there all the same.
    expect((await house.send(`/v1/releases/${encodeURIComponent(id)}`, { as: "analyst" })).status).toBe(200);
    expect(await told(await house.send(path("by hand"), { as: "analyst" }))).toMatchObject({
      state: "failed",
    });
  });

  test("that is cancelled while somebody waits is refused to them, and free to ask again", async () => {
    const before = (await house.ledger.report()).charges.length;
    const json = fresh();
    const headers = { "idempotency-key": "slow" };
    const send = () => house.send("/v1/query", { as: "bob", headers, json });
    const waiting = send();
    let cancelled = 404;
    while (cancelled === 404) {
      // Whatever answers the question needs turns of the loop.
      await new Promise((resolve) => setImmediate(resolve));
      const response = await house.send(path("slow", "/cancel?by=key"), { as: "bob", method: "POST" });
      cancelled = response.status;
    }
    expect(cancelled).toBe(202);
    const first = await waiting;
    // Whoever was answered before the word came has the answer.
    const code = (await told<{ code?: string }>(first)).code;
    expect([first.status, code]).toEqual(first.status === 200 ? [200, undefined] : [409, "serve.stopped"]);
    expect((await send()).status).toBe(200);
    expect((await house.ledger.report()).charges).toHaveLength(before + 1);
  });
});

describe("certificates", () => {
  interface CertificatePage {
    readonly items: readonly {
      readonly certificate: { readonly principal: string };
      readonly signature: string;
    }[];
    readonly before: string | null;
  }
  const principals = async (as: "analyst" | "bob" | "owner" | "auditor", query = "") => {
    const found: string[] = [];
    let before: string | null = null;
    do {
      const next: string = before === null ? "" : `&before=${before}`;
      const response = await house.send(`/v1/certificates?limit=2${query}${next}`, { as });
      expect(response.status).toBe(200);
      const page: CertificatePage = await told(response);
      for (const { certificate, signature, ...rest } of page.items) {
        expect([Object.keys(rest), signature.length > 20]).toEqual([[], true]);
        found.push(certificate.principal);
      }
      before = page.before;
    } while (before !== null);
    return found;
  };

  test("are one's own, and everybody's for those who may read any, by pages; each look at others' is noted", async () => {
    for (const as of ["analyst", "bob", "owner"] as const) await ask(as);
    expect(new Set(await principals("analyst"))).toEqual(new Set([nameOf.analyst]));
    expect(new Set(await principals("bob", "&of=bob"))).toEqual(new Set(["bob"]));
    house.order.length = 0;
    for (const as of ["owner", "auditor"] as const) {
      expect(new Set(await principals(as))).toEqual(new Set([nameOf.analyst, "bob", nameOf.owner]));
      expect(new Set(await principals(as, "&of=bob"))).toEqual(new Set(["bob"]));
    }
    expect(house.order.filter((kind) => kind === "read").length).toBeGreaterThanOrEqual(4);
    const [others, none] = await Promise.all(
      ["bob", "nobody"].map((of) => house.send(`/v1/certificates?of=${of}`, { as: "analyst" })),
    );
    expect([others?.status, await others?.text()]).toEqual([404, await none?.text()]);
  });
});

describe("the ledger's chain", () => {
  interface ChainRecord {
    readonly sequence: number;
    readonly previous: string;
    readonly hash: string;
    readonly [member: string]: unknown;
  }
  /** The hash of a record as docs/reference/openapi says, by nothing of Lethe's. */
  const hashOf = ({ hash: _, previous, ...rest }: ChainRecord): string => {
    const content = JSON.stringify(
      Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))),
    );
    return createHash("sha256").update(`lethe-ledger@1\n${previous}\n${content}`).digest("hex");
  };

  test("is read by owners and auditors, whole, and holds by its hashes alone", async () => {
    await ask("analyst");
    const records: ChainRecord[] = [];
    let before: string | null = null;
    do {
      const page: { items: ChainRecord[]; before: string | null } = await told(
        await house.send(`/v1/ledger?limit=3${before === null ? "" : `&before=${before}`}`, {
          as: "auditor",
        }),
      );
      records.push(...page.items);
      before = page.before;
    } while (before !== null);
    records.reverse();
    for (const [at, record] of records.entries()) {
      expect(record.sequence).toBe(at);
      expect(record.previous).toBe(records[at - 1]?.hash ?? "0".repeat(64));
      expect(record.hash).toBe(hashOf(record));
    }
    const { head } = await house.ledger.report();
    expect(records.at(-1)).toMatchObject(head);
    expect(JSON.stringify(records)).not.toContain(secretValue);
    for (const as of ["analyst", "operator"] as const)
      expect((await house.send("/v1/ledger", { as })).status).toBe(403);
  });
});
