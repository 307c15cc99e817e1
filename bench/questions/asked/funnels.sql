-- name: checkout-funnel
-- schema: shop
SELECT
  COUNT(DISTINCT customer_id) FILTER (WHERE kind = 'view') AS viewed,
  COUNT(DISTINCT customer_id) FILTER (WHERE kind = 'add_to_cart') AS added,
  COUNT(DISTINCT customer_id) FILTER (WHERE kind = 'checkout') AS checked_out,
  COUNT(DISTINCT customer_id) FILTER (WHERE kind = 'purchase') AS purchased
FROM events
WHERE happened_at >= '2024-10-01';

-- name: ordered-funnel
-- schema: shop
WITH steps AS (
  SELECT
    customer_id,
    MIN(happened_at) FILTER (WHERE kind = 'view') AS viewed_at,
    MIN(happened_at) FILTER (WHERE kind = 'add_to_cart') AS added_at,
    MIN(happened_at) FILTER (WHERE kind = 'purchase') AS purchased_at
  FROM events
  GROUP BY customer_id
)
SELECT
  COUNT(viewed_at) AS step_1,
  COUNT(*) FILTER (WHERE added_at > viewed_at) AS step_2,
  COUNT(*) FILTER (WHERE added_at > viewed_at AND purchased_at > added_at) AS step_3
FROM steps;

-- name: funnel-by-device
-- schema: shop
SELECT
  device,
  COUNT(DISTINCT CASE WHEN kind = 'visit' THEN customer_id END) AS visitors,
  COUNT(DISTINCT CASE WHEN kind = 'add_to_cart' THEN customer_id END) AS carts,
  COUNT(DISTINCT CASE WHEN kind = 'purchase' THEN customer_id END) AS buyers,
  COUNT(DISTINCT CASE WHEN kind = 'purchase' THEN customer_id END) * 1.0
    / NULLIF(COUNT(DISTINCT CASE WHEN kind = 'visit' THEN customer_id END), 0) AS conversion
FROM events
GROUP BY device
ORDER BY conversion DESC;

-- name: long-funnel-as-rows
-- schema: product
WITH funnel AS (
  SELECT 1 AS step, 'signed up' AS label, COUNT(DISTINCT user_id) AS users FROM events WHERE name = 'signup'
  UNION ALL
  SELECT 2, 'created a project', COUNT(DISTINCT user_id) FROM events WHERE name = 'create_project'
  UNION ALL
  SELECT 3, 'invited somebody', COUNT(DISTINCT user_id) FROM events WHERE name = 'invite'
  UNION ALL
  SELECT 4, 'upgraded', COUNT(DISTINCT user_id) FROM events WHERE name = 'upgrade'
)
SELECT step, label, users, users::float / FIRST_VALUE(users) OVER (ORDER BY step) AS of_first
FROM funnel
ORDER BY step;

-- name: clicked-but-never-upgraded
-- schema: product
SELECT COUNT(DISTINCT e.user_id) AS users
FROM events e
WHERE e.name = 'upgrade_click'
  AND e.user_id NOT IN (SELECT user_id FROM events WHERE name = 'upgrade');

-- name: cart-abandonment-by-month
-- schema: shop
WITH carts AS (
  SELECT customer_id, date_trunc('month', happened_at) AS month,
         MAX(CASE WHEN kind = 'add_to_cart' THEN 1 ELSE 0 END) AS had_cart,
         MAX(CASE WHEN kind = 'purchase' THEN 1 ELSE 0 END) AS bought
  FROM events
  GROUP BY 1, 2
)
SELECT month,
       SUM(had_cart) AS carts,
       SUM(had_cart * (1 - bought)) AS abandoned,
       SUM(had_cart * (1 - bought))::numeric(10, 2) / NULLIF(SUM(had_cart), 0) AS abandonment_rate
FROM carts
GROUP BY month
ORDER BY month;

-- name: time-to-first-project
-- schema: product
WITH firsts AS (
  SELECT u.user_id, u.source, u.created_at, MIN(e.happened_at) AS first_project
  FROM users u
  JOIN events e ON e.user_id = u.user_id AND e.name = 'create_project'
  GROUP BY 1, 2, 3
)
SELECT source, AVG(EXTRACT(EPOCH FROM (first_project - created_at)) / 3600) AS hours_to_first_project
FROM firsts
WHERE first_project >= created_at
GROUP BY source;

-- name: experiment-conversion
-- schema: product
SELECT
  a.variant,
  COUNT(DISTINCT a.user_id) AS assigned,
  COUNT(DISTINCT e.user_id) AS converted,
  COUNT(DISTINCT e.user_id)::double precision / COUNT(DISTINCT a.user_id) AS rate
FROM assignments a
LEFT JOIN events e
  ON e.user_id = a.user_id AND e.name = 'upgrade' AND e.happened_at > a.assigned_at
WHERE a.experiment = 'pricing_page'
GROUP BY a.variant;

-- name: next-step-after-search
-- schema: shop
WITH stepped AS (
  SELECT kind, LEAD(kind) OVER (PARTITION BY customer_id ORDER BY happened_at) AS next_kind
  FROM events
)
SELECT next_kind, COUNT(*) AS times
FROM stepped
WHERE kind = 'search' AND next_kind IS NOT NULL
GROUP BY next_kind
ORDER BY times DESC;

-- name: emergency-to-surgery
-- schema: clinic
SELECT COUNT(DISTINCT e.patient_id) AS patients
FROM visits e
JOIN visits s ON s.patient_id = e.patient_id
WHERE e.department = 'emergency'
  AND s.department = 'surgery'
  AND s.admitted_at > e.admitted_at
  AND s.admitted_at <= e.admitted_at + INTERVAL 30 DAY;

-- name: furthest-step-reached
-- schema: shop
SELECT furthest, COUNT(*) AS customers
FROM (
  SELECT
    customer_id,
    MAX(CASE kind
          WHEN 'visit' THEN 1
          WHEN 'search' THEN 2
          WHEN 'view' THEN 3
          WHEN 'add_to_cart' THEN 4
          WHEN 'checkout' THEN 5
          ELSE 6
        END) AS furthest
  FROM events
  GROUP BY customer_id
) t
GROUP BY furthest
ORDER BY furthest;

-- name: signup-to-pay-by-size
-- schema: product
SELECT
  u.company_size,
  COUNT(*) AS users,
  COUNT(*) FILTER (WHERE s.first_paid IS NOT NULL) AS paying,
  AVG(s.first_paid - u.created_at::date) AS days_to_pay
FROM users u
LEFT JOIN (
  SELECT user_id, MIN(started_on) AS first_paid
  FROM subscriptions
  WHERE mrr > 0
  GROUP BY user_id
) s ON s.user_id = u.user_id
GROUP BY u.company_size;

-- name: delivery-funnel
-- schema: shop
-- dialect: postgres
SELECT
  COUNT(*) AS placed,
  COUNT(shipped_at) AS shipped,
  COUNT(delivered_at) AS delivered,
  SUM((status = 'returned')::int) AS returned,
  ROUND(100.0 * COUNT(delivered_at) / NULLIF(COUNT(*), 0), 1) AS pct_delivered
FROM "public"."orders"
WHERE ordered_at BETWEEN '2024-01-01' AND '2024-12-31';

-- name: both-steps-in-one-session
-- schema: product
WITH per_session AS (
  SELECT user_id, session_id
  FROM events
  WHERE name IN ('import', 'export')
  GROUP BY user_id, session_id
  HAVING COUNT(DISTINCT name) = 2
)
SELECT COUNT(*) AS sessions, COUNT(DISTINCT user_id) AS users
FROM per_session;
