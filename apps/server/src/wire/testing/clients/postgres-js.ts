import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import postgres from "postgres";
import { pinnedVersion } from "./pinned-version.ts";
import { outcomesOf, type Told, type WireClient } from "./wire-client.ts";

/** postgres.js, which reads the types of arrays from the catalog when it connects. */
export const postgresJs: WireClient = {
  name: "postgres.js",
  version: pinnedVersion("postgres", "npm"),
  missing: () => null,
  without: {
    binding: "it signs in by SCRAM-SHA-256 alone",
    reflect:
      "it has no calls for the catalog but that for the types of arrays, which each of its connections makes",
    binary: "it asks for texts",
  },
  async run(place, wanted) {
    const { host, port, user, password, database, certificate } = place;
    const { literal, prepared, slow, refused } = place.questions;
    const notices: string[] = [];
    const sql = postgres({
      ...{ host, port, user, password, database, max: 1 },
      ssl: { ca: readFileSync(certificate, "utf8") },
      onnotice: ({ message }) => void notices.push(message ?? ""),
    });
    const withNotices = async (): Promise<Told> => {
      notices.length = 0;
      return { ...answer(await sql.unsafe(literal)), notices: [...notices] };
    };
    try {
      return await outcomesOf(
        {
          tls: async () => ({ user: (await sql`SELECT current_user`)[0]?.current_user }),
          price: withNotices,
          repeat: withNotices,
          simple: async () => answer(await sql.unsafe(literal).simple()),
          async prepared() {
            const ask = () => sql.unsafe(prepared, [place.age], { prepare: true });
            const [first, second] = [answer(await ask()), answer(await ask())];
            return { ...first, same: JSON.stringify(first) === JSON.stringify(second) };
          },
          async cursor() {
            const parts: unknown[][][] = [];
            await sql.unsafe(literal).cursor(2, (rows) => void parts.push(rows.map(Object.values)));
            return { rows: parts.flat(), parts: parts.map(({ length }) => length) };
          },
          copy: async () => ({
            csv: await text(await sql.unsafe(`COPY (${literal}) TO STDOUT (FORMAT csv, HEADER)`).readable()),
          }),
          async cancel() {
            const asked = sql.unsafe(slow);
            const met = asked.then(
              () => "none",
              ({ code }: postgres.PostgresError) => code,
            );
            await place.isAsked();
            asked.cancel();
            return { state: await met, again: Number((await sql.unsafe(slow))[0]?.n) };
          },
          refusal: () =>
            sql.unsafe(refused).then(
              () => ({}),
              ({ code, position, hint }: postgres.PostgresError) => ({
                state: code,
                position: Number(position),
                hint,
              }),
            ),
        },
        wanted,
      );
    } finally {
      await sql.end();
    }
  },
};

function answer(rows: postgres.RowList<postgres.Row[]>): Told {
  return { columns: rows.columns.map(({ name }) => name), rows: rows.map((row) => Object.values(row)) };
}
