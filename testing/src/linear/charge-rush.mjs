import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./charge-process.mjs", import.meta.url));

/**
 * Many clients in several processes ask one ledger at the same time. `clients` holds the questions of each,
 * [{ id, principal, cost }]; gives [{ id, principal, cost, told, begin, end }] as chargeFaults reads it, and how long
 * it took from the first question to the last answer, in seconds.
 */
export async function chargeRush(moduleUrl, directory, clients, processes) {
  const runs = Array.from({ length: processes }, (_, i) =>
    start(moduleUrl, directory, { clients: clients.filter((__, client) => client % processes === i) }),
  );
  await Promise.all(runs.map(({ planned }) => planned));
  const from = process.hrtime.bigint();
  for (const { go } of runs) go();
  const asked = (await Promise.all(runs.map(({ told }) => told))).flat();
  const last = asked.reduce((latest, { end }) => (end > latest ? end : latest), from);
  return { asked, seconds: Number(last - from) / 1e9 };
}

function start(moduleUrl, directory, plan) {
  const child = spawn(process.execPath, [program, moduleUrl, directory], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("a process that was to ask ended before its time");
    return value;
  };
  const planned = (async () => {
    await line();
    child.stdin.write(`${JSON.stringify(plan)}\n`);
    await line();
  })();
  const told = planned.then(line).then((text) => JSON.parse(text).map(questionOf));
  return { planned, told, go: () => child.stdin.write("go\n") };
}

function questionOf([id, principal, cost, told, begin, end]) {
  return { id, principal, cost, told, begin: BigInt(begin), end: BigInt(end) };
}
