import { foldName, type PeopleStore, type Person } from "@lethe/serve";
import { personText, readPerson, recentPeople } from "../person-json.ts";
import { writeEntries } from "./audit-table.ts";
import { schemaName } from "./schema.ts";
import type { Run, Tables } from "./tables.ts";

interface Content {
  readonly content: string;
}

/** People in the service's database. Each is read anew by each look, so that whoever was changed by another process is so at once in this one; only reading the text of one again is spared. */
export function peopleTable(tables: Tables): PeopleStore {
  const read = recentPeople();
  const personBy = async (from: string, ...keys: string[]): Promise<Person | null> => {
    const [row] = await tables.run<Content>(`SELECT content FROM ${schemaName}.people ${from}`, keys);
    return row ? read(row.content) : null;
  };
  return {
    async revision() {
      const [row] = await tables.run<{ readonly revision: number }>(
        `SELECT revision::float8 AS revision FROM ${schemaName}.service`,
      );
      return (row as { readonly revision: number }).revision;
    },
    byName: (name) => personBy("WHERE folded = $1", foldName(name)),
    byToken: (id) => personBy(`JOIN ${schemaName}.tokens ON person = folded WHERE id = $1`, id),
    byIdentity: ({ issuer, subject }) =>
      personBy(
        `JOIN ${schemaName}.identities ON person = folded WHERE issuer = $1 AND subject = $2`,
        issuer,
        subject,
      ),
    async list() {
      const rows = await tables.run<Content>(`SELECT content FROM ${schemaName}.people`);
      const people = rows.map(({ content }) => readPerson(content));
      // By UTF-16 code units, as everywhere else, which is not the database's order.
      return people.sort((a, b) => (foldName(a.name) < foldName(b.name) ? -1 : 1));
    },
    put: (person, revision, facts) =>
      tables.within(async (run) => {
        if (!(await put(run, person, revision))) return false;
        await writeEntries(run, facts);
        return true;
      }),
  };
}

/** Changes one person, where nobody was changed since that revision: the row that counts changes is locked, so that changes of people follow one another. */
async function put(run: Run, person: Person, revision: number): Promise<boolean> {
  const folded = foldName(person.name);
  const ids = person.tokens.map(({ id }) => id);
  const issuers = person.identities.map(({ issuer }) => issuer);
  const subjects = person.identities.map(({ subject }) => subject);
  const [held] = await run(`SELECT FROM ${schemaName}.service WHERE id = 0 AND revision = $1 FOR UPDATE`, [
    revision,
  ]);
  if (held === undefined) return false;
  const [other] = await run(
    `SELECT FROM ${schemaName}.tokens WHERE id = ANY($1::text[]) AND person <> $4
      UNION ALL SELECT FROM ${schemaName}.identities JOIN unnest($2::text[], $3::text[]) AS own (issuer, subject) USING (issuer, subject) WHERE person <> $4`,
    [ids, issuers, subjects, folded],
  );
  if (other !== undefined) return false;
  await run(
    `INSERT INTO ${schemaName}.people VALUES ($1, $2) ON CONFLICT (folded) DO UPDATE SET content = excluded.content`,
    [folded, personText(person)],
  );
  await run(`DELETE FROM ${schemaName}.tokens WHERE person = $1`, [folded]);
  await run(`DELETE FROM ${schemaName}.identities WHERE person = $1`, [folded]);
  await run(`INSERT INTO ${schemaName}.tokens SELECT id, $2 FROM unnest($1::text[]) AS own (id)`, [
    ids,
    folded,
  ]);
  await run(
    `INSERT INTO ${schemaName}.identities SELECT issuer, subject, $3 FROM unnest($1::text[], $2::text[]) AS own (issuer, subject)`,
    [issuers, subjects, folded],
  );
  await run(`UPDATE ${schemaName}.service SET revision = revision + 1`);
  return true;
}
