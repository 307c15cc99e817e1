-- id: grafana.version
-- from: the shape of grafana/grafana public/app/plugins/datasource/grafana-postgresql-datasource/postgresMetaQuery.ts, getVersion
SELECT CAST(current_setting('server_version_num') AS int) / 100 AS version

-- id: grafana.timescale
-- from: the shape of grafana/grafana public/app/plugins/datasource/grafana-postgresql-datasource/postgresMetaQuery.ts, getTimescaleDBVersion
SELECT e.extversion FROM pg_extension e WHERE e.extname = 'timescaledb'

-- id: grafana.schemas
-- from: the shape of grafana/grafana public/app/plugins/datasource/grafana-postgresql-datasource/postgresMetaQuery.ts, showSchemas
SELECT s.schema_name AS "name" FROM information_schema.schemata s WHERE s.schema_name NOT IN ('information_schema', 'pg_catalog', 'pg_toast', '_timescaledb_internal') ORDER BY s.schema_name

-- id: grafana.tables-of-schema
-- from: the shape of grafana/grafana public/app/plugins/datasource/grafana-postgresql-datasource/postgresMetaQuery.ts, showTables
SELECT quote_ident(table_name) AS "table" FROM information_schema.tables WHERE quote_ident(table_schema) = 'public' ORDER BY 1

-- id: grafana.tables
-- from: the shape of grafana/grafana public/app/plugins/datasource/grafana-postgresql-datasource/postgresMetaQuery.ts, showTables
SELECT CASE WHEN quote_ident(table_schema) IN (SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END
      FROM generate_series(array_lower(string_to_array(current_setting('search_path'), ','), 1), array_upper(string_to_array(current_setting('search_path'), ','), 1)) AS i,
        string_to_array(current_setting('search_path'), ',') s)
    THEN quote_ident(table_name) ELSE quote_ident(table_schema) || '.' || quote_ident(table_name) END AS "table"
FROM information_schema.tables
WHERE quote_ident(table_schema) NOT IN ('information_schema', 'pg_catalog', '_timescaledb_cache')
ORDER BY CASE WHEN quote_ident(table_schema) IN (SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END
      FROM generate_series(array_lower(string_to_array(current_setting('search_path'), ','), 1), array_upper(string_to_array(current_setting('search_path'), ','), 1)) AS i,
        string_to_array(current_setting('search_path'), ',') s) THEN 0 ELSE 1 END, 1

-- id: grafana.columns
-- from: the shape of grafana/grafana public/app/plugins/datasource/grafana-postgresql-datasource/postgresMetaQuery.ts, getSchema
SELECT quote_ident(column_name) AS "column", data_type AS "type" FROM information_schema.columns
WHERE CASE WHEN array_length(parse_ident('{{quoted table}}'), 1) = 2
    THEN quote_ident(table_schema) = (parse_ident('{{quoted table}}'))[1] AND quote_ident(table_name) = (parse_ident('{{quoted table}}'))[2]
    ELSE quote_ident(table_name) = '{{quoted table}}' AND quote_ident(table_schema) IN (SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END
      FROM generate_series(array_lower(string_to_array(current_setting('search_path'), ','), 1), array_upper(string_to_array(current_setting('search_path'), ','), 1)) AS i,
        string_to_array(current_setting('search_path'), ',') s) END

-- id: grafana.find-time-column
-- from: the shape of grafana/grafana public/app/plugins/datasource/postgres/meta_query.ts (version 7), buildTableQuery and buildColumnQuery
SELECT quote_ident(table_name) AS name FROM information_schema.tables t
WHERE EXISTS (SELECT 1 FROM information_schema.columns c WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name AND udt_name IN ('float4', 'float8'))
  AND EXISTS (SELECT 1 FROM information_schema.columns c WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name AND udt_name IN ('timestamptz', 'timestamp'))
ORDER BY table_name LIMIT 1
