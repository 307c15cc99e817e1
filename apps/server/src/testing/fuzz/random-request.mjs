/*
 * Random requests to a service: methods, paths, headers and bodies that are well-formed but for what was changed in them, so that they come past the first check and meet the next.
 */

const pick = (random, list) => list[Math.floor(random() * list.length)];
const chance = (random, share) => random() < share;

/** Words by which a question is built and broken. */
const words =
  "SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT COUNT(*) SUM(age) AVG(age) MEDIAN(age) age town name people secret ( ) , * = < > + - / AND OR NOT NULL 'x' 1 0 -1 1e308 $1 @p CASE WHEN THEN END JOIN ON UNION WITH AS n ; -- /* */ \u0000 ünï DROP TABLE pg_catalog.pg_class read_csv('/etc/passwd') EXPLAIN SHOW TABLES".split(
    " ",
  );

const questions = [
  "SELECT COUNT(*) AS n FROM people",
  "SELECT town, COUNT(*) AS n FROM people GROUP BY town",
  "SELECT AVG(age) AS a FROM people",
  "SELECT COUNT(*) AS n FROM people WHERE age > $1",
  "SHOW TABLES",
  "EXPLAIN SELECT COUNT(*) AS n FROM people",
];

const deep = [
  (n) => `SELECT ${"(".repeat(n)}1${")".repeat(n)} FROM people`,
  (n) => `SELECT COUNT(*) FROM people WHERE age > ${"1 + ".repeat(n)}1`,
  (n) => `${"SELECT * FROM (".repeat(n)}SELECT age FROM people${") AS t".repeat(n)}`,
  (n) => `SELECT COUNT(*) FROM people WHERE ${"NOT ".repeat(n)}age > 1`,
  (n) => `SELECT ${Array.from({ length: n }, (_, at) => `SUM(age) AS s${at}`).join(", ")} FROM people`,
  (n) => `SELECT COUNT(*) FROM people WHERE age IN (${Array.from({ length: n }, (_, at) => at).join(",")})`,
  (n) => `SELECT ${"CASE WHEN age > 1 THEN ".repeat(n)}1${" ELSE 0 END".repeat(n)} FROM people`,
];

function sql(random) {
  const kind = random();
  if (kind < 0.55) return pick(random, questions);
  if (kind < 0.6) return `SELECT COUNT(*) AS n FROM people WHERE age > ${Math.floor(random() * 100)}`;
  if (kind < 0.63) return pick(random, deep)(pick(random, [10, 200, 3000]));
  const tokens = pick(random, questions).split(" ");
  for (let changes = 1 + random() * 3; changes > 0; changes -= 1) {
    const at = Math.floor(random() * tokens.length);
    if (chance(random, 0.4)) tokens.splice(at, 1);
    else tokens.splice(at, chance(random, 0.5) ? 1 : 0, pick(random, words));
  }
  return tokens.join(" ");
}

const odd = [
  ...[null, true, 0, -1, 1e308, 1e-320, "", "x", "1/3", "1/0", "1e999", "NaN", "-0.1", "٣", [], {}, [[]]],
  ...[{ sql: 1 }, "\u0000", "\ud800", "a".repeat(5000), { __proto__: null }, 2 ** 53, "../..", "public"],
];

/** The members of a question, each with a value that is taken. */
const stated = {
  params: [1],
  epsilon: "0.5",
  delta: "0",
  keys: "public",
  mechanism: "laplace",
  confidence: 0.9,
  advantage: "0.1",
  targetError: "50",
  maxEpsilon: "2",
  acceptUninformative: true,
  today: "2026-01-01",
  fresh: true,
  made: true,
  project: "p",
  unknown: 1,
  constructor: 1,
};

function question(random) {
  const body = { sql: sql(random), epsilon: pick(random, ["0.5", "1", 1]) };
  for (const [name, value] of Object.entries(stated))
    if (chance(random, 0.05)) body[name] = chance(random, 0.5) ? value : pick(random, odd);
  if (chance(random, 0.05)) body.sql = pick(random, odd);
  return body;
}

const frames = [
  (random) => ({ jsonrpc: "2.0", id: 1, method: "tools/list", params: pick(random, odd) }),
  (random) => ({
    jsonrpc: "2.0",
    id: pick(random, [1, "a", null, {}]),
    method: "tools/call",
    params: {
      name: pick(random, ["query", "explain", "budget", "describe_data", "none"]),
      arguments: question(random),
    },
  }),
  (random) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: pick(random, ["2025-06-18", "0", 1]),
      capabilities: {},
      clientInfo: { name: "f", version: "1" },
    },
  }),
  (random) => ({
    jsonrpc: pick(random, ["2.0", "1.0"]),
    method: pick(random, odd),
    params: pick(random, odd),
  }),
  (random) => Array.from({ length: 3 }, () => pick(random, frames)(random)),
];

const json = (value) => Buffer.from(JSON.stringify(value) ?? "null");

/** What a body may be, besides a question. */
const bodies = [
  () => Buffer.from("{"),
  () => Buffer.from("[".repeat(20_000)),
  () => Buffer.from('{"a":'.repeat(5000)),
  () => Buffer.from('{"sql":"SELECT 1","sql":"SELECT COUNT(*) FROM people"}'),
  () => Buffer.from('{"__proto__":{"sql":"SELECT COUNT(*) FROM people"},"sql":1e999}'),
  () => Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  () => Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
  () => Buffer.from('{"sql":"\xff\xfe"}', "latin1"),
  () => Buffer.alloc(300_000, 0x20),
  () => json({ sql: "x".repeat(300_000) }),
  () => Buffer.alloc(0),
  (random) => Buffer.from(Array.from({ length: 50 }, () => Math.floor(random() * 256))),
  (random) => json(pick(random, odd)),
];

const paths = [
  ...["/v1/query", "/v1/explain", "/v1/describe", "/v1/tables", "/v1/budget", "/v1/releases", "/v1/me"],
  ...["/v1/releases/{id}", "/v1/releases/{id}/certificate", "/v1/people", "/v1/people/{id}", "/v1/session"],
  ...["/v1/people/{id}/password", "/v1/people/{id}/tokens", "/v1/people/{id}/tokens/{id}", "/mcp"],
  ...[
    "/v1/requests/{id}",
    "/v1/requests/{id}/cancel",
    "/v1/certificates",
    "/v1/received",
    "/v1/ledger",
    "/v1/status",
  ],
  ...["/v1/releases/{id}/offers"],
  ...["/", "/openapi.json", "/healthz", "/v1/metrics", "/v1/none", "/.env", "//v1/tables", "/v1/../v1/me"],
];
const ids = [
  "bob",
  "ada",
  "q-1",
  "%00",
  "%E0%A4%A",
  "..%2f..",
  "a".repeat(300),
  "{id}",
  "%F0%9F%A6%89",
  "*",
  "1",
];
const queries = [
  ...["of=bob", "of=ada", "of=", "of=%00", "limit=0", "limit=-1", "limit=1e9", "limit=NaN", "limit=5"],
  ...["before=1", "before=x", "before=99999999999999999", "of=a&of=b", "%", "a=%E0%A4%A", "__proto__=1"],
];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND"];

const headers = {
  accept: ["*/*", "text/csv", "text/event-stream", "image/png", "*/*;q=0", ",,;q=", "a".repeat(2000)],
  "idempotency-key": ["k1", "k2", '"k3"', "", "a b", "x".repeat(200)],
  origin: ["https://evil.example", "null", "x"],
  cookie: ["__Host-lethe=x", `lethe=${"a".repeat(43)}`, "=;=;", "a".repeat(4000)],
  "x-forwarded-for": ["10.0.0.1", "::1, x, 999.1.1.1", ",".repeat(2000)],
  "content-type": [
    "text/plain",
    "application/json; charset=utf-16",
    "multipart/form-data",
    "application/xml",
    "",
  ],
  "content-encoding": ["gzip", "br"],
  "mcp-protocol-version": ["2025-06-18", "1"],
  "mcp-session-id": ["x", "a".repeat(500)],
  "sec-fetch-site": ["cross-site", "same-origin"],
  expect: ["100-continue", "200-ok"],
  range: ["bytes=0-1"],
  "x-http-method-override": ["DELETE"],
};

/**
 * Returns one random request: { method, path, headers, body, as }, where `as` is "analyst", "wrong" or null, whose token is put in when it is sent.
 * @param random a source of numbers from 0 up to 1
 */
export function randomRequest(random) {
  const template = chance(random, 0.65)
    ? pick(random, ["/v1/query", "/v1/explain", "/mcp"])
    : pick(random, paths);
  const path = template.replaceAll("{id}", () => pick(random, ids));
  const isPost = ["/v1/query", "/v1/explain", "/v1/describe", "/mcp"].includes(template);
  const method = chance(random, 0.9) ? (isPost ? "POST" : pick(random, methods)) : pick(random, methods);
  const given = { "content-type": "application/json" };
  if (template === "/mcp") given.accept = "application/json, text/event-stream";
  for (const [name, values] of Object.entries(headers))
    if (chance(random, 0.06)) given[name] = pick(random, values);
  const hasBody = method !== "GET" && method !== "HEAD" && method !== "TRACE";
  const body = hasBody ? bodyOf(random, template) : null;
  const query = chance(random, 0.15) ? `?${pick(random, queries)}` : "";
  const as = chance(random, 0.9) ? "analyst" : pick(random, ["wrong", null]);
  return { method, path: path + query, headers: given, body, as };
}

function bodyOf(random, template) {
  if (chance(random, 0.12)) return pick(random, bodies)(random);
  if (template === "/mcp") return json(pick(random, frames)(random));
  if (template === "/v1/session")
    return json({ name: pick(random, ["bob", "", 1]), password: pick(random, odd) });
  return json(question(random));
}

const line = (random) =>
  `${pick(random, methods)} ${pick(random, paths).replaceAll("{id}", "x")} HTTP/1.1\r\n`;
const host = "Host: 127.0.0.1\r\n";

/** Bytes that are no request, half of one, or several: each a list of parts, which are sent apart. The connection is closed after them unless it was before. */
export const rawRequests = [
  (random) => [`${line(random)}${host}`],
  (random) => [`${line(random)}${host}Content-Length: 500\r\n\r\n{"sql":`],
  (random) => [...`${line(random)}${host}X: y\r\n`].slice(0, 20),
  () => [Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01])],
  () => ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  () => ["GET /\r\n"],
  () => ["\r\n\r\n\r\n"],
  (random) => [`GET / HTTP/1.1\r\n${host}A: ${"x".repeat(16_000 + random() * 9000)}\r\n\r\n`],
  () => [`GET / HTTP/1.1\r\n${host}${Array.from({ length: 3000 }, (_, at) => `h${at}: 1\r\n`).join("")}\r\n`],
  (random) => [
    Array.from(
      { length: 8 },
      () => `GET ${pick(random, ["/", "/v1/me", "/no"])} HTTP/1.1\r\n${host}\r\n`,
    ).join(""),
  ],
  () => [`POST /v1/query HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`],
  () => [`POST /v1/query HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`],
  () => [`POST /v1/query HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\nContent-Length: 3\r\n\r\n{}`],
  () => [`POST /v1/query HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`],
  () => [`POST /v1/query HTTP/1.1\r\n${host}Content-Length: 99999999999999999999\r\n\r\n`],
  () => [`CONNECT 127.0.0.1:22 HTTP/1.1\r\n${host}\r\n`],
  () => [
    `GET /mcp HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n`,
  ],
  () => [`GET http://evil.example/v1/me HTTP/1.1\r\n${host}\r\n`],
  () => ["GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
  () => ["GET / HTTP/1.1\r\nHost: [::1\r\n\r\n"],
  () => ["GET / HTTP/1.0\r\n\r\n"],
  () => [`GET / HTTP/1.1\r\n${host}Expect: teapots\r\n\r\n`],
  (random) => [Buffer.from(Array.from({ length: 200 }, () => Math.floor(random() * 256)))],
];
