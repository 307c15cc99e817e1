-- SELECT town, COUNT(*) FROM people GROUP BY town
SELECT source."town" AS k0, CAST(count(*) AS decimal(38, 0)) AS units, CAST(count(*) AS decimal(38, 0)) AS s0, CAST(count(*) AS decimal(38, 0)) AS s1 FROM (SELECT CAST(substr(parsed."town", 1, 256) AS varchar) AS "town" FROM (SELECT CAST(raw."town" AS varchar) AS "town" FROM "lake"."public"."people" AS raw) AS parsed) AS source GROUP BY 1
