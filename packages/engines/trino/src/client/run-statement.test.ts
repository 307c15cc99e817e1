import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeAnswer, type FakeTrino, fakeTrino, type MetRequest } from "../testing/fake-trino.ts";
import { runStatement } from "./run-statement.ts";
import { readTrinoUrl } from "./trino-address.ts";
import type { TrinoRow } from "./trino-page.ts";

let fake: FakeTrino | null = null;
afterEach(async () => {
  await fake?.stop();
  fake = null;
});

const columns = '"columns":[{"name":"n","type":"bigint"}]';
const next = (at: number): string => `"nextUri":"$/v1/statement/executing/q/${at}"`;
const page = (...parts: readonly string[]): string => `{"id":"q",${parts.join(",")}}`;

interface Told {
  readonly rows: readonly TrinoRow[];
  readonly error: Error | null;
  readonly met: readonly MetRequest[];
  readonly logged: readonly string[];
}

/** Runs a statement on a server that answers so, and reads at most so many rows. */
async function told(
  answer: (request: MetRequest, count: number) => FakeAnswer,
  {
    most = Number.POSITIVE_INFINITY,
    signal = new AbortController().signal,
    url = (own: string): string => own.replace("//", "//lethe@"),
    requestMs = 5_000,
  } = {},
): Promise<Told> {
  fake = await fakeTrino(answer);
  const rows: TrinoRow[] = [];
  const logged: string[] = [];
  let error: Error | null = null;
  try {
    const statement = {
      address: readTrinoUrl(url(fake.url)),
      sql: "SELECT 'é'",
      session: { query_max_run_time: "5ms", odd: "a,b=c" },
      limits: { requestMs, maxAnswerBytes: 1000, retries: 3 },
      signal,
      log: (detail: string) => logged.push(detail),
    };
    for await (const { rows: some } of runStatement(statement)) {
      rows.push(...some);
      if (rows.length >= most) break;
    }
  } catch (thrown) {
    error = thrown as Error;
  }
  return { rows, error, met: fake.met, logged };
}

const methods = ({ met }: Told): string => met.map(({ method }) => method).join(" ");

describe("a statement", () => {
  it("is sent once, and its pages are read to the last", async () => {
    const pages = [
      page(next(1), '"stats":{}'),
      page(columns, '"data":[[9007199254740993]]', next(2)),
      page(columns, '"data":[[-1],[null]]', next(3)),
      page(columns, '"stats":{"state":"FINISHED"}'),
    ];
    const all = await told((_, count) => pages[count - 1] ?? "cut");
    expect(all.error).toBeNull();
    expect(all.rows).toEqual([["9007199254740993"], ["-1"], [null]]);
    expect(methods(all)).toBe("POST GET GET GET");
    const [post] = all.met;
    expect(post).toMatchObject({
      path: "/v1/statement",
      body: "SELECT 'é'",
      headers: {
        "x-trino-user": "lethe",
        "x-trino-source": "lethe",
        "x-trino-time-zone": "UTC",
        "x-trino-session": "query_max_run_time=5ms,odd=a%2Cb%3Dc",
      },
    });
    // Rows are never asked for in files of the server's.
    expect(post!.headers).not.toHaveProperty("x-trino-query-data-encoding");
  });

  it("is ended on the server when its reader leaves, and when it is aborted", async () => {
    const endless = (_: MetRequest, count: number): FakeAnswer => page(columns, '"data":[[1]]', next(count));
    const left = await told(endless, { most: 3 });
    expect(methods(left)).toBe("POST GET GET DELETE");
    expect(left.met.at(-1)!.path).toBe("/v1/statement/executing/q/3");
    await fake!.stop();
    const ending = new AbortController();
    const aborted = await told(
      ({ method }, count) => {
        if (count === 3) ending.abort(new Error("enough"));
        return method === "DELETE" ? { status: 204 } : page(next(count));
      },
      { signal: ending.signal },
    );
    expect(aborted.error?.message).toBe("enough");
    expect(methods(aborted)).toMatch(/ DELETE$/);
  });

  it("that its server does not end is told to the owner's log", async () => {
    const left = await told(
      ({ method }, count) =>
        method === "DELETE" ? { status: 500 } : page(columns, '"data":[[1]]', next(count)),
      { most: 1 },
    );
    expect(left.error).toBeNull();
    expect(left.logged).toEqual(["a statement was not ended: the server answered with status 500"]);
  });

  it("fails with the name and the message of Trino, and with a constant for a name that is none", async () => {
    const failure = await told(() => page('"error":{"errorName":"DIVISION_BY_ZERO","message":"m"}'));
    expect(failure.error).toMatchObject({ errorName: "DIVISION_BY_ZERO", message: "DIVISION_BY_ZERO: m" });
    await fake!.stop();
    const odd = await told(() => page('"error":{"errorName":"city 4945","message":7}'));
    expect(odd.error).toMatchObject({ errorName: "UNKNOWN", message: "UNKNOWN: 7" });
  });

  it.each<[string, FakeAnswer]>([
    ["a page that is no JSON", "{"],
    ["a page that is a list", "[]"],
    ["rows without columns", page('"data":[[1]]')],
    ["a row that is too short", page(columns, '"data":[[]]')],
    ["a row that is too long", page(columns, '"data":[[1,2]]')],
    ["a row that is none", page(columns, '"data":[7]')],
    ["a value that is nested", page(columns, '"data":[[[1]]]')],
    ["rows in files", page(columns, '"data":{"encoding":"json","segments":[]}')],
    ["columns that are none", page('"columns":{}')],
    ["a column without a type", page('"columns":[{"name":"n"}]')],
    ["a next page that is no text", page('"nextUri":7')],
    ["a page that is too large", page(`"infoUri":"${"x".repeat(1000)}"`)],
    ["a next page on another server", page('"nextUri":"http://127.0.0.1:1/v1/statement/x"')],
    ["a next page by another scheme", page('"nextUri":"file:///v1/statement/x"')],
    ["a next page elsewhere on the server", page('"nextUri":"$/v1/query/x"')],
    ["a next page of a broken address", page('"nextUri":"http://["')],
    ["a redirection", { status: 307, headers: { location: "/v1/statement/elsewhere" } }],
    ["a refusal", { status: 401 }],
  ])("fails on %s, and nothing else is asked", async (_, answer) => {
    const failed = await told(() => answer);
    expect(failed.error).toBeInstanceOf(Error);
    expect(failed.rows).toEqual([]);
    expect(methods(failed)).toBe("POST");
  });

  it("never asks another server, whatever a page says", async () => {
    const other = await fakeTrino(() => page(columns, '"data":[[7]]'));
    const failed = await told(() => page(`"nextUri":"${other.url}/v1/statement/executing/q/1"`));
    expect(failed.error?.message).toContain("does not lie at the server that was asked");
    expect([failed.rows, other.met]).toEqual([[], []]);
    await other.stop();
  });

  it("fails on a later page that is malformed, and is ended on the server", async () => {
    const failed = await told(({ method }) => (method === "GET" ? "[" : page(next(1))));
    expect(failed.error).toBeInstanceOf(SyntaxError);
    expect(methods(failed)).toBe("POST GET DELETE");
  });

  it.each([429, 502, 503, 504])(
    "is asked again of a server that answers %i, and not for ever",
    async (status) => {
      const passing = await told((_, count) =>
        count <= 2 ? { status, headers: { "retry-after": "0" } } : page(columns, '"data":[[1]]'),
      );
      expect([passing.rows, methods(passing)]).toEqual([[["1"]], "POST POST POST"]);
      await fake!.stop();
      const busy = await told(() => ({ status, headers: { "retry-after": "0" } }));
      expect(busy.error?.message).toBe(`the server answered with status ${status}`);
      expect(busy.met).toHaveLength(4);
    },
  );

  it("is asked again for a page whose connection was cut, and is sent once", async () => {
    const pages = ["cut", page(columns, '"data":[[1]]')] as const;
    const again = await told(({ method }, count) =>
      method === "POST" ? page(next(1)) : (pages[count - 2] ?? "cut"),
    );
    expect([again.rows, methods(again)]).toEqual([[["1"]], "POST GET GET"]);
    await fake!.stop();
    const cut = await told(() => "cut");
    expect(cut.error?.message).toMatch(/^the server cannot be reached \([A-Z_]+\)$/);
    expect(methods(cut)).toBe("POST");
  });

  it("fails where no answer comes in time", async () => {
    const silent = await told(() => "silence", { requestMs: 50 });
    expect(silent.error?.message).toBe("no answer within 50 ms");
  });
});

describe("who asks", () => {
  it("shows a token that is read anew for each request, on the server's own pages alone", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lethe-token-"));
    const file = join(folder, "token");
    try {
      writeFileSync(file, "first\n");
      const { askTrino } = await import("./ask-trino.ts");
      fake = await fakeTrino((_, count) => {
        writeFileSync(file, `token-${count}`);
        return count === 1 ? { status: 503, headers: { "retry-after": "0" } } : "{}";
      });
      const address = { ...readTrinoUrl(fake.url.replace("//", "//lethe@")), tokenFile: file };
      const limits = { requestMs: 5_000, maxAnswerBytes: 100, retries: 1 };
      const { signal } = new AbortController();
      await askTrino(address, { method: "GET", url: fake.url }, limits, signal);
      const basic = { ...address, tokenFile: null, password: "pä:ss" };
      await askTrino(basic, { method: "GET", url: fake.url }, limits, signal);
      expect(fake.met.map(({ headers }) => headers.authorization)).toEqual([
        "Bearer first",
        "Bearer token-1",
        `Basic ${Buffer.from("lethe:pä:ss").toString("base64")}`,
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
