/** The rows over an answer cannot be made again here. The message is a sentence for people. */
export class Unmade extends Error {}

/** Throws, where rows depend on a value that is not shown, or that another rounding may have made otherwise. */
export function undecided(): never {
  throw new Unmade("which rows there are over the answer rests on values that rounding may have decided");
}

/** Counts the steps that are made. Errors: Unmade. */
export type Spend = (steps: number) => void;

/** The most steps that are made for a file of a stranger. */
const mostSteps = 50_000_000;

export function stepsLeft(most: number = mostSteps): Spend {
  let left = most;
  return (steps) => {
    left -= steps;
    if (left < 0) throw new Unmade("the SELECT over the answer takes more steps than are made here");
  };
}

/** The most rows that any relation over an answer may have. */
const mostRows = 1_000_000;

/** Errors: Unmade for more rows than are made here. */
export function demandFew(rows: number): void {
  if (rows > mostRows)
    throw new Unmade(`the SELECT over the answer makes more than ${mostRows} rows on its way`);
}
