import { atMost, plus, rest } from "./fraction.mjs";

/**
 * An account as if one question came after the other: what the ledger promises, said once more without it.
 * `begin` is the account as it was made, { cap, shares: { analyst: cap }, failureCap }, in ε; `answer(state, call)` gives
 * what must be told and the state after: the same object where nothing changes, and then nothing ever will by this call.
 */
export const accountLaw = {
  begin: ({ cap, shares = {}, failureCap = 100 }) => ({
    granted: cap,
    spent: "0/1",
    shares: Object.fromEntries(
      Object.entries(shares).map(([name, granted]) => [name, { granted, spent: "0/1" }]),
    ),
    stated: { cap, shares },
    charged: {},
    failureCap,
    failures: 0,
    open: 0,
    records: 1,
    requests: {},
  }),
  answer: (state, call) => answers[call.op](state, call),
};

const refused = (state, code) => ({ after: state, told: { refused: code } });
const unchanged = (state, told) => ({ after: state, told });
const done = (after) => ({ after: { ...after, records: after.records + 1 }, told: {} });

const answers = {
  reserve(state, { id, principal, question, costs }) {
    const paid = state.requests[id];
    if (paid) return again(state, paid, { principal, question, costs });
    if (!mayAsk(state, principal)) return refused(state, "ledger.principal");
    const cost = costs.find((each) => fits(state, principal, each));
    if (cost === undefined) return refused(state, "ledger.budget");
    if (stalled(state)) return refused(state, "ledger.failures");
    const request = { principal, question, cost, sequence: state.records, release: null, failed: false };
    const after = {
      ...charged(state, principal, cost),
      open: state.open + 1,
      records: state.records + 1,
      requests: { ...state.requests, [id]: request },
    };
    return { after, told: { cost, sequence: request.sequence, resumed: false } };
  },
  settle(state, { id, release }) {
    const request = state.requests[id];
    if (request.release !== null) return unchanged(state, { release: request.release });
    const { after } = done({ ...closed(state, request), requests: changed(state, id, { release }) });
    return { after, told: { release } };
  },
  fail(state, { id }) {
    const request = state.requests[id];
    if (request.release !== null) return unchanged(state, {});
    const failures = state.failures + 1;
    return done({ ...closed(state, request), failures, requests: changed(state, id, { failed: true }) });
  },
  grant(state, { amount }) {
    return done({ ...state, granted: plus(state.granted, amount) });
  },
  /** The budget of a policy: never below what was charged, to the account or under one name since the beginning. */
  apply(state, { cap, shares }) {
    const stated = { cap, shares };
    const granted = (name) => state.shares[name]?.granted;
    const names = [...new Set([...Object.keys(shares), ...Object.keys(state.shares)])];
    const same = state.granted === cap && names.every((name) => granted(name) === shares[name]);
    if (same && JSON.stringify(stated) === JSON.stringify(state.stated)) {
      return unchanged(state, { needed: false });
    }
    const own = (name) => state.charged[name] ?? "0/1";
    const enough =
      atMost(state.spent, cap) && Object.entries(shares).every(([name, share]) => atMost(own(name), share));
    if (!enough) return refused(state, "ledger.budget");
    const listed = Object.entries(shares).map(([name, share]) => [
      name,
      { granted: share, spent: own(name) },
    ]);
    const { after } = done({ ...state, granted: cap, stated, shares: Object.fromEntries(listed) });
    return { after, told: { needed: true } };
  },
  account(state) {
    const { granted, spent } = state;
    return unchanged(state, { granted, spent, left: rest(granted, spent) });
  },
  remaining(state, { principal }) {
    if (!mayAsk(state, principal)) return refused(state, "ledger.principal");
    const left = rest(state.granted, state.spent);
    const share = state.shares[principal];
    const own = share ? rest(share.granted, share.spent) : left;
    return unchanged(state, { left: atMost(own, left) ? own : left });
  },
  settled(state, { id }) {
    return unchanged(state, { release: state.requests[id]?.release ?? null });
  },
  report(state) {
    const charges = Object.entries(state.requests).map(
      ([id, { release, failed, sequence }]) =>
        `${sequence} ${id} ${release !== null ? "settled" : failed ? "failed" : "reserved"}`,
    );
    return unchanged(state, { spent: state.spent, charges, head: state.records - 1 });
  },
};

function again(state, paid, { principal, question, costs }) {
  const same = paid.principal === principal && paid.question === question;
  if (!same) return refused(state, "ledger.request");
  if (paid.release !== null) return unchanged(state, { release: paid.release });
  if (!costs.includes(paid.cost)) return refused(state, "ledger.request");
  if (paid.failed && stalled(state)) return refused(state, "ledger.failures");
  return unchanged(state, { cost: paid.cost, sequence: paid.sequence, resumed: true });
}

function mayAsk({ shares }, principal) {
  return principal === "owner" || Object.keys(shares).length === 0 || principal in shares;
}

function fits({ granted, spent, shares }, principal, cost) {
  const share = shares[principal];
  return atMost(plus(spent, cost), granted) && (!share || atMost(plus(share.spent, cost), share.granted));
}

function charged(state, principal, cost) {
  const spent = plus(state.spent, cost);
  const charged = { ...state.charged, [principal]: plus(state.charged[principal] ?? "0/1", cost) };
  const share = state.shares[principal];
  if (!share) return { ...state, spent, charged };
  const own = { ...share, spent: plus(share.spent, cost) };
  return { ...state, spent, charged, shares: { ...state.shares, [principal]: own } };
}

const stalled = ({ failures, open, failureCap }) => failures + open >= failureCap;
const closed = (state, request) => ({ ...state, open: state.open - (request.failed ? 0 : 1) });
const changed = (state, id, what) => ({
  ...state.requests,
  [id]: { ...state.requests[id], ...what },
});
