import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { killedProcess } from "./killed-process.mjs";
import { toldBy, violations } from "./violations.mjs";

const program = fileURLToPath(new URL("./apply-child.mjs", import.meta.url));
const fraction = (num) => ({ num: BigInt(num), den: 1n });
const budgetOf = (cap) => ({
  measure: "pure",
  epsilon: fraction(cap),
  delta: fraction(0),
  rho: null,
  analysts: {},
});

/**
 * One round: two processes ask under a policy of ε 4, its ledger's head kept in `elsewhere`; two more apply budgets of 3 and of 5 at
 * random moments, and each of the four may be killed. Gives { found, killed, applied, late }: what was broken, how many died at work, how many
 * budgets were put on record, and how many askers were refused by a change.
 */
export async function applyRound(moduleUrl, random, elsewhere = tmpdir()) {
  const { createLedger, openLedger, verifyLedger } = await import(/* @vite-ignore */ moduleUrl);
  const [parent, other] = [tmpdir(), elsewhere].map((place) => mkdtempSync(join(place, "lethe-apply-")));
  const [directory, headFile] = [join(parent, "ledger"), join(other, "head")];
  try {
    const options = { budget: budgetOf(4), policyHash: "", source: "s", clock: Date.now, headFile };
    await (await createLedger(directory, options)).close();
    const plans = [
      { does: "ask", name: "a", cap: "4" },
      { does: "ask", name: "b", cap: "4" },
      { does: "apply", name: "less", cap: "3", waitMs: 60 * random() },
      { does: "apply", name: "more", cap: "5", waitMs: 60 * random() },
    ];
    const runs = await Promise.all(
      plans.map((plan) => {
        const args = [program, moduleUrl, directory, headFile, JSON.stringify(plan)];
        const dies = random() < 0.4;
        return killedProcess(process.execPath, args, {
          delayMs: dies ? 250 + 250 * random() : null,
        });
      }),
    );
    const found = runs.filter(({ killed, code }) => !killed && code !== 0).map(({ stderr }) => stderr);
    const told = runs.flatMap(({ stdout }) => toldBy(stdout));
    const ledger = await openLedger(directory, { clock: Date.now, headFile });
    const report = await ledger.report();
    await ledger.close();
    const facts = told.filter(({ did }) => did === "charged" || did === "answered");
    found.push(...violations(report, facts, 250), ...broken(report, told));
    await verifyLedger(directory, { headFile }).catch((error) => found.push(error.message));
    const [kept] = readFileSync(headFile, "utf8").split(":");
    if (Number(kept) !== report.head.sequence) found.push(`the head file is at ${kept} after verifying`);
    return {
      found,
      killed: runs.filter(({ killed }) => killed).length,
      applied: report.budgets.length,
      late: told.filter(({ code }) => code === "policy.changed").length,
    };
  } finally {
    for (const folder of [parent, other]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Nobody is charged under a policy that is not the ledger's; what was told to be applied is; each names what it changed. */
function broken({ charges, budgets, granted }, told) {
  const found = [];
  const first = budgets[0]?.sequence ?? Number.POSITIVE_INFINITY;
  for (const { sequence, requestId } of charges) {
    if (sequence > first) found.push(`${requestId} is charged after another budget was applied`);
  }
  for (const { did, name, needed } of told) {
    if (did === "applied" && needed && !budgets.some(({ reason }) => reason === name))
      found.push(`${name} is lost`);
  }
  const caps = { less: 3n, more: 5n };
  const last = budgets.at(-1);
  if (granted.epsilon.num !== (last ? caps[last.reason] : 4n)) found.push("the cap is not the last budget's");
  if (budgets.length > 2) found.push("a budget is on record twice");
  for (const [i, { changes }] of budgets.entries()) {
    const before = i === 0 ? "4" : String(caps[budgets[i - 1].reason]);
    if (changes[0]?.from !== before) found.push("a budget changed what it was not shown");
  }
  return found;
}
