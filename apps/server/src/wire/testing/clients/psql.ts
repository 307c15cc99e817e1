import { spawnSync } from "node:child_process";
import { startProgram } from "./run-program.ts";
import { outcomesOf, type Place, type Told, type WireClient } from "./wire-client.ts";

/** psql, run with -c as a shell would. */
export const psql: WireClient = {
  name: "psql",
  version: null,
  missing: () => (spawnSync("psql", ["--version"]).status === 0 ? null : "psql is not installed"),
  without: {
    prepared: "a variable is written into the text before it is sent",
    binary: "it prints texts",
  },
  run: (place, wanted) => {
    const run = (...words: readonly string[]) => starts(place, "", words).ended;
    const csv = async (...words: readonly string[]): Promise<Told> => {
      const { printed, complained } = await run("--csv", ...words);
      const told = { csv: printed, notices: noticesOf(complained) };
      if (/ERROR|FATAL/.test(complained)) throw new Error(complained);
      return told;
    };
    const { literal, slow, refused } = place.questions;
    return outcomesOf(
      {
        tls: async () => ({ user: (await run("-At", "-c", "SELECT current_user")).printed.trim() }),
        async binding() {
          const bound = starts(place, " channel_binding=require", ["-At", "-c", "SELECT current_user"]);
          return { user: (await bound.ended).printed.trim() };
        },
        async reflect() {
          const listed = await run("-At", "-c", "\\dt");
          const described = await run("-At", "-c", "\\d people");
          const first = ({ printed }: { printed: string }, at: number) =>
            printed
              .trim()
              .split("\n")
              .map((line) => line.split("|")[at] ?? "");
          return { tables: first(listed, 1), columns: first(described, 0) };
        },
        price: () => csv("-c", literal),
        simple: () => csv("-c", literal),
        repeat: () => csv("-c", literal),
        async cursor() {
          const [begin, ...rest] = [`DECLARE parts CURSOR FOR ${literal}`, "FETCH 2 FROM parts"];
          const fetched = await csv(
            "-q",
            "-t",
            ...["BEGIN", begin, ...rest, "FETCH 2 FROM parts", "FETCH ALL FROM parts"].flatMap((text) => [
              "-c",
              text ?? "",
            ]),
          );
          return { ...fetched, csv: `sector,mean,mean_lower,mean_upper\n${fetched.csv}` };
        },
        async copy() {
          return csv("-c", `\\copy (${literal}) TO STDOUT (FORMAT csv, HEADER)`);
        },
        async refusal() {
          const { complained } = await run("-v", "VERBOSITY=verbose", "-c", refused);
          const [, state] = /^ERROR: {2}(\w{5}): /m.exec(complained) ?? [];
          const [, line = "", mark = ""] = /^LINE 1: (.*)\n( *)\^/m.exec(complained) ?? [];
          const [, hint] = /^HINT: {2}(.*)$/m.exec(complained) ?? [];
          return {
            state,
            position: line === refused ? mark.length - "LINE 1: ".length + 1 : undefined,
            hint,
          };
        },
        async cancel() {
          const { ended, interrupt } = starts(place, "", ["-v", "VERBOSITY=verbose", "-c", slow]);
          await place.isAsked();
          interrupt();
          const [, state] = /^ERROR: {2}(\w{5}): /m.exec((await ended).complained) ?? [];
          return { state, again: Number((await run("-Atq", "-c", slow)).printed.split("|")[0]) };
        },
      },
      wanted,
    );
  },
};

function starts(place: Place, more: string, words: readonly string[]) {
  const { host, port, user, database, certificate } = place;
  const where = `host=${host} port=${port} user=${user} dbname=${database} sslmode=verify-full sslrootcert=${certificate}`;
  return startProgram("psql", ["-X", `${where}${more}`, ...words], { PGPASSWORD: place.password });
}

function noticesOf(complained: string): readonly string[] {
  return [...complained.matchAll(/^NOTICE: {2}(.*)$/gm)].map(([, notice = ""]) => notice);
}
