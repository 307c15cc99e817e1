import {
  type AttemptRules,
  Attempts,
  attemptKeys,
  attemptRules,
  type KeptAttempts,
  type KeptTally,
  type SignInAttempts,
} from "@lethe/serve";
import { schemaName } from "./schema.ts";
import type { Run, Tables } from "./tables.ts";

interface Row {
  readonly kind: "pair" | "name" | "address" | "known";
  readonly key: string;
  readonly last: number;
  readonly content: string;
}

/** Attempts between two looks at how many entries there are. */
const attemptsBetweenLooks = 256;

/** The delays between sign-ins at all processes of a service together: {@link Attempts} decides, over what the database keeps, by the database's clock, one attempt after another. */
export function sharedAttempts(tables: Tables, rules: AttemptRules = attemptRules): SignInAttempts {
  let begun = 0;
  const decide = <T>(name: string, address: string, work: (book: Attempts, at: number) => T): Promise<T> =>
    tables.within(async (run) => {
      const now = await locked(run);
      const keys = keysOf(name, address);
      const before = keptOf(await read(run, keys));
      const book = new Attempts(rules);
      book.keep(name, address, before);
      const result = work(book, now);
      await write(run, keys, before, book.kept(name, address));
      return result;
    });
  return {
    waitMs: (name, address) => decide(name, address, (book, now) => book.waitMs(name, address, now)),
    async admit(name, address) {
      begun += 1;
      if (begun % attemptsBetweenLooks === 0) await forgetAttempts(tables, rules);
      return decide(name, address, (book, now) => book.admit(name, address, now));
    },
    succeeded: (name, address, at) => decide(name, address, (book) => book.succeeded(name, address, at)),
  };
}

type Keys = Readonly<Record<Row["kind"], string>>;

function keysOf(name: string, address: string): Keys {
  const { pair, name: ofName, address: ofAddress } = attemptKeys(name, address);
  return { pair, name: ofName, address: ofAddress, known: pair };
}

/** Takes the lock of all attempts, and returns the database's time, in milliseconds since 1970. */
async function locked(run: Run): Promise<number> {
  await run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`${schemaName} attempts`]);
  const [row] = await run<{ readonly at: number }>(
    "SELECT FLOOR(EXTRACT(epoch FROM clock_timestamp()) * 1000)::float8 AS at",
  );
  return (row as { readonly at: number }).at;
}

function read(run: Run, keys: Keys): Promise<readonly Row[]> {
  return run<Row>(
    `SELECT attempts.kind, attempts.key, last, content FROM ${schemaName}.attempts
      JOIN unnest($1::text[], $2::text[]) AS own (kind, key) ON own.kind = attempts.kind AND own.key = attempts.key`,
    [Object.keys(keys), Object.values(keys)],
  );
}

function keptOf(rows: readonly Row[]): KeptAttempts {
  const tally = (kind: Row["kind"]): KeptTally | null => {
    const row = rows.find((each) => each.kind === kind);
    if (row === undefined) return null;
    const { before = undefined, ...rest } = JSON.parse(row.content) as KeptTally;
    return { ...rest, before };
  };
  return {
    pair: tally("pair"),
    name: tally("name"),
    address: tally("address"),
    known: rows.find(({ kind }) => kind === "known")?.last ?? null,
  };
}

async function write(run: Run, keys: Keys, before: KeptAttempts, after: KeptAttempts): Promise<void> {
  for (const kind of ["pair", "name", "address"] as const) {
    const tally = after[kind];
    if (JSON.stringify(tally) === JSON.stringify(before[kind])) continue;
    if (tally === null) await remove(run, kind, keys[kind]);
    else
      await put(run, {
        kind,
        key: keys[kind],
        level: tally.level,
        last: tally.last,
        content: JSON.stringify(tally),
      });
  }
  if (after.known !== null && after.known !== before.known)
    await put(run, { kind: "known", key: keys.known, level: 0, last: after.known, content: "null" });
}

async function remove(run: Run, kind: Row["kind"], key: string): Promise<void> {
  await run(`DELETE FROM ${schemaName}.attempts WHERE kind = $1 AND key = $2`, [kind, key]);
}

async function put(
  run: Run,
  { kind, key, level, last, content }: Row & { readonly level: number },
): Promise<void> {
  await run(
    `INSERT INTO ${schemaName}.attempts (kind, key, level, last, content) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (kind, key) DO UPDATE SET level = excluded.level, last = excluded.last, content = excluded.content`,
    [kind, key, level, last, content],
  );
}

/** Forgets, of each kind beyond the most, the lowest counts, so that a flood of new keys pushes out its own; of addresses that are known, the oldest. */
export async function forgetAttempts(tables: Tables, { most, halfLifeMs }: AttemptRules): Promise<void> {
  await tables.within(async (run) => {
    const now = await locked(run);
    for (const kind of ["pair", "name", "address", "known"])
      await run(
        `DELETE FROM ${schemaName}.attempts WHERE kind = $1 AND key IN (
          SELECT key FROM ${schemaName}.attempts WHERE kind = $1
          ORDER BY level * 0.5 ^ LEAST(1000, GREATEST(0, $2 - last) / $3) DESC, last DESC OFFSET $4)`,
        [kind, now, halfLifeMs, most],
      );
  });
}
