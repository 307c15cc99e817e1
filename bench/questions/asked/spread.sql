-- name: order-value-percentiles
-- schema: shop
SELECT
  percentile_cont(0.25) WITHIN GROUP (ORDER BY amount) AS p25,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) AS median,
  percentile_cont(0.9) WITHIN GROUP (ORDER BY amount) AS p90
FROM orders
WHERE status = 'delivered';

-- name: delivery-days-by-country
-- schema: shop
SELECT
  c.country,
  AVG(delivered_at::date - ordered_at::date) AS mean_days,
  quantile_cont(delivered_at::date - ordered_at::date, 0.9) AS p90_days
FROM orders o
JOIN customers c ON c.customer_id = o.customer_id
WHERE delivered_at IS NOT NULL
GROUP BY c.country
ORDER BY mean_days;

-- name: histogram-of-costs
-- schema: clinic
SELECT FLOOR(cost / 1000) * 1000 AS bucket, COUNT(*) AS visits
FROM visits
GROUP BY 1
ORDER BY 1;

-- name: width-buckets-of-fares
-- schema: transit
-- dialect: postgres
SELECT width_bucket(fare, 0, 10, 5) AS bucket, COUNT(*) AS rides, AVG(distance_km) AS km
FROM rides
GROUP BY bucket
ORDER BY bucket;

-- name: fare-and-distance
-- schema: transit
SELECT mode, CORR(fare, distance_km) AS r, REGR_SLOPE(fare, distance_km) AS per_km, SKEWNESS(fare) AS skew
FROM rides
GROUP BY mode;

-- name: z-scores-of-departments
-- schema: clinic
WITH d AS (
  SELECT department, AVG(cost) AS mean_cost FROM visits GROUP BY department
)
SELECT
  department,
  mean_cost,
  (mean_cost - AVG(mean_cost) OVER ()) / NULLIF(STDDEV(mean_cost) OVER (), 0) AS z
FROM d
ORDER BY z DESC;
