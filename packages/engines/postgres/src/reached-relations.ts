/**
 * The objects that a relation's definition names: for a view, those of the query that SELECT becomes; for a table with row-level
 * security, those of its policies. `of` is the relation; `class` and `object` are the named object, as pg_depend has it, which
 * leaves out what the server came with. A part of WITH.
 */
export const definitions: string = `definitions (of, class, object) AS NOT MATERIALIZED (
  SELECT w.ev_class, d.refclassid, d.refobjid
  FROM pg_rewrite AS w JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
  WHERE w.ev_type = '1'
  UNION ALL
  SELECT p.polrelid, d.refclassid, d.refobjid
  FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid AND c.relrowsecurity
    JOIN pg_depend AS d ON d.classid = 'pg_policy'::regclass AND d.objid = p.oid
  WHERE p.polcmd IN ('r', '*')
)`;

/**
 * Returns the relations that are read with other relations: each itself, its partitions and the tables that inherit from it, and
 * the relations that definitions name, through any number of them. `roots` selects the oids of the relations to begin with, and
 * `root` says which one led here. `live` is whether a relation is read with every question; one behind a materialized view is
 * not. No catalog knows what functions read. A part of WITH RECURSIVE, behind {@link definitions}.
 */
export const reachedRelations = (roots: string): string => `reached (root, oid, live) AS (
  SELECT start.oid, start.oid, true FROM (${roots}) AS start (oid)
  UNION
  SELECT reached.root, next.oid, reached.live AND own.relkind <> 'm'
  FROM reached JOIN pg_class AS own ON own.oid = reached.oid CROSS JOIN LATERAL (
    SELECT i.inhrelid AS oid FROM pg_inherits AS i WHERE i.inhparent = own.oid
    UNION ALL
    SELECT d.object FROM definitions AS d
    WHERE d.of = own.oid AND d.class = 'pg_class'::regclass AND d.object <> own.oid
  ) AS next
)`;
