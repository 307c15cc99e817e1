import { createHash } from "node:crypto";
import { fraction, parts } from "./fraction.mjs";

/**
 * Plays a script against a ledger. `heard` is told of every call twice: { key, call, begin } before and { key, told, end }
 * after it, in nanoseconds of a clock that all processes of a machine share. `pause` passes time before a call.
 */
export async function playScript(ledger, steps, client, heard, pause) {
  let calls = 0;
  async function timed(call, work) {
    const key = `${client}:${calls}`;
    calls += 1;
    heard({ key, call, begin: process.hrtime.bigint() });
    const { told, ...result } = await work().catch(refusal);
    heard({ key, told, end: process.hrtime.bigint() });
    return result;
  }
  for (const { wait, then, release, ...step } of steps) {
    await pause(wait);
    if (step.op !== "ask") {
      await timed(step, () => reads[step.op](ledger, step));
      continue;
    }
    const { id, principal } = step;
    const { charge } = await timed({ ...step, op: "reserve" }, () => reserve(ledger, step));
    if (!charge || then === "leave") continue;
    await pause(wait);
    await timed({ op: then, id, principal, ...(then === "settle" ? { release } : {}) }, async () => ({
      told:
        then === "settle"
          ? { release: await ledger.settle(charge, release) }
          : await nothing(ledger.fail(charge)),
    }));
  }
}

async function reserve(ledger, step) {
  const reservation = await ledger.reserve(requestOf(step));
  if (reservation.kind === "settled") return { told: { release: reservation.release } };
  const { charge, resumed } = reservation;
  return { charge, told: { cost: main(charge.loss), sequence: charge.sequence, resumed } };
}

const reads = {
  account: async (ledger) => {
    const { granted, spent, left } = await ledger.account();
    return { told: { granted: main(granted), spent: main(spent), left: main(left) } };
  },
  remaining: async (ledger, { principal }) => ({ told: { left: main(await ledger.remaining(principal)) } }),
  settled: async (ledger, { id, principal }) => ({
    told: { release: (await ledger.settled(id, principal))?.release ?? null },
  }),
  share: async (ledger, { id, principal, to }) => ({
    told: { release: await ledger.share({ from: principal, requestId: id, to }) },
  }),
  revoke: async (ledger, { analyst }) => limit(ledger, analyst, "revoke"),
  reopen: async (ledger, { analyst }) => limit(ledger, analyst, "reopen"),
  grant: async (ledger, { amount }) => ({
    told: await nothing(ledger.grant({ epsilon: parts(amount), reason: "more" })),
  }),
  apply: async (ledger, { op: _, ...account }) => {
    const { needed } = await ledger.apply({ budget: budgetOf(account), policyHash: "" });
    return { told: { needed } };
  },
  report: async (ledger) => {
    const { spent, charges, head } = await ledger.report();
    const lines = charges.map(({ sequence, requestId, state }) => `${sequence} ${requestId} ${state}`);
    return { told: { spent: main(spent), charges: lines, head: head.sequence } };
  },
};

function refusal(error) {
  if (!error.code?.startsWith("ledger.")) throw error;
  return { told: { refused: error.code } };
}

async function limit(ledger, analyst, what) {
  return { told: await nothing(ledger.limit({ scope: ["analyst", analyst], what, reason: "so" })) };
}

async function nothing(work) {
  await work;
  return {};
}

function main({ epsilon }) {
  return fraction(epsilon.num, epsilon.den);
}

/** A budget as a policy states it. */
export function budgetOf({ cap, shares, keeps = [], projects = {}, dataSets = {}, window = null }) {
  const capped = (caps) =>
    Object.fromEntries(
      Object.entries(caps).map(([name, cap]) => [name, { main: parts(cap), reserved: keeps.includes(name) }]),
    );
  return {
    measure: "pure",
    epsilon: parts(cap),
    delta: parts("0/1"),
    rho: null,
    analysts: capped(shares),
    projects: capped(projects),
    dataSets: capped(dataSets),
    windows: window === null ? [] : [{ per: "quarter", main: parts(window), delta: null }],
  };
}

/** A reservation of the ledger: `costs` are what is to be charged and, where it does not fit, otherwise. */
export function requestOf({ id, principal, question, costs, project = null, dataSets = [] }) {
  const priced = (cost) => ({
    loss: { measure: "pure", epsilon: parts(cost) },
    event: { kind: "laplace", version: 1, scale: cost, l1: "1" },
  });
  const [first, otherwise] = costs.map(priced);
  return {
    principal,
    project,
    dataSets,
    requestId: id,
    requestHash: createHash("sha256").update(`${principal} ${question}`).digest("hex"),
    text: `SELECT ${question}`,
    ...first,
    ...(otherwise ? { otherwise } : {}),
  };
}
