import { Agent, request } from "node:http";
import { connect } from "node:net";
import { randomRequest, rawRequests } from "./random-request.mjs";

/** The statuses that an answer may have. 500 is not among them: it is a fault of the service's own. */
const known = new Set([
  200, 201, 202, 204, 400, 401, 402, 403, 404, 406, 408, 409, 413, 417, 422, 429, 431, 503,
]);
/** Those of the model context protocol, whose refusals are JSON-RPC. */
const ofFrames = new Set([202, 400, 404, 405, 406, 415]);

/**
 * Sends random requests to a service, `clients` at a time, and returns { statuses, violations, told, unseen }: how many answers had each status; what was wrong, in words; what each answered question said of its charge,
 * by request id; and how many requests were sent of which no answer was read, so that they may have been charged.
 * @param service { port, host, token, hidden }: where it is and how it is called, an analyst's token, and the texts that no answer to that analyst may hold
 * @param options { count, clients, random, every }: `random` gives numbers from 0 up to 1; `every` is called after each hundredth part, with how many were sent
 */
export async function fuzz(
  { port, token, hidden, host = `127.0.0.1:${port}` },
  { count, random, clients = 16, every = async () => undefined },
) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const found = { statuses: {}, violations: [], told: new Map(), unseen: 0 };
  const step = Math.max(1, Math.floor(count / 100));
  let sent = 0;
  const client = async () => {
    while (sent < count) {
      sent += 1;
      if (sent % step === 0) await every(sent);
      if (random() < 0.04) {
        const parts = rawRequests[Math.floor(random() * rawRequests.length)](random);
        for (const answer of answersIn(await sendRaw(port, parts, random() < 0.1)))
          check(answer, { path: "", raw: parts }, hidden, found);
        continue;
      }
      const asked = randomRequest(random);
      const leaves = random() < 0.03 ? random() * 30 : null;
      const answer = await send({ port, agent, host }, asked, token, leaves);
      if (answer === null) found.unseen += 1;
      else check(answer, asked, hidden, found);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return found;
}

function check({ status, headers, body }, asked, hidden, { statuses, violations, told }) {
  statuses[status] = (statuses[status] ?? 0) + 1;
  const place = `${asked.method ?? "raw"} ${asked.path || JSON.stringify(String(asked.raw?.[0]).slice(0, 80))}`;
  const wrong = (what) =>
    violations.push(
      `${what}: ${place} ${String(asked.body ?? "").slice(0, 200)} => ${status} ${body.slice(0, 300)}`,
    );
  const isFrame = asked.path.startsWith("/mcp");
  if (!known.has(status) && !(isFrame && ofFrames.has(status))) wrong("unknown status");
  for (const text of hidden) if (body.includes(text)) wrong("an answer holds what is hidden");
  if (headers["x-content-type-options"] !== "nosniff") wrong("no nosniff");
  if (!/no-store|immutable/.test(headers["cache-control"] ?? "")) wrong("may be stored");
  const isHead = (asked.method ?? String(asked.raw[0]).slice(0, 4)) === "HEAD";
  if (isHead || (status < 400 && asked.raw)) return;
  if (status >= 400) {
    const problem = parsed(body);
    const isProblem = problem?.status === status && typeof problem.code === "string" && problem.fix;
    const isError = isFrame && problem?.jsonrpc === "2.0" && problem.error !== undefined;
    // Whether the process is ready is told by a line.
    if (!isProblem && !isError && !asked.path.startsWith("/readyz")) wrong("no problem document");
    if (problem?.code === "internal.invariant") wrong("a fault of its own");
  }
  const id = headers["lethe-request"];
  if (id) told.set(decodeURIComponent(id), headers["lethe-charged"]);
  for (const [, requestId] of body.matchAll(/"requestId": ?\\?"([\w~.: -]+)\\?"/g))
    if (!told.has(requestId)) told.set(requestId, null);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Sends a request, and reads its answer; null where the client left after `leaves` milliseconds, or the connection ended before an answer. */
function send({ port, agent, host: called }, { method, path, headers, body, as }, token, leaves) {
  const authorization =
    as === null ? {} : { authorization: `Bearer ${as === "analyst" ? token : `${token.slice(0, -3)}xyz`}` };
  const length = body === null ? {} : { "content-length": body.length };
  return new Promise((resolve) => {
    let sent;
    try {
      sent = request({
        port,
        host: "127.0.0.1",
        agent,
        method,
        path,
        headers: { host: called, ...headers, ...authorization, ...length },
      });
    } catch {
      // Node's client does not write what is no path or no header.
      return resolve(null);
    }
    sent.on("response", (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
      response.on("error", () => resolve(null));
    });
    sent.on("error", () => resolve(null));
    if (leaves !== null) setTimeout(() => sent.destroy(), leaves);
    sent.end(body ?? undefined);
  });
}

/** Sends parts on a connection of its own, apart where it is slow; resolves with all that came back before it ended, or within a moment. */
function sendRaw(port, parts, isSlow) {
  return new Promise((resolve) => {
    const chunks = [];
    const socket = connect(port, "127.0.0.1", async () => {
      for (const part of parts) {
        if (socket.destroyed) break;
        socket.write(part);
        if (isSlow) await new Promise((after) => setTimeout(after, 20));
      }
      setTimeout(() => socket.destroy(), isSlow ? 400 : 80);
    });
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
  });
}

/** Reads the answers that stand whole one after the other in what came back, a character a byte. */
function answersIn(text) {
  const answers = [];
  for (let rest = text; rest.startsWith("HTTP/1."); ) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) break;
    const [first, ...lines] = rest.slice(0, end).split("\r\n");
    const headers = Object.fromEntries(lines.map(headerOf));
    const status = Number(first.split(" ")[1]);
    const whole = bodyIn(rest.slice(end + 4), headers);
    if (whole === null) break;
    if (status !== 100) answers.push({ status, headers, body: Buffer.from(whole.body, "latin1").toString() });
    rest = whole.rest;
  }
  return answers;
}

function headerOf(line) {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/** Reads a body by its length or its chunks, and gives what follows it; null where it was cut off. */
function bodyIn(text, headers) {
  if (headers["transfer-encoding"] !== "chunked") {
    const length = Number(headers["content-length"] ?? 0);
    return text.length < length ? null : { body: text.slice(0, length), rest: text.slice(length) };
  }
  let body = "";
  for (let rest = text; ; ) {
    const line = rest.indexOf("\r\n");
    if (line < 0) return null;
    const size = Number.parseInt(rest.slice(0, line), 16);
    const chunk = rest.slice(line + 2, line + 2 + size);
    if (chunk.length < size) return null;
    body += chunk;
    rest = rest.slice(line + 4 + size);
    if (size === 0) return { body, rest };
  }
}

/**
 * Compares what the answers told with what the ledger charged; returns what is wrong, in words.
 * @param charges the analyst's charges: { requestId }
 */
export function unpaidOrUntold({ told, unseen }, charges) {
  const paid = new Set(charges.map(({ requestId }) => requestId));
  const unpaid = [...told]
    .filter(([id]) => !paid.has(id))
    .map(([id]) => `${id} was answered and is not paid`);
  const untold = charges.filter(({ requestId }) => !told.has(requestId)).length;
  return [
    ...unpaid,
    ...(untold > unseen
      ? [`${untold} charges were told to nobody, and ${unseen} requests got no answer`]
      : []),
  ];
}
