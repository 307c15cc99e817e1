-- id: superset.catalogs
-- from: the shape of apache/superset superset/db_engine_specs/postgres.py, get_catalog_names
SELECT d.datname FROM pg_database AS d WHERE d.datistemplate = false

-- id: superset.backend
-- from: the shape of apache/superset superset/db_engine_specs/postgres.py, get_cancel_query_id
SELECT pg_backend_pid() AS pid

-- id: superset.cancel
-- from: the shape of apache/superset superset/db_engine_specs/postgres.py, cancel_query
SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity AS a WHERE a.pid = '1'
