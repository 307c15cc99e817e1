import { SeededSource } from "@lethe/core/tape";

/** Logistic regression of the last column on one-hot codes of the others: 8 passes of stochastic gradients, the mean of the last 4. */
export function logistic(sizes, columns, seed) {
  const features = columns.slice(0, -1);
  const labels = columns.at(-1);
  const starts = sizes.map((_, at) => sizes.slice(0, at).reduce((a, b) => a + b, 1));
  const weights = new Float64Array(sizes.reduce((a, b) => a + b, 1));
  const averaged = new Float64Array(weights.length);
  const bits = new SeededSource(seed + 900);
  const rows = labels.length;
  for (let pass = 0; pass < 8; pass++) {
    const rate = 0.1 / (1 + pass);
    for (let step = 0; step < rows; step++) {
      const row = Math.floor((bits.word() / 2 ** 32) * rows);
      const score = features.reduce((sum, column, at) => sum + weights[starts[at] + column[row]], weights[0]);
      const slope = rate * (labels[row] - 1 / (1 + Math.exp(-score)));
      weights[0] += slope;
      for (const [at, column] of features.entries()) weights[starts[at] + column[row]] += slope;
    }
    if (pass >= 4) for (const [at, weight] of weights.entries()) averaged[at] += weight / 4;
  }
  return (table, row) =>
    table.slice(0, -1).reduce((sum, column, at) => sum + averaged[starts[at] + column[row]], averaged[0]) > 0
      ? 1
      : 0;
}

/** The share of rows that are classified right. */
export function accuracy(classify, table) {
  const labels = table.at(-1);
  return (
    labels.reduce((right, label, row) => right + (classify(table, row) === label ? 1 : 0), 0) / labels.length
  );
}
