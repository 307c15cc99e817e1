-- name: revenue-by-region
-- schema: shop
SELECT r.region, SUM(o.amount) AS gross, SUM(o.amount / (1 + r.vat)) AS net
FROM orders o
JOIN customers c ON c.customer_id = o.customer_id
JOIN regions r ON r.country = c.country
GROUP BY r.region
ORDER BY net DESC;

-- name: customers-per-million
-- schema: shop
WITH counts AS (
  SELECT country, COUNT(*) AS customers FROM customers GROUP BY country
)
SELECT r.country, c.customers * 1e6 / r.population AS per_million
FROM regions r
LEFT JOIN counts c ON c.country = r.country
ORDER BY per_million DESC;

-- name: holiday-orders
-- schema: shop
SELECT d.is_holiday, COUNT(*) AS orders, AVG(o.amount) AS basket
FROM orders o
JOIN calendar d ON d.day = o.ordered_at::date
GROUP BY d.is_holiday;

-- name: basket-size
-- schema: shop
SELECT AVG(lines) AS lines_per_order, AVG(units) AS units_per_order
FROM (
  SELECT o.order_id, COUNT(*) AS lines, SUM(i.quantity) AS units
  FROM orders o
  JOIN order_items i ON i.order_id = o.order_id
  GROUP BY o.order_id
) baskets;

-- name: bought-together
-- schema: shop
SELECT a_p.category AS category_a, b_p.category AS category_b, COUNT(DISTINCT a.order_id) AS orders
FROM order_items a
JOIN order_items b ON a.order_id = b.order_id
JOIN products a_p ON a_p.product_id = a.product_id
JOIN products b_p ON b_p.product_id = b.product_id
WHERE a_p.category < b_p.category
GROUP BY 1, 2
ORDER BY 3 DESC;

-- name: new-products-revenue
-- schema: shop
SELECT SUM(i.quantity * i.unit_price) AS revenue
FROM order_items i
WHERE i.product_id IN (SELECT product_id FROM products WHERE launched_on >= '2024-01-01');

-- name: prices-below-list
-- schema: shop
SELECT p.category, AVG(1 - i.unit_price / NULLIF(p.list_price, 0)) AS mean_markdown
FROM order_items i
INNER JOIN products p ON p.product_id = i.product_id AND i.unit_price < p.list_price
GROUP BY p.category;

-- name: inhospital-load-by-building
-- schema: clinic
SELECT d.building, SUM(d.beds) AS beds, AVG(EXTRACT(EPOCH FROM (v.discharged_at - v.admitted_at)) / 86400.0) AS mean_days
FROM visits v
JOIN departments d ON d.department = v.department
GROUP BY d.building;

-- name: diabetics-on-statins
-- schema: clinic
SELECT COUNT(DISTINCT v.patient_id) AS patients
FROM visits v
JOIN prescriptions p ON p.visit_id = v.visit_id
JOIN drugs d ON d.drug_id = p.drug_id AND d.drug_class = 'statin'
WHERE v.patient_id IN (
  SELECT patient_id FROM labs WHERE test = 'hba1c' AND result > 48
);

-- name: cost-by-doctor-seniority
-- schema: clinic
SELECT COALESCE(doc.seniority, 'unknown') AS seniority, COUNT(*) AS visits, SUM(v.cost) AS cost
FROM visits v
LEFT JOIN doctors doc ON doc.doctor_id = v.doctor_id
GROUP BY 1
ORDER BY cost DESC;

-- name: last-lab-before-admission
-- schema: clinic
SELECT v.department, AVG(l.result) AS last_crp
FROM visits v
JOIN LATERAL (
  SELECT result
  FROM labs
  WHERE labs.patient_id = v.patient_id AND labs.test = 'crp' AND labs.taken_at <= v.admitted_at
  ORDER BY labs.taken_at DESC
  LIMIT 1
) l ON TRUE
GROUP BY v.department;

-- name: sessions-on-new-releases
-- schema: product
SELECT r.is_major, COUNT(*) AS sessions, AVG(s.page_views) AS pages
FROM sessions s
JOIN releases r ON r.app_version = s.app_version
WHERE s.started_at::date - r.released_on BETWEEN 0 AND 30
GROUP BY r.is_major;

-- name: list-price-against-paid
-- schema: product
SELECT p.plan, p.monthly_price, AVG(s.mrr / s.seats) AS paid_per_seat, COUNT(*) AS subscriptions
FROM subscriptions s
JOIN plans p ON p.plan = s.plan
GROUP BY p.plan, p.monthly_price
ORDER BY p.monthly_price;

-- name: every-plan-even-if-empty
-- schema: product
SELECT p.plan, COUNT(s.user_id) AS active
FROM plans p
LEFT OUTER JOIN subscriptions s ON s.plan = p.plan AND s.started_on >= '2024-12-01'
GROUP BY p.plan
ORDER BY p.plan;

-- name: rides-and-topups-per-card-type
-- schema: transit
WITH r AS (
  SELECT card_id, COUNT(*) AS rides, SUM(fare) AS spent FROM rides GROUP BY card_id
), t AS (
  SELECT card_id, SUM(amount) AS paid_in FROM topups GROUP BY card_id
)
SELECT c.card_type, AVG(COALESCE(r.rides, 0)) AS rides, AVG(COALESCE(t.paid_in, 0) - COALESCE(r.spent, 0)) AS balance
FROM cards c
LEFT JOIN r ON r.card_id = c.card_id
LEFT JOIN t ON t.card_id = c.card_id
GROUP BY c.card_type;

-- name: days-above-the-cap
-- schema: transit
WITH per_day AS (
  SELECT r.card_id, c.card_type, r.tapped_in::date AS day, SUM(r.fare) AS spent
  FROM rides r
  JOIN cards c ON c.card_id = r.card_id
  GROUP BY 1, 2, 3
)
SELECT d.card_type, COUNT(*) AS days_above_cap
FROM per_day d
JOIN fares f ON f.card_type = d.card_type
WHERE d.spent > f.day_cap
GROUP BY d.card_type;
