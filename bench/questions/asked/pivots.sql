-- name: status-by-payment
-- schema: shop
SELECT
  payment,
  SUM(CASE WHEN status = 'delivered' THEN 1 ELSE 0 END) AS delivered,
  SUM(CASE WHEN status = 'returned' THEN 1 ELSE 0 END) AS returned,
  SUM(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END) AS cancelled
FROM orders
GROUP BY payment;

-- name: three-plans-counted
-- schema: product
SELECT
  COUNT(*) FILTER (WHERE plan = 'starter') AS starter,
  COUNT(*) FILTER (WHERE plan = 'pro') AS pro,
  COUNT(*) FILTER (WHERE plan = 'enterprise') AS enterprise
FROM subscriptions
WHERE ended_on IS NULL;

-- name: revenue-by-season-and-category
-- schema: shop
SELECT
  p.category,
  SUM(i.quantity * i.unit_price) FILTER (WHERE d.season = 'winter') AS winter,
  SUM(i.quantity * i.unit_price) FILTER (WHERE d.season = 'spring') AS spring,
  SUM(i.quantity * i.unit_price) FILTER (WHERE d.season = 'summer') AS summer,
  SUM(i.quantity * i.unit_price) FILTER (WHERE d.season = 'autumn') AS autumn
FROM order_items i
JOIN orders o ON o.order_id = i.order_id
JOIN products p ON p.product_id = i.product_id
JOIN calendar d ON d.day = CAST(o.ordered_at AS DATE)
GROUP BY p.category
ORDER BY p.category;

-- name: rollup-of-revenue
-- schema: shop
SELECT c.country, c.tier, SUM(o.amount) AS revenue, COUNT(*) AS orders
FROM customers c
JOIN orders o ON o.customer_id = c.customer_id
GROUP BY ROLLUP (c.country, c.tier)
ORDER BY c.country NULLS LAST, c.tier NULLS LAST;

-- name: cube-with-labels
-- schema: clinic
SELECT
  COALESCE(sex, 'all') AS sex,
  COALESCE(insurance, 'all') AS insurance,
  COUNT(*) AS patients
FROM patients
GROUP BY CUBE (sex, insurance);

-- name: grouping-sets-of-rides
-- schema: transit
SELECT mode, EXTRACT(MONTH FROM tapped_in) AS month, GROUPING(mode) AS is_total, SUM(fare) AS income
FROM rides
GROUP BY GROUPING SETS ((mode, EXTRACT(MONTH FROM tapped_in)), (mode), ());

-- name: tests-per-sex
-- schema: clinic
SELECT
  l.test,
  AVG(CASE WHEN p.sex = 'F' THEN l.result END) AS women,
  AVG(CASE WHEN p.sex = 'M' THEN l.result END) AS men
FROM labs l
JOIN patients p ON p.patient_id = l.patient_id
GROUP BY l.test
ORDER BY l.test;

-- name: hours-by-weekday-pivot
-- schema: transit
SELECT
  EXTRACT(HOUR FROM tapped_in) AS hr,
  COUNT(CASE WHEN EXTRACT(ISODOW FROM tapped_in) = 1 THEN 1 END) AS mon,
  COUNT(CASE WHEN EXTRACT(ISODOW FROM tapped_in) = 2 THEN 1 END) AS tue,
  COUNT(CASE WHEN EXTRACT(ISODOW FROM tapped_in) = 3 THEN 1 END) AS wed,
  COUNT(CASE WHEN EXTRACT(ISODOW FROM tapped_in) = 4 THEN 1 END) AS thu,
  COUNT(CASE WHEN EXTRACT(ISODOW FROM tapped_in) = 5 THEN 1 END) AS fri
FROM rides
WHERE EXTRACT(HOUR FROM tapped_in) BETWEEN 6 AND 20
GROUP BY hr
ORDER BY hr;

-- name: events-per-experiment
-- schema: product
SELECT
  a.experiment,
  a.variant,
  COUNT(DISTINCT a.user_id) AS users,
  COUNT(e.name) FILTER (WHERE e.name = 'invite') AS invites,
  COUNT(e.name) FILTER (WHERE e.name = 'share') AS shares,
  COUNT(e.name) FILTER (WHERE e.name = 'error') AS errors
FROM assignments a
LEFT JOIN events e ON e.user_id = a.user_id AND e.happened_at >= a.assigned_at
GROUP BY a.experiment, a.variant
ORDER BY a.experiment, a.variant;

-- name: unpivoted-body-measures
-- schema: clinic
SELECT 'height' AS measure, AVG(height_cm) AS mean, STDDEV_SAMP(height_cm) AS sd FROM patients
UNION ALL
SELECT 'weight', AVG(weight_kg), STDDEV_SAMP(weight_kg) FROM patients;

-- name: tier-by-newsletter
-- schema: shop
SELECT
  tier,
  COUNT(*) FILTER (WHERE newsletter) AS subscribed,
  COUNT(*) FILTER (WHERE NOT newsletter) AS not_subscribed,
  COUNT(*) FILTER (WHERE newsletter IS NULL) AS unknown
FROM main.customers
GROUP BY tier
ORDER BY CASE tier WHEN 'gold' THEN 1 WHEN 'silver' THEN 2 ELSE 3 END;

-- name: age-bands-by-department
-- schema: clinic
SELECT
  v.department,
  COUNT(DISTINCT v.patient_id) FILTER (WHERE age(v.admitted_at, p.birth_date) < INTERVAL '18 years') AS minors,
  COUNT(DISTINCT v.patient_id) FILTER (WHERE age(v.admitted_at, p.birth_date) >= INTERVAL '65 years') AS seniors,
  COUNT(DISTINCT v.patient_id) AS patients
FROM visits v
JOIN patients p ON p.patient_id = v.patient_id
GROUP BY v.department;

-- name: quarters-as-columns
-- schema: product
WITH q AS (
  SELECT u.source, date_part('quarter', u.created_at) AS quarter, COUNT(*) AS users
  FROM users u
  WHERE u.created_at >= '2024-01-01'
  GROUP BY 1, 2
)
SELECT
  source,
  MAX(users) FILTER (WHERE quarter = 1) AS q1,
  MAX(users) FILTER (WHERE quarter = 2) AS q2,
  MAX(users) FILTER (WHERE quarter = 3) AS q3,
  MAX(users) FILTER (WHERE quarter = 4) AS q4
FROM q
GROUP BY source
ORDER BY source;

-- name: topups-by-size-and-method
-- schema: transit
SELECT
  method,
  SUM(IF(amount < 20, 1, 0)) AS small,
  SUM(IF(amount >= 20 AND amount < 50, 1, 0)) AS medium,
  SUM(IF(amount >= 50, 1, 0)) AS large,
  SUM(amount) AS total
FROM topups
GROUP BY method;
