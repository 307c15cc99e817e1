-- SELECT town, COUNT(*) FROM people GROUP BY town
SELECT source."town" AS k0, CAST(count(*) AS numeric) AS units, CAST(count(*) AS numeric) AS s0, CAST(count(*) AS numeric) AS s1 FROM (SELECT CAST(left(parsed."town", 256) AS text) AS "town" FROM (SELECT (CAST(raw."town" AS text) COLLATE "C") AS "town" FROM "public"."people" AS raw) AS parsed) AS source GROUP BY 1
