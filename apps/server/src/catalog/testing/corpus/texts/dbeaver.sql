-- id: dbeaver.search-path
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreExecutionContext.java
SELECT s.reset_val FROM pg_settings s WHERE s.name = 'search_path'

-- id: dbeaver.session
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreExecutionContext.java
SELECT current_schema(), session_user

-- id: dbeaver.database
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDatabase.java, readDatabaseInfo
-- parameters: ["lethe"]
SELECT db.oid, db.* FROM pg_catalog.pg_database db WHERE db.datname = $1

-- id: dbeaver.databases
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDataSource.java, loadAvailableDatabases
SELECT db.oid, db.* FROM pg_catalog.pg_database db WHERE 1 = 1 AND db.datallowconn AND NOT db.datistemplate OR db.datname = 'lethe' ORDER BY db.datname

-- id: dbeaver.has-type-category
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDatabase.java, supportsSysTypCategoryColumn
SELECT 1 FROM pg_catalog.pg_attribute s JOIN pg_catalog.pg_class p ON p.oid = s.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace WHERE p.relname = 'pg_type' AND n.nspname = 'pg_catalog' AND s.attname = 'typcategory'

-- id: dbeaver.schemas
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDatabase.java, SchemaCache
SELECT n.oid, n.*, d.description FROM pg_catalog.pg_namespace n LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid = n.oid AND d.objsubid = 0 AND d.classoid = 'pg_namespace'::regclass ORDER BY n.nspname

-- id: dbeaver.roles
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDatabase.java, RoleCache
SELECT a.oid, a.* FROM pg_catalog.pg_roles a ORDER BY a.rolname

-- id: dbeaver.access-methods
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDatabase.java, AccessMethodCache
SELECT am.oid, am.* FROM pg_catalog.pg_am am ORDER BY am.oid

-- id: dbeaver.encodings
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDatabase.java, EncodingCache
SELECT c.contoencoding AS encid, pg_catalog.pg_encoding_to_char(c.contoencoding) AS encname FROM pg_catalog.pg_conversion c GROUP BY c.contoencoding ORDER BY 2

-- id: dbeaver.languages
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDatabase.java, LanguageCache
SELECT l.oid, l.* FROM pg_catalog.pg_language l ORDER BY l.oid

-- id: dbeaver.tablespaces
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDatabase.java, TablespaceCache
SELECT t.oid, t.*, pg_tablespace_location(t.oid) AS loc FROM pg_catalog.pg_tablespace t ORDER BY t.oid

-- id: dbeaver.extensions
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDatabase.java, ExtensionCache
SELECT e.oid, cfg.tbls, n.nspname AS schema_name, e.* FROM pg_catalog.pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
  LEFT JOIN (SELECT ARRAY_AGG(ns.nspname || '.' || cls.relname) AS tbls, oid_ext FROM (SELECT unnest(e1.extconfig) AS oid, e1.oid AS oid_ext FROM pg_catalog.pg_extension e1) c JOIN pg_catalog.pg_class cls ON cls.oid = c.oid JOIN pg_catalog.pg_namespace ns ON ns.oid = cls.relnamespace GROUP BY oid_ext) cfg ON cfg.oid_ext = e.oid
ORDER BY e.oid

-- id: dbeaver.settings
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDataSource.java, the version
SELECT setting FROM pg_catalog.pg_settings WHERE name = 'server_version'

-- id: dbeaver.types
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDataTypeCache.java, prepareObjectsStatement
SELECT t.oid, t.*, c.relkind, format_type(nullif(t.typbasetype, 0), t.typtypmod) AS base_type_name, d.description
FROM pg_catalog.pg_type t LEFT OUTER JOIN pg_catalog.pg_type et ON et.oid = t.typelem LEFT OUTER JOIN pg_catalog.pg_class c ON c.oid = t.typrelid LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid = t.oid
WHERE t.typname IS NOT NULL AND (c.relkind IS NULL OR c.relkind = 'c') AND (et.typcategory IS NULL OR et.typcategory <> 'C') AND t.typnamespace = 11 ORDER BY t.oid

-- id: dbeaver.type-by-oid
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDataTypeCache.java, resolveDataType
-- parameters: ["701"]
SELECT t.oid, t.*, c.relkind, format_type(nullif(t.typbasetype, 0), t.typtypmod) AS base_type_name FROM pg_catalog.pg_type t LEFT OUTER JOIN pg_class c ON c.oid = t.typrelid WHERE t.oid = $1

-- id: dbeaver.tables
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreSchema.java, TableCache
SELECT c.oid, c.*, d.description, pg_catalog.pg_get_expr(c.relpartbound, c.oid) AS partition_expr, pg_catalog.pg_get_partkeydef(c.oid) AS partition_key
FROM pg_catalog.pg_class c LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid = c.oid AND d.objsubid = 0 AND d.classoid = 'pg_class'::regclass
WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'public') AND c.relkind NOT IN ('i', 'I', 'c') ORDER BY c.relname

-- id: dbeaver.columns
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreSchema.java, TableCache.prepareChildrenStatement
SELECT c.relname, a.*, pg_catalog.pg_get_expr(ad.adbin, ad.adrelid, true) AS def_value, dsc.description, dep.objid
FROM pg_catalog.pg_attribute a INNER JOIN pg_catalog.pg_class c ON (c.oid = a.attrelid) LEFT OUTER JOIN pg_catalog.pg_attrdef ad ON (a.attrelid = ad.adrelid AND a.attnum = ad.adnum) LEFT OUTER JOIN pg_catalog.pg_description dsc ON (c.oid = dsc.objoid AND a.attnum = dsc.objsubid)
  LEFT OUTER JOIN pg_depend dep ON dep.refobjid = a.attrelid AND dep.deptype = 'i' AND dep.refobjsubid = a.attnum AND dep.classid = dep.refclassid
WHERE NOT a.attisdropped AND c.relkind NOT IN ('i', 'I', 'c') AND c.oid = {{oid}} ORDER BY a.attnum

-- id: dbeaver.constraints
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreSchema.java, ConstraintCache
SELECT c.oid, c.*, t.relname AS tabrelname, rt.relnamespace AS refnamespace, d.description, CASE WHEN c.contype = 'c' THEN "substring"(pg_get_constraintdef(c.oid), 7) ELSE null END consrc_copy
FROM pg_catalog.pg_constraint c INNER JOIN pg_catalog.pg_class t ON t.oid = c.conrelid LEFT OUTER JOIN pg_catalog.pg_class rt ON rt.oid = c.confrelid LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid = c.oid AND d.objsubid = 0 AND d.classoid = 'pg_constraint'::regclass
WHERE c.conrelid = {{oid}} AND c.contype <> 'n' ORDER BY c.oid

-- id: dbeaver.indexes
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreSchema.java, IndexCache
SELECT i.*, i.indkey AS keys, c.relname, c.relnamespace, c.relam, c.reltablespace, tc.relname AS tabrelname, dsc.description, pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS pred_expr, pg_catalog.pg_get_expr(i.indexprs, i.indrelid, true) AS expr, pg_catalog.pg_relation_size(i.indexrelid) AS index_rel_size, pg_catalog.pg_stat_get_numscans(i.indexrelid) AS index_num_scans
FROM pg_catalog.pg_index i INNER JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid INNER JOIN pg_catalog.pg_class tc ON tc.oid = i.indrelid LEFT OUTER JOIN pg_catalog.pg_description dsc ON i.indexrelid = dsc.objoid
WHERE i.indrelid = {{oid}} ORDER BY tabrelname, c.relname

-- id: dbeaver.procedures
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreSchema.java, ProceduresCache
SELECT p.oid AS poid, p.*, CASE WHEN p.prokind = 'a' THEN NULL ELSE pg_catalog.pg_get_expr(p.proargdefaults, 0) END AS arg_defaults, d.description FROM pg_catalog.pg_proc p LEFT OUTER JOIN pg_catalog.pg_description d ON d.objoid = p.oid
WHERE p.pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'public') ORDER BY p.proname

-- id: dbeaver.collations
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreSchema.java, CollationCache
SELECT c.oid, c.* FROM pg_catalog.pg_collation c WHERE c.collnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'public') ORDER BY c.oid

-- id: dbeaver.table-sizes
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreSchema.java, the statistics of its tables
SELECT c.oid, pg_catalog.pg_total_relation_size(c.oid) AS total_rel_size, pg_catalog.pg_relation_size(c.oid) AS rel_size FROM pg_class c WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'public')

-- id: dbeaver.enum-values
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreDataType.java
-- parameters: ["25"]
SELECT e.enumlabel FROM pg_catalog.pg_enum e WHERE e.enumtypid = $1 ORDER BY e.enumsortorder

-- id: dbeaver.find-columns
-- from: the shape of dbeaver/dbeaver ext.postgresql model/PostgreStructureAssistant.java, findTableColumnsByMask
-- parameters: ["%a%"]
SELECT x.attname, c.relname, x.atttypid FROM pg_catalog.pg_attribute x, pg_catalog.pg_class c WHERE x.attrelid = c.oid AND x.attname LIKE $1 AND c.relnamespace IN (2200) AND c.relkind IN ('r', 'v') AND x.attnum > 0 ORDER BY x.attname, c.relname LIMIT 10
