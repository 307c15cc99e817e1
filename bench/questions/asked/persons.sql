-- Questions about single persons, which no system of this kind may answer: each must be refused, with a rewrite that is accepted.

-- name: list-of-customers
-- schema: shop
-- expect: refusal
SELECT customer_id, email, city
FROM customers
WHERE tier = 'gold'
ORDER BY signed_up_on;

-- name: biggest-spenders-by-name
-- schema: shop
-- expect: refusal
SELECT c.email, SUM(o.amount) AS total
FROM customers c
JOIN orders o ON o.customer_id = c.customer_id
GROUP BY c.email, c.customer_id
ORDER BY total DESC
LIMIT 10;

-- name: last-name-of-all
-- schema: clinic
-- expect: refusal
SELECT MAX(full_name) FROM patients;

-- name: one-patient
-- schema: clinic
-- expect: refusal
SELECT * FROM visits WHERE patient_id = 4711;

-- name: names-in-a-list
-- schema: clinic
-- expect: refusal
SELECT department, string_agg(complaint, ', ' ORDER BY admitted_at) AS complaints
FROM visits
GROUP BY department;

-- name: each-with-the-mean-of-all
-- schema: product
-- expect: refusal
SELECT user_id, mrr, mrr - AVG(mrr) OVER (PARTITION BY plan) AS above_plan_mean
FROM subscriptions;

-- name: sample-rows
-- schema: transit
-- dialect: postgres
-- expect: refusal
SELECT * FROM rides TABLESAMPLE BERNOULLI (1);

-- name: pairs-of-strangers
-- schema: transit
-- expect: refusal
SELECT a.card_id, b.card_id, COUNT(*) AS shared_rides
FROM rides a
JOIN rides b ON a.from_station = b.from_station AND a.tapped_in = b.tapped_in AND a.card_id <> b.card_id
GROUP BY 1, 2
ORDER BY 3 DESC
LIMIT 20;
