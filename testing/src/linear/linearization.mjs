/**
 * Whether a history of concurrent calls can be told as one call after the other: each call takes effect at one moment
 * between its begin and its end, and every answer is the one that the law gives at that moment. Exact: a search over
 * all orders (Wing & Gong 1993), with states that were reached and lead nowhere remembered (Lowe 2017).
 *
 * `history` is [{ call, begin, end, told }]; a call whose process died before it was told has `told` and `end` null: it
 * took effect at some moment after its begin, or never. Equal moments count as concurrent. Fields of the law's answer
 * that `heard` leaves out are not compared.
 * Gives { holds: true, order } with places in `history`, or { holds: false, stuck }: how far the best order came and
 * what could not follow. Throws after `most` steps: no answer is better than a guessed one.
 */
export function linearization(history, law, begin, { heard = (told) => told, most = 2_000_000 } = {}) {
  const operations = history
    .map((operation, place) => ({ ...operation, place, text: telling(operation.told, heard) }))
    .sort((a, b) => compare(a.begin, b.begin))
    .map((operation, index) => ({ ...operation, index }));
  const taken = new Array(operations.length).fill(false);
  const hopeless = new Set();
  const order = [];
  let best = { order: [], state: begin, next: [] };
  let steps = 0;

  function search(state) {
    const depth = order.length;
    takeReaders(state);
    const candidates = available(operations, taken);
    if (!candidates.some(({ told }) => told !== null)) return true;
    if (order.length >= best.order.length) best = { order: [...order], state, next: candidates };
    const ways = candidates
      .map((operation) => ({ operation, after: effect(state, operation) }))
      .filter(({ after }) => after !== null && after !== state);
    const key = ways.length > 1 ? `${taken.map(Number).join("")} ${JSON.stringify(state)}` : null;
    if (!hopeless.has(key)) {
      for (const { operation, after } of ways) {
        take(operation);
        if (search(after)) return true;
        untake();
      }
      if (key !== null) hopeless.add(key);
    }
    while (order.length > depth) untake();
    return false;
  }

  /** A call that is right here and changes nothing may be taken here in every order that goes on from here. */
  function takeReaders(state) {
    for (let more = true; more; ) {
      more = false;
      for (const operation of available(operations, taken)) {
        if (operation.told === null || effect(state, operation) !== state) continue;
        take(operation);
        more = true;
      }
    }
  }

  /** The state after, or null where the law would have told something else. */
  function effect(state, { call, told, text }) {
    steps += 1;
    if (steps > most) throw new Error(`undecided after ${most} steps`);
    const lawful = law.answer(state, call);
    return told === null || telling(lawful.told, heard) === text ? lawful.after : null;
  }

  function take(operation) {
    taken[operation.index] = true;
    order.push(operation);
  }

  function untake() {
    taken[order.pop().index] = false;
  }

  if (search(begin)) return { holds: true, order: order.map(({ place }) => place) };
  const next = best.next.map(({ call, told }) => ({ call, told, lawful: law.answer(best.state, call).told }));
  return { holds: false, stuck: { after: best.order.length, of: history.length, next } };
}

/** Those that may come next: no call that was answered before they began is still to come. */
function available(operations, taken) {
  const open = operations.filter((_, i) => !taken[i]);
  let first = null;
  for (const { told, end } of open) if (told !== null && (first === null || end < first)) first = end;
  return open.filter(({ begin }) => first === null || begin <= first);
}

function telling(told, heard) {
  if (told === null) return null;
  return JSON.stringify(Object.entries(heard(told)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
