-- name: orders-per-month
-- schema: shop
SELECT date_trunc('month', ordered_at) AS month, COUNT(*) AS orders, SUM(amount) AS revenue, AVG(amount) AS basket
FROM orders
GROUP BY month
ORDER BY month;

-- name: three-months-of-orders
-- schema: shop
SELECT date_trunc('month', ordered_at) AS month, COUNT(*) AS orders
FROM orders
WHERE ordered_at >= '2024-10-01' AND ordered_at < '2025-01-01'
GROUP BY 1
ORDER BY 1;

-- name: month-over-month-growth
-- schema: shop
WITH monthly AS (
  SELECT date_trunc('month', ordered_at) AS month, SUM(amount) AS revenue
  FROM orders
  WHERE status NOT IN ('cancelled', 'returned')
  GROUP BY 1
)
SELECT
  month,
  revenue,
  LAG(revenue) OVER (ORDER BY month) AS previous,
  100 * (revenue - LAG(revenue) OVER (ORDER BY month)) / NULLIF(LAG(revenue) OVER (ORDER BY month), 0) AS growth_pct
FROM monthly
ORDER BY month;

-- name: year-over-year
-- schema: shop
SELECT
  EXTRACT(MONTH FROM ordered_at) AS month,
  SUM(amount) FILTER (WHERE EXTRACT(YEAR FROM ordered_at) = 2023) AS revenue_2023,
  SUM(amount) FILTER (WHERE EXTRACT(YEAR FROM ordered_at) = 2024) AS revenue_2024
FROM orders
GROUP BY 1
ORDER BY 1;

-- name: running-total-of-patients
-- schema: clinic
SELECT
  date_trunc('year', registered_on) AS year,
  COUNT(*) AS registered,
  SUM(COUNT(*)) OVER (ORDER BY date_trunc('year', registered_on)) AS cumulative
FROM patients
GROUP BY 1
ORDER BY 1;

-- name: three-month-moving-average
-- schema: clinic
WITH m AS (
  SELECT date_trunc('month', admitted_at) AS month, COUNT(*) AS visits
  FROM visits
  GROUP BY 1
)
SELECT month, visits, AVG(visits) OVER (ORDER BY month ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS moving_avg
FROM m
ORDER BY month;

-- name: visits-by-weekday
-- schema: clinic
SELECT dayname(admitted_at) AS weekday, COUNT(*) AS visits
FROM visits
GROUP BY weekday
ORDER BY visits DESC;

-- name: rides-by-hour-of-day
-- schema: transit
SELECT EXTRACT(HOUR FROM tapped_in) AS hour, COUNT(*) AS rides
FROM rides
GROUP BY hour
ORDER BY hour;

-- name: month-labels
-- schema: transit
-- dialect: postgres
SELECT to_char(tapped_in, 'YYYY-MM') AS month, COUNT(*) AS rides, SUM(fare) AS income
FROM rides
GROUP BY to_char(tapped_in, 'YYYY-MM')
ORDER BY 1;

-- name: quarter-labels
-- schema: shop
SELECT
  EXTRACT(YEAR FROM ordered_at) || '-Q' || EXTRACT(QUARTER FROM ordered_at) AS quarter,
  COUNT(*) AS orders
FROM orders
GROUP BY 1
ORDER BY 1;

-- name: daily-rides-with-zero-days
-- schema: transit
SELECT d.day, COUNT(r.card_id) AS ferry_rides
FROM calendar d
LEFT JOIN rides r ON r.tapped_in::date = d.day AND r.mode = 'ferry'
WHERE d.day BETWEEN '2024-12-01' AND '2024-12-31'
GROUP BY d.day
ORDER BY d.day;

-- name: last-twelve-months
-- schema: product
SELECT date_trunc('month', created_at) AS month, COUNT(*) AS new_users
FROM users
WHERE created_at >= date_trunc('month', CURRENT_DATE) - INTERVAL '12 months'
GROUP BY month
ORDER BY month;

-- name: local-time-peak-hours
-- schema: product
SELECT
  EXTRACT(HOUR FROM started_at AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York') AS local_hour,
  COUNT(*) AS sessions
FROM sessions
GROUP BY 1
ORDER BY sessions DESC
LIMIT 5;

-- name: weekly-buckets
-- schema: product
SELECT time_bucket(INTERVAL '1 week', happened_at) AS week, COUNT(*) AS errors
FROM events
WHERE name = 'error' AND happened_at >= TIMESTAMP '2024-10-01'
GROUP BY week
ORDER BY week;

-- name: seasonal-lab-results
-- schema: clinic
SELECT strftime(taken_at, '%Y-%m') AS month, AVG(result) AS mean_crp, STDDEV(result) AS sd_crp
FROM labs
WHERE test = 'crp'
GROUP BY ALL
ORDER BY month;

-- name: best-month-per-year
-- schema: shop
SELECT
  EXTRACT(YEAR FROM ordered_at) AS year,
  EXTRACT(MONTH FROM ordered_at) AS month,
  SUM(amount) AS revenue
FROM orders
GROUP BY 1, 2
QUALIFY ROW_NUMBER() OVER (PARTITION BY year ORDER BY revenue DESC) = 1;

-- name: mrr-started-and-ended-by-month
-- schema: product
WITH gained AS (
  SELECT date_trunc('month', started_on) AS month, SUM(mrr) AS mrr FROM subscriptions GROUP BY 1
), lost AS (
  SELECT date_trunc('month', ended_on) AS month, SUM(mrr) AS mrr FROM subscriptions WHERE ended_on IS NOT NULL GROUP BY 1
)
SELECT gained.month, gained.mrr AS new_mrr, COALESCE(lost.mrr, 0) AS lost_mrr, gained.mrr - COALESCE(lost.mrr, 0) AS net
FROM gained LEFT JOIN lost ON lost.month = gained.month
ORDER BY gained.month;

-- name: peak-and-off-peak
-- schema: transit
SELECT
  date_trunc('month', tapped_in) AS month,
  CASE WHEN EXTRACT(DOW FROM tapped_in) IN (0, 6) THEN 'weekend'
       WHEN tapped_in::time BETWEEN TIME '07:00' AND TIME '09:30' THEN 'morning peak'
       WHEN EXTRACT(HOUR FROM tapped_in) BETWEEN 16 AND 18 THEN 'evening peak'
       ELSE 'off peak' END AS period,
  COUNT(*) AS rides
FROM rides
GROUP BY 1, 2
ORDER BY 1, 2;
