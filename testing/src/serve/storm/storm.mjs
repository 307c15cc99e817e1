import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { seededRandom } from "../../crash/seeded-random.mjs";
import { byCommand, overHttp, overMcp, overWire, rowsOf } from "./ask-by.mjs";

const clock = fileURLToPath(new URL("./clock-from-file.mjs", import.meta.url));
const names = ["ann", "ben", "cyd", "dee", "eli"];
const dayMs = 86_400_000;

/**
 * Asks `questions` questions of one ledger by HTTP, by the model context protocol, by PostgreSQL's protocol and by the command line at once, while the service is killed and started again, clients leave, and the clock jumps. Returns
 * { calls, kills, jumps, left, codes }: what every client was told, for judge.mjs, and how much happened.
 * @param house { folder, bin, tokens, start, send }: a folder with policy and ledger, the built program, a token by name, what starts the service (`start({ port, node, env })`), and what sends it a request
 * @param options { questions, clients, seed, every: the questions between two kills, commands: the share that is asked by the command line, told }
 */
export async function storm({ folder, bin, tokens, start, send }, options) {
  const { questions, clients, seed = 1, every, commands = 0.01, told = () => undefined } = options;
  const clockFile = join(folder, "storm-clock");
  const env = { LETHE_STORM_CLOCK: clockFile };
  const node = ["--import", clock];
  writeFileSync(clockFile, "0");
  const random = seededRandom(seed);
  const happened = { calls: [], kills: 0, jumps: 0, left: 0, codes: {} };
  let service = await start(folder, { node, env, postgres: true });
  const { port } = service;
  let restarting = null;
  let moment = 0;
  let next = 0;
  let running = 0;

  const restart = () => {
    restarting ??= (async () => {
      // Amid what is running, and not between two questions.
      await new Promise((resolve) => setTimeout(resolve, random() * 200));
      if (random() < 0.75) await service.kill();
      else await service.stop();
      happened.kills += 1;
      jump();
      service = await start(folder, { port, node, env, postgres: true });
      restarting = null;
    })();
    return restarting;
  };
  const jump = () => {
    // Forward and back, by up to a few days: windows end, and some clocks are behind the ledger's.
    writeFileSync(clockFile, String(Math.round((random() < 0.3 ? 0 : random()) * 6 * dayMs)));
    happened.jumps += 1;
  };

  const ask = async (question, agent) => {
    const call = { ...question, start: moment++ };
    const leaves = random() < 0.04 ? random() * 60 : null;
    if (leaves !== null) happened.left += 1;
    let outcome;
    if (question.by === "command") {
      outcome = await byCommand({ node, bin, folder, env }, question, leaves === null ? null : leaves * 20);
    } else {
      const gone = new AbortController();
      const timer = leaves === null ? null : setTimeout(() => gone.abort(), leaves);
      const who = { token: tokens[question.principal], signal: gone.signal };
      const over = (request) => send({ ...request, port, agent });
      if (question.by === "wire") outcome = await overWire(service.postgresPort, question, who);
      else outcome = await (question.by === "mcp" ? overMcp : overHttp)(over, question, who);
      clearTimeout(timer);
    }
    const { code, ...rest } = outcome;
    if (code) happened.codes[code] = (happened.codes[code] ?? 0) + 1;
    happened.calls.push({ ...call, ...rest, end: moment++ });
    return outcome;
  };

  const client = async (agent) => {
    while (next < questions) {
      const at = next++;
      if (at > 0 && at % every === 0) void restart().catch((error) => told(`restart: ${error.message}`));
      if (at % Math.max(1, Math.floor(every / 3)) === 1) jump();
      if (at % 1000 === 999) told(`${at + 1} asked, ${happened.kills} kills`);
      const question = questionAt(at, questions, random);
      if (question.by === "command" && running >= 2) question.by = "http";
      running += question.by === "command" ? 1 : 0;
      for (let tries = 0; tries < 4; tries += 1) {
        const { outcome } = await ask(question, agent);
        if (outcome !== "unknown") break;
        if (restarting) await restarting.catch(() => undefined);
        // Some never ask again.
        if (random() < 0.2) break;
      }
      running -= question.by === "command" ? 1 : 0;
    }
  };

  function questionAt(at, all, random) {
    const isFresh = random() < 0.25;
    // An earlier question of somebody's, or a new one; each text is asked by several people.
    const number = isFresh ? at : Math.floor(random() * Math.min(at + 1, 400 + all / 50));
    const principal = names[(number * 7 + (random() < 0.2 ? 1 : 0)) % names.length];
    const price = 1 + (number % 2);
    const text = `SELECT COUNT(*) AS n FROM people WHERE wage > ${(number % 5900) / 100} AND education > ${Math.floor(number / 5900)}`;
    const way = random();
    const by = way < commands ? "command" : way < 0.2 ? "mcp" : way < 0.4 ? "wire" : "http";
    const mayWork = ["cyd", "dee"].includes(principal) && number % 3 === 0;
    const project = mayWork ? "work" : null;
    const key =
      (by === "http" || by === "mcp") && random() < 0.15
        ? `key-${number}-${principal}-${project ?? ""}`
        : null;
    return { principal, project, text, key, price, by };
  }

  const { Agent } = await import("node:http");
  const agents = Array.from({ length: clients }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  await Promise.all(agents.map(client));
  for (const agent of agents) agent.destroy();
  if (restarting) await restarting;
  await service.stop();
  return { ...happened, clock: { node, env } };
}

/** What a process had under way when it was killed is told of once its lease, of ten seconds, is over. */
const [triesOfEach, betweenTriesMs] = [60, 500];

/** Gets every settled answer by its id from a service that was started again; returns the rows by id. */
export async function obtainedBy({ tokens, send }, { port }, charges) {
  const rows = new Map();
  const settled = charges.filter(({ state }) => state === "settled");
  let next = 0;
  const client = async () => {
    while (next < settled.length) {
      const { requestId, principal } = settled[next++];
      const path = `/v1/releases/${encodeURIComponent(requestId)}`;
      for (let tries = 0; tries < triesOfEach && !rows.has(requestId); tries += 1) {
        if (tries > 0) await new Promise((resolve) => setTimeout(resolve, betweenTriesMs));
        const { status, text } = await send({ port, method: "GET", path, token: tokens[principal] });
        if (status === 200) rows.set(requestId, rowsOf(JSON.parse(text).answer));
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return rows;
}
