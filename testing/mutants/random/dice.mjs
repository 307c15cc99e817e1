/** A stream of numbers in [0, 1) that a seed fixes (mulberry32): for choices that a run can be asked to make again. */
export function diceOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The items in an order that the dice choose. */
export function shuffled(items, dice) {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(dice() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}
