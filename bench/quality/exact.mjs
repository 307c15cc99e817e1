/**
 * What a peer measures, over the rows of one group: rows, those of a condition, users, a sum, a sum of distances from a number, or of squares with a number
 * taken off each. The peer tells which; the bench adds them up.
 */
const statistics = {
  rows: (rows) => rows.length,
  users: (rows) => new Set(rows.map(({ user_id }) => user_id)).size,
  sum: (rows, { of, from = 0 }) => rows.reduce((sum, row) => sum + row[of] - from, 0),
  squares: (rows, { of, from = 0 }) => rows.reduce((sum, row) => sum + row[of] ** 2 - from, 0),
};

export function exactOf({ stat, where, ...rest }, rows) {
  return statistics[stat](where ? rows.filter((row) => row[where.column] === where.is) : rows, rest);
}

/** How a peer makes a column of its measurements, m: their noisy values by name. */
const columns = {
  total: ({ total }, m) => m[total],
  sum: ({ parts }, m) => parts.reduce((sum, part) => sum + m[part], 0),
  mean: ({ sum, count, from = 0 }, m) => from + m[sum] / m[count],
  share: ({ part, parts, whole }, m) =>
    (100 * m[part]) / (parts ? parts.reduce((sum, each) => sum + m[each], 0) : m[whole]),
  variance: ({ squares, sum, count, from = 0, squaresFrom = 0 }, m) =>
    squaresFrom + m[squares] / m[count] - (from + m[sum] / m[count]) ** 2,
};

export const columnOf = (column, noisy) => columns[column.make](column, noisy);

/** The answers without noise. */
const truths = {
  count: (rows, { where }) => exactOf({ stat: "rows", where }, rows),
  "count-users": (rows) => exactOf({ stat: "users" }, rows),
  sum: (rows, { of }) => exactOf({ stat: "sum", of }, rows),
  avg: (rows, { of }) => exactOf({ stat: "sum", of }, rows) / rows.length,
  share: (rows, { where }) => (100 * exactOf({ stat: "rows", where }, rows)) / rows.length,
  variance: (rows, { of }) =>
    exactOf({ stat: "squares", of }, rows) / rows.length -
    (exactOf({ stat: "sum", of }, rows) / rows.length) ** 2,
};

export const truthOf = (column, rows) => truths[column.kind](rows, column);
