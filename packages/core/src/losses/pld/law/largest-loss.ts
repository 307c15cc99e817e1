/** No loss above is told apart from ∞ in one step: e^600 is near the end of the doubles. */
export const largestLoss = 600;
