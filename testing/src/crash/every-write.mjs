import { killedAtWrite } from "./killed-at-write.mjs";
import { killedProcess } from "./killed-process.mjs";

/**
 * Kills what `subject.command(id)` starts at its first write or flush, then at its second, and so on until it is done before; each
 * under an id of its own, and each asked again, twice. `subject`: { library, folders: [one, another], cwd, moduleUrl, directory,
 * headFile, command }. `how` is "whole" or "torn" (see killedAtWrite); `first` and `stride` say at which writes: 1 and each unless stated.
 * Gives { kills, found, charged, settled }: of the processes killed, how many had charged and not settled, and how many had settled.
 */
export async function everyWrite(subject, how, { first = 1, stride = 1, prefix = how } = {}) {
  const { library, folders, cwd, moduleUrl, directory, headFile, command } = subject;
  const { openLedger, verifyLedger } = await import(/* @vite-ignore */ moduleUrl);
  const tally = { kills: 0, charged: 0, settled: 0, found: [] };
  for (let at = first; ; at += stride) {
    const id = `${prefix}-${at}`;
    const told = (what) => tally.found.push(`${how} ${at}: ${what}`);
    const state = async () => {
      const ledger = await openLedger(directory, { clock: Date.now, headFile });
      const settled = await ledger.settled(id, "owner");
      const { charges } = await ledger.report();
      await ledger.close();
      return { settled, charges: charges.filter(({ requestId }) => requestId === id) };
    };
    const run = await killedAtWrite(library, folders, command(id), { at, how, cwd });
    if (!run.killed) {
      if (run.code !== 0) told(`ended by itself: ${run.stderr}`);
      return tally;
    }
    tally.kills += 1;
    const dead = await state().catch((error) => told(`does not open: ${error.message}`));
    if (!dead) continue;
    const { settled, charges } = dead;
    if (charges.length > 1) told("charged twice");
    if (settled) tally.settled += 1;
    else if (charges.length === 1) tally.charged += 1;
    if (run.stdout !== "" && !settled) told("an answer left before it was durable");
    const [again, third] = [await rerun(command(id), cwd), await rerun(command(id), cwd)];
    if (again.code !== 0 || third.code !== 0) told(`is not answered again: ${again.stderr}`);
    if (again.stdout !== third.stdout) told("has two answers");
    const after = await state();
    if (after.charges.length !== 1) told(`${after.charges.length} charges after it was asked again`);
    if (charges.length === 1 && after.charges[0]?.sequence !== charges[0].sequence) told("the charge moved");
    if (settled && after.settled.release !== settled.release) told("the answer that was durable is another");
    if (run.stdout !== "" && !again.stdout.startsWith(run.stdout)) told("what left is no part of the answer");
    await verifyLedger(directory, { headFile }).catch((error) => told(`does not hold: ${error.message}`));
  }
}

function rerun([command, args], cwd) {
  return killedProcess(command, args, { delayMs: null, cwd });
}
