import { describe, expect, test } from "vitest";
import { connect, LetheProblem } from "./index.ts";

interface Sent {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
}

/** A client whose requests are kept, and answered by these responses in turn. */
function clientOf(...responses: (Response | Error)[]) {
  const sent: Sent[] = [];
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    sent.push({ url, init } as Sent);
    init.signal?.throwIfAborted();
    const next = responses.shift();
    if (next instanceof Response) return next;
    throw next ?? new Error("no more responses");
  };
  const lethe = connect({ url: "https://l.example//", token: "lethe_x", fetch: send as typeof fetch });
  return { lethe, sent };
}

const json = (value: unknown, status = 200, headers = {}): Response =>
  new Response(JSON.stringify(value), { status, headers });

describe("a client", () => {
  test("sends a question with its token, its options and its own request id, and nothing else", async () => {
    const answer = { rows: [{ n: 3 }] };
    const { lethe, sent } = clientOf(json({ answer }));
    const given = { epsilon: "1/3", params: [1, null], project: "p", requestId: "mine" } as const;
    expect(await lethe.ask("SELECT 1", given)).toEqual(answer);
    const [{ url, init }] = sent as [Sent];
    expect([url, init.method]).toEqual(["https://l.example/v1/query", "POST"]);
    expect(init.headers).toEqual({
      accept: "application/json",
      authorization: "Bearer lethe_x",
      "content-type": "application/json",
      "idempotency-key": "mine",
    });
    expect(JSON.parse(String(init.body))).toEqual({
      sql: "SELECT 1",
      epsilon: "1/3",
      params: [1, null],
      project: "p",
    });
  });

  test("asks for the format that it is called for", async () => {
    const { lethe, sent } = clientOf(new Response("a\n1\n"), new Response(new Uint8Array([1, 2])));
    expect(await lethe.csv("SELECT 1")).toBe("a\n1\n");
    expect([...(await lethe.arrow("SELECT 1"))]).toEqual([1, 2]);
    expect(sent.map(({ init }) => init.headers.accept)).toEqual([
      "text/csv",
      "application/vnd.apache.arrow.stream",
    ]);
  });

  test("names the fields of rows that were never released, which cost nothing", async () => {
    const columns = [{ name: "a" }, { name: "b" }];
    const { lethe } = clientOf(
      json({ kind: "public", columns, rows: [[1, "x"], [null]] }, 200, {
        date: "Wed, 01 Jan 2025 00:00:00 GMT",
      }),
    );
    expect(await lethe.ask("SELECT a, b FROM sectors")).toMatchObject({
      rows: [
        { a: 1, b: "x" },
        { a: null, b: null },
      ],
      charged: { epsilon: "0" },
      asOf: "2025-01-01T00:00:00.000Z",
    });
    const explained = clientOf(json({ kind: "explanation", text: "…" })).lethe;
    await expect(explained.ask("EXPLAIN SELECT 1")).rejects.toMatchObject({ code: "parameter.invalid" });
  });

  test("throws a refusal with code, fix, place and wait", async () => {
    const problem = { code: "query.syntax", detail: "no", fix: "yes", line: 2, column: 5, fields: { a: 1 } };
    const { lethe } = clientOf(json(problem, 400, { "retry-after": "7" }));
    const error = await lethe.ask("SELEC").catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LetheProblem);
    expect(error).toMatchObject({
      message: "no",
      status: 400,
      code: "query.syntax",
      fix: "yes",
      line: 2,
      column: 5,
      fields: { a: 1 },
      retryAfterMs: 7000,
    });
  });

  test.each([
    ["a page of a proxy", new Response("<h1>Bad gateway</h1>", { status: 502 })],
    ["nothing", new Response(null, { status: 502 })],
    ["a list", new Response("[1]", { status: 502, headers: { "retry-after": "soon" } })],
  ])("tells a refusal that is %s by its status alone", async (_, response) => {
    await expect(clientOf(response).lethe.tables()).rejects.toMatchObject({
      status: 502,
      message: "the service answered with status 502",
      line: null,
      retryAfterMs: null,
    });
  });

  test("reads page after page of requests, and none that nobody asked for", async () => {
    const pages = [
      { items: [{ requestId: "c" }, { requestId: "b" }], before: "7&limit=1" },
      { items: [{ requestId: "a" }], before: null },
    ];
    const { lethe, sent } = clientOf(...pages.map((page) => json(page)));
    const ids: string[] = [];
    for await (const { requestId } of lethe.requests()) ids.push(requestId);
    expect(ids).toEqual(["c", "b", "a"]);
    expect(sent.map(({ url }) => url)).toEqual([
      "https://l.example/v1/releases",
      "https://l.example/v1/releases?before=7%26limit%3D1",
    ]);
    const first = clientOf(...pages.map((page) => json(page)));
    for await (const _ of first.lethe.requests()) break;
    expect(first.sent).toHaveLength(1);
  });

  test("writes an id of a request as one part of a path", async () => {
    const { lethe, sent } = clientOf(json({}));
    await lethe.answerOf("../people?x#");
    expect(sent[0]?.url).toBe("https://l.example/v1/releases/..%2Fpeople%3Fx%23");
  });

  test("names a request by its id or by its own name, and stops waiting for it", async () => {
    const { lethe, sent } = clientOf(json({ state: "charged" }), new Response(null, { status: 202 }));
    expect(await lethe.request({ id: "a/b" })).toEqual({ state: "charged" });
    await lethe.stopWaiting({ requestId: "a/b" });
    expect(sent.map(({ url, init }) => [init.method, url])).toEqual([
      [undefined, "https://l.example/v1/requests/a%2Fb"],
      ["POST", "https://l.example/v1/requests/a%2Fb/cancel?by=key"],
    ]);
  });

  test("offers an answer, receives one, and reads page after page of certificates", async () => {
    const page = (name: string, before: string | null) => json({ items: [{ signature: name }], before });
    const { lethe, sent } = clientOf(
      json({ offer: "offer_x", until: "2026-01-01T00:00:00.000Z" }, 201),
      json({ signature: "s" }),
      page("one", "3"),
      page("two", null),
    );
    expect((await lethe.offer("r", "bob")).offer).toBe("offer_x");
    expect(await lethe.receive("offer_x", { project: "p" })).toEqual({ signature: "s" });
    const signatures: string[] = [];
    for await (const { signature } of lethe.certificates()) signatures.push(signature);
    expect(signatures).toEqual(["one", "two"]);
    expect(sent.map(({ url, init }) => [url.slice(20), init.body && JSON.parse(String(init.body))])).toEqual([
      ["/releases/r/offers", { to: "bob" }],
      ["/received", { offer: "offer_x", project: "p" }],
      ["/certificates", undefined],
      ["/certificates?before=3", undefined],
    ]);
  });

  test("stops waiting by its signal, with the signal's own reason", async () => {
    const gone = new AbortController();
    gone.abort(new Error("gone"));
    const { lethe, sent } = clientOf();
    await expect(lethe.ask("SELECT 1", { signal: gone.signal })).rejects.toThrow("gone");
    expect(JSON.parse(String(sent[0]?.init.body))).toEqual({ sql: "SELECT 1" });
  });
});
