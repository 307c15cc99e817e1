import type { AuditRow } from "../audits/audit-row.ts";
import type { Wire, WireReply, WireRequest } from "./wire.ts";
import { wireRow } from "./wire-row.ts";

const json = { "content-type": "application/json", accept: "application/json" } as const;
const elsewhere = "https://elsewhere.example";
/** The service ends a request that does not come within half a minute. */
const patience = 45_000;
/** A refusal needs no more. */
const longest = 10_000;

/** Requests of other sites' pages, or under a name of the service's that is not its own. */
export async function otherSites({ analysts, send, origin }: Wire): Promise<AuditRow> {
  const [first] = analysts;
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const mcp = (headers: Readonly<Record<string, string>>): Promise<WireReply> =>
    first.send({
      method: "POST",
      path: "/mcp",
      headers: { ...json, accept: "application/json, text/event-stream", ...headers },
      body: list,
    });
  const signIn = (headers: Readonly<Record<string, string>>): Promise<WireReply> =>
    send({
      method: "POST",
      path: "/v1/session",
      headers: { ...json, ...headers },
      body: '{"name":"x","password":"x"}',
    });
  const tries = [
    ["an agent's call with another Origin", await mcp({ origin: elsewhere })],
    ["an agent's call with another Host", await mcp({ host: new URL(elsewhere).host })],
    ["a sign-in from another Origin", await signIn({ origin: elsewhere })],
    ["a sign-in from a page of an unnamed origin", await signIn({ origin: "null" })],
    ["a sign-in that no page of the service sent", await signIn({})],
  ] as const;
  const passed = tries
    .filter(([, { status }]) => status !== 403)
    .map(([what, { status }]) => `${what} got ${status}`);
  const shared = await send({ method: "GET", path: "/v1/me", headers: { origin: elsewhere } });
  return wireRow(
    "other sites",
    "a page of another site is refused, and a name that points here is none of the service's",
    `${tries.length - passed.length} of ${tries.length} refused`,
    {
      finding:
        passed.length > 0
          ? passed.join("; ")
          : shared.status < 300
            ? `${origin}/v1/me is open to anybody`
            : null,
      how: "headers Origin and Host of elsewhere, by a token and by nobody",
    },
  );
}

/** Bodies that are too large, too deep or none, and requests that never end: each is refused in bounded time, and the service goes on. */
export async function strangeRequests({ analysts, half, send }: Wire): Promise<AuditRow> {
  const [first] = analysts;
  const ask = (body: string): Promise<WireReply> =>
    first.send({ method: "POST", path: "/v1/query", headers: json, body });
  const sql = (text: string): string => JSON.stringify({ sql: text });
  const halves = Promise.all(
    (["head", "body"] as const).map(async (part) => ({ part, took: await half(part, patience) })),
  );
  const bodies: readonly (readonly [string, string])[] = [
    ["300 kB", sql(`SELECT ${"1 + ".repeat(75_000)}1`)],
    ["30,000 parentheses", sql(`SELECT ${"(".repeat(30_000)}1${")".repeat(30_000)}`)],
    ["15,000 additions", sql(`SELECT ${"1+".repeat(15_000)}1`)],
    ["no JSON", "{"],
    ["a member that is not known", JSON.stringify({ sql: "SELECT 1", as: "owner" })],
    ["half a surrogate pair", '{"sql":"SELECT \\ud800"}'],
  ];
  const faults: string[] = [];
  for (const [what, body] of bodies) {
    const { status, took } = await ask(body);
    // A body that is refused before it is whole may end the connection instead.
    if (!(status === 0 || (status >= 400 && status < 500))) faults.push(`${what} got ${status}`);
    if (took > longest) faults.push(`${what} took ${Math.round(took)} ms`);
  }
  const alive = await send(health);
  for (const { part, took } of await halves)
    if (took === null) faults.push(`half a ${part} was waited for longer than ${patience / 1000} s`);
  const after = await send(health);
  if (alive.status !== 200 || after.status !== 200) faults.push("the service no longer answers");
  return wireRow(
    "strange requests",
    "what is too large, too deep, malformed or never ends is refused in bounded time",
    `${faults.length} of ${bodies.length + 3} wrong`,
    {
      finding: faults.length === 0 ? null : faults.join("; "),
      how: `refusals within ${longest / 1000} s, half requests ended within ${patience / 1000} s`,
    },
  );
}

const health: WireRequest = { method: "GET", path: "/healthz" };
