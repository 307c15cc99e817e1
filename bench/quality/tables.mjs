import { tables } from "./workloads.mjs";

/** Values between 0 and 1 that are a function of a row's number and a salt alone. */
function uniform(row, salt) {
  let x = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
}

const among = (values, at) => values[Math.min(values.length - 1, Math.floor(at * values.length))];
const isoDay = (days) => new Date(days * 86_400_000).toISOString().slice(0, 10);

/** Returns the rows of a table of the workloads. `month` is the day's, for peers that have no such function. */
export function rowsOf(name) {
  const { rows, categories, bounds, days } = tables[name];
  if (name === "visits") {
    const all = [];
    for (let user = 0; all.length < rows; user += 1)
      for (let visit = 0; visit <= user % 4 && all.length < rows; visit += 1)
        all.push({
          user_id: `u${user}`,
          region: among(categories.region, uniform(user, 1)),
          minutes: Math.round(bounds.minutes[1] * uniform(all.length, 2) ** 2),
        });
    return all;
  }
  const [first, last] = days.map((day) => Date.parse(day) / 86_400_000);
  return Array.from({ length: rows }, (_, row) => {
    const share = uniform(row, 3);
    const day = first + Math.floor((last - first + 1) * uniform(row, 6));
    return {
      plan: categories.plan[share < 0.6 ? 0 : share < 0.9 ? 1 : 2],
      sector: among(categories.sector, uniform(row, 4)),
      mode: among(categories.mode, uniform(row, 5)),
      churned: uniform(row, 7) < 0.25 ? "yes" : "no",
      day: isoDay(day),
      month: `${isoDay(day).slice(0, 7)}-01`,
      amount: Math.round(100 * uniform(row, 8) ** 2),
      age: 18 + Math.floor(73 * (0.5 * uniform(row, 9) + 0.5 * uniform(row, 10))),
    };
  });
}

export function csvOf(rows) {
  const names = Object.keys(rows[0]);
  return `${[names, ...rows.map((row) => names.map((name) => row[name]))].map((line) => line.join(",")).join("\n")}\n`;
}

/** The policy of both tables: public keys, bounds as all sides know them, and no more than the data holds of a user. */
export function policyOf(measure, epsilon, delta) {
  const textColumn = (name, values) =>
    `${name}: { type: text, categories: [${values.map((value) => `"${value}"`)}], default: "${values[0]}" }`;
  const numberColumn = (name, [lo, hi]) =>
    `${name}: { type: integer, bounds: [${lo}, ${hi}], default: ${lo} }`;
  const columnsOf = ({ categories, bounds, days }) => [
    ...Object.entries(categories).map(([name, values]) => textColumn(name, values)),
    ...Object.entries(bounds).map(([name, ends]) => numberColumn(name, ends)),
    ...(days
      ? [`day: { type: date, bounds: [${days.map((day) => `"${day}"`)}], default: "${days[0]}" }`]
      : []),
  ];
  const { people, visits } = tables;
  return `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: ${measure}, epsilon: ${epsilon}, delta: ${delta} }
tables:
  people:
    file: people.csv
    unit: row
    columns: { ${columnsOf(people).join(", ")} }
  visits:
    file: visits.csv
    unit: user_id
    max_groups_contributed: 1
    max_rows_contributed_per_group: ${visits.mostRows}
    columns: { user_id: { type: text }, ${columnsOf(visits).join(", ")} }
`;
}
