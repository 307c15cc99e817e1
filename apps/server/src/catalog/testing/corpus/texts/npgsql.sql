-- id: npgsql.version
-- from: the shape of npgsql/npgsql src/Npgsql/PostgresDatabaseInfo.cs, the first statement of its batch
SELECT version()

-- id: npgsql.types
-- from: the shape of npgsql/npgsql src/Npgsql/PostgresDatabaseInfo.cs, GenerateLoadTypesQuery
SELECT ns.nspname, t.oid, t.typname, t.typtype, t.typnotnull, t.elemtypoid
FROM (
  -- Arrays are known by the function that receives them, and are told as types of kind "a".
  SELECT typ.oid, typ.typnamespace, typ.typname, typ.typtype, typ.typrelid, typ.typnotnull, typ.relkind, el.oid AS elemtypoid, el.typname AS elemtypname, elcls.relkind AS elemrelkind,
    CASE WHEN elproc.proname = 'array_recv' THEN 'a' ELSE el.typtype END AS elemtyptype
  FROM (
    SELECT typ.oid, typnamespace, typname, typrelid, typnotnull, relkind, typelem AS elemoid, CASE WHEN proc.proname = 'array_recv' THEN 'a' ELSE typ.typtype END AS typtype,
      CASE WHEN proc.proname = 'array_recv' THEN typ.typelem WHEN typ.typtype = 'r' THEN rngsubtype WHEN typ.typtype = 'm' THEN (SELECT rngtypid FROM pg_range WHERE rngmultitypid = typ.oid) WHEN typ.typtype = 'd' THEN typ.typbasetype END AS elemtypoid
    FROM pg_type AS typ LEFT JOIN pg_class AS cls ON (cls.oid = typ.typrelid) LEFT JOIN pg_proc AS proc ON proc.oid = typ.typreceive LEFT JOIN pg_range ON (pg_range.rngtypid = typ.oid)
  ) AS typ
  LEFT JOIN pg_type AS el ON el.oid = elemtypoid LEFT JOIN pg_class AS elcls ON (elcls.oid = el.typrelid) LEFT JOIN pg_proc AS elproc ON elproc.oid = el.typreceive
) AS t JOIN pg_namespace AS ns ON (ns.oid = typnamespace)
WHERE typtype IN ('b', 'r', 'm', 'e', 'd') OR (typtype = 'c' AND relkind = 'c') OR (typtype = 'p' AND typname IN ('record', 'void', 'unknown'))
  OR (typtype = 'a' AND (elemtyptype IN ('b', 'r', 'm', 'e', 'd') OR (elemtyptype = 'p' AND elemtypname IN ('record', 'void')) OR (elemtyptype = 'c' AND elemrelkind = 'c')))
ORDER BY CASE WHEN typtype IN ('b', 'e', 'p') THEN 0 WHEN typtype = 'r' THEN 1 WHEN typtype = 'm' THEN 2 WHEN typtype = 'c' THEN 3 WHEN typtype = 'd' AND elemtyptype <> 'a' THEN 4 WHEN typtype = 'a' THEN 5 WHEN typtype = 'd' AND elemtyptype = 'a' THEN 6 END

-- id: npgsql.composites
-- from: the shape of npgsql/npgsql src/Npgsql/PostgresDatabaseInfo.cs, GenerateLoadCompositeTypesQuery
SELECT typ.oid, att.attname, att.atttypid FROM pg_type AS typ JOIN pg_namespace AS ns ON (ns.oid = typ.typnamespace) JOIN pg_class AS cls ON (cls.oid = typ.typrelid) JOIN pg_attribute AS att ON (att.attrelid = typ.typrelid)
WHERE (typ.typtype = 'c' AND cls.relkind = 'c') AND attnum > 0 AND NOT attisdropped ORDER BY typ.oid, att.attnum

-- id: npgsql.table-composites
-- from: the shape of npgsql/npgsql src/Npgsql/PostgresDatabaseInfo.cs, GenerateLoadCompositeTypesQuery with LoadTableComposites
SELECT cls.relname, att.attname, att.atttypid FROM pg_type AS typ JOIN pg_namespace AS ns ON (ns.oid = typ.typnamespace) JOIN pg_class AS cls ON (cls.oid = typ.typrelid) JOIN pg_attribute AS att ON (att.attrelid = typ.typrelid)
WHERE (typ.typtype = 'c' AND ns.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')) AND attnum > 0 AND NOT attisdropped ORDER BY cls.relname, att.attnum

-- id: npgsql.enums
-- from: the shape of npgsql/npgsql src/Npgsql/PostgresDatabaseInfo.cs, GenerateLoadEnumFieldsQuery
SELECT pg_type.oid, enumlabel FROM pg_enum JOIN pg_type ON pg_type.oid = enumtypid ORDER BY oid, enumsortorder

-- id: npgsql.databases
-- from: the shape of npgsql/npgsql src/Npgsql/NpgsqlSchema.cs, GetDatabases
SELECT d.datname, u.usename, pg_catalog.pg_encoding_to_char(d.encoding) AS encoding FROM pg_catalog.pg_database d LEFT JOIN pg_catalog.pg_user u ON u.usesysid = d.datdba

-- id: npgsql.tables
-- from: the shape of npgsql/npgsql src/Npgsql/NpgsqlSchema.cs, GetTables
SELECT table_catalog, table_schema, table_name, table_type FROM information_schema.tables WHERE table_type IN ('BASE TABLE', 'FOREIGN', 'FOREIGN TABLE') AND table_schema NOT IN ('pg_catalog', 'information_schema')

-- id: npgsql.columns
-- from: the shape of npgsql/npgsql src/Npgsql/NpgsqlSchema.cs, GetColumns
-- parameters: ["public", "{{table}}"]
SELECT table_catalog, table_schema, table_name, column_name, ordinal_position, column_default, is_nullable, udt_name::regtype::text AS data_type, character_maximum_length, character_octet_length, numeric_precision, numeric_precision_radix, numeric_scale, datetime_precision, character_set_catalog, character_set_schema, character_set_name, collation_catalog
FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2

-- id: npgsql.views
-- from: the shape of npgsql/npgsql src/Npgsql/NpgsqlSchema.cs, GetViews
SELECT table_catalog, table_schema, table_name, check_option, is_updatable FROM information_schema.views WHERE table_schema NOT IN ('pg_catalog', 'information_schema')

-- id: npgsql.users
-- from: the shape of npgsql/npgsql src/Npgsql/NpgsqlSchema.cs, GetUsers
SELECT usename AS user_name FROM pg_catalog.pg_user

-- id: npgsql.indexes
-- from: the shape of npgsql/npgsql src/Npgsql/NpgsqlSchema.cs, GetIndexes
SELECT current_database() AS table_catalog, n.nspname, t.relname, i.relname AS index_name, '' AS type_desc
FROM pg_catalog.pg_class AS i JOIN pg_catalog.pg_index AS ix ON (ix.indexrelid = i.oid) JOIN pg_catalog.pg_class AS t ON (ix.indrelid = t.oid) LEFT JOIN pg_catalog.pg_user AS u ON (u.usesysid = i.relowner) LEFT JOIN pg_catalog.pg_namespace AS n ON (n.oid = i.relnamespace)
WHERE i.relkind = 'i' AND n.nspname NOT IN ('pg_catalog', 'pg_toast') AND pg_catalog.pg_table_is_visible(i.oid) AND t.relkind = 'r'

-- id: npgsql.index-columns
-- from: the shape of npgsql/npgsql src/Npgsql/NpgsqlSchema.cs, GetIndexColumns
SELECT current_database(), t_ns.nspname, t_cls.relname, con_ns.nspname, con.conname, col.attname, col.attnum
FROM pg_constraint AS con JOIN pg_namespace AS con_ns ON con_ns.oid = con.connamespace JOIN pg_class AS t_cls ON t_cls.oid = con.conrelid JOIN pg_namespace AS t_ns ON t_ns.oid = t_cls.relnamespace
  JOIN pg_class AS ix ON ix.oid = con.conindid JOIN pg_attribute AS col ON col.attrelid = t_cls.oid AND col.attnum = ANY (con.conkey)
WHERE t_ns.nspname NOT IN ('pg_catalog', 'pg_toast') AND con.contype IN ('u', 'p') AND pg_table_is_visible(t_cls.oid) AND t_cls.relkind = 'r'

-- id: npgsql.foreign-keys
-- from: the shape of npgsql/npgsql src/Npgsql/NpgsqlSchema.cs, GetForeignKeys
SELECT current_database(), pgn.nspname, pgc.conname, pgt.relname, 'FOREIGN KEY' AS "CONSTRAINT_TYPE", pgc.condeferrable AS "IS_DEFERRABLE", pgc.condeferred AS "INITIALLY_DEFERRED"
FROM pg_catalog.pg_constraint pgc INNER JOIN pg_catalog.pg_namespace pgn ON pgn.oid = pgc.connamespace INNER JOIN pg_catalog.pg_class pgt ON pgt.oid = pgc.conrelid INNER JOIN pg_catalog.pg_namespace pgtn ON pgtn.oid = pgt.relnamespace
WHERE pgc.contype = 'f'

-- id: npgsql.result-columns
-- from: the shape of npgsql/npgsql src/Npgsql/Schema/DbColumnSchemaGenerator.cs, the columns of a result
SELECT typ.oid AS typoid, nspname, relname, attname, attrelid, attnum, attnotnull, attidentity != '' AS isidentity, CASE WHEN typ.typtype = 'd' THEN typ.typtypmod ELSE atttypmod END AS typmod, CASE WHEN atthasdef THEN (SELECT pg_get_expr(adbin, cls.oid) FROM pg_attrdef WHERE adrelid = cls.oid AND adnum = attr.attnum) ELSE NULL END AS default,
  CASE WHEN col.is_updatable = 'YES' THEN true ELSE false END AS is_updatable, EXISTS (SELECT * FROM pg_index WHERE pg_index.indrelid = cls.oid AND pg_index.indisprimary AND attnum = ANY (indkey)) AS isprimarykey, EXISTS (SELECT * FROM pg_index WHERE pg_index.indrelid = cls.oid AND pg_index.indisunique AND pg_index.indnkeyatts = 1 AND attnum = pg_index.indkey[0]) AS isunique
FROM pg_attribute AS attr JOIN pg_type AS typ ON attr.atttypid = typ.oid JOIN pg_class AS cls ON cls.oid = attr.attrelid JOIN pg_namespace AS ns ON ns.oid = cls.relnamespace LEFT OUTER JOIN information_schema.columns AS col ON col.table_schema = nspname AND col.table_name = relname AND col.column_name = attname
WHERE atttypid <> 0 AND relkind IN ('r', 'v', 'm') AND nspname NOT IN ('pg_catalog', 'information_schema') AND attnum > 0 AND ((attr.attrelid = {{oid}} AND attr.attnum = 1) OR (attr.attrelid = {{oid}} AND attr.attnum = 2)) ORDER BY attnum
