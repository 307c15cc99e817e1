-- id: dbt.catalog
-- from: the shape of dbt-labs/dbt-adapters dbt-postgres/src/dbt/include/postgres/macros/catalog.sql, postgres__get_catalog_relations
SELECT 'lethe' AS table_database, sch.nspname AS table_schema, tbl.relname AS table_name, CASE tbl.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'BASE TABLE' END AS table_type,
  tbl_desc.description AS table_comment, col.attname AS column_name, col.attnum AS column_index, pg_catalog.format_type(col.atttypid, col.atttypmod) AS column_type, col_desc.description AS column_comment, pg_get_userbyid(tbl.relowner) AS table_owner
FROM pg_catalog.pg_namespace sch JOIN pg_catalog.pg_class tbl ON tbl.relnamespace = sch.oid JOIN pg_catalog.pg_attribute col ON col.attrelid = tbl.oid
  LEFT OUTER JOIN pg_catalog.pg_description tbl_desc ON (tbl_desc.objoid = tbl.oid AND tbl_desc.objsubid = 0) LEFT OUTER JOIN pg_catalog.pg_description col_desc ON (col_desc.objoid = tbl.oid AND col_desc.objsubid = col.attnum)
WHERE (upper(sch.nspname) = upper('public')) AND NOT pg_is_other_temp_schema(sch.oid) AND tbl.relpersistence IN ('p', 'u') AND tbl.relkind IN ('r', 'v', 'f', 'p', 'm') AND col.attnum > 0 AND NOT col.attisdropped
ORDER BY sch.nspname, tbl.relname, col.attnum
