import type { AskedOptions, Question } from "@lethe/gateway";
import type { Dice } from "../dice.ts";

/* Scripts of requests over people of ./../random-neighbours.ts: what one question alone does not show. */

/** Requests that are asked one after the other, of the same ledger. */
export type Script = readonly Question[];

/** Views that the questions below read, as a policy's last lines. */
export const views = `
views:
  grown: "SELECT pid, x, y, town, sector, since FROM people WHERE y > 2"
  doubled: "SELECT pid, x + x AS twice, town FROM grown"
`;

const unpriced: AskedOptions = {
  epsilon: null,
  delta: null,
  confidence: 0.95,
};

/** One request of the data's owner. */
export function request(text: string, requestId = "only", options: Partial<AskedOptions> = {}): Question {
  return { text, principal: "owner", requestId, options: { ...unpriced, ...options } };
}

const priced = (options: string, rest: string): string =>
  `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(${options}) ${rest}`;

/** A question as analysts finish it: conditions on noisy values, an order, the first few. */
export function finished(dice: Dice, question: string): string {
  const having = /GROUP BY (?!.*\) t)/.test(question)
    ? dice.one(["", "", " HAVING COUNT(*) > 0", " HAVING NOT (COUNT(*) < 2) OR COUNT(*) IS NULL"])
    : "";
  const order = dice.one([
    "",
    "",
    ...[" ORDER BY 1", " ORDER BY 1 DESC NULLS LAST"].flatMap((by) =>
      ["", " LIMIT 3", " LIMIT 2 OFFSET 1"].map((limit) => `${by}${limit}`),
    ),
  ]);
  return `${question}${having}${order}`;
}

const values = ["x", "y", "x - y", "x * y", "CASE WHEN member THEN x END"];
const moments = ["since", "DATE_TRUNC('month', seen)", "LEAST(since, DATE '2020-03-10') + INTERVAL '1 day'"];

/** Quantiles of several shares and of dates, arithmetic and ends of intervals. */
function shaped(dice: Dice): string {
  const value = dice.one(values);
  const key = dice.one(["", "", "sector", "member", "town"]);
  const by = key === "" ? "" : ` GROUP BY ${key}`;
  const shape = dice.one([
    `QUANTILES(${value}, ${2 + dice.below(4)}) AS q`,
    `QUANTILES(${value}, ARRAY[0.1, 0.5, 0.9]) FILTER (WHERE x > 1) AS q, COUNT(*)`,
    "APPROX_QUANTILES(y, 4)",
    `MEDIAN(${dice.one(moments)}) FILTER (WHERE since BETWEEN '2020-01-01' AND '2020-12-31' AND seen BETWEEN '2020-01-01' AND '2020-12-31')`,
    `MIN(${dice.one(moments.slice(2))}) FILTER (WHERE since > '2020-01-01'), COUNT(*)`,
    `SUM(${value}) / COUNT(*) AS mean, COUNT(*) > 3 AS many`,
    `COUNT(*) AS n, DP_INTERVAL_LOW(n), DP_INTERVAL_HIGH(n)`,
    `COUNT(*) FILTER (WHERE member) / COUNT(*) AS share, ROUND(AVG(y), 1)`,
    `COUNT(*), SUM(${value}), AVG(${value})`,
  ]);
  const question = priced("epsilon = 2", `${key === "" ? "" : `${key}, `}${shape} FROM people${by}`);
  // Several columns are no one order.
  return /QUANTILES/.test(shape) && key === "" ? question : finished(dice, question);
}

/** Several groupings at once, whose keys are data or declared. */
function groupedInSets(dice: Dice): string {
  const [a, b] = dice.one([
    ["town", "sector"],
    ["member", "town"],
    ["sector", "member"],
    ["code", "grade"],
  ] as const);
  const sets = dice.one([
    `ROLLUP (${a}, ${b})`,
    `CUBE (${a}, ${b})`,
    `GROUPING SETS ((${a}, ${b}), (${a}), ())`,
    ...(a === "sector" ? [`GROUPING SETS ((${a}), (${b}))`] : []),
    `${a}, ROLLUP (${b})`,
  ]);
  const measures = dice.one([
    "COUNT(*)",
    "SUM(x), COUNT(*)",
    "AVG(y)",
    "COUNT(*) FILTER (WHERE x > 1), VARIANCE(y)",
  ]);
  const keys = dice.one(["", ", group_selection_strategy = private", ", mechanism = gaussian"]);
  const sum = dice.one(["", `, GROUPING(${a}, ${b})`]);
  return priced(`epsilon = 1${keys}`, `${a}, ${b}, ${measures}${sum} FROM people GROUP BY ${sets}`);
}

function withParameters(dice: Dice): Question {
  const [condition, parameters] = dice.one([
    ["x > $1 AND town <> $2", [0.3, "a"]],
    ["member = $1 OR n < $2", [true, 5]],
    ["since > $1", ["2020-02-10"]],
    ["sector = $1 AND $2 < y", ["a", 3]],
  ] as const);
  const options = { parameters: [...parameters] };
  return request(
    priced("epsilon = 1", `sector, COUNT(*), SUM(x) FROM people WHERE ${condition} GROUP BY sector`),
    "only",
    options,
  );
}

function overViews(dice: Dice): string {
  const from = dice.one([
    "COUNT(*), AVG(x) FROM grown",
    "sector, COUNT(*), SUM(x), AVG(x) FROM grown GROUP BY sector",
    "town, COUNT(*) FROM grown GROUP BY town",
    "sector, MEDIAN(x), COUNT(DISTINCT town) FROM grown GROUP BY sector",
    "SUM(twice, contribution_bounds_per_row => (-1, 3)) FROM doubled",
    "town, COUNT(*), SUM(twice, contribution_bounds_per_row => auto) FROM doubled GROUP BY town",
  ]);
  return priced("epsilon = 1", from);
}

/** The most frequent values, whose counts are a question beside the rest of the text. */
function mostFrequent(dice: Dice): string {
  const value = dice.one(["sector", "town", "member", "code", "x > 1", "UPPER(town)"]);
  const filter = dice.one(["", "", " FILTER (WHERE x > 1)"]);
  const call = dice.one([
    `MODE(${value})`,
    `MODE() WITHIN GROUP (ORDER BY ${value} DESC)`,
    `APPROX_TOP_COUNT(${value}, ${1 + dice.below(3)})`,
    `APPROX_TOP_K(${value}, 2)`,
  ]);
  const key = dice.one(["", "", ...["sector", "town", "grade"].filter((name) => !value.includes(name))]);
  const others = dice.one(["", "", ", COUNT(*)", ", SUM(x), AVG(y)", ", MODE(grade)"]);
  const options = dice.one(["epsilon = 2", "epsilon = 2, group_selection_strategy = private"]);
  const where = dice.one(["", " WHERE y > 2", " WHERE town <> 'a'"]);
  const by = key === "" ? "" : ` GROUP BY ${key}`;
  const order = dice.one(["", " ORDER BY 1", " ORDER BY 1 DESC LIMIT 2"]);
  return priced(
    options,
    `${key === "" ? "" : `${key}, `}${call}${filter} AS top${others} FROM people${where}${by}${/TOP_/.test(call) && key === "" ? "" : order}`,
  );
}

/** An error that is a share of what an earlier request was answered, of a pilot, or stated as it is. */
function aimed(dice: Dice): Script {
  const [key, by] = dice.one([
    ["", ""],
    ["sector, ", " GROUP BY sector"],
    ["town, ", " GROUP BY town"],
  ] as const);
  const measures = dice.one([
    "COUNT(*) AS n",
    "SUM(y) AS s, COUNT(*) AS n",
    "COUNT(*) FILTER (WHERE member) AS n",
  ]);
  const asked = `${key}${measures} FROM people${by}`;
  const share = dice.one(["20%", "150%", "400%", "0.01%"]);
  return dice.one<Script>([
    [
      request(priced("epsilon = 3", asked), "first"),
      request(priced(`target_error = '${share}', target_release = 'first'`, asked), "second"),
      request(priced("epsilon = 3", asked), "first"),
    ],
    [
      request(
        priced(`target_error = '${share}', pilot_epsilon = 1, max_epsilon = ${dice.one(["2", "40"])}`, asked),
      ),
    ],
    [request(priced(`target_error = '${share}', pilot_epsilon = 900, max_epsilon = 950`, asked))],
    [request(priced(`target_error = ${dice.one(["5", "30", "0.001"])}`, asked))],
  ]);
}

/** Several private questions in one text, of which later ones read what earlier ones were answered, in conditions, keys, sums and in FROM. */
function severalQuestions(dice: Dice): string {
  const where = dice.one(["", "", " WHERE member", " WHERE y > 1", " WHERE town <> 'a'"]);
  const value = dice.one([
    `SELECT AVG(${dice.one(["x", "y"])}) FROM people${where}`,
    `SELECT SUM(y) / 9 FROM people${where}`,
    `SELECT MEDIAN(x) FROM people${where}`,
    `SELECT COUNT(*) - 4 FROM people${where}`,
    `SELECT MAX(k) / 3 FROM (SELECT sector, COUNT(*) AS k FROM people${where} GROUP BY sector) u`,
    `SELECT AVG(x) FROM people WHERE y > (SELECT AVG(y) FROM people${where})`,
  ]);
  const of = dice.one(["x", "y", "x - y"]);
  const test = dice.one([">", "<=", "<>"]);
  const one = `${of} ${test} (${value})`;
  const asked = dice.one([
    `COUNT(*) AS n, SUM(y) AS s FROM people WHERE ${one}`,
    `sector, COUNT(*) AS n, AVG(x) AS a FROM people WHERE ${one} GROUP BY sector`,
    `town, COUNT(*) AS n FROM people WHERE ${one} GROUP BY town`,
    `COUNT(*) FILTER (WHERE ${one}) AS n, COUNT(*) FILTER (WHERE NOT ${one}) AS m, COUNT(*) AS k FROM people`,
    `SUM(CASE WHEN ${one} THEN y ELSE 0 END) AS s, COUNT(*) AS n FROM people`,
    `CASE WHEN ${one} THEN 'more' ELSE 'less' END AS size, COUNT(*) AS n, SUM(x) AS s FROM people GROUP BY 1`,
    `COUNT(*) AS n FROM people CROSS JOIN (${value.replace("SELECT ", "SELECT 0 + ")}) w (v) WHERE ${of} ${test} w.v`,
    `COUNT(*) AS n FROM people WHERE ${one} UNION ALL SELECT COUNT(*) FROM people WHERE member`,
    `MEDIAN(y) AS n FROM people WHERE ${one}`,
    `COUNT(DISTINCT town) AS n FROM people WHERE ${one}`,
    `COUNT(*) AS n, SUM(y) AS s FROM people WHERE ${dice.one(["sector", "town"])} ${dice.one(["IN", "NOT IN"])} (SELECT sector FROM people${where} GROUP BY sector ORDER BY COUNT(*) DESC LIMIT 2)`,
    `tile, COUNT(*) AS n, SUM(y) AS s FROM (SELECT y, NTILE(3) OVER (ORDER BY ${dice.one(["x", "y DESC"])}) AS tile FROM people${where}) t GROUP BY tile`,
    `COUNT(*) AS n FROM people WHERE since > (SELECT MEDIAN(since) FROM people WHERE since BETWEEN '2020-01-01' AND '2020-12-31')`,
  ]);
  return priced(dice.one(["epsilon = 2", "epsilon = 2, mechanism = gaussian"]), asked);
}

/** Bytes asked for again, an id that is taken, a budget that is too small, a refusal. */
function refused(dice: Dice): Script {
  const count = priced("epsilon = 1", "COUNT(*) FROM people");
  return dice.one<Script>([
    [request(count), request(count), request(priced("epsilon = 1", "SUM(x) FROM people"))],
    [
      request(priced("epsilon = 600", "sector, COUNT(*) FROM people GROUP BY sector"), "a"),
      request(priced("epsilon = 600", "COUNT(*) FROM people"), "b"),
    ],
    [request(priced("epsilon = 1", "x FROM people")), request(count)],
  ]);
}

/** One more script than a question can be, of each kind by chance. */
export function randomScript(dice: Dice, hasViews: boolean): Script {
  const make = dice.one<() => Script>([
    () => [request(shaped(dice))],
    () => [request(shaped(dice))],
    () => [request(finished(dice, groupedInSets(dice)))],
    () => [request(finished(dice, groupedInSets(dice)))],
    () => [withParameters(dice)],
    () => [request(mostFrequent(dice))],
    ...(hasViews ? [() => [request(finished(dice, overViews(dice)))]] : []),
    () => aimed(dice),
    () => aimed(dice),
    () => [request(severalQuestions(dice))],
    () => [request(severalQuestions(dice))],
    () => [request(severalQuestions(dice))],
    () => refused(dice),
  ]);
  return make();
}
