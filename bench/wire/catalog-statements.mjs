import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const corpus = new URL("../../apps/server/src/catalog/testing/corpus/", import.meta.url);

/** Returns the statements that tools send to PostgreSQL's catalog and that the service answers, filled in for the only table of a connection's policy. */
export async function catalogStatements(client) {
  const { readCorpus, fillQuery, refused } = await readersOfTests();
  const numberOf = async (table) => {
    const { rows } = await client.query("SELECT oid, reltype FROM pg_catalog.pg_class WHERE relname = $1", [
      table,
    ]);
    return rows[0];
  };
  const table = "people";
  const { oid, reltype } = await numberOf(table);
  const subject = {
    ...{ table, second: table, schema: "public", oid: String(oid), secondOid: String(oid) },
    ...{ rowType: String(reltype), secondRowType: String(reltype) },
  };
  return readCorpus()
    .filter(({ id }) => refused[id] === undefined)
    .map((query) => {
      const { text, parameters } = fillQuery(query, subject);
      return { text, values: parameters };
    });
}

/** The corpus's own readers, bundled: they are TypeScript. */
async function readersOfTests() {
  const folder = fileURLToPath(corpus);
  const { outputFiles } = await build({
    stdin: {
      contents:
        'export * from "./read-corpus.ts"; export * from "./fill-query.ts"; export * from "./refused.ts";',
      resolveDir: folder,
    },
    define: { "import.meta.dirname": JSON.stringify(folder) },
    ...{ bundle: true, write: false, format: "esm", platform: "node" },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}
