import { atMost, plus, rest } from "./fraction.mjs";

/**
 * An account as if one question came after the other: what the ledger promises, said once more without it.
 * `begin` is the account as it was made, in ε: { cap, shares: { analyst: cap }, keeps: [analysts whose share is reserved], projects: { name: cap },
 * dataSets: { name: cap }, window: the cap of a quarter, failureCap, failureCapEach }; `answer(state, call)` gives
 * what must be told and the state after: the same object where nothing changes, and then nothing ever will by this call.
 */
export const accountLaw = {
  begin: ({
    cap,
    shares = {},
    keeps = [],
    projects = {},
    dataSets = {},
    window = null,
    failureCap = 100,
    failureCapEach = failureCap,
  }) => ({
    granted: cap,
    spent: "0/1",
    shares,
    keeps,
    projects,
    dataSets,
    window,
    stated: { cap, shares },
    charged: {},
    inProject: {},
    ofData: {},
    revoked: [],
    failureCap,
    failureCapEach,
    failures: 0,
    open: 0,
    by: {},
    records: 1,
    requests: {},
  }),
  answer: (state, call) => answers[call.op](state, call),
};

const refused = (state, code) => ({ after: state, told: { refused: code } });
const unchanged = (state, told) => ({ after: state, told });
const done = (after) => ({ after: { ...after, records: after.records + 1 }, told: {} });
const keyOf = ({ principal, id }) => `${principal} ${id}`;

const answers = {
  reserve(state, call) {
    const { principal, question, costs, project = null, dataSets = [] } = call;
    const paid = state.requests[keyOf(call)];
    if (paid) return again(state, paid, { question, costs, project });
    if (!mayAsk(state, principal)) return refused(state, "ledger.principal");
    const within = { principal, project, dataSets };
    const cost = costs.find((each) => fits(charged(state, within, each)));
    if (cost === undefined) return refused(state, "ledger.budget");
    if (stalled(state, principal)) return refused(state, "ledger.failures");
    const request = { ...call, cost, sequence: state.records, release: null, failed: false, shared: {} };
    const after = {
      ...counted(charged(state, within, cost), principal, { failures: 0, open: 1 }),
      records: state.records + 1,
      requests: { ...state.requests, [keyOf(call)]: request },
    };
    return { after, told: { cost, sequence: request.sequence, resumed: false } };
  },
  settle(state, call) {
    const { release } = call;
    const request = state.requests[keyOf(call)];
    if (request.release !== null) return unchanged(state, { release: request.release });
    const { after } = done({ ...closed(state, request, 0), requests: changed(state, call, { release }) });
    return { after, told: { release } };
  },
  fail(state, call) {
    const request = state.requests[keyOf(call)];
    if (request.release !== null) return unchanged(state, {});
    return done({ ...closed(state, request, 1), requests: changed(state, call, { failed: true }) });
  },
  /** An answer that is received too: the receiver's share pays, and the account has paid. */
  share(state, call) {
    const { to, principal } = call;
    const request = state.requests[keyOf(call)];
    if (!request || request.release === null || to === principal) return refused(state, "ledger.request");
    const { release, cost, shared } = request;
    if (shared[to] !== undefined) return unchanged(state, { release });
    if (!mayAsk(state, to)) return refused(state, "ledger.principal");
    const paid = { ...state, charged: more(state.charged, to, cost) };
    if (!fits(paid, false)) return refused(state, "ledger.budget");
    const { after } = done({
      ...paid,
      requests: changed(state, call, { shared: { ...shared, [to]: state.records } }),
    });
    return { after, told: { release } };
  },
  revoke(state, { analyst }) {
    if (state.revoked.includes(analyst)) return unchanged(state, {});
    return done({ ...state, revoked: [...state.revoked, analyst].sort() });
  },
  reopen(state, { analyst }) {
    if (!state.revoked.includes(analyst)) return unchanged(state, {});
    const after = { ...state, revoked: state.revoked.filter((name) => name !== analyst) };
    return fits(after) ? done(after) : refused(state, "ledger.budget");
  },
  grant(state, { amount }) {
    return done({ ...state, granted: plus(state.granted, amount) });
  },
  /** The budget of a policy: never below what was charged, to the account or under one name since the beginning. */
  apply(state, { cap, shares }) {
    const stated = { cap, shares };
    const names = [...new Set([...Object.keys(shares), ...Object.keys(state.shares)])];
    const same = state.granted === cap && names.every((name) => state.shares[name] === shares[name]);
    if (same && JSON.stringify(stated) === JSON.stringify(state.stated)) {
      return unchanged(state, { needed: false });
    }
    const after = { ...state, granted: cap, stated, shares };
    if (!fits(after)) return refused(state, "ledger.budget");
    return { ...done(after), told: { needed: true } };
  },
  account(state) {
    const { granted, spent } = state;
    return unchanged(state, { granted, spent, left: rest(granted, spent) });
  },
  /** What is left as far as one may know: who is not the owner knows the account's caps alone. */
  remaining(state, { principal }) {
    if (!mayAsk(state, principal)) return refused(state, "ledger.principal");
    const isOwner = principal === "owner";
    const { granted, spent, window } = state;
    const lefts = [
      isOwner ? rest(granted, plus(spent, held(state))) : granted,
      ...(window === null ? [] : [isOwner ? rest(window, spent) : window]),
      ...(principal in state.shares ? [rest(state.shares[principal], own(state, principal))] : []),
    ];
    return unchanged(state, { left: lefts.reduce((one, other) => (atMost(one, other) ? one : other)) });
  },
  settled(state, call) {
    return unchanged(state, { release: state.requests[keyOf(call)]?.release ?? null });
  },
  report(state) {
    const charges = Object.values(state.requests)
      .flatMap(({ id, release, failed, sequence, shared }) => [
        { sequence, line: `${id} ${release !== null ? "settled" : failed ? "failed" : "reserved"}` },
        ...Object.values(shared).map((place) => ({ sequence: place, line: `${id} settled` })),
      ])
      .sort((a, b) => a.sequence - b.sequence)
      .map(({ sequence, line }) => `${sequence} ${line}`);
    return unchanged(state, { spent: state.spent, charges, head: state.records - 1 });
  },
};

function again(state, paid, { question, costs, project }) {
  if (paid.question !== question || (paid.project ?? null) !== project)
    return refused(state, "ledger.request");
  if (paid.release !== null) return unchanged(state, { release: paid.release });
  if (!costs.includes(paid.cost)) return refused(state, "ledger.request");
  if (paid.failed && stalled(state, paid.principal)) return refused(state, "ledger.failures");
  return unchanged(state, { cost: paid.cost, sequence: paid.sequence, resumed: true });
}

function mayAsk({ shares, revoked }, principal) {
  if (revoked.includes(principal)) return false;
  return principal === "owner" || Object.keys(shares).length === 0 || principal in shares;
}

const own = ({ charged }, name) => charged[name] ?? "0/1";

/** What is kept for those whose share is reserved: nobody else can take it of the account. */
function held(state) {
  const { shares, keeps, revoked } = state;
  return keeps
    .filter((name) => name in shares && !revoked.includes(name))
    .map((name) => rest(shares[name], own(state, name)))
    .reduce(plus, "0/1");
}

/** Whether every cap of the account, its window, its analysts, projects and data sets holds. */
function fits(state, looksAtAccount = true) {
  const { granted, spent, window, shares, projects, dataSets, inProject, ofData } = state;
  const within = (caps, sums) =>
    Object.entries(caps).every(([name, cap]) => atMost(sums[name] ?? "0/1", cap));
  return (
    (!looksAtAccount || atMost(plus(spent, held(state)), granted)) &&
    (!looksAtAccount || window === null || atMost(spent, window)) &&
    within(shares, state.charged) &&
    within(projects, inProject) &&
    within(dataSets, ofData)
  );
}

const more = (sums, name, cost) => ({ ...sums, [name]: plus(sums[name] ?? "0/1", cost) });

function charged(state, { principal, project, dataSets }, cost) {
  return {
    ...state,
    spent: plus(state.spent, cost),
    charged: more(state.charged, principal, cost),
    inProject: project === null ? state.inProject : more(state.inProject, project, cost),
    ofData: dataSets.reduce((sums, name) => more(sums, name, cost), state.ofData),
  };
}

function counted(state, principal, { failures, open }) {
  const before = state.by[principal] ?? { failures: 0, open: 0 };
  const by = { failures: before.failures + failures, open: before.open + open };
  return {
    ...state,
    failures: state.failures + failures,
    open: state.open + open,
    by: { ...state.by, [principal]: by },
  };
}

function stalled({ failures, open, failureCap, failureCapEach, by }, principal) {
  const own = by[principal] ?? { failures: 0, open: 0 };
  return failures + open >= failureCap || own.failures + own.open >= failureCapEach;
}

const closed = (state, { principal, failed }, failures) =>
  counted(state, principal, { failures, open: failed ? 0 : -1 });
const changed = (state, call, what) => ({
  ...state.requests,
  [keyOf(call)]: { ...state.requests[keyOf(call)], ...what },
});
