import { join } from "node:path";
import { killedProcess } from "./killed-process.mjs";
import { violations } from "./violations.mjs";

/**
 * One round through the real command line: two `lethe query` processes, each killed at a random moment of its life;
 * then both are asked again under their request ids. `subject` is { bin, folder, moduleUrl, sql, lifeMs }; `ids` are
 * two request ids, perhaps equal. Gives the violations found, how many processes died at work, and how many of them
 * between charge and answer.
 */
export async function cliRound({ bin, folder, moduleUrl, sql, lifeMs }, ids, random) {
  const { openLedger, verifyLedger } = await import(/* @vite-ignore */ moduleUrl);
  const directory = join(folder, ".lethe", "ledger");
  const ask = (id, delayMs) =>
    killedProcess(
      process.execPath,
      [bin, "query", sql, "--epsilon", "0.001", "--delta", "0", "--request", id, "--format", "json"],
      { cwd: folder, delayMs },
    );
  const report = async () => {
    const ledger = await openLedger(directory, { clock: Date.now });
    const { charges, head } = await ledger.report();
    await ledger.close();
    return { charges: charges.filter(({ requestId }) => ids.includes(requestId)), head };
  };
  const failures = (runs) =>
    runs.filter(({ killed, code }) => !killed && code !== 0).map(({ stderr, stdout }) => stderr + stdout);
  const affordable = new Set(ids).size;

  const first = await Promise.all(ids.map((id) => ask(id, random() * lifeMs)));
  const whole = ids.flatMap((id, i) => (first[i].code === 0 ? [answer(id, first[i])] : []));
  // A killed process may have printed a part of its answer: that, too, must have been paid and be durable.
  const parts = ids.flatMap((id, i) =>
    first[i].killed && first[i].stdout ? [{ id, text: first[i].stdout }] : [],
  );
  const before = await report();
  const found = [...failures(first), ...violations(before, whole, affordable)];
  for (const { id } of parts) {
    found.push(...violations(before, [{ did: "answered", id, release: "" }], affordable));
  }

  const second = await Promise.all(ids.map((id) => ask(id, null)));
  const told = [...whole, ...ids.map((id, i) => answer(id, second[i]))];
  found.push(...failures(second), ...violations(await report(), told, affordable));
  for (const { id, text } of parts) {
    if (!second[ids.indexOf(id)].stdout.startsWith(text)) found.push(`${id} has two answers`);
  }
  await verifyLedger(directory, { head: before.head }).catch((error) => found.push(error.message));
  return {
    found,
    killed: first.filter(({ killed }) => killed).length,
    caught: before.charges.filter(({ state }) => state !== "settled").length,
  };
}

function answer(id, { stdout }) {
  return { did: "answered", id, release: stdout };
}
