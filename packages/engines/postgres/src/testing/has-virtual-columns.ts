import type { ClientBase } from "pg";

/** Whether a server has columns that are GENERATED … VIRTUAL, as those of PostgreSQL 18 and later do. */
export async function hasVirtualColumns(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query("SELECT current_setting('server_version_num')::integer AS version");
  return rows[0].version >= 180_000;
}
