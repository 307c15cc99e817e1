-- name: top-categories
-- schema: shop
SELECT p.category, SUM(i.quantity) AS units
FROM order_items i
JOIN products p ON p.product_id = i.product_id
GROUP BY p.category
ORDER BY units DESC
LIMIT 3;

-- name: top-products-by-units
-- schema: shop
SELECT i.product_id, SUM(i.quantity) AS units
FROM order_items i
GROUP BY i.product_id
ORDER BY units DESC
LIMIT 10;

-- name: top-products-with-names
-- schema: shop
WITH best AS (
  SELECT product_id, COUNT(DISTINCT order_id) AS orders
  FROM order_items
  GROUP BY product_id
  ORDER BY orders DESC
  LIMIT 10
)
SELECT p.product_name, p.brand, best.orders
FROM best
JOIN products p ON p.product_id = best.product_id
ORDER BY best.orders DESC;

-- name: rank-countries
-- schema: shop
SELECT
  c.country,
  SUM(o.amount) AS revenue,
  RANK() OVER (ORDER BY SUM(o.amount) DESC) AS place
FROM customers c JOIN orders o ON o.customer_id = c.customer_id
GROUP BY c.country
ORDER BY place;

-- name: best-channel-per-country
-- schema: shop
WITH counts AS (
  SELECT country, channel, COUNT(*) AS customers FROM customers GROUP BY country, channel
), ranked AS (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY country ORDER BY customers DESC) AS rn FROM counts
)
SELECT country, channel, customers FROM ranked WHERE rn = 1 ORDER BY country;

-- name: top-two-modes-per-card-type
-- schema: transit
SELECT c.card_type, r.mode, COUNT(*) AS rides
FROM rides r JOIN cards c USING (card_id)
GROUP BY c.card_type, r.mode
QUALIFY DENSE_RANK() OVER (PARTITION BY c.card_type ORDER BY COUNT(*) DESC) <= 2
ORDER BY c.card_type, rides DESC;

-- name: busiest-stations
-- schema: transit
SELECT s.station_name, COUNT(*) AS boardings
FROM rides r
JOIN stations s ON s.station_id = r.from_station
GROUP BY s.station_name
ORDER BY boardings DESC, s.station_name
LIMIT 10;

-- name: busiest-relations
-- schema: transit
SELECT a.district AS origin, b.district AS destination, COUNT(*) AS rides
FROM rides r
JOIN stations a ON a.station_id = r.from_station
JOIN stations b ON b.station_id = r.to_station
WHERE a.district <> b.district
GROUP BY a.district, b.district
ORDER BY rides DESC
FETCH FIRST 5 ROWS ONLY;

-- name: most-common-diagnoses
-- schema: clinic
SELECT v.diagnosis, d.title, COUNT(DISTINCT v.patient_id) AS patients
FROM visits v
LEFT JOIN diagnoses d ON d.code = v.diagnosis
WHERE v.diagnosis IS NOT NULL
GROUP BY v.diagnosis, d.title
ORDER BY patients DESC
LIMIT 10;

-- name: departments-above-average-cost
-- schema: clinic
SELECT department, AVG(cost) AS mean_cost
FROM visits
GROUP BY department
HAVING AVG(cost) > (SELECT AVG(cost) FROM visits)
ORDER BY mean_cost DESC;

-- name: spending-quartiles
-- schema: shop
WITH spend AS (
  SELECT customer_id, SUM(amount) AS total
  FROM orders
  WHERE status = 'delivered'
  GROUP BY customer_id
), tiles AS (
  SELECT total, NTILE(4) OVER (ORDER BY total) AS quartile FROM spend
)
SELECT quartile, COUNT(*) AS customers, AVG(total) AS mean_spend
FROM tiles
GROUP BY quartile
ORDER BY quartile;

-- name: busiest-three-months-of-errors
-- schema: product
SELECT month, errors
FROM (
  SELECT date_trunc('month', happened_at) AS month, COUNT(*) AS errors
  FROM events
  WHERE name = 'error'
  GROUP BY 1
) t
ORDER BY errors DESC
LIMIT 3;

-- name: most-used-feature-per-plan
-- schema: product
SELECT DISTINCT ON (plan) plan, name, uses
FROM (
  SELECT s.plan, e.name, COUNT(*) AS uses
  FROM subscriptions s
  JOIN events e ON e.user_id = s.user_id
  WHERE e.name IN ('import', 'export', 'share', 'invite') AND s.ended_on IS NULL
  GROUP BY s.plan, e.name
) per_plan
ORDER BY plan, uses DESC;

-- name: favourite-mode-of-each-card
-- schema: transit
WITH uses AS (
  SELECT card_id, mode, COUNT(*) AS n
  FROM rides
  GROUP BY card_id, mode
), favourite AS (
  SELECT card_id, mode, ROW_NUMBER() OVER (PARTITION BY card_id ORDER BY n DESC, mode) AS place
  FROM uses
)
SELECT mode, COUNT(*) AS cards
FROM favourite
WHERE place = 1
GROUP BY mode
ORDER BY cards DESC;

-- name: slowest-drug-classes
-- schema: clinic
SELECT g.drug_class, g.mean_days, RANK() OVER (ORDER BY g.mean_days DESC) AS rnk
FROM (
  SELECT d.drug_class, AVG(p.days_supply) AS mean_days
  FROM prescriptions p, drugs d
  WHERE p.drug_id = d.drug_id
  GROUP BY d.drug_class
) g
ORDER BY rnk
LIMIT 3;

-- name: approximate-top-versions
-- schema: product
SELECT app_version, COUNT(*) AS sessions
FROM sessions
WHERE app_version IS NOT NULL AND device IN ('mobile', 'tablet')
GROUP BY app_version
HAVING COUNT(*) > 100
ORDER BY 2 DESC
LIMIT 5;
