import { type ErrorCode, LetheError } from "@lethe/core";
import { Cut, sqlState } from "./connection.ts";
import { type PostgresPlace, placeText } from "./place.ts";
import { refusals } from "./schema.ts";

interface Meaning {
  readonly code: ErrorCode;
  readonly what: string;
  readonly fix: string;
}

const busy: Meaning = {
  code: "ledger.busy",
  what: "is locked by another process",
  fix: "wait until the other process is done and ask again with the same request id",
};
const damaged: Meaning = {
  code: "ledger.corrupt",
  what: "is damaged, or was changed by another hand",
  fix: "run lethe ledger verify; keep the database as it is, and restore its newest state",
};
const failed: Meaning = {
  code: "ledger.unreadable",
  what: "cannot be read or written",
  fix: "look into the server's log, then ask again with the same request id",
};
const silent: Meaning = {
  code: "ledger.unreadable",
  what: "does not answer",
  fix: "start the server or mend the way to it, then ask again with the same request id: nothing is charged twice",
};
const missing: Meaning = {
  code: "ledger.missing",
  what: "has no tables of a ledger that this role may see",
  fix: "have their owner make them: lethe ledger tables prints the SQL; if there was a ledger, restore it: a new one forgets what was spent",
};
const denied: Meaning = {
  code: "ledger.server",
  what: "refuses this role what a ledger needs",
  fix: "grant what lethe ledger tables prints, and no more",
};

/** By SQLSTATE or its first two characters (PostgreSQL, Appendix A). */
const meanings: Readonly<Record<string, Meaning>> = {
  "55P03": busy,
  "40001": busy,
  "40P01": busy,
  "57014": busy,
  "25006": {
    code: "ledger.server",
    what: "may not be written: the server is read-only or a replica",
    fix: "connect to the primary",
  },
  "28": {
    code: "ledger.unreadable",
    what: "does not let this role in",
    fix: "put the password into PGPASSWORD or the password file, and look at pg_hba.conf",
  },
  "3D": {
    code: "ledger.missing",
    what: "is to lie in a database that is not there",
    fix: "name the database in the URL as the server does; if there was one, restore it: a new one forgets what was spent",
  },
  "3F": missing,
  "42P01": missing,
  "42501": denied,
  "23": damaged,
  XX: damaged,
  [refusals.changed]: damaged,
  "53100": {
    code: "ledger.unreadable",
    what: "does not fit on the server's disk",
    fix: "free disk space and ask again with the same request id",
  },
};

/** An error of the database as a coded one that names the place, never its own text. Any other is a fault of ours and passes unchanged. */
export function postgresError(place: PostgresPlace, error: unknown): unknown {
  if (error instanceof LetheError) return error;
  if (error instanceof Cut) return coded(place, silent, null);
  const state = sqlState(error);
  if (state === null) return error;
  if (state === refusals.moved) return moved(place, null);
  return coded(place, meanings[state] ?? meanings[state.slice(0, 2)] ?? failed, state);
}

/** The ledger is elsewhere, and is charged there alone. */
export function moved(place: PostgresPlace, target: string | null): LetheError {
  return new LetheError(
    "ledger.moved",
    `the ledger in ${placeText(place)} was moved${target ? ` to ${target}` : ""}`,
    {
      fix: "use it where it is now; two that can charge would spend the budget twice. Where its way into a file was cut off, run lethe ledger move file in that folder again",
      fields: target === null ? {} : { target },
    },
  );
}

function coded(place: PostgresPlace, { code, what, fix }: Meaning, state: string | null): LetheError {
  return new LetheError(code, `the ledger in ${placeText(place)} ${what}`, {
    fix,
    fields: {
      host: place.host,
      database: place.database,
      schema: place.schema,
      ...(state ? { sqlstate: state } : {}),
    },
  });
}

/** The refusal where PostgreSQL stopped to wait for the replica: what was written is durable on one machine alone. */
export function noReplica(place: PostgresPlace): LetheError {
  return new LetheError(
    "ledger.unreadable",
    `no replica of the ledger in ${placeText(place)} has acknowledged a record`,
    {
      fix: "start the standby, then do the same again; of a question under the same request id nothing is charged twice",
      fields: { schema: place.schema },
    },
  );
}
