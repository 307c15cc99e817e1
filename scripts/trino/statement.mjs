/**
 * Runs one statement on a Trino as a user, and returns the rows of its answer. Errors: Trino's own words, which may hold data: for an owner alone.
 * @example await runStatement({ url: "http://127.0.0.1:8080", user: "owner" }, "SHOW CATALOGS") // => [["iceberg"], …]
 */
export async function runStatement({ url, user }, sql) {
  const headers = { "X-Trino-User": user };
  const pageOf = async (from, asked) => {
    const answer = await fetch(from, { headers, ...asked });
    if (!answer.ok) throw new Error(`${url} answered with status ${answer.status}`);
    return answer.json();
  };
  let page = await pageOf(`${url}/v1/statement`, { method: "POST", body: sql });
  const rows = [];
  for (;;) {
    if (page.error) throw new Error(page.error.message);
    rows.push(...(page.data ?? []));
    if (!page.nextUri) return rows;
    page = await pageOf(page.nextUri, {});
  }
}
