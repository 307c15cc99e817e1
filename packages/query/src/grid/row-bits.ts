/** The most rows that a question is taken to have, as a power of two: for so many, every sum is proven to fit the integers that it is summed in. */
export const rowBits = 40;
