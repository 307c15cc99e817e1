import { LetheError } from "@lethe/core";
import type { PoolClient } from "pg";
import { answeringRoles } from "./check-role.ts";
import { definitions, reachedRelations } from "./reached-relations.ts";

interface RightFault {
  readonly role: string;
  /** The role that was granted the right: the role itself, one that it is a member of, or PUBLIC. */
  readonly holder: string;
  readonly everybody: boolean;
  readonly relation: string;
  /** Whether it is the policy's relation itself. */
  readonly own: boolean;
  readonly owner: boolean;
  /** The right as GRANT writes it; OWNER. */
  readonly right: string;
}

const writing: ReadonlySet<string> = new Set(["INSERT", "UPDATE", "DELETE", "TRUNCATE"]);

/**
 * Refuses a role that owns, or was granted anything but SELECT on, a relation of the policy, or on one that is read with it: partitions, tables
 * that inherit, what a view names. Errors: engine.source, naming the role, the relation and the right.
 */
export async function checkRights(client: PoolClient, table: string, relation: string): Promise<void> {
  const { rows } = await client.query<RightFault>(
    `WITH RECURSIVE ${answeringRoles}, ${definitions}, ${reachedRelations("SELECT $1::oid")}
     SELECT quote_ident(session_user) AS role, coalesce(quote_ident(a.rolname), 'PUBLIC') AS holder, a.oid IS NULL AS everybody,
       format('%I.%I', n.nspname, c.relname) AS relation, c.oid = $1::oid AS own, g.right IS NULL AS owner,
       coalesce(g.right, 'OWNER') AS right
     FROM (SELECT DISTINCT oid FROM reached) AS read
     JOIN pg_class AS c USING (oid) JOIN pg_namespace AS n ON n.oid = c.relnamespace
     CROSS JOIN LATERAL (
       SELECT c.relowner AS grantee, NULL AS right
       UNION
       SELECT acl.grantee, acl.privilege_type || CASE WHEN acl.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
       FROM (
         SELECT c.relacl AS rights UNION ALL SELECT at.attacl FROM pg_attribute AS at WHERE at.attrelid = c.oid
       ) AS lists CROSS JOIN LATERAL aclexplode(lists.rights) AS acl
       WHERE acl.grantee <> c.relowner
     ) AS g LEFT JOIN answering AS a ON a.oid = g.grantee
     WHERE (a.oid IS NOT NULL OR g.grantee = 0) AND g.right IS DISTINCT FROM 'SELECT'
     ORDER BY c.oid <> $1::oid, a.rolname IS DISTINCT FROM session_user, a.rolname, g.right IS NOT NULL,
       array_position(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'], split_part(g.right, ' ', 1)), g.right, c.oid
     LIMIT 1`,
    [relation],
  );
  const [fault] = rows;
  if (!fault) return;
  const { role, holder, everybody, own, owner, right } = fault;
  const privilege = right.replace(" WITH GRANT OPTION", "");
  const does = owner ? "owns" : writing.has(privilege) ? "may write to" : `has ${right} on`;
  const target = own
    ? `the relation of ${table}`
    : `${fault.relation}, which is read with the relation of ${table}`;
  const as = holder === role ? "" : everybody ? ", as everybody may" : `, as a member of ${holder}`;
  const taken = privilege === "SELECT" ? "GRANT OPTION FOR SELECT" : privilege;
  const remedy = owner ? "" : `REVOKE ${taken} ON ${fault.relation} FROM ${holder}; or `;
  throw new LetheError("engine.source", `the role ${role} ${does} ${target}${as}`, {
    fix: `${remedy}connect as a role that may only read it: CREATE ROLE lethe LOGIN; GRANT SELECT ON the tables TO lethe`,
    fields: { table, role, holder, right },
  });
}
