-- name: email-domains
-- schema: shop
SELECT LOWER(split_part(email, '@', 2)) AS domain, COUNT(*) AS customers
FROM customers
WHERE email LIKE '%@%'
GROUP BY 1
HAVING COUNT(*) >= 25
ORDER BY customers DESC;

-- name: messy-city-names
-- schema: shop
-- dialect: postgres
SELECT INITCAP(TRIM(city)) AS city, COUNT(*) AS customers
FROM customers
GROUP BY 1
ORDER BY 2 DESC
LIMIT 8;

-- name: invalid-emails
-- schema: shop
SELECT COUNT(*) AS broken
FROM customers
WHERE email IS NULL
   OR email !~ '^[^@[:space:]]+@[^@[:space:]]+\.[a-z]{2,}$';

-- name: missing-values-report
-- schema: shop
SELECT
  COUNT(*) AS n,
  COUNT(*) - COUNT(email) AS email_missing,
  SUM(CASE WHEN city IS NULL OR TRIM(city) = '' THEN 1 ELSE 0 END) AS city_missing,
  SUM(CASE WHEN birth_year IS NULL THEN 1 ELSE 0 END) AS birth_year_missing,
  ROUND(100.0 * COUNT(phone) / COUNT(*), 1) AS pct_phone
FROM customers;

-- name: coupons-normalised
-- schema: shop
SELECT UPPER(REPLACE(TRIM(coupon), ' ', '')) AS coupon, COUNT(*) AS uses, SUM(discount) AS given
FROM orders
WHERE NULLIF(TRIM(coupon), '') IS NOT NULL
GROUP BY 1
ORDER BY uses DESC
LIMIT 10;

-- name: duplicate-orders
-- schema: shop
SELECT COUNT(*) AS suspected_duplicates
FROM orders a
JOIN orders b
  ON a.customer_id = b.customer_id
 AND a.order_id < b.order_id
 AND a.amount = b.amount
 AND b.ordered_at - a.ordered_at < INTERVAL '10 minutes';

-- name: result-text-to-number
-- schema: clinic
SELECT test, AVG(TRY_CAST(REPLACE(result_text, ',', '.') AS DOUBLE)) AS mean_result, COUNT(*) AS n
FROM labs
WHERE result_text NOT LIKE '<%'
GROUP BY test;

-- name: outliers-capped
-- schema: clinic
SELECT department, AVG(LEAST(cost, 10000)) AS capped_mean, SUM(GREATEST(cost - 10000, 0)) AS above_cap
FROM visits
GROUP BY department;

-- name: postcode-regions
-- schema: clinic
SELECT LEFT(postcode, 1) AS area, COUNT(*) AS patients
FROM patients
WHERE postcode SIMILAR TO '[0-9]{5}'
GROUP BY LEFT(postcode, 1)
ORDER BY area;

-- name: complaint-keywords
-- schema: clinic
-- dialect: postgres
SELECT
  CASE
    WHEN complaint ILIKE '%chest%' OR complaint ILIKE '%heart%' THEN 'chest'
    WHEN complaint ILIKE '%head%' THEN 'head'
    WHEN complaint ILIKE ANY (ARRAY['%leg%', '%knee%', '%foot%']) THEN 'leg'
    ELSE 'other'
  END AS topic,
  COUNT(*) AS visits
FROM visits
GROUP BY 1;

-- name: impossible-stays
-- schema: clinic
SELECT
  COUNT(*) FILTER (WHERE discharged_at < admitted_at) AS negative_stays,
  COUNT(*) FILTER (WHERE discharged_at IS NULL) AS still_in_house,
  COUNT(*) FILTER (WHERE discharged_at - admitted_at > INTERVAL '60 days') AS very_long
FROM visits;

-- name: major-versions
-- schema: product
SELECT CAST(split_part(app_version, '.', 1) AS INTEGER) AS major, COUNT(*) AS sessions
FROM sessions
WHERE regexp_matches(app_version, '^[0-9]+\.[0-9]+')
GROUP BY major
ORDER BY major;

-- name: job-families
-- schema: product
SELECT
  CASE
    WHEN LOWER(job_title) LIKE '%engineer%' OR LOWER(job_title) LIKE '%developer%' THEN 'engineering'
    WHEN LOWER(job_title) LIKE '%market%' THEN 'marketing'
    WHEN job_title IS NULL THEN 'unknown'
    ELSE 'other'
  END AS family,
  COUNT(*) AS users,
  ROUND(AVG(age), 1) AS mean_age
FROM users
GROUP BY family;

-- name: session-lengths-without-zombies
-- schema: product
SELECT
  device,
  AVG(date_diff('minute', started_at, ended_at)) AS minutes
FROM sessions
WHERE ended_at > started_at
  AND date_diff('hour', started_at, ended_at) < 12
GROUP BY device;

-- name: unknown-stations
-- schema: transit
SELECT COUNT(*) AS rides_without_station
FROM rides r
LEFT JOIN stations s ON s.station_id = r.to_station
WHERE s.station_id IS NULL;

-- name: cancel-reasons-standardised
-- schema: product
SELECT
  COALESCE(NULLIF(regexp_replace(LOWER(TRIM(cancel_reason)), '[^a-z ]', '', 'g'), ''), 'not given') AS reason,
  COUNT(*) AS cancellations
FROM subscriptions
WHERE ended_on IS NOT NULL
GROUP BY 1
ORDER BY cancellations DESC
LIMIT 5;
