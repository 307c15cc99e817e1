-- name: second-month-retention
-- schema: product
SELECT
  date_trunc('month', u.created_at) AS cohort,
  COUNT(DISTINCT u.user_id) AS signed_up,
  COUNT(DISTINCT s.user_id) AS came_back
FROM users u
LEFT JOIN sessions s
  ON s.user_id = u.user_id
 AND s.started_at >= u.created_at + INTERVAL '30 days'
 AND s.started_at <  u.created_at + INTERVAL '60 days'
GROUP BY 1
ORDER BY 1;

-- name: bought-in-both-years
-- schema: shop
SELECT COUNT(*) AS retained
FROM (
  SELECT customer_id FROM orders WHERE ordered_at < '2024-01-01'
  INTERSECT
  SELECT customer_id FROM orders WHERE ordered_at >= '2024-01-01'
) AS both_years;

-- name: churned-customers
-- schema: shop
SELECT COUNT(*) AS lost
FROM (
  SELECT customer_id FROM orders WHERE EXTRACT(YEAR FROM ordered_at) = 2023
  EXCEPT
  SELECT customer_id FROM orders WHERE EXTRACT(YEAR FROM ordered_at) = 2024
) AS gone;

-- name: churn-by-plan
-- schema: product
SELECT
  plan,
  COUNT(*) AS subscriptions,
  COUNT(ended_on) AS ended,
  COUNT(ended_on)::float8 / COUNT(*) AS churn_rate
FROM subscriptions
WHERE plan <> 'free'
GROUP BY plan
ORDER BY churn_rate DESC;

-- name: monthly-active-returning
-- schema: product
WITH active AS (
  SELECT DISTINCT user_id, date_trunc('month', started_at) AS month
  FROM sessions
)
SELECT cur.month, COUNT(*) AS active, COUNT(prev.user_id) AS also_month_before
FROM active cur
LEFT JOIN active prev
  ON prev.user_id = cur.user_id
 AND prev.month = cur.month - INTERVAL '1 month'
GROUP BY cur.month
ORDER BY cur.month;

-- name: readmitted-within-30-days
-- schema: clinic
WITH ordered AS (
  SELECT
    department,
    discharged_at,
    LEAD(admitted_at) OVER (PARTITION BY patient_id ORDER BY admitted_at) AS next_admission
  FROM visits
)
SELECT
  department,
  COUNT(*) AS stays,
  SUM(CASE WHEN next_admission <= discharged_at + INTERVAL '30 days' THEN 1 ELSE 0 END) AS readmissions,
  AVG(CASE WHEN next_admission <= discharged_at + INTERVAL '30 days' THEN 1.0 ELSE 0.0 END) AS readmission_rate
FROM ordered
GROUP BY department;

-- name: bought-books-but-not-toys
-- schema: shop
SELECT COUNT(*) AS customers
FROM customers c
WHERE EXISTS (
    SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.order_id JOIN products p ON p.product_id = i.product_id
    WHERE o.customer_id = c.customer_id AND p.category = 'books')
  AND NOT EXISTS (
    SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.order_id JOIN products p ON p.product_id = i.product_id
    WHERE o.customer_id = c.customer_id AND p.category = 'toys');

-- name: days-between-orders
-- schema: shop
WITH gaps AS (
  SELECT
    date_diff('day', LAG(ordered_at) OVER (PARTITION BY customer_id ORDER BY ordered_at), ordered_at) AS gap_days
  FROM orders
)
SELECT AVG(gap_days) AS mean_gap, MEDIAN(gap_days) AS median_gap
FROM gaps
WHERE gap_days IS NOT NULL;

-- name: dormant-cards
-- schema: transit
SELECT card_type, COUNT(*) AS dormant
FROM cards
WHERE card_id NOT IN (
  SELECT card_id FROM rides WHERE tapped_in >= DATE '2024-07-01'
)
GROUP BY card_type
ORDER BY dormant DESC;

-- name: recency-buckets
-- schema: shop
WITH last_orders AS (
  SELECT customer_id, MAX(ordered_at) AS last_at FROM orders GROUP BY customer_id
)
SELECT
  CASE
    WHEN last_at >= DATE '2024-12-31' - INTERVAL '30 days' THEN '0-30 days'
    WHEN last_at >= DATE '2024-12-31' - INTERVAL '90 days' THEN '31-90 days'
    WHEN last_at >= DATE '2024-12-31' - INTERVAL '180 days' THEN '91-180 days'
    ELSE 'older'
  END AS recency,
  COUNT(*) AS customers
FROM last_orders
GROUP BY 1;

-- name: subscriptions-active-at-month-start
-- schema: product
SELECT m.month_start, COUNT(*) AS active_subscriptions
FROM generate_series(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month_start)
LEFT JOIN subscriptions s
  ON s.started_on <= m.month_start
 AND (s.ended_on IS NULL OR s.ended_on > m.month_start)
GROUP BY m.month_start
ORDER BY m.month_start;

-- name: stickiness
-- schema: product
WITH daily AS (
  SELECT started_at::date AS day, COUNT(DISTINCT user_id) AS dau
  FROM sessions
  WHERE started_at >= '2024-11-01' AND started_at < '2024-12-01'
  GROUP BY 1
),
monthly AS (
  SELECT COUNT(DISTINCT user_id) AS mau
  FROM sessions
  WHERE started_at >= '2024-11-01' AND started_at < '2024-12-01'
)
SELECT AVG(dau) / MAX(mau) AS dau_over_mau
FROM daily CROSS JOIN monthly;

-- name: weekday-retention-of-commuters
-- schema: transit
SELECT COUNT(*) AS loyal_cards
FROM (
  SELECT r.card_id
  FROM rides r
  JOIN calendar d ON d.day = r.tapped_in::date
  WHERE NOT d.is_weekend AND NOT d.is_holiday
  GROUP BY r.card_id
  HAVING COUNT(DISTINCT date_trunc('month', r.tapped_in)) >= 6
) commuters;

-- name: week-curve
-- schema: product
SELECT
  FLOOR(EXTRACT(EPOCH FROM s.started_at - u.created_at) / 604800) AS week_number,
  COUNT(DISTINCT s.user_id) AS active_users
FROM sessions s
INNER JOIN users u ON u.user_id = s.user_id
WHERE s.started_at >= u.created_at
  AND s.started_at < u.created_at + INTERVAL '8 weeks'
GROUP BY week_number
ORDER BY week_number;
