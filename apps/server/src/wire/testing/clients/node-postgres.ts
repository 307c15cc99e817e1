import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import Cursor from "pg-cursor";
import { pinnedVersion } from "./pinned-version.ts";
import { outcomesOf, type Told, type WireClient } from "./wire-client.ts";

/** node-postgres, with pg-cursor and pg-copy-streams. */
export const nodePostgres: WireClient = {
  name: "pg",
  version: pinnedVersion("pg", "npm"),
  missing: () => null,
  without: {
    reflect: "it has no calls for the catalog",
    binary: "its parser of binary numbers loses digits, and it does not ask for them by itself",
    cancel: "its cancel, which is not documented, never leaves over TLS",
  },
  async run(place, wanted) {
    const { host, port, user, password, database, certificate } = place;
    const { literal, prepared, refused } = place.questions;
    const ssl = { ca: readFileSync(certificate, "utf8") };
    const client = new pg.Client({ host, port, user, password, database, ssl });
    const notices: string[] = [];
    client.on("notice", ({ message }) => notices.push(message ?? ""));
    await client.connect();
    const withNotices = async (): Promise<Told> => {
      notices.length = 0;
      return { ...answer(await client.query(literal)), notices: [...notices] };
    };
    try {
      return await outcomesOf(
        {
          tls: async () => ({ user: (await client.query("SELECT current_user")).rows[0].current_user }),
          async binding() {
            const config = { host, port, user, password, database, ssl, enableChannelBinding: true };
            const bound = new pg.Client(config as pg.ClientConfig);
            const mechanisms: string[] = [];
            const { connection } = bound as unknown as { connection: SaslSender };
            const send = connection.sendSASLInitialResponseMessage;
            connection.sendSASLInitialResponseMessage = (mechanism, first) => {
              mechanisms.push(mechanism);
              send.call(connection, mechanism, first);
            };
            await bound.connect();
            await bound.end();
            return { user: mechanisms[0] === "SCRAM-SHA-256-PLUS" ? user : String(mechanisms) };
          },
          price: withNotices,
          repeat: withNotices,
          simple: async () => answer(await client.query(literal)),
          async prepared() {
            const named = { name: "by age", text: prepared, values: [place.age] };
            const [first, second] = [await client.query(named), await client.query(named)];
            return {
              ...answer(first),
              same: JSON.stringify(answer(first)) === JSON.stringify(answer(second)),
            };
          },
          async cursor() {
            const cursor = client.query(new Cursor(literal, [], { rowMode: "array" }));
            const parts = [await cursor.read(2), await cursor.read(2), await cursor.read(9)];
            await cursor.close();
            return { rows: parts.flat(), parts: parts.map(({ length }) => length) };
          },
          copy: async () => ({
            csv: await text(client.query(copyTo(`COPY (${literal}) TO STDOUT (FORMAT csv, HEADER)`))),
          }),
          refusal: () =>
            client.query(refused).then(
              () => ({}),
              ({ code, position, hint }: pg.DatabaseError) => ({
                state: code,
                position: Number(position),
                hint,
              }),
            ),
        },
        wanted,
      );
    } finally {
      await client.end();
    }
  },
};

interface SaslSender {
  sendSASLInitialResponseMessage: (mechanism: string, first: string) => void;
}

function answer({ fields, rows }: pg.QueryResult): Told {
  return { columns: fields.map(({ name }) => name), rows: rows.map((row) => Object.values(row)) };
}
