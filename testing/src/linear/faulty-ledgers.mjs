import { LetheError } from "@lethe/core";

/** Ledgers that break one promise each, around one that keeps them all. */
export const faults = {
  "pays again for what was asked before": (ledger) => {
    const asked = new Map();
    return changed(ledger, {
      reserve: (request) => {
        const times = asked.get(request.requestId) ?? 0;
        asked.set(request.requestId, times + 1);
        return ledger.reserve(
          times === 0 ? request : { ...request, requestId: `${request.requestId} ${times}` },
        );
      },
    });
  },
  "gives a second settlement its own answer": (ledger) =>
    changed(ledger, {
      settle: async (charge, release) => {
        await ledger.settle(charge, release);
        return release;
      },
    }),
  "refuses what fits": (ledger) => {
    let asked = 0;
    return changed(ledger, {
      reserve: async (request) => {
        asked += 1;
        if (asked % 5 === 0) throw new LetheError("ledger.budget", "no", { fix: "none" });
        return ledger.reserve(request);
      },
    });
  },
  "tells what was spent a while ago": (ledger) => {
    let before = null;
    return changed(ledger, {
      account: async () => {
        const now = await ledger.account();
        const told = before ?? now;
        before = now;
        return told;
      },
    });
  },
  "refunds what failed": (ledger) => {
    let refund = 0n;
    return changed(ledger, {
      fail: async (charge) => {
        await ledger.fail(charge);
        refund += 1n;
      },
      account: async () => {
        const { granted, spent, left } = await ledger.account();
        const { num, den } = spent.epsilon;
        return {
          granted,
          spent: { ...spent, epsilon: { num: num * 100n - refund * den, den: den * 100n } },
          left,
        };
      },
    });
  },
  "says that a budget is applied, and goes on under the one before": (ledger) =>
    changed(ledger, { apply: async (application) => ({ ...(await ledger.propose(application)) }) }),
  "takes a budget below what is spent": (ledger) =>
    changed(ledger, {
      apply: async (application) => {
        try {
          return await ledger.apply(application);
        } catch (error) {
          if (error.code !== "ledger.budget") throw error;
          return { needed: true };
        }
      },
    }),
  "shares for nothing": (ledger) =>
    changed(ledger, {
      share: async (request) => {
        const settled = await ledger.settled(request.requestId, request.from);
        return settled === null ? ledger.share(request) : settled.release;
      },
    }),
  "forgets who was revoked": (ledger) => changed(ledger, { limit: async () => {} }),
  "charges no project and no data set": (ledger) =>
    changed(ledger, {
      reserve: (request) => ledger.reserve({ ...request, project: null, dataSets: [] }),
    }),
  "answers without a charge": (ledger) =>
    changed(ledger, {
      reserve: async (request) => {
        try {
          return await ledger.reserve(request);
        } catch (error) {
          if (error.code !== "ledger.budget") throw error;
          return { kind: "settled", release: "for nothing" };
        }
      },
    }),
};

function changed(ledger, methods) {
  const same = [
    "reserve",
    "settle",
    "fail",
    "account",
    "remaining",
    "settled",
    "report",
    "grant",
    "apply",
    "share",
    "limit",
  ];
  return { ...Object.fromEntries(same.map((name) => [name, ledger[name].bind(ledger)])), ...methods };
}
