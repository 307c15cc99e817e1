-- SELECT COUNT(*) FROM people
SELECT CAST(0 AS numeric) AS units, CAST(count(*) AS numeric) AS s0 FROM (SELECT 1 AS nothing FROM "public"."people" AS raw) AS source
