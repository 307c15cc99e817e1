// Serves the pages of a survey whose visitors randomize their own answers, and collects the reports. Only this machine reaches it; it keeps counts in
// memory alone, and stops by itself. Options: --port N (a free one), --idle SECONDS without a request after which it stops (900).
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { addReport, emptyCounts, estimates } from "./aggregate.js";

const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, idle: { type: "string", default: "900" } },
});
const idle = Number(values.idle) * 1000;
const most = { body: 1 << 20, reports: 1e6 };

const here = (name) => new URL(name, import.meta.url);
const core = new URL("./", import.meta.resolve("@lethe/core"));
const types = {
  html: "text/html",
  js: "text/javascript",
  mjs: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
};
const files = new Set([
  ...["index.html", "visitor.js", "estimates.html", "results.js", "crowd.js"],
  ...["survey.js", "randomize.js", "elements.js", "style.css", "icon.svg"],
]);

// Scripts and styles of this server and no others, nothing inline; no text becomes HTML, and nothing is sent elsewhere.
const policy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
].join("; ");

let counts = emptyCounts();
let reports = 0;

async function fileFor(path) {
  const [, name] = /^\/core\/([\w.-]+\.mjs)$/.exec(path) ?? [];
  const own = path === "/" ? "index.html" : path.slice(1);
  const place = name ? new URL(name, core) : files.has(own) ? here(own) : null;
  if (place === null) return null;
  const type = types[place.pathname.split(".").at(-1)];
  try {
    return { type, content: await readFile(fileURLToPath(place)) };
  } catch {
    return null;
  }
}

/** Reads a body; null for one that is too large, of which the rest is read and forgotten. */
async function body(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= most.body) chunks.push(chunk);
    else if (size > 16 * most.body) request.destroy();
  }
  return size > most.body ? null : Buffer.concat(chunks).toString("utf8");
}

function json(response, status, value) {
  response
    .writeHead(status, { "content-type": "application/json; charset=utf-8" })
    .end(JSON.stringify(value));
}

/** Takes a list of reports. Nothing is kept of who sent it and when: no address, no time, no order. */
async function take(request, response) {
  // Another site's page may send plain forms here, and no JSON without asking first.
  const text = await body(request);
  if (request.headers["content-type"] !== "application/json")
    return json(response, 415, { error: "JSON, please" });
  let sent;
  try {
    sent = JSON.parse(text ?? "");
  } catch {
    return json(response, 400, { error: "this is no JSON, or more than 1 MiB" });
  }
  if (!Array.isArray(sent) || reports + sent.length > most.reports)
    return json(response, 400, { error: "no list of reports, or too many" });
  const taken = structuredClone(counts);
  if (!sent.every((each) => addReport(taken, each)))
    return json(response, 400, { error: "this is no report of the survey" });
  counts = taken;
  reports += sent.length;
  return json(response, 200, { counted: sent.length });
}

const server = createServer(async (request, response) => {
  stopLater();
  response.setHeader("content-security-policy", policy);
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  response.setHeader("cache-control", "no-store");
  const { host = "" } = request.headers;
  // A name that somebody else made lead to this machine is not served.
  if (!/^(127\.0\.0\.1|localhost):\d+$/.test(host)) return response.writeHead(421).end();
  const { pathname } = new URL(request.url ?? "/", `http://${host}`);
  if (request.method === "POST" && pathname === "/reports") return take(request, response);
  if (request.method !== "GET") return response.writeHead(405).end();
  if (pathname === "/estimates.json") return json(response, 200, estimates(counts));
  const file = await fileFor(pathname);
  if (file === null) return response.writeHead(404).end();
  return response.setHeader("content-type", `${file.type}; charset=utf-8`).end(file.content);
});

let stopping;
function stopLater() {
  clearTimeout(stopping);
  stopping = setTimeout(stop, idle);
}
function stop() {
  server.close();
  server.closeAllConnections();
  clearTimeout(stopping);
}

process.once("SIGINT", stop).once("SIGTERM", stop);
server.listen(Number(values.port), "127.0.0.1", () => {
  stopLater();
  const { port } = server.address();
  console.log(`http://127.0.0.1:${port}/ asks, http://127.0.0.1:${port}/estimates.html tells`);
  console.log(`it keeps counts alone, and stops after ${values.idle} s without a request, or by Ctrl-C`);
});
