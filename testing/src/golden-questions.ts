import { parseRational, type Rational } from "@lethe/core";
import type { PlanOptions } from "@lethe/query";
import { shopPolicy } from "./joins/shop.ts";

/** One question under one of {@link goldenPolicies}; the file of the same number and name holds what becomes of it. */
export interface GoldenQuestion {
  readonly name: string;
  readonly policy: PolicyName;
  readonly text: string;
  readonly options?: PlanOptions;
}

type PolicyName =
  | "rows"
  | "rows-replaced"
  | "units"
  | "units-replaced"
  | "pure"
  | "zcdp"
  | "before-filter"
  | "shop"
  | "times"
  | "shop-replaced";

const people = `
      id: { type: integer }
      wage: { type: number, bounds: [0, 60] }
      bonus: { type: number, bounds: [0, 10], default: 0 }
      debt: { type: number }
      age: { type: integer, bounds: [0, 120], default: 40 }
      sector: { type: text, categories: [manufacturing, construction, other] }
      town: { type: text }
      married: { type: boolean, default: false }`;

function policy(budget: string, adjacency: string, unit: string): string {
  return `
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: ${budget}
tables:
  people:
    file: people.parquet
    ${unit}
    columns:${people}
`;
}

const row = "unit: row";
const owned = "unit: id\n    max_groups_contributed: 3\n    max_rows_contributed_per_group: 2";

export const goldenPolicies: Readonly<Record<PolicyName, string>> = {
  rows: policy("{ measure: approximate, epsilon: 10, delta: 1e-6 }", "add-or-remove-one", row),
  "rows-replaced": policy("{ measure: approximate, epsilon: 10, delta: 1e-6 }", "replace-one", row),
  units: policy("{ measure: approximate, epsilon: 10, delta: 1e-6 }", "add-or-remove-one", owned),
  "units-replaced": policy("{ measure: approximate, epsilon: 10, delta: 1e-6 }", "replace-one", owned),
  pure: policy("{ measure: pure, epsilon: 10 }", "add-or-remove-one", row),
  zcdp: policy("{ measure: zcdp, epsilon: 10, delta: 1e-6 }", "add-or-remove-one", owned),
  "before-filter": policy(
    "{ measure: pure, epsilon: 10 }",
    "add-or-remove-one",
    `${owned}\n    limit: rows-before-filter`,
  ),
  shop: shopPolicy(),
  times: `
version: 1
privacy_unit: { name: patient, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-6 }
tables:
  stays:
    file: stays.parquet
    unit: patient
    max_groups_contributed: 3
    max_rows_contributed_per_group: 2
    columns:
      patient: { type: text }
      born: { type: date }
      arrived: { type: date, bounds: [2023-01-01, 2024-06-30] }
      until: { type: timestamp, bounds: ["2023-01-01", "2024-12-31 23:59:59"] }
      note: { type: text, max_length: 20 }
`,
  "shop-replaced": shopPolicy("replace-one"),
};

const epsilon = (text: string): { readonly epsilon: Rational } => ({ epsilon: parseRational(text) });
const one = epsilon("1");

function under(
  policyName: PolicyName,
  list: readonly (readonly [name: string, text: string, options?: PlanOptions])[],
): readonly GoldenQuestion[] {
  return list.map(([name, text, options]) => ({ name, policy: policyName, text, options: options ?? one }));
}

export const goldenQuestions: readonly GoldenQuestion[] = [
  ...under("rows", [
    ["count", "SELECT COUNT(*) FROM people"],
    ["count-filtered", "SELECT COUNT(*) FROM people WHERE age >= 18 AND wage < 12.5"],
    ["count-column", "SELECT COUNT(wage), COUNT(age) FROM people"],
    ["sum", "SELECT SUM(wage) FROM people"],
    [
      "products",
      "SELECT SUM(wage * bonus), SUM(((wage - 30) / 30) * ((age - 60) / 60)), SUM(POWER((wage - 30) / 30, 2)), SUM(wage - 30) FROM people",
    ],
    ["products-stored", "SELECT SUM(bonus * age), SUM(age * bonus * age) FROM people"],
    [
      "products-clamped",
      "SELECT SUM(wage * bonus, contribution_bounds_per_row => (0, 100)), SUM(wage * bonus, contribution_bounds_per_group => (0, 100)), SUM(wage * bonus * wage * age) FROM people",
    ],
    ["avg", "SELECT AVG(wage) FROM people"],
    ["avg-shares-count", "SELECT AVG(bonus), COUNT(*), COUNT(bonus) FROM people"],
    ["variance", "SELECT VARIANCE(bonus), STDDEV_POP(bonus), AVG(bonus) FROM people"],
    ["median", "SELECT MEDIAN(wage) FROM people"],
    [
      "quantiles-of-one-release",
      "SELECT MIN(age), PERCENTILE_CONT(age, 0.25), PERCENTILE_DISC(0.75) WITHIN GROUP (ORDER BY age), MAX(age) FROM people",
    ],
    [
      "quantile-bounds-in-question",
      "SELECT sector, PERCENTILE_CONT(debt, 0.9, contribution_bounds_per_row => (0, 5000)) FROM people GROUP BY sector",
    ],
    ["quantiles-array", "SELECT QUANTILES(wage, ARRAY[0.1, 0.5, 0.9]) FROM people"],
    ["approx-quantiles", "SELECT sector, APPROX_QUANTILES(wage, 4) FROM people GROUP BY sector"],
    ["quantile-private", "SELECT town, MEDIAN(wage), COUNT(*), AVG(wage) FROM people GROUP BY town"],
    ["quantile-gaussian", "SELECT MEDIAN(bonus) FROM people", { ...one, mechanism: "gaussian" }],
    [
      "computed-quantiles",
      "SELECT sector, MAX(wage) - MEDIAN(wage) AS above FROM people GROUP BY sector HAVING MEDIAN(wage) > 10 ORDER BY above",
    ],
    ["public-keys", "SELECT sector, AVG(wage) FROM people GROUP BY sector"],
    ["public-pairs", "SELECT sector, married, COUNT(*) FROM people GROUP BY sector, married"],
    [
      "public-expression",
      "SELECT CASE WHEN married THEN sector ELSE 'single' END, COUNT(*) FROM people GROUP BY 1",
    ],
    ["private-expression", "SELECT age % 30, COUNT(*) FROM people GROUP BY 1"],
    ["private-rollup", "SELECT sector, town, COUNT(*), AVG(wage) FROM people GROUP BY ROLLUP (sector, town)"],
    ["private-keys", "SELECT town, COUNT(*), SUM(wage) FROM people GROUP BY town"],
    [
      "forced-private",
      "SELECT sector, COUNT(*) FROM people GROUP BY sector",
      { ...one, groupSelection: "private" },
    ],
    [
      "least-units",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1, min_privacy_units_per_group = 10) town, COUNT(*) FROM people GROUP BY town",
      {},
    ],
    ["expression", "SELECT AVG(wage + bonus * 2) FROM people WHERE NOT married"],
    ["case", "SELECT AVG(CASE WHEN age > 30 THEN wage ELSE bonus END) FROM people"],
    ["division", "SELECT SUM(wage / age, contribution_bounds_per_row => (0, 3)) FROM people"],
    ["bounds-in-question", "SELECT AVG(debt, contribution_bounds_per_row => (-1000, 5000)) FROM people"],
    ["bounds-a-group", "SELECT SUM(wage, contribution_bounds_per_group => (5, 50)) FROM people"],
    ["gaussian", "SELECT AVG(wage) FROM people", { ...one, mechanism: "gaussian" }],
    [
      "gaussian-private",
      "SELECT town, COUNT(*) FROM people GROUP BY town",
      { ...one, mechanism: "gaussian" },
    ],
    [
      "having",
      "SELECT sector, COUNT(*) AS n FROM people GROUP BY sector HAVING COUNT(*) > 10 ORDER BY n DESC LIMIT 2",
    ],
    [
      "computed-ratio",
      "SELECT sector, SUM(wage) / COUNT(*) AS mean FROM people GROUP BY sector ORDER BY mean DESC",
    ],
    ["computed-rounded", "SELECT ROUND(AVG(wage) * 12, 1), AVG(wage) FROM people"],
    ["computed-difference", "SELECT COUNT(*) - COUNT(wage) AS missing FROM people HAVING COUNT(*) > 10"],
    [
      "computed-label",
      "SELECT sector, CASE WHEN COUNT(*) > 100 THEN 'many' ELSE 'few' END AS size FROM people GROUP BY sector",
    ],
    ["computed-guarded", "SELECT COALESCE(SUM(wage) / NULLIF(GREATEST(COUNT(*), 0), 0), 0) FROM people"],
    ["computed-key", "SELECT age + 1, ABS(COUNT(*)) FROM people WHERE age < 20 GROUP BY age"],
    ["covariance", "SELECT COVAR_POP(wage, bonus), COVAR_SAMP(bonus, wage), AVG(bonus) FROM people"],
    ["correlation", "SELECT CORR(age, bonus), COUNT(*), STDDEV_POP(age) FROM people"],
    [
      "regression",
      "SELECT sector, REGR_SLOPE(wage, age), REGR_INTERCEPT(wage, age) FROM people GROUP BY sector",
    ],
    [
      "filtered-aggregates",
      "SELECT COUNT(*) FILTER (WHERE married), AVG(wage) FILTER (WHERE age >= 40), SUM(debt, contribution_bounds_per_row => (0, 100)) FILTER (WHERE married) FROM people",
    ],
    [
      "interval-ends",
      "SELECT sector, COUNT(*) AS n, DP_INTERVAL_LOW(n), dp_interval_high(N) AS most, DP_INTERVAL_LOW(r), SUM(wage) / COUNT(*) AS r FROM people GROUP BY sector ORDER BY n",
    ],
    [
      "target-error",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = 25) sector, COUNT(*) FROM people GROUP BY sector",
      {},
    ],
    [
      "target-error-of-average",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = 0.5, target_rows = 400) town, AVG(wage) FROM people GROUP BY town",
      {},
    ],
    [
      "texts",
      "SELECT SUBSTR(sector, 1, 3), COUNT(*) FROM people WHERE POSITION('x' IN REPLACE(town, 'y', 'x')) > 1 GROUP BY 1",
    ],
    ["buckets", "SELECT WIDTH_BUCKET(wage, 0, 50, 5), COUNT(*), SUM(TRUNC(wage)) FROM people GROUP BY 1"],
    [
      "distinct-values",
      "SELECT COUNT(DISTINCT age), COUNT(DISTINCT upper(town)) FILTER (WHERE married), COUNT(*) FROM people",
    ],
    ["like", "SELECT COUNT(*) FROM people WHERE town LIKE 'O''%' OR upper(town) = 'BERGEN'"],
    [
      "patterns",
      "SELECT COUNT(*) FROM people WHERE town ~ '^B[^-]+n$' OR regexp_replace(town, '[^a-z]+', '', 'g') = regexp_extract(town, '^([^-]*)-', 1)",
    ],
    ["words", "SELECT initcap(split_part(town, '-', 1)), COUNT(*) FROM people GROUP BY 1"],
  ]),
  ...under("rows-replaced", [
    ["constant-count", "SELECT COUNT(*) FROM people"],
    ["constant-in-average", "SELECT AVG(bonus), COUNT(*) FROM people"],
    ["sum-of-width", "SELECT SUM(age - 60) FROM people"],
    ["nullable", "SELECT COUNT(wage), SUM(wage) FROM people"],
    ["grouped", "SELECT sector, COUNT(*), SUM(wage) FROM people GROUP BY sector"],
    ["private", "SELECT town, COUNT(*) FROM people GROUP BY town"],
  ]),
  ...under("rows", [["learned-sum", "SELECT SUM(debt, contribution_bounds_per_row => auto) FROM people"]]),
  ...under("zcdp", [
    [
      "learned-zcdp",
      "SELECT town, AVG(age, contribution_bounds_per_row => auto) AS mean, COUNT(*) FROM people GROUP BY town",
    ],
  ]),
  ...under("before-filter", [
    [
      "learned-before-filter",
      "SELECT sector, SUM(wage * 2, contribution_bounds_per_row => auto) FROM people WHERE age > 30 GROUP BY sector",
    ],
  ]),
  ...under("units", [
    ["units-count", "SELECT COUNT(*) FROM people"],
    ["units-distinct", "SELECT COUNT(DISTINCT id), COUNT(*) FROM people WHERE age > 20"],
    ["units-avg", "SELECT AVG(wage), VARIANCE(wage) FROM people"],
    ["units-distinct-filtered", "SELECT COUNT(DISTINCT id) FILTER (WHERE age > 20) FROM people"],
    ["units-distinct-values", "SELECT COUNT(DISTINCT town) FROM people"],
    [
      "units-distinct-beside",
      "SELECT sector, COUNT(*), COUNT(DISTINCT age), COUNT(DISTINCT id), APPROX_COUNT_DISTINCT(wage) FILTER (WHERE age > 20) FROM people GROUP BY sector",
    ],
    ["units-distinct-private", "SELECT town, COUNT(DISTINCT married) FROM people GROUP BY town"],
    [
      "units-products",
      "SELECT sector, SUM(wage * bonus), SUM(POWER(age - 60, 2)) FROM people GROUP BY sector",
    ],
    ["units-covariance", "SELECT COVAR_POP(wage, age) FROM people"],
    ["units-median", "SELECT MEDIAN(wage), COUNT(DISTINCT id) FROM people WHERE age > 20"],
    ["units-quantile-private", "SELECT lower(town), PERCENTILE_CONT(age * 2, 0.9) FROM people GROUP BY 1"],
    ["units-public-bounded", "SELECT sector, SUM(wage) FROM people GROUP BY sector"],
    ["units-public-unbounded", "SELECT married, SUM(wage), COUNT(*) FROM people GROUP BY married"],
    [
      "units-private-cube",
      "SELECT town, married, SUM(wage), GROUPING(town), IS_OTHER(town) FROM people GROUP BY CUBE (town, married)",
    ],
    ["units-private", "SELECT town, AVG(wage), COUNT(DISTINCT id) FROM people GROUP BY town"],
    ["units-expression", "SELECT lower(town), SUM(sqrt(wage)) FROM people GROUP BY 1"],
    [
      "units-lowered",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1, max_groups_contributed = 1, max_rows_contributed_per_group = 1, privacy_unit_column = id) town, COUNT(*) FROM people GROUP BY town",
      {},
    ],
  ]),
  ...under("units-replaced", [
    ["units-replaced-constant", "SELECT COUNT(DISTINCT id) FROM people"],
    ["units-replaced-count", "SELECT COUNT(*), SUM(age - 60) FROM people"],
    ["units-replaced-products", "SELECT SUM((age - 60) * (age - 60)), SUM((bonus - 5) * age) FROM people"],
    ["units-replaced-distinct", "SELECT COUNT(DISTINCT town), COUNT(DISTINCT sector) FROM people"],
    ["units-replaced-median", "SELECT married, MEDIAN(age) FROM people GROUP BY married"],
    ["units-replaced-private", "SELECT town, SUM(wage) FROM people GROUP BY town"],
  ]),
  ...under("pure", [
    ["pure-count", "SELECT sector, COUNT(*) FROM people GROUP BY sector"],
    ["pure-median", "SELECT MEDIAN(age - 40) FROM people"],
    ["pure-private", "SELECT town, COUNT(*) FROM people GROUP BY town"],
    ["pure-gaussian", "SELECT COUNT(*) FROM people", { ...one, mechanism: "gaussian" }],
    ["pure-delta", "SELECT COUNT(*) FROM people", { ...one, delta: parseRational("1e-9") }],
  ]),
  ...under("zcdp", [
    ["zcdp-count", "SELECT COUNT(*), AVG(wage) FROM people"],
    ["zcdp-median", "SELECT MEDIAN(wage), SUM(wage) FROM people"],
    ["zcdp-private", "SELECT town, COUNT(*) FROM people GROUP BY town"],
    ["zcdp-laplace", "SELECT COUNT(*) FROM people", { ...one, mechanism: "laplace" }],
  ]),
  ...under("before-filter", [
    ["before-filter", "SELECT COUNT(*) FROM people"],
    ["before-filter-avg", "SELECT sector, AVG(wage), COUNT(*) FROM people WHERE age > 30 GROUP BY sector"],
    [
      "before-filter-distinct",
      "SELECT married, COUNT(DISTINCT id), SUM(wage * 2) FROM people GROUP BY married",
    ],
    [
      "refused-before-filter-bounds",
      "SELECT SUM(wage, contribution_bounds_per_group => (0, 50)) FROM people",
    ],
    [
      "refused-before-filter-subquery",
      "SELECT COUNT(*) FROM (SELECT wage FROM people WHERE age > 30) AS old",
    ],
  ]),
  ...under("rows", [
    ["refused-text-part", "SELECT COUNT(*) FROM people WHERE STRPOS(town, sector) > 0"],
    ["refused-buckets", "SELECT WIDTH_BUCKET(wage, 0, age, 5), COUNT(*) FROM people GROUP BY 1"],
    ["refused-table", "SELECT COUNT(*) FROM peopel"],
    ["refused-column", "SELECT AVG(wages) FROM people"],
    ["refused-bounds", "SELECT MEDIAN(debt) FROM people"],
    ["learned-unstated", "SELECT SUM(debt) FROM people"],
    ["refused-text-sum", "SELECT SUM(town) FROM people"],
    ["refused-no-epsilon", "SELECT COUNT(*) FROM people", {}],
    ["refused-negative-epsilon", "SELECT COUNT(*) FROM people", epsilon("-1")],
    ["refused-zero-epsilon", "SELECT COUNT(*) FROM people", epsilon("0")],
    ["refused-delta", "SELECT COUNT(*) FROM people", { ...one, delta: parseRational("1") }],
    [
      "refused-no-delta",
      "SELECT town, COUNT(*) FROM people GROUP BY town",
      { ...one, delta: parseRational("0") },
    ],
    [
      "refused-public-keys",
      "SELECT town, COUNT(*) FROM people GROUP BY town",
      { ...one, groupSelection: "public" },
    ],
    ["refused-selection", "SELECT COUNT(*) FROM people", { ...one, groupSelection: "private" }],
    ["refused-avg-bounds", "SELECT MEDIAN(wage, contribution_bounds_per_group => (0, 50)) FROM people"],
    ["refused-two-epsilons", "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 2) COUNT(*) FROM people"],
    [
      "refused-interval-of-key",
      "SELECT sector, DP_INTERVAL_LOW(sector), COUNT(*) FROM people GROUP BY sector",
    ],
    ["refused-interval-of-nothing", "SELECT DP_INTERVAL_HIGH(COUNT(*)) FROM people"],
    [
      "refused-interval-of-interval",
      "SELECT COUNT(*) AS n, DP_INTERVAL_LOW(n) AS l, DP_INTERVAL_LOW(l) FROM people",
    ],
    [
      "refused-order-by-interval",
      "SELECT sector, COUNT(*) AS n, DP_INTERVAL_LOW(n) AS l FROM people GROUP BY sector ORDER BY l",
    ],
    [
      "refused-target-and-price",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1, target_error = 25) COUNT(*) FROM people",
      {},
    ],
    [
      "refused-target-of-unknown-size",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = 0.5) AVG(wage) FROM people",
      {},
    ],
    [
      "refused-target-without-expectation",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error_relative = 0.05) COUNT(*) FROM people",
      {},
    ],
    [
      "refused-unit-column",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1, privacy_unit_column = id) COUNT(*) FROM people",
      {},
    ],
    ["refused-join", "SELECT COUNT(*) FROM people a JOIN people b ON a.id = b.id"],
    ["refused-row", "SELECT wage FROM people"],
    ["refused-covariance-bounds", "SELECT COVAR_POP(wage, debt) FROM people"],
    ["refused-covariance-arguments", "SELECT CORR(wage) FROM people"],
    ["refused-bool-or", "SELECT BOOL_OR(age > 100) FROM people"],
    ["sum-distinct", "SELECT SUM(DISTINCT wage), COUNT(DISTINCT wage) FROM people"],
    ["refused-distinct-pairs", "SELECT COUNT(DISTINCT (town, sector)) FROM people"],
    ["refused-every", "SELECT sector, EVERY(married) FROM people GROUP BY sector"],
    ["refused-computed-row", "SELECT SUM(wage) / age FROM people"],
    ["refused-computed-first", "SELECT AVG(wage) - FIRST(wage) FROM people"],
    ["refused-quantiles", "SELECT QUANTILES(wage, ARRAY[0.1, 0.5, 0.9]) || '' FROM people"],
    ["refused-approx-quantiles", "SELECT APPROX_QUANTILES(wage, age) FROM people"],
    ["refused-quantile-bounds", "SELECT PERCENTILE_CONT(debt, 0.9) FROM people"],
    [
      "refused-quantile-group-bounds",
      "SELECT MEDIAN(wage, contribution_bounds_per_group => (0, 9)) FROM people",
    ],
    ["refused-quantile-share", "SELECT PERCENTILE_CONT(wage, 90) FROM people"],
    ["refused-quantile-order", "SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY wage DESC) FROM people"],
    ["refused-quantile-text", "SELECT MEDIAN(town) FROM people"],
    ["refused-quantile-distinct", "SELECT MEDIAN(DISTINCT wage) FROM people"],
    ["refused-quantile-window", "SELECT MEDIAN(wage) OVER () FROM people"],
  ]),
  ...under("units", [
    [
      "refused-more-groups",
      "SELECT town, COUNT(*) FROM people GROUP BY town",
      { ...one, maxGroupsContributed: 4 },
    ],
    ["refused-more-rows", "SELECT COUNT(*) FROM people", { ...one, maxRowsPerGroup: 3 }],
    ["refused-unit-as-key", "SELECT id, COUNT(*) FROM people GROUP BY id"],
  ]),
  ...under("shop", [
    [
      "join-parent",
      "SELECT town, COUNT(*), AVG(cost) FROM people JOIN visits ON id = person_id GROUP BY town",
    ],
    ["join-through-one", "SELECT COUNT(*), SUM(cost) FROM visits"],
    ["join-through-chain", "SELECT COUNT(*), SUM(price) FROM items"],
    ["join-through-long-chain", "SELECT grade, COUNT(*) FROM notes GROUP BY grade"],
    [
      "join-chain",
      "SELECT v.ward, AVG(price) FROM people p JOIN visits v ON v.person_id = p.id JOIN items i ON i.visit_id = v.visit_id WHERE p.age > 3 GROUP BY v.ward",
    ],
    [
      "join-star",
      "SELECT COUNT(*) FROM visits JOIN items USING (visit_id) JOIN notes ON notes.visit_id = visits.visit_id AND notes.item_id = items.item_id",
    ],
    [
      "join-diamond",
      "SELECT COUNT(DISTINCT v.person_id) FROM notes n JOIN items i USING (item_id) JOIN visits v ON v.visit_id = i.visit_id WHERE n.visit_id = v.visit_id",
    ],
    [
      "join-self",
      "SELECT SUM(b.cost - a.cost) FROM visits a JOIN visits b ON a.person_id = b.person_id AND a.cost < b.cost",
    ],
    [
      "join-left",
      "SELECT town, COUNT(*), COUNT(cost) FROM people LEFT JOIN visits ON id = person_id GROUP BY town",
    ],
    ["join-right", "SELECT COUNT(*), COUNT(town) FROM people RIGHT JOIN visits ON id = person_id"],
    ["join-full", "SELECT COUNT(town), COUNT(cost) FROM people FULL JOIN visits ON id = person_id"],
    ["join-comma", "SELECT COUNT(*) FROM people p, visits v WHERE p.id = v.person_id AND cost > 1"],
    [
      "join-public",
      "SELECT kind, COUNT(*), SUM(price * weight) FROM items JOIN codes USING (code) GROUP BY kind",
    ],
    [
      "join-public-left",
      "SELECT kind, COUNT(*) FROM items i LEFT JOIN codes c ON i.code = c.code GROUP BY kind",
    ],
    ["join-public-cross", "SELECT day, COUNT(*) FROM visits JOIN days ON cost < day GROUP BY day"],
    ["join-row-unit", "SELECT kind, SUM(fee) FROM guests JOIN codes USING (code) GROUP BY kind"],
    [
      "join-subqueries",
      "WITH dear AS (SELECT person_id, cost * 2 AS twice FROM visits WHERE cost > 1) SELECT town, SUM(twice) FROM (SELECT * FROM people WHERE age > 2) p JOIN dear ON id = person_id GROUP BY town",
    ],
    ["refused-join-cross", "SELECT COUNT(*) FROM people, visits"],
    ["refused-join-values", "SELECT COUNT(*) FROM people p JOIN visits v ON p.town = v.ward"],
    ["refused-join-strangers", "SELECT COUNT(*) FROM people JOIN loans ON id = borrower"],
    [
      "refused-join-public-kept",
      "SELECT kind, COUNT(price) FROM codes FULL JOIN items USING (code) GROUP BY kind",
    ],
    ["refused-join-fan-out", "SELECT COUNT(*) FROM items CROSS JOIN codes"],
    ["refused-join-row-unit", "SELECT SUM(fee) FROM guests JOIN codes ON fee < weight"],
    ["refused-join-natural", "SELECT COUNT(*) FROM items NATURAL JOIN notes"],
    [
      "refused-join-ambiguous",
      "SELECT COUNT(visit_id) FROM visits v JOIN items i ON i.visit_id = v.visit_id",
    ],
    ["refused-only-public", "SELECT COUNT(*) FROM codes"],
    ["over-subquery-aggregates", "SELECT AVG(n) FROM (SELECT ward, COUNT(*) AS n FROM visits GROUP BY 1) x"],
    [
      "over-windows",
      "SELECT ward, COUNT(*) AS n, ROUND(100.0 * COUNT(*) / SUM(COUNT(*)) OVER (), 1) AS percent, LAG(COUNT(*)) OVER (ORDER BY ward) AS before FROM visits GROUP BY 1 QUALIFY RANK() OVER (ORDER BY COUNT(*) DESC) <= 3 ORDER BY n DESC LIMIT 2",
    ],
    [
      "over-joined-to-itself",
      "WITH w AS (SELECT ward, COUNT(*) AS n FROM visits GROUP BY 1) SELECT x.ward, x.n * 1.0 / y.n AS r FROM w x LEFT JOIN w y ON x.n < y.n UNION ALL SELECT ward, n FROM w WHERE n > (SELECT AVG(n) FROM w)",
    ],
    [
      "refused-inside-bounds",
      "SELECT MEDIAN(n) FROM (SELECT person_id, COUNT(*) AS n FROM visits GROUP BY 1) x",
    ],
    [
      "inside-spending-by-town",
      "SELECT town, AVG(total, contribution_bounds_per_row => (0, 20)) FROM people JOIN (SELECT person_id, SUM(cost) AS total FROM visits GROUP BY person_id) t ON t.person_id = id GROUP BY town",
    ],
    [
      "inside-frequent",
      "SELECT COUNT(*), AVG(most), MEDIAN(mean) FROM (SELECT person_id, MAX(cost) AS most, AVG(cost) AS mean FROM visits GROUP BY person_id HAVING COUNT(*) > 10) t",
    ],
    [
      "inside-latest",
      "SELECT AVG(cost), SUM(cost - before) FROM (SELECT cost, ROW_NUMBER() OVER (PARTITION BY person_id ORDER BY visit_id DESC) AS n, LAG(cost) OVER (PARTITION BY person_id ORDER BY visit_id) AS before FROM visits) t WHERE n <= 3",
    ],
    [
      "inside-with-keys",
      "SELECT ward, SUM(s) FROM (SELECT person_id, ward, SUM(cost, contribution_bounds_per_group => (0, 9)) AS s FROM visits GROUP BY person_id, ward) t GROUP BY ward",
    ],
    [
      "semijoin-in",
      "SELECT COUNT(*) FROM items WHERE price > 2 AND code IN (SELECT code FROM codes WHERE kind = 'x')",
    ],
    [
      "semijoin-exists",
      "SELECT code, COUNT(*) FROM items i WHERE NOT EXISTS (SELECT * FROM codes c WHERE c.code = i.code AND weight < price) GROUP BY code",
    ],
    [
      "semijoin-row-unit",
      "SELECT SUM(fee) FROM guests g WHERE fee IN (SELECT day FROM days WHERE day > 1) AND NOT EXISTS (SELECT 1 FROM codes c WHERE c.code = g.code)",
    ],
    ["refused-semijoin-fan-out", "SELECT SUM(fee) FROM guests WHERE fee IN (SELECT weight FROM codes)"],
    [
      "refused-join-chain-of-publics",
      "SELECT COUNT(*) FROM items i JOIN codes a ON a.code = i.code JOIN codes b ON b.kind = a.kind JOIN codes c ON c.kind = b.kind JOIN codes d ON d.kind = c.kind JOIN codes e ON e.kind = d.kind JOIN codes f ON f.kind = e.kind JOIN codes g ON g.kind = f.kind JOIN codes h ON h.kind = g.kind JOIN codes k ON k.kind = h.kind JOIN codes l ON l.kind = k.kind JOIN codes m ON m.kind = l.kind",
    ],
    [
      "join-self-three",
      "SELECT COUNT(*) FROM visits a JOIN visits b ON a.person_id = b.person_id JOIN visits c ON b.person_id = c.person_id",
    ],
    [
      "semijoin-of-one-unit",
      "SELECT COUNT(*) FROM items WHERE visit_id IN (SELECT visit_id FROM visits WHERE cost > 1)",
    ],
    ["refused-semijoin-nulls", "SELECT COUNT(*) FROM items WHERE code NOT IN (SELECT code FROM codes)"],
    ["semijoin-or", "SELECT COUNT(*) FROM items WHERE price > 3 OR code IN (SELECT code FROM codes)"],
    [
      "marked-in-an-aggregate",
      "SELECT ward, COUNT(*) FILTER (WHERE EXISTS (SELECT 1 FROM items i WHERE i.visit_id = v.visit_id AND price > cost)) FROM visits v GROUP BY ward",
    ],
    ["refused-semijoin-strangers", "SELECT COUNT(*) FROM items WHERE price IN (SELECT cost FROM visits)"],
    ["except-of-units", "SELECT COUNT(*) FROM (SELECT id FROM people EXCEPT SELECT person_id FROM visits) t"],
    [
      "union-all",
      "SELECT kind, COUNT(*), SUM(amount) FROM (SELECT 'visit' AS kind, cost AS amount FROM visits WHERE cost > 0 UNION ALL SELECT 'item', price FROM items) x GROUP BY kind",
    ],
    [
      "union-all-unread",
      "SELECT SUM(cost) FROM (SELECT * FROM visits UNION ALL SELECT * FROM visits WHERE ward = 'w') x",
    ],
    [
      "union-all-units",
      "WITH rows AS (SELECT id, town, age FROM people UNION ALL SELECT person_id, ward, NULL FROM visits) SELECT town, COUNT(DISTINCT id), AVG(age) FROM rows GROUP BY town",
    ],
    [
      "refused-union-distinct",
      "SELECT COUNT(*) FROM (SELECT cost FROM visits UNION SELECT age FROM people) x",
    ],
    [
      "refused-union-strangers",
      "SELECT COUNT(*) FROM (SELECT cost FROM visits UNION ALL SELECT sum FROM loans) x",
    ],
    [
      "refused-union-row-unit",
      "SELECT SUM(fee) FROM (SELECT fee FROM guests UNION ALL SELECT fee FROM guests) x",
    ],
    [
      "refused-union-public",
      "SELECT COUNT(*) FROM (SELECT code FROM items UNION ALL SELECT code FROM codes) x",
    ],
    [
      "refused-union-types",
      "SELECT COUNT(*) FROM (SELECT cost FROM visits UNION ALL SELECT code FROM items) x",
    ],
  ]),
  ...under("shop-replaced", [
    ["join-replaced-units", "SELECT COUNT(DISTINCT id) FROM people"],
    ["join-replaced", "SELECT COUNT(*), SUM(age) FROM people JOIN visits ON id = person_id"],
  ]),
  ...under("times", [
    [
      "times-filter",
      "SELECT COUNT(*) FROM stays WHERE arrived >= '2023-07-01' AND until < TIMESTAMP '2024-01-01'",
    ],
    ["times-months", "SELECT DATE_TRUNC('month', arrived), COUNT(*) FROM stays GROUP BY 1"],
    [
      "times-weeks-of-hours",
      "SELECT EXTRACT(dow FROM until), EXTRACT(hour FROM until), COUNT(*) FROM stays GROUP BY 1, 2",
    ],
    ["times-private", "SELECT born, COUNT(*) FROM stays GROUP BY born"],
    ["times-interval", "SELECT COUNT(*) FROM stays WHERE until > arrived + INTERVAL '1 month 12 hours'"],
    [
      "times-days-between",
      "SELECT AVG(CAST(until AS date) - arrived), AVG(year(arrived) - year(born)) FROM stays",
    ],
    [
      "times-median",
      "SELECT MEDIAN(arrived) AS half, MAX(until) FILTER (WHERE arrived > '2023-07-01') FROM stays HAVING half > '2023-03-01'",
    ],
    ["times-epoch", "SELECT AVG(EXTRACT(epoch FROM until)) FROM stays WHERE CAST(note AS date) < arrived"],
    [
      "times-having",
      "SELECT DATE_TRUNC('quarter', until) AS q, COUNT(*) FROM stays GROUP BY 1 HAVING q > '2023-06-01' ORDER BY q DESC",
    ],
    [
      "times-rollup",
      "SELECT EXTRACT(year FROM arrived) AS y, EXTRACT(quarter FROM arrived) AS q, COUNT(*), GROUPING(EXTRACT(year FROM arrived)) AS all_years FROM stays GROUP BY ROLLUP (1, 2) ORDER BY 1, 2",
    ],
    ["refused-time-sum", "SELECT SUM(arrived) FROM stays"],
    ["refused-time-average", "SELECT AVG(until) FROM stays"],
    ["refused-time-age", "SELECT AVG(AGE(arrived, born)) FROM stays"],
    ["refused-time-now", "SELECT COUNT(*) FROM stays WHERE arrived > NOW() - INTERVAL '7 days'"],
    ["refused-time-zone", "SELECT COUNT(*) FROM stays WHERE until AT TIME ZONE 'CET' > '2024-01-01'"],
    ["time-format", "SELECT TO_CHAR(until, 'Mon YY'), COUNT(*) FROM stays GROUP BY 1"],
    ["refused-time-format", "SELECT TO_CHAR(until, 'WW'), COUNT(*) FROM stays GROUP BY 1"],
    ["refused-time-text", "SELECT COUNT(*) FROM stays WHERE arrived > '1.7.2023'"],
  ]),
  ...under("rows", [
    [
      "unmatched-words",
      "SELECT COUNT(*) AS listed, SUM(wage) FILTER (WHERE sector NOT IN ('other', 'farming')) AS rest FROM people WHERE sector IN ('construction', 'other', 'farming')",
    ],
    ["refused-unknown-words", "SELECT COUNT(*) FROM people WHERE sector IN ('farming', 'fishing')"],
  ]),
];
