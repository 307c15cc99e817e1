-- id: jetbrains.session
-- from: the shape of what DataGrip sends, by datafusion-contrib/datafusion-postgres issue 165
SELECT current_database() AS a, current_schemas(false) AS b

-- id: jetbrains.user
-- from: the shape of what DataGrip sends, by datafusion-contrib/datafusion-postgres issue 165
SELECT current_database(), current_schema(), current_user

-- id: jetbrains.superuser
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT u.usesuper FROM pg_user u WHERE u.usename = current_user

-- id: jetbrains.start-time
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT round(extract(epoch FROM pg_postmaster_start_time() AT TIME ZONE 'UTC')) AS startup_time

-- id: jetbrains.databases
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT N.oid::bigint AS id, datname AS name, D.description, datistemplate AS is_template, datallowconn AS allow_connections, pg_catalog.pg_get_userbyid(N.datdba) AS "owner"
FROM pg_catalog.pg_database N LEFT JOIN pg_catalog.pg_shdescription D ON D.objoid = N.oid ORDER BY CASE WHEN datname = pg_catalog.current_database() THEN -1::bigint ELSE N.oid::bigint END

-- id: jetbrains.schemas
-- from: the shape of what DataGrip sends, by risingwavelabs/risingwave issue 14224 and dolthub/doltgresql issue 791
SELECT N.oid::bigint AS id, N.xmin AS state_number, nspname AS name, D.description, pg_catalog.pg_get_userbyid(N.nspowner) AS "owner"
FROM pg_catalog.pg_namespace N LEFT JOIN pg_catalog.pg_description D ON D.objoid = N.oid ORDER BY CASE WHEN nspname = pg_catalog.current_schema() THEN -1::bigint ELSE N.oid::bigint END

-- id: jetbrains.roles
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT rolname AS role_name, rolsuper is_super, rolinherit is_inherit, rolcreaterole can_createrole, rolcreatedb can_createdb, rolcanlogin can_login, rolreplication is_replication, rolconnlimit conn_limit, rolvaliduntil valid_until, rolbypassrls bypass_rls, rolconfig config, D.description
FROM pg_catalog.pg_roles R LEFT JOIN pg_catalog.pg_shdescription D ON D.objoid = R.oid

-- id: jetbrains.members
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT m.member AS id, m.roleid AS role_id, m.admin_option FROM pg_catalog.pg_auth_members m ORDER BY m.member, m.roleid::text

-- id: jetbrains.tablespaces
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT T.oid::bigint AS id, T.spcname AS name, T.xmin AS state_number, pg_catalog.pg_get_userbyid(T.spcowner) AS owner, pg_catalog.pg_tablespace_location(T.oid) AS location, T.spcoptions AS options, D.description AS comment
FROM pg_catalog.pg_tablespace T LEFT JOIN pg_catalog.pg_shdescription D ON D.objoid = T.oid

-- id: jetbrains.access-methods
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT A.oid AS access_method_id, A.amname AS access_method_name, A.amhandler::oid AS handler_id, pg_catalog.quote_ident(N.nspname) || '.' || pg_catalog.quote_ident(P.proname) AS handler_name, A.amtype AS access_method_type
FROM pg_am A JOIN pg_proc P ON A.amhandler::oid = P.oid JOIN pg_namespace N ON N.oid = P.pronamespace

-- id: jetbrains.extensions
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT E.oid AS id, extname AS name, extversion AS version, extnamespace AS schema_id, nspname AS schema_name, array(SELECT unnest FROM unnest(available_versions) WHERE unnest > extversion) AS available_updates
FROM pg_catalog.pg_extension E JOIN pg_namespace N ON N.oid = E.extnamespace LEFT JOIN (SELECT name, array_agg(version) AS available_versions FROM pg_available_extension_versions() GROUP BY name) V ON V.name = E.extname

-- id: jetbrains.languages
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT l.oid AS id, lanname AS name, lanpltrusted AS trusted, h.proname AS handler, hs.nspname AS handlerSchema FROM pg_catalog.pg_language l LEFT JOIN pg_catalog.pg_proc h ON h.oid = lanplcallfoid LEFT JOIN pg_catalog.pg_namespace hs ON hs.oid = h.pronamespace ORDER BY lanname

-- id: jetbrains.locks
-- from: the shape of what DataGrip sends, by crate/crate issue 11726
SELECT L.transactionid::varchar::bigint AS transaction_id FROM pg_catalog.pg_locks L WHERE L.transactionid IS NOT NULL ORDER BY pg_catalog.age(L.transactionid) DESC LIMIT 1

-- id: jetbrains.transaction
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN NULL ELSE (pg_catalog.txid_current() % 4294967296)::varchar::bigint END AS current_txid

-- id: jetbrains.objects
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT T.relname AS name, pg_catalog.translate(T.relkind, 'rmvpfS', 'rmvrfS') AS kind FROM pg_catalog.pg_class T WHERE T.relnamespace IN (2200::oid) AND T.relkind IN ('r', 'm', 'v', 'p', 'f', 'S')
UNION ALL SELECT T.typname, 'T' FROM pg_catalog.pg_type T LEFT OUTER JOIN pg_catalog.pg_class C ON C.oid = T.typrelid WHERE T.typnamespace IN (2200::oid) AND (T.typtype IN ('d', 'e') OR C.relkind = 'c'::"char" OR (T.typtype = 'b' AND (T.typelem = 0 OR T.typcategory <> 'A')) OR T.typtype = 'p' AND NOT T.typisdefined)
UNION ALL SELECT collname, 'C' FROM pg_catalog.pg_collation WHERE collnamespace IN (2200::oid)
UNION ALL SELECT oprname, 'O' FROM pg_catalog.pg_operator WHERE oprnamespace IN (2200::oid)
UNION ALL SELECT proname, CASE WHEN prokind <> 'a' THEN 'R' ELSE 'a' END FROM pg_catalog.pg_proc WHERE pronamespace IN (2200::oid)

-- id: jetbrains.column-names
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
WITH T AS (SELECT T.oid AS oid, T.relname AS name, T.relkind AS kind, T.relnamespace AS schemaId FROM pg_catalog.pg_class T WHERE T.relnamespace IN (2200::oid) AND T.relkind IN ('r', 'm', 'v', 'f', 'p'))
SELECT T.schemaId AS schemaId, T.name AS major, pg_catalog.translate(T.kind, 'rmvpf', 'rmvrf') AS kind, C.attnum AS position, C.attname AS name FROM T JOIN pg_catalog.pg_attribute C ON C.attrelid = T.oid WHERE C.attnum > 0 AND NOT C.attisdropped ORDER BY schemaId, major, position

-- id: jetbrains.tables
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT T.relkind AS table_kind, T.relname AS table_name, T.oid AS table_id, T.xmin AS table_state_number, false AS table_with_oids, T.reltablespace AS tablespace_id, T.reloptions AS options, T.relpersistence AS persistence,
  (SELECT pg_catalog.array_agg(inhparent::bigint ORDER BY inhseqno)::varchar FROM pg_catalog.pg_inherits WHERE T.oid = inhrelid) AS ancestors, (SELECT pg_catalog.array_agg(inhrelid::bigint ORDER BY inhrelid)::varchar FROM pg_catalog.pg_inherits WHERE T.oid = inhparent) AS successors,
  T.relispartition AS is_partition, pg_catalog.pg_get_partkeydef(T.oid) AS partition_key, pg_catalog.pg_get_expr(T.relpartbound, T.oid) AS partition_expression, T.relam am_id, pg_catalog.pg_get_userbyid(T.relowner) AS "owner"
FROM pg_catalog.pg_class T WHERE relnamespace = 2200::oid AND relkind IN ('r', 'm', 'v', 'f', 'p') AND pg_catalog.age(T.xmin) <= coalesce(nullif(greatest(pg_catalog.age('1'::varchar::xid), -1), -1), 2147483647) ORDER BY table_kind, table_name

-- id: jetbrains.columns
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
WITH T AS (SELECT DISTINCT T.oid AS table_id, T.relname AS table_name FROM pg_catalog.pg_class T, pg_catalog.pg_attribute A WHERE T.relnamespace = 2200::oid AND T.relkind IN ('r', 'm', 'v', 'f', 'p') AND A.attrelid = T.oid)
SELECT T.table_name, C.attnum AS column_position, C.attname AS column_name, C.atttypmod AS type_mod, C.attndims AS dimensions_number, pg_catalog.format_type(C.atttypid, C.atttypmod) AS type_spec, C.atttypid AS type_id, C.attnotnull AS mandatory, pg_catalog.pg_get_expr(D.adbin, T.table_id) AS column_default_expression,
  NOT C.attislocal AS column_is_inherited, C.attfdwoptions AS options, C.attisdropped AS column_is_dropped, C.attidentity AS identity_kind, C.attgenerated AS generated
FROM T JOIN pg_catalog.pg_attribute C ON T.table_id = C.attrelid LEFT JOIN pg_catalog.pg_attrdef D ON (C.attrelid, C.attnum) = (D.adrelid, D.adnum) WHERE attnum > 0 ORDER BY table_name, attnum

-- id: jetbrains.indexes
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT tab.oid table_id, tab.relkind table_kind, ind_stor.relname index_name, ind_head.indisunique is_unique, ind_head.indisprimary is_primary, pg_catalog.pg_get_expr(ind_head.indpred, ind_head.indrelid) AS condition, opcmethod AS access_method_id
FROM pg_catalog.pg_class tab JOIN pg_catalog.pg_index ind_head ON ind_head.indrelid = tab.oid JOIN pg_catalog.pg_class ind_stor ON tab.relnamespace = ind_stor.relnamespace AND ind_stor.oid = ind_head.indexrelid LEFT JOIN pg_catalog.pg_opclass ON pg_opclass.oid = ANY(indclass)
WHERE tab.relnamespace = 2200::oid AND tab.relkind IN ('r', 'm', 'v', 'p') AND ind_stor.relkind IN ('i', 'I')

-- id: jetbrains.constraints
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT T.oid table_id, relkind table_kind, C.oid::bigint con_id, conname con_name, contype con_kind, conkey con_columns, conindid index_id, confrelid ref_table_id, condeferrable is_deferrable, condeferred is_init_deferred, confupdtype on_update, confdeltype on_delete, connoinherit no_inherit, pg_catalog.pg_get_expr(conbin, T.oid) con_expression, confkey ref_columns, conexclop::int[] excl_operators,
  array(SELECT unnest::regoper::varchar FROM unnest(conexclop)) excl_operators_str
FROM pg_catalog.pg_constraint C JOIN pg_catalog.pg_class T ON T.oid = C.conrelid WHERE relkind IN ('r', 'v', 'f', 'p') AND relnamespace = 2200::oid AND contype IN ('p', 'u', 'f', 'c', 'x') AND connamespace = 2200::oid

-- id: jetbrains.triggers
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT T.tgrelid AS table_id, T.oid AS trigger_id, T.tgname AS trigger_name, T.tgfoid AS function_id, pg_catalog.encode(T.tgargs, 'escape') AS function_args, T.tgtype AS bits, T.tgenabled AS trigger_fire_mode, T.tgattr AS columns, T.tgconstraint <> 0 AS is_constraint, pg_catalog.pg_get_triggerdef(T.oid, true) AS source_code
FROM pg_catalog.pg_trigger T JOIN pg_catalog.pg_class TAB ON TAB.oid = T.tgrelid AND TAB.relnamespace = 2200::oid

-- id: jetbrains.rules
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT R.ev_class AS table_id, R.oid AS rule_id, R.rulename AS rule_name, pg_catalog.translate(ev_type, '1234', 'SUID') AS rule_event_code, R.ev_enabled AS rule_fire_mode, R.is_instead AS rule_is_instead
FROM pg_catalog.pg_rewrite R WHERE R.ev_class IN (SELECT oid FROM pg_catalog.pg_class WHERE relnamespace = 2200::oid) AND R.rulename <> '_RETURN'::name ORDER BY R.ev_class::bigint, ev_type

-- id: jetbrains.descriptions
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT T.relname, pg_catalog.translate(T.relkind, 'rmvpf', 'rmvrf') AS kind, D.objsubid sub_id, D.description FROM pg_catalog.pg_class T JOIN pg_catalog.pg_description D ON D.objoid = T.oid AND D.classoid = 'pg_catalog.pg_class'::regclass
WHERE T.relnamespace = 2200::oid AND T.relkind IN ('r', 'm', 'v', 'p', 'f') ORDER BY T.relname, D.objsubid

-- id: jetbrains.view-sources
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT T.relkind AS view_kind, T.oid AS view_id, pg_catalog.pg_get_viewdef(T.oid, true) AS source_text FROM pg_catalog.pg_class T JOIN pg_catalog.pg_namespace N ON N.oid = T.relnamespace WHERE N.oid = 2200::oid AND T.relkind IN ('m', 'v')

-- id: jetbrains.acl
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT T.relname, T.relacl AS acl FROM pg_catalog.pg_class T WHERE T.relnamespace = 2200::oid AND T.relkind IN ('r', 'v') ORDER BY T.relname

-- id: jetbrains.time-zones
-- from: the shape of what DataGrip sends, by com.memgres.client.ClientPgCompareV2Test of lhgravendeel/memgres, a public test of what it sends
SELECT name, is_dst FROM pg_catalog.pg_timezone_names UNION SELECT abbrev AS name, is_dst FROM pg_catalog.pg_timezone_abbrevs
