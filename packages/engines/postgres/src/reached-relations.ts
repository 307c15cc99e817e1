/**
 * What reading a relation ($1) reads: itself, its partitions and the tables that inherit from it, and what the definition of a view
 * names, through any number of views. `live`: read with every question; what lies behind a materialized view is
 * not. What functions read no catalog knows. A part of WITH RECURSIVE.
 */
export const reachedRelations: string = `reached (oid, live) AS (
  SELECT $1::oid, true
  UNION
  SELECT next.oid, reached.live AND own.relkind <> 'm'
  FROM reached JOIN pg_class AS own ON own.oid = reached.oid CROSS JOIN LATERAL (
    SELECT i.inhrelid AS oid FROM pg_inherits AS i WHERE i.inhparent = own.oid
    UNION ALL
    SELECT d.refobjid FROM pg_rewrite AS w JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
    WHERE own.relkind IN ('v', 'm') AND w.ev_class = own.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> own.oid
  ) AS next
)`;
