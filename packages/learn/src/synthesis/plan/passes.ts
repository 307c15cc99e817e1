/** Passes over the model: of the first estimate, of each of AIM's rounds, which starts where the last one ended, and of the last. */
export const passes = { first: 100, round: 40, last: 500 } as const;
