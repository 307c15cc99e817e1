-- name: signups-by-month
-- schema: shop
SELECT date_trunc('month', signed_up_on) AS cohort, COUNT(*) AS customers
FROM customers
GROUP BY 1
ORDER BY 1;

-- name: revenue-by-signup-quarter
-- schema: shop
SELECT
  date_trunc('quarter', c.signed_up_on) AS cohort,
  COUNT(DISTINCT o.customer_id) AS buyers,
  SUM(o.amount) AS revenue
FROM customers c
JOIN orders o USING (customer_id)
WHERE o.status NOT IN ('cancelled', 'returned')
GROUP BY cohort
ORDER BY cohort;

-- name: first-order-cohorts
-- schema: shop
WITH first_orders AS (
  SELECT customer_id, MIN(ordered_at) AS first_order_at
  FROM orders
  WHERE status <> 'cancelled'
  GROUP BY customer_id
)
SELECT date_trunc('month', first_order_at) AS cohort_month, COUNT(*) AS new_buyers
FROM first_orders
GROUP BY 1
ORDER BY 1;

-- name: first-quarter-value-by-cohort
-- schema: shop
SELECT
  date_trunc('month', c.signed_up_on)::date AS cohort,
  ROUND(SUM(o.amount) / COUNT(DISTINCT c.customer_id), 2) AS revenue_90d_per_customer
FROM customers AS c
LEFT JOIN orders AS o
  ON o.customer_id = c.customer_id
 AND o.ordered_at < c.signed_up_on + INTERVAL '90 days'
 AND o.status = 'delivered'
WHERE c.signed_up_on >= DATE '2024-01-01'
GROUP BY 1
ORDER BY 1;

-- name: repeat-buyer-share-by-channel
-- schema: shop
WITH per_customer AS (
  SELECT c.customer_id, c.channel, COUNT(o.order_id) AS orders
  FROM customers c
  LEFT JOIN orders o ON o.customer_id = c.customer_id
  GROUP BY c.customer_id, c.channel
)
SELECT
  channel,
  COUNT(*) AS customers,
  AVG(CASE WHEN orders >= 2 THEN 1.0 ELSE 0 END) AS repeat_share
FROM per_customer
GROUP BY channel
ORDER BY repeat_share DESC;

-- name: cohort-triangle
-- schema: shop
WITH cohort AS (
  SELECT customer_id, date_trunc('quarter', MIN(ordered_at)) AS cohort_quarter
  FROM orders
  GROUP BY 1
), activity AS (
  SELECT DISTINCT
    o.customer_id,
    c.cohort_quarter,
    date_diff('quarter', c.cohort_quarter, o.ordered_at) AS quarters_since
  FROM orders o
  JOIN cohort c USING (customer_id)
)
SELECT cohort_quarter, quarters_since, COUNT(*) AS active_customers
FROM activity
GROUP BY cohort_quarter, quarters_since
ORDER BY cohort_quarter, quarters_since;

-- name: activated-within-a-week
-- schema: product
SELECT
  date_trunc('month', u.created_at) AS cohort,
  COUNT(*) AS signups,
  COUNT(*) FILTER (
    WHERE EXISTS (
      SELECT 1
      FROM events e
      WHERE e.user_id = u.user_id
        AND e.name = 'create_project'
        AND e.happened_at <= u.created_at + INTERVAL '7 days'
    )
  ) AS activated
FROM users u
WHERE NOT u.is_deleted
GROUP BY 1
ORDER BY 1;

-- name: first-plan-cohorts
-- schema: product
WITH ranked AS (
  SELECT
    user_id, plan, mrr, started_on,
    ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY started_on) AS rn
  FROM subscriptions
)
SELECT plan AS first_plan, COUNT(*) AS users, AVG(mrr) AS avg_first_mrr
FROM ranked
WHERE rn = 1
GROUP BY plan;

-- name: upgraded-by-cohort
-- schema: product
WITH plan_history AS (
  SELECT
    user_id,
    BOOL_OR(plan = 'free') AS was_free,
    BOOL_OR(plan IN ('pro', 'enterprise')) AS became_paid
  FROM subscriptions
  GROUP BY user_id
)
SELECT
  EXTRACT(year FROM u.created_at) AS yr,
  EXTRACT(quarter FROM u.created_at) AS qtr,
  COUNT(*) AS started_free,
  SUM(CASE WHEN became_paid THEN 1 ELSE 0 END) AS upgraded,
  100.0 * SUM(CASE WHEN became_paid THEN 1 ELSE 0 END) / COUNT(*) AS pct_upgraded
FROM plan_history p
JOIN users u ON u.user_id = p.user_id
WHERE was_free
GROUP BY 1, 2
ORDER BY 1, 2;

-- name: first-category-bought
-- schema: shop
WITH first_items AS (
  SELECT DISTINCT ON (o.customer_id) o.customer_id, p.category
  FROM orders o
  JOIN order_items i ON i.order_id = o.order_id
  JOIN products p ON p.product_id = i.product_id
  ORDER BY o.customer_id, o.ordered_at
)
SELECT category, COUNT(*) AS customers
FROM first_items
GROUP BY category
ORDER BY customers DESC;

-- name: running-revenue-by-cohort
-- schema: shop
WITH monthly AS (
  SELECT
    date_trunc('year', c.signed_up_on) AS cohort,
    date_trunc('month', o.ordered_at) AS month,
    SUM(o.amount - o.discount) AS revenue
  FROM customers c
  JOIN orders o ON o.customer_id = c.customer_id
  GROUP BY 1, 2
)
SELECT
  cohort,
  month,
  revenue,
  SUM(revenue) OVER (PARTITION BY cohort ORDER BY month) AS running_revenue
FROM monthly
ORDER BY cohort, month;

-- name: rides-in-first-month-by-issue-quarter
-- schema: transit
SELECT
  date_trunc('quarter', c.issued_on) AS issued,
  COUNT(*)::numeric / COUNT(DISTINCT c.card_id) AS rides_per_card
FROM cards c, rides r
WHERE r.card_id = c.card_id
  AND r.tapped_in >= c.issued_on
  AND r.tapped_in < c.issued_on + 30
  AND c.issued_on >= '2024-01-01'
GROUP BY issued
ORDER BY issued;

-- name: age-cohorts-of-patients
-- schema: clinic
SELECT
  (EXTRACT(YEAR FROM birth_date)::int / 10) * 10 AS birth_decade,
  COUNT(*) AS patients,
  AVG(weight_kg / ((height_cm / 100) * (height_cm / 100))) AS mean_bmi
FROM patients
WHERE birth_date >= '1940-01-01'
GROUP BY birth_decade
HAVING COUNT(*) >= 20
ORDER BY birth_decade;

-- name: cohort-sizes-with-share
-- schema: product
SELECT
  date_trunc('quarter', created_at) AS cohort,
  COUNT(*) AS users,
  ROUND(100.0 * COUNT(*) / SUM(COUNT(*)) OVER (), 1) AS pct_of_all
FROM users
GROUP BY 1
ORDER BY 1;
