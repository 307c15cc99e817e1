import pg from "pg";

/** Makes an empty database on a server of PostgreSQL, and returns its URL. */
export async function newDatabase(server) {
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  const name = `nodes_${Date.now()}_${Math.floor(performance.now())}`;
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  return server.url.replace(/\/postgres$/, `/${name}`);
}
