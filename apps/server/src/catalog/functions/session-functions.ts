import { refused } from "../refuse.ts";
import { system } from "../system/system.ts";
import { systemVersion } from "../system/system-data.generated.ts";
import { ArrayValue } from "../types/values.ts";
import type { ScalarFunction, ScalarFunctions } from "./call.ts";

/** The version that clients are told: that of the catalog whose forms they meet. */
export const serverVersion: string = systemVersion.split(" ")[0] ?? systemVersion;

const searchPath = ["public"];

/** What a function tells of the time, in UTC, in PostgreSQL's form. */
export function timestampText(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace("T", " ")
    .replace(/\.?0*Z$/, "");
}

/** Moves a time to a zone, which is UTC. */
const timezone: ScalarFunction = ([zone, time]) =>
  /^(?:utc|gmt|z)$/i.test(String(zone))
    ? String(time).replace(/\+00$/, "")
    : refused("query.unsupported", "the catalog here knows times of UTC alone");

const extract: ScalarFunction = ([field, time]) =>
  String(field).toLowerCase() === "epoch"
    ? Date.parse(`${String(time).replace(" ", "T").replace(/\+00$/, "")}Z`) / 1_000
    : refused("query.unsupported", "the catalog here extracts the epoch alone");

/** Functions that tell of the connection. */
export const sessionFunctions: ScalarFunctions = {
  current_database: (_, { run }) => run.session.database,
  current_schema: () => searchPath[0] ?? null,
  current_schemas: ([all]) => new ArrayValue(all === true ? ["pg_catalog", ...searchPath] : searchPath),
  current_user: (_, { run }) => run.session.user,
  session_user: (_, { run }) => run.session.user,
  getpgusername: (_, { run }) => run.session.user,
  version: () => `PostgreSQL ${serverVersion} (the wire of Lethe)`,
  pg_backend_pid: (_, { run }) => run.session.process,
  getdatabaseencoding: () => "UTF8",
  pg_client_encoding: () => "UTF8",
  pg_is_in_recovery: () => false,
  pg_is_wal_replay_paused: () => false,
  pg_advisory_unlock_all: () => "",
  pg_my_temp_schema: () => 0,
  pg_is_other_temp_schema: () => false,
  pg_postmaster_start_time: () => null,
  pg_conf_load_time: () => null,
  inet_server_addr: () => null,
  inet_server_port: () => null,
  inet_client_addr: () => null,
  inet_client_port: () => null,
  txid_current: () => 1n,
  txid_current_if_assigned: () => null,
  pg_current_xact_id_if_assigned: () => null,
  age: () => 1,
  pg_blocking_pids: () => new ArrayValue([]),
  now: (_, { run }) => `${timestampText(run.session.now())}+00`,
  transaction_timestamp: (_, { run }) => `${timestampText(run.session.now())}+00`,
  statement_timestamp: (_, { run }) => `${timestampText(run.session.now())}+00`,
  clock_timestamp: (_, { run }) => `${timestampText(run.session.now())}+00`,
  timezone,
  extract,
  date_part: extract,
  current_setting: ([name, isOptional], { run }) => {
    const value = run.session.setting(String(name));
    if (value !== null || isOptional === true) return value;
    return refused("query.option", `there is no setting ${JSON.stringify(String(name).slice(0, 63))} here`);
  },
  set_config: ([name, value], { run }) => run.session.configure(String(name), String(value ?? "")),
};

/** What the names of keywords' groups are. */
export function keywordRows(): ReturnType<typeof system>["keywords"] {
  return system().keywords;
}
