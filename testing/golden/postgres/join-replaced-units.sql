-- SELECT COUNT(DISTINCT id) FROM people
SELECT CAST(0 AS numeric) AS units, CAST(coalesce(sum(1), 0) AS numeric) AS s0 FROM (SELECT source."the name of the" AS u FROM (SELECT parsed."the name of the" FROM (SELECT raw."id" AS "the name of the" FROM "public"."people" AS raw) AS parsed) AS source WHERE source."the name of the" IS NOT NULL GROUP BY 1) AS unit
