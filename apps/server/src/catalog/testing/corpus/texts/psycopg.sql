-- id: psycopg3.EnumInfo.mood
-- from: captured from psycopg 3.3.9: EnumInfo.mood
-- parameters: ["mood"]
SELECT name, oid, array_oid, regtype, array_agg(label) AS labels
FROM (
    SELECT
        t.typname AS name, t.oid AS oid, t.typarray AS array_oid,
        t.oid::regtype::text AS regtype, e.enumlabel AS label
    FROM pg_type t
    LEFT JOIN  pg_enum e
    ON e.enumtypid = t.oid
    WHERE t.oid = to_regtype($1)
    ORDER BY e.enumsortorder
) x
GROUP BY name, oid, array_oid, regtype

-- id: psycopg3.CompositeInfo.table
-- from: captured from psycopg 3.3.9: CompositeInfo.{{table}}
-- parameters: ["{{quoted table}}"]
SELECT
    t.typname AS name, t.oid AS oid, t.typarray AS array_oid,
    t.oid::regtype::text AS regtype,
    coalesce(a.fnames, '{}') AS field_names,
    coalesce(a.ftypes, '{}') AS field_types
FROM pg_type t
LEFT JOIN (
    SELECT
        attrelid,
        array_agg(attname) AS fnames,
        array_agg(atttypid) AS ftypes
    FROM (
        SELECT a.attrelid, a.attname, a.atttypid
        FROM pg_attribute a
        JOIN pg_type t ON t.typrelid = a.attrelid
        WHERE t.oid = to_regtype($1)
        AND a.attnum > 0
        AND NOT a.attisdropped
        ORDER BY a.attnum
    ) x
    GROUP BY attrelid
) a ON a.attrelid = t.typrelid
WHERE t.oid = to_regtype($1)

-- id: psycopg3.RangeInfo.int4range
-- from: captured from psycopg 3.3.9: RangeInfo.int4range
-- parameters: ["int4range"]
SELECT t.typname AS name, t.oid AS oid, t.typarray AS array_oid,
    t.oid::regtype::text AS regtype,
    r.rngsubtype AS subtype_oid
FROM pg_type t
JOIN pg_range r ON t.oid = r.rngtypid
WHERE t.oid = to_regtype($1)

-- id: psycopg3.MultirangeInfo.int4multirange
-- from: captured from psycopg 3.3.9: MultirangeInfo.int4multirange
-- parameters: ["int4multirange"]
SELECT t.typname AS name, t.oid AS oid, t.typarray AS array_oid,
    t.oid::regtype::text AS regtype,
    r.rngtypid AS range_oid, r.rngsubtype AS subtype_oid
FROM pg_type t
JOIN pg_range r ON t.oid = r.rngmultitypid
WHERE t.oid = to_regtype($1)

-- id: psycopg2.composite
-- from: captured from psycopg2 2.9.13: composite
SELECT t.oid, typarray, attname, atttypid
FROM pg_type t
JOIN pg_namespace ns ON typnamespace = ns.oid
JOIN pg_attribute a ON attrelid = typrelid
WHERE typname = '{{table}}' AND nspname = 'public'
    AND attnum > 0 AND NOT attisdropped
ORDER BY attnum

-- id: psycopg2.range
-- from: captured from psycopg2 2.9.13: range
select rngtypid, rngsubtype, typarray
from pg_range r
join pg_type t on t.oid = rngtypid
join pg_namespace ns on ns.oid = typnamespace
where typname = 'int4range' and ns.nspname = 'public'

-- id: psycopg2.range.2
-- from: captured from psycopg2 2.9.13: range
SELECT rngtypid, rngsubtype, typarray, typname, nspname
from pg_range r
join pg_type t on t.oid = rngtypid
join pg_namespace ns on ns.oid = typnamespace
WHERE t.oid = 'int4range'::regtype

-- id: psycopg2.inet
-- from: captured from psycopg2 2.9.13: inet
SELECT t.oid, typarray FROM pg_type t WHERE t.typname = 'json'
