/** Gateways ask for questions of so many successive numbers at a time, so that several ask for the same. */
export const window = 12;

/** The question of a number: its id, and how many parts of the budget it costs, one to three. */
export function questionOf(number) {
  return { id: `q${number}`, parts: 1 + (number % 3) };
}

export function numberOf(id) {
  return Number(id.slice(1));
}
