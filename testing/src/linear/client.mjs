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
    const { id } = step;
    const { charge } = await timed({ ...step, op: "reserve" }, () => reserve(ledger, step));
    if (!charge || then === "leave") continue;
    await pause(wait);
    await timed({ op: then, id, ...(then === "settle" ? { release } : {}) }, async () => ({
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
  settled: async (ledger, { id }) => ({ told: { release: (await ledger.settled(id))?.release ?? null } }),
  grant: async (ledger, { amount }) => ({
    told: await nothing(ledger.grant({ epsilon: parts(amount), reason: "more" })),
  }),
  apply: async (ledger, { cap, shares }) => {
    const { needed } = await ledger.apply({ budget: budgetOf({ cap, shares }), policyHash: "" });
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

async function nothing(work) {
  await work;
  return {};
}

function main({ epsilon }) {
  return fraction(epsilon.num, epsilon.den);
}

/** A budget as a policy states it. */
export function budgetOf({ cap, shares }) {
  const analysts = Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, parts(share)]));
  return { measure: "pure", epsilon: parts(cap), delta: parts("0/1"), rho: null, analysts };
}

/** A reservation of the ledger: `costs` are what is to be charged and, where it does not fit, otherwise. */
export function requestOf({ id, principal, question, costs }) {
  const priced = (cost) => ({
    loss: { measure: "pure", epsilon: parts(cost) },
    event: { kind: "laplace", version: 1, scale: cost, l1: "1" },
  });
  const [first, otherwise] = costs.map(priced);
  return {
    principal,
    requestId: id,
    requestHash: createHash("sha256").update(`${principal} ${question}`).digest("hex"),
    text: `SELECT ${question}`,
    ...first,
    ...(otherwise ? { otherwise } : {}),
  };
}
