/**
 * Simulates gateways that pay for questions in the ledgers of blocks, event by event, and returns the questions answered a second.
 *
 * A ledger is a queue before one writer, which makes records durable in groups: whatever waits when it begins, of one gateway, in `commit` seconds
 * and `record` seconds for each record (`hand` more where the gateway before was another). A question is a record in the ledger of each of its blocks, one after the other, and
 * then the same for its answer; in between its client takes `think` seconds. Each gateway keeps `clients` questions under way.
 * Counted are the `seconds` behind `warmUp`.
 */
export function simulate({ gateways, clients, blocks, touched, warmUp, seconds, costs, random }) {
  const ledgers = Array.from({ length: blocks }, () => ({ waiting: new Map(), busy: false, last: -1 }));
  const events = new Heap();
  let done = 0;
  const chosen = () => {
    const all = new Set();
    while (all.size < touched) all.add(Math.floor(random() * blocks));
    return [...all].sort((a, b) => a - b);
  };
  const next = (question, at) => {
    // Two rounds: the charges, then the answers.
    if (question.step === 2 * touched) {
      if (at > warmUp && at <= warmUp + seconds) done += 1;
      ask(question.gateway, at);
      return;
    }
    const block = question.blocks[question.step % touched];
    const ledger = ledgers[block];
    question.step += 1;
    const group = ledger.waiting.get(question.gateway);
    if (group) group.push(question);
    else ledger.waiting.set(question.gateway, [question]);
    if (!ledger.busy) write(block, at);
  };
  const ask = (gateway, at) =>
    events.add(at + costs.think * (0.5 + random()), () =>
      next({ gateway, blocks: chosen(), step: 0 }, events.now),
    );
  const write = (block, at) => {
    const ledger = ledgers[block];
    const [turn] = ledger.waiting;
    if (!turn) {
      ledger.busy = false;
      return;
    }
    const [gateway, group] = turn;
    ledger.waiting.delete(gateway);
    ledger.busy = true;
    const handed = gateway === ledger.last ? 0 : costs.hand;
    ledger.last = gateway;
    events.add(at + costs.commit + handed + costs.record * group.length, () => {
      for (const question of group) next(question, events.now);
      write(block, events.now);
    });
  };
  for (let gateway = 0; gateway < gateways; gateway++)
    for (let client = 0; client < clients; client++) ask(gateway, 0);
  while (events.size > 0 && events.now <= warmUp + seconds) events.take()();
  return done / seconds;
}

/** What is to happen, the earliest first. */
class Heap {
  #all = [];
  now = 0;

  get size() {
    return this.#all.length;
  }

  add(at, run) {
    const all = this.#all;
    let place = all.push({ at, run }) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (all[above].at <= at) break;
      [all[place], all[above]] = [all[above], all[place]];
      place = above;
    }
  }

  take() {
    const all = this.#all;
    const [first] = all;
    const last = all.pop();
    if (all.length > 0) {
      all[0] = last;
      for (let place = 0; ; ) {
        const below = [2 * place + 1, 2 * place + 2].filter((at) => at < all.length);
        const least = below.reduce((a, b) => (all[b].at < all[a].at ? b : a), place);
        if (least === place) break;
        [all[place], all[least]] = [all[least], all[place]];
        place = least;
      }
    }
    this.now = first.at;
    return first.run;
  }
}
