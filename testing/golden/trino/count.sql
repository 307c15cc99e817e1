-- SELECT COUNT(*) FROM people
SELECT CAST(0 AS decimal(38, 0)) AS units, CAST(count(*) AS decimal(38, 0)) AS s0 FROM (SELECT 1 AS nothing FROM "lake"."public"."people" AS raw) AS source
