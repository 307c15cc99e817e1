-- name: share-of-orders-by-payment
-- schema: shop
SELECT payment, COUNT(*) AS orders, COUNT(*) * 100.0 / SUM(COUNT(*)) OVER () AS pct
FROM orders
GROUP BY payment
ORDER BY pct DESC;

-- name: share-by-subquery-total
-- schema: shop
SELECT
  country,
  COUNT(*) AS customers,
  COUNT(*)::float / (SELECT COUNT(*) FROM customers) AS share
FROM customers
GROUP BY country;

-- name: share-of-revenue-by-category
-- schema: shop
WITH by_category AS (
  SELECT p.category, SUM(i.quantity * i.unit_price) AS revenue
  FROM order_items i
  JOIN products p ON p.product_id = i.product_id
  GROUP BY p.category
), total AS (
  SELECT SUM(revenue) AS revenue FROM by_category
)
SELECT b.category, b.revenue, ROUND(100 * b.revenue / t.revenue, 1) AS pct
FROM by_category b CROSS JOIN total t
ORDER BY pct DESC;

-- name: share-within-department
-- schema: clinic
SELECT
  department,
  emergency,
  COUNT(*) AS visits,
  COUNT(*)::numeric / SUM(COUNT(*)) OVER (PARTITION BY department) AS share_of_department
FROM visits
GROUP BY department, emergency
ORDER BY department, emergency;

-- name: smokers-by-sex
-- schema: clinic
SELECT sex, AVG(smoker::int) AS share_smokers, COUNT(*) AS n
FROM patients
GROUP BY sex;

-- name: pareto-of-categories
-- schema: shop
WITH revenue AS (
  SELECT p.category, SUM(i.quantity * i.unit_price) AS amount
  FROM order_items i JOIN products p USING (product_id)
  GROUP BY 1
), ranked AS (
  SELECT category, amount, SUM(amount) OVER (ORDER BY amount DESC) AS running, SUM(amount) OVER () AS total
  FROM revenue
)
SELECT category, amount, running / total AS cumulative_share
FROM ranked
WHERE running / total <= 0.8
ORDER BY amount DESC;

-- name: mode-split-by-zone
-- schema: transit
SELECT
  c.home_zone,
  SUM(CASE WHEN r.mode = 'metro' THEN 1 ELSE 0 END) * 100.0 / COUNT(*) AS metro_pct,
  SUM(CASE WHEN r.mode = 'bus' THEN 1 ELSE 0 END) * 100.0 / COUNT(*) AS bus_pct,
  SUM(CASE WHEN r.mode = 'tram' THEN 1 ELSE 0 END) * 100.0 / COUNT(*) AS tram_pct
FROM rides r
JOIN cards c ON c.card_id = r.card_id
GROUP BY c.home_zone
ORDER BY c.home_zone;

-- name: coupon-use
-- schema: shop
SELECT
  COUNT(*) FILTER (WHERE coupon IS NOT NULL) * 1.0 / COUNT(*) AS with_coupon,
  SUM(discount) / SUM(amount) AS discount_rate
FROM orders
WHERE status <> 'cancelled';

-- name: share-of-heavy-users
-- schema: product
WITH per_user AS (
  SELECT user_id, COUNT(*) AS n FROM sessions WHERE started_at >= '2024-01-01' GROUP BY user_id
)
SELECT
  AVG((n >= 10)::int) AS share_heavy,
  SUM(n) FILTER (WHERE n >= 10)::float / SUM(n) AS sessions_of_heavy
FROM per_user;

-- name: paying-share-by-country
-- schema: product
SELECT
  u.country,
  1.0 * COUNT(DISTINCT CASE WHEN s.mrr > 0 THEN u.user_id END) / COUNT(DISTINCT u.user_id) AS paying_share
FROM users u LEFT JOIN subscriptions s ON u.user_id = s.user_id
GROUP BY u.country
HAVING COUNT(DISTINCT u.user_id) > 50
ORDER BY paying_share DESC;

-- name: chapters-of-diagnoses
-- schema: clinic
SELECT
  chapter,
  COUNT(*) AS visits,
  ROUND(COUNT(*) * 100.0 / SUM(COUNT(*)) OVER (), 2) || '%' AS pct
FROM visits v
JOIN diagnoses d ON d.code = v.diagnosis
GROUP BY chapter
ORDER BY visits DESC;

-- name: generic-prescriptions
-- schema: clinic
SELECT
  d.drug_class,
  SUM(CASE WHEN d.is_generic THEN p.days_supply ELSE 0 END)::float / NULLIF(SUM(p.days_supply), 0) AS generic_share
FROM prescriptions p
JOIN drugs d ON d.drug_id = p.drug_id
GROUP BY d.drug_class;

-- name: device-share-over-time
-- schema: product
SELECT
  date_trunc('quarter', started_at) AS quarter,
  device,
  COUNT(*) / SUM(COUNT(*)) OVER (PARTITION BY date_trunc('quarter', started_at)) AS share
FROM sessions
GROUP BY 1, 2
ORDER BY 1, 2;

-- name: share-above-average-fare
-- schema: transit
SELECT AVG(CASE WHEN fare > (SELECT AVG(fare) FROM rides) THEN 1.0 ELSE 0.0 END) AS above_average
FROM rides;
