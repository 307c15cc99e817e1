import { LetheError } from "@lethe/core";
import type { PoolClient } from "pg";

/**
 * The roles whose rights a session can take: the role that logged in and every role it is a member of, whether it inherits from
 * them, may SET ROLE to them or may only pass the membership on. The first part of a WITH query.
 */
export const answeringRoles: string =
  "answering AS MATERIALIZED (SELECT * FROM pg_roles WHERE pg_has_role(session_user, oid, 'MEMBER'))";

const ownRole =
  "connect as a role made for this: CREATE ROLE lethe LOGIN; GRANT SELECT ON the tables TO lethe";

interface RoleFault {
  readonly role: string;
  /** The role that has the right: the same one, one it is a member of, or PUBLIC. */
  readonly holder: string;
  readonly said: string;
  /** The SQL that takes the right away; null where another role must be made. */
  readonly remedy: string | null;
}

/**
 * Refuses a role that can do more than read, whatever the relations of the policy are: its own rights, those of PUBLIC and those
 * of every role that it is a member of count alike. Only PostgreSQL's predefined roles that are known to read alone are accepted;
 * any other is refused, so that a later version's is too. Errors: engine.source, naming the role and the right.
 */
export async function checkRole(client: PoolClient): Promise<void> {
  const { rows } = await client.query<RoleFault>(
    `WITH ${answeringRoles}
     SELECT quote_ident(session_user) AS role, CASE WHEN found.oid IS NULL THEN 'PUBLIC' ELSE quote_ident(found.holder) END AS holder, found.said, found.remedy
     FROM (
       SELECT 1 AS place, a.rolname AS holder, a.oid, r.said, NULL AS remedy FROM answering AS a CROSS JOIN LATERAL (VALUES
         (a.rolsuper, 'is a superuser, which may write to every relation'),
         (a.rolcreaterole, 'may make roles (CREATEROLE)'),
         (a.rolcreatedb, 'may make databases (CREATEDB)'),
         (a.rolreplication, 'may read and hold back every change (REPLICATION)')
       ) AS r (holds, said) WHERE r.holds
       UNION ALL
       SELECT 2, a.rolname, a.oid, 'is a member of ' || a.rolname, 'REVOKE ' || a.rolname || ' FROM ' || quote_ident(session_user)
       FROM answering AS a
       WHERE a.oid < 16384 AND starts_with(a.rolname, 'pg_') AND a.rolname NOT IN (
         'pg_read_all_data', 'pg_monitor', 'pg_read_all_settings', 'pg_read_all_stats', 'pg_stat_scan_tables',
         'pg_use_reserved_connections')
       UNION ALL
       SELECT 3, coalesce(a.rolname, 'PUBLIC'), a.oid, made.said, made.remedy || coalesce(quote_ident(a.rolname), 'PUBLIC')
       FROM (
         SELECT acl.grantee, 'may make schemas in the database' AS said,
           format('REVOKE CREATE ON DATABASE %I FROM ', d.datname) AS remedy
         FROM pg_database AS d CROSS JOIN LATERAL aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) AS acl
         WHERE d.datname = current_database() AND acl.privilege_type = 'CREATE'
         UNION ALL
         SELECT acl.grantee, format('may make relations and functions in the schema %I', n.nspname),
           CASE WHEN acl.grantee <> n.nspowner THEN format('REVOKE CREATE ON SCHEMA %I FROM ', n.nspname) END
         FROM pg_namespace AS n
         CROSS JOIN LATERAL aclexplode(coalesce(n.nspacl, '{}') || acldefault('n', n.nspowner)) AS acl
         WHERE acl.privilege_type = 'CREATE'
         UNION ALL
         SELECT acl.grantee, format('may change the server''s setting %s', p.parname),
           format('REVOKE ALTER SYSTEM ON PARAMETER %s FROM ', p.parname)
         FROM pg_parameter_acl AS p CROSS JOIN LATERAL aclexplode(p.paracl) AS acl WHERE acl.privilege_type = 'ALTER SYSTEM'
       ) AS made LEFT JOIN answering AS a ON a.oid = made.grantee
       WHERE a.oid IS NOT NULL OR made.grantee = 0
     ) AS found
     ORDER BY found.place, found.holder <> session_user, found.holder, found.remedy IS NOT NULL, found.said LIMIT 1`,
  );
  const [fault] = rows;
  if (!fault) return;
  const { role, holder, said, remedy } = fault;
  const isMember = holder !== role && said !== `is a member of ${holder}`;
  const as = !isMember ? "" : holder === "PUBLIC" ? ", as everybody may" : `, as a member of ${holder}`;
  throw new LetheError("engine.source", `the role ${role} ${said}${as}`, {
    fix: remedy === null ? ownRole : `${remedy}; or ${ownRole}`,
    fields: { role, holder },
  });
}
