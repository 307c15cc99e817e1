/*
 * What must hold after a storm, by a model that knows nothing of the ledger's own sums: the ledger's charges in their order, and what every client was told, with the moments in between which it was told.
 */

const dayMs = 86_400_000;
const starts = {
  ever: () => 0,
  day: (at) => Math.floor(at / dayMs) * dayMs,
  month: (at) => Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth(), 1),
};

/** Returns a loss in quarters of ε. */
function quartersOf({ epsilon: { num, den } }) {
  if ((num * 4n) % den !== 0n) throw new Error(`a loss of ${num}/${den} is none of the storm's`);
  return Number((num * 4n) / den);
}

/** The caps that cover a charge: [what is counted, its caps, what of them]. */
function capsOf(budget, { principal, project }) {
  const { account, dataSet, analysts, project: work } = budget;
  return [
    ["account", account],
    ["data set", dataSet],
    [`analyst ${principal}`, analysts[principal] ?? {}],
    ...(project === null
      ? []
      : [
          ["project", work],
          [`analyst ${principal} in project`, work.analysts[principal] ?? {}],
        ]),
  ];
}

/** Sums of charges by what is counted and by period, at one place of the chain. */
class Sums {
  constructor() {
    this.spent = new Map();
    this.seen = 0;
  }

  /** Lets the time be at least `at`; a window that begins anew begins at nothing. */
  moveTo(at) {
    if (at <= this.seen) return;
    for (const [key, entry] of this.spent) {
      const start = starts[entry.per](at);
      if (start !== entry.start) this.spent.set(key, { ...entry, start, sum: 0 });
    }
    this.seen = at;
  }

  of(what, per) {
    return this.spent.get(`${what} ${per}`)?.sum ?? 0;
  }

  add(what, price) {
    for (const per of Object.keys(starts)) {
      const sum = this.of(what, per) + price;
      this.spent.set(`${what} ${per}`, { per, start: starts[per](this.seen), sum });
    }
  }

  copy() {
    const other = new Sums();
    other.spent = new Map(this.spent);
    other.seen = this.seen;
    return other;
  }

  /** What analysts with a reserved part have not spent of it in a period. */
  held(budget, per) {
    let held = 0;
    for (const [name, caps] of Object.entries(budget.analysts))
      if (caps.reserved && caps[per] !== undefined)
        held += Math.max(0, Math.min(caps[per], budget.account[per]) - this.of(`analyst ${name}`, per));
    return held;
  }

  /** Returns the caps that are exceeded, in words; only those that cover a charge. */
  exceeded(budget, charge) {
    const found = [];
    for (const [what, caps] of capsOf(budget, charge))
      for (const per of Object.keys(starts)) {
        if (caps[per] === undefined) continue;
        const held = what === "account" ? this.held(budget, per) : 0;
        const spent = this.of(what, per);
        if (spent + held > caps[per])
          found.push(`${what}, ${per}: ${spent} spent and ${held} held of ${caps[per]}`);
      }
    return found;
  }

  charge(budget, charge) {
    for (const [what] of capsOf(budget, charge)) this.add(what, charge.price);
  }
}

/**
 * Returns what is wrong, by kind, in words: { overspent, unpaid, lost, doubled, refused }.
 * * overspent: a charge in the chain after which a cap of a scope, over its lifetime or a window, is exceeded.
 * * unpaid: an answer that a client got without a settled charge of that asker, question and price; or that was given under a charge of another.
 * * lost: a settled charge whose answer cannot be got by its id, or is another one than a client was told.
 * * doubled: an id with two charges, or a question that one asker paid for twice (but for one under a key of its own).
 * * refused: a refusal by the budget at a time when there was room in every cap, whatever the order of the calls at that time.
 * @param budget the caps, see storm-budget.mjs
 * @param charges the ledger's charges, each with `seen`: the latest time in the chain up to it, since the ledger's time never goes back; left out where that is the charges' own
 * @param calls what clients were told: { principal, project, text, key, price, start, end, outcome: "answered" | "refused" | "unknown", id, rows }
 * @param obtained the rows by request id that the service gives after the storm
 */
export function judge(budget, charges, calls, obtained) {
  const found = { overspent: [], unpaid: [], lost: [], doubled: [], refused: [] };
  const inOrder = [...charges]
    .sort((a, b) => a.sequence - b.sequence)
    .map((charge) => ({ ...charge, price: quartersOf(charge.loss) }));
  const { byId, states } = replayed(budget, inOrder, found);
  const told = new Map();
  for (const call of calls) if (call.outcome === "answered") answered(call, byId, told, found);
  for (const { requestId, state } of inOrder) {
    if (state !== "settled") continue;
    if (!obtained.has(requestId)) found.lost.push(`${requestId} is settled, and nobody can get it`);
    else if (told.has(requestId) && told.get(requestId) !== obtained.get(requestId))
      found.lost.push(`${requestId} was told otherwise`);
  }
  const places = new Map(inOrder.map(({ requestId }, at) => [requestId, at]));
  for (const call of wronglyRefused(budget, calls, places, states, inOrder))
    found.refused.push(`${call.principal} was refused ${call.text} (${call.price}) with room in every cap`);
  return found;
}

/** Adds every charge up in the order of the chain; returns them by id, and the sums before each and after the last. */
function replayed(budget, inOrder, found) {
  const byId = new Map();
  const paidFor = new Map();
  const sums = new Sums();
  const states = [sums.copy()];
  for (const charge of inOrder) {
    if (byId.has(charge.requestId)) found.doubled.push(`${charge.requestId} was charged twice`);
    byId.set(charge.requestId, charge);
    const question = JSON.stringify([charge.principal, charge.project, charge.text, charge.price]);
    const isKeyed = charge.requestId.startsWith("key-");
    if (!isKeyed && paidFor.has(question))
      found.doubled.push(`${question} was paid as ${paidFor.get(question)} and as ${charge.requestId}`);
    if (!isKeyed) paidFor.set(question, charge.requestId);
    sums.moveTo(charge.seen ?? charge.at);
    sums.charge(budget, charge);
    for (const cap of sums.exceeded(budget, charge)) found.overspent.push(`${charge.requestId}: ${cap}`);
    states.push(sums.copy());
  }
  return { byId, states };
}

function answered({ principal, project, text, price, id, rows }, byId, told, { unpaid, lost }) {
  const charge = byId.get(id);
  const isPaid =
    charge?.state === "settled" &&
    charge.principal === principal &&
    charge.project === project &&
    charge.text === text &&
    charge.price === price;
  if (!isPaid)
    unpaid.push(
      `${id} of ${principal}: ${text} (${price}) stands as ${JSON.stringify(charge?.state ?? null)}`,
    );
  if (told.has(id) && told.get(id) !== rows) lost.push(`${id} has two answers`);
  told.set(id, rows);
}

/*
 * A refusal holds where there is a moment between call and answer at which a cap has no room. Charges that were answered before the call stand before that moment, and charges of questions that were first asked after the
 * answer stand behind it; between the two any order is possible.
 */
function* wronglyRefused(budget, calls, places, states, inOrder) {
  const keyOf = ({ principal, project, text, key }) => JSON.stringify([principal, project, text, key]);
  const firstAsked = new Map();
  const idsOf = new Map();
  for (const call of calls) {
    const key = keyOf(call);
    firstAsked.set(key, Math.min(call.start, firstAsked.get(key) ?? Number.POSITIVE_INFINITY));
    if (call.outcome === "answered") idsOf.set(key, [...(idsOf.get(key) ?? []), call.id]);
  }
  const ended = calls
    .filter(({ outcome, id }) => outcome === "answered" && places.has(id))
    .map(({ end, id }) => [end, places.get(id)])
    .sort((a, b) => a[0] - b[0]);
  const begun = [...idsOf]
    .flatMap(([key, ids]) =>
      [...new Set(ids)].filter((id) => places.has(id)).map((id) => [firstAsked.get(key), places.get(id)]),
    )
    .sort((a, b) => a[0] - b[0]);
  const lasts = prefix(ended, Math.max);
  const firsts = prefix([...begun].reverse(), Math.min).reverse();
  for (const call of calls) {
    if (call.outcome !== "refused") continue;
    const before = countBelow(ended, call.start);
    const least = before === 0 ? 0 : lasts[before - 1] + 1;
    const after = countBelow(begun, call.end);
    const most = after < begun.length ? firsts[after] : inOrder.length;
    let isRight = false;
    for (let place = most; place >= least && !isRight; place -= 1) {
      const sums = states[place].copy();
      sums.charge(budget, call);
      isRight = sums.exceeded(budget, call).length > 0;
    }
    if (!isRight) yield call;
  }
}

/** The greatest, or least, of the second numbers up to each place. */
function prefix(pairs, choose) {
  let best = null;
  return pairs.map(([, value]) => {
    best = best === null ? value : choose(best, value);
    return best;
  });
}

/** How many pairs have a first number below a limit; they are sorted by it. */
function countBelow(pairs, limit) {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairs[middle][0] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
