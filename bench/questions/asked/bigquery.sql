-- BigQuery's own sentences for differential privacy, a case for each form in its reference. They are apart from the 150.

-- name: options-and-unit
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, privacy_unit_column = customer_id)
  device, COUNT(*) AS events
FROM events
GROUP BY device;

-- name: max-groups-contributed
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 3, privacy_unit_column = customer_id)
  kind, COUNT(*) AS events
FROM events
GROUP BY kind;

-- name: max-groups-null
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = NULL, privacy_unit_column = customer_id)
  channel, COUNT(*) AS customers
FROM customers
GROUP BY channel;

-- name: max-rows-contributed
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_rows_contributed = 8, privacy_unit_column = customer_id)
  device, SUM(1) AS events
FROM events
GROUP BY device;

-- name: laplace-threshold
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, group_selection_strategy = LAPLACE_THRESHOLD, privacy_unit_column = customer_id)
  city, COUNT(*) AS customers
FROM customers
GROUP BY city;

-- name: min-privacy-units
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, min_privacy_units_per_group = 20, privacy_unit_column = customer_id)
  city, COUNT(*) AS customers
FROM customers
GROUP BY city;

-- name: public-groups-by-right-join
-- schema: product
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, group_selection_strategy = PUBLIC_GROUPS, privacy_unit_column = user_id)
  p.plan, COUNT(*) AS subscriptions
FROM subscriptions
RIGHT OUTER JOIN (SELECT DISTINCT plan FROM plans) AS p ON subscriptions.plan = p.plan
GROUP BY p.plan;

-- name: public-groups-by-left-join
-- schema: product
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, group_selection_strategy = PUBLIC_GROUPS, privacy_unit_column = user_id)
  plans.plan, AVG(mrr, contribution_bounds_per_group => (0, 500)) AS mean_mrr
FROM plans
LEFT OUTER JOIN subscriptions USING (plan)
GROUP BY plans.plan;

-- name: public-groups-of-a-list
-- schema: product
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, group_selection_strategy = PUBLIC_GROUPS, privacy_unit_column = user_id)
  c.device, COUNT(s.session_id) AS sessions
FROM UNNEST(['desktop', 'mobile', 'console']) AS c(device)
LEFT JOIN sessions AS s ON s.device = c.device
GROUP BY c.device;

-- name: min-units-of-public-groups
-- schema: product
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (
    epsilon = 1, delta = 1e-7, group_selection_strategy = PUBLIC_GROUPS,
    min_privacy_units_per_group = 5, privacy_unit_column = user_id)
  plans.plan, COUNT(*) AS subscriptions
FROM plans
LEFT OUTER JOIN subscriptions USING (plan)
GROUP BY plans.plan;

-- name: count-rows-with-bounds
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 3, privacy_unit_column = customer_id)
  kind, COUNT(*, contribution_bounds_per_group => (0, 10)) AS events
FROM events
GROUP BY kind;

-- name: count-values-with-bounds
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 3, privacy_unit_column = customer_id)
  status, COUNT(coupon, contribution_bounds_per_group => (0, 1)) AS customers_with_coupon
FROM orders
GROUP BY status;

-- name: count-distinct-units
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 3, privacy_unit_column = customer_id)
  kind, COUNT(DISTINCT customer_id) AS customers
FROM events
GROUP BY kind;

-- name: sum-with-bounds
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 2, privacy_unit_column = customer_id)
  payment, SUM(amount, contribution_bounds_per_group => (0, 800)) AS revenue
FROM orders
GROUP BY payment;

-- name: average-with-bounds
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 2, privacy_unit_column = customer_id)
  payment, AVG(amount, contribution_bounds_per_group => (0, 300)) AS mean_amount
FROM orders
GROUP BY payment;

-- name: implicit-bounds
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 2, privacy_unit_column = customer_id)
  payment, SUM(amount) AS revenue, AVG(shipping) AS mean_shipping
FROM orders
GROUP BY payment;

-- name: variance-with-bounds
-- schema: clinic
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 2, privacy_unit_column = patient_id)
  department,
  VAR_POP(cost, contribution_bounds_per_row => (0, 10000)) AS variance,
  STDDEV_POP(cost, contribution_bounds_per_row => (0, 10000)) AS deviation
FROM visits
GROUP BY department;

-- name: percentile-with-bounds
-- schema: clinic
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 1, privacy_unit_column = patient_id)
  department, PERCENTILE_CONT(cost, 0.5, contribution_bounds_per_row => (0, 20000)) AS median_cost
FROM visits
GROUP BY department;

-- name: quantiles-with-bounds
-- schema: clinic
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, privacy_unit_column = patient_id)
  APPROX_QUANTILES(cost, 4, contribution_bounds_per_row => (0, 20000)) AS quartiles
FROM visits;

-- name: report-format
-- schema: shop
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 2, privacy_unit_column = customer_id)
  payment,
  COUNT(*, contribution_bounds_per_group => (0, 4), report_format => 'JSON') AS orders,
  SUM(amount, contribution_bounds_per_group => (0, 800), report_format => 'JSON') AS revenue
FROM orders
GROUP BY payment;

-- name: options-as-expressions
-- schema: transit
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 0.5 + 0.5, delta = 1 / 10000000, max_groups_contributed = 1 + 1, privacy_unit_column = card_id)
  mode, COUNT(*) AS rides
FROM rides
GROUP BY mode;

-- name: options-as-parameters
-- schema: transit
-- dialect: bigquery
-- parameters: {"eps": 1, "from": "2024-06-01"}
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = @eps, delta = 1e-7, privacy_unit_column = card_id)
  mode, COUNT(*) AS rides
FROM rides
WHERE tapped_in >= @from
GROUP BY mode;

-- name: below-an-outer-select
-- schema: transit
-- dialect: bigquery
SELECT mode, rides, ROUND(100 * rides / SUM(rides) OVER (), 1) AS pct
FROM (
  SELECT WITH DIFFERENTIAL_PRIVACY
    OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 2, privacy_unit_column = card_id)
    mode, COUNT(*) AS rides
  FROM rides
  GROUP BY mode
) AS released
ORDER BY rides DESC;

-- name: in-a-cte
-- schema: transit
-- dialect: bigquery
WITH released AS (
  SELECT WITH DIFFERENTIAL_PRIVACY
    OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 2, privacy_unit_column = card_id)
    mode, SUM(fare, contribution_bounds_per_group => (0, 60)) AS income
  FROM rides
  GROUP BY mode
)
SELECT mode, income FROM released WHERE income > 1000 ORDER BY income DESC LIMIT 3;

-- name: unit-of-a-joined-table
-- schema: transit
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 2, privacy_unit_column = cards.card_id)
  cards.card_type, COUNT(*) AS rides
FROM rides
JOIN cards ON cards.card_id = rides.card_id
GROUP BY cards.card_type;

-- name: unit-of-a-subquery
-- schema: transit
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, privacy_unit_column = evening.card_id)
  evening.mode, COUNT(*) AS rides
FROM (SELECT * FROM rides WHERE EXTRACT(HOUR FROM tapped_in) >= 20) AS evening
GROUP BY evening.mode;

-- name: backticks
-- schema: transit
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, privacy_unit_column = card_id)
  `mode`, COUNT(*) AS `number of rides`
FROM `rides`
GROUP BY 1
ORDER BY `number of rides` DESC;

-- name: having-and-where
-- schema: clinic
-- dialect: bigquery
SELECT WITH DIFFERENTIAL_PRIVACY
  OPTIONS (epsilon = 1, delta = 1e-7, max_groups_contributed = 3, privacy_unit_column = patient_id)
  department, COUNT(*) AS visits
FROM visits
WHERE emergency
GROUP BY department
HAVING COUNT(*) > 10;
