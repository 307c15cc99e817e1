import { LetheError } from "@lethe/core";
import { serverVersion } from "../../catalog/index.ts";
import { durationMs, longestMs, shownDuration } from "./duration.ts";

interface Setting {
  readonly usual: string;
  /** Whether a client is told of it at the beginning, and whenever it changes. */
  readonly isReported?: true;
  /** The form in which a value is kept; null for one that is not taken. Absent where any is. */
  readonly read?: (value: string) => string | null;
  /** The values that are taken, in words, where there are more than the usual one. */
  readonly takes?: string;
  readonly example?: string;
  readonly isFixed?: true;
  /** Whether it is stated as a connection begins, and stays for as long as that lasts. */
  readonly isOfConnection?: true;
}

const only =
  (pattern: RegExp, kept: string): ((value: string) => string | null) =>
  (value) =>
    pattern.test(value.trim()) ? kept : null;

const switched = (value: string): string | null => {
  if (/^(?:on|true|yes|1)$/i.test(value)) return "on";
  return /^(?:off|false|no|0)$/i.test(value) ? "off" : null;
};

/** A time after which something ends; never where it is 0. */
const timeout: Setting = {
  usual: "0",
  read: shownDuration,
  takes: `a time from 0 to ${longestMs} ms, such as 5s`,
  example: "5s",
};

const levels = [
  "debug5",
  "debug4",
  "debug3",
  "debug2",
  "debug1",
  "debug",
  "log",
  "notice",
  "warning",
  "error",
];

/** The options of a question that a connection may state once, for all that it asks: those of `lethe query`. */
export const questionSettings = {
  "lethe.epsilon": "epsilon",
  "lethe.delta": "delta",
  "lethe.project": "project",
  "lethe.confidence": "confidence",
  "lethe.keys": "keys",
  "lethe.mechanism": "mechanism",
} as const;

const settings: Readonly<Record<string, Setting>> = {
  application_name: { usual: "", isReported: true, read: (value) => value.slice(0, 63) },
  bytea_output: { usual: "hex" },
  client_encoding: { usual: "UTF8", isReported: true, read: only(/^["']?(?:utf-?8|unicode)["']?$/i, "UTF8") },
  client_min_messages: {
    usual: "notice",
    read: (value) => (levels.includes(value.toLowerCase()) ? value.toLowerCase() : null),
  },
  datestyle: { usual: "ISO, MDY", isReported: true, read: only(/^iso\b/i, "ISO, MDY") },
  default_transaction_isolation: { usual: "read committed" },
  default_transaction_read_only: { usual: "on", read: only(/^(?:on|true|yes|1)$/i, "on") },
  extra_float_digits: { usual: "1" },
  idle_in_transaction_session_timeout: timeout,
  idle_session_timeout: timeout,
  in_hot_standby: { usual: "off", isReported: true, isFixed: true },
  integer_datetimes: { usual: "on", isReported: true, isFixed: true },
  intervalstyle: { usual: "postgres", isReported: true, read: only(/^postgres$/i, "postgres") },
  is_superuser: { usual: "off", isReported: true, isFixed: true },
  block_size: { usual: "8192", isFixed: true },
  default_table_access_method: { usual: "heap" },
  default_tablespace: { usual: "" },
  lc_messages: { usual: "C" },
  row_security: { usual: "on" },
  xmloption: { usual: "content" },
  max_index_keys: { usual: "32", isFixed: true },
  jit: { usual: "on" },
  lock_timeout: timeout,
  max_identifier_length: { usual: "63", isFixed: true },
  search_path: { usual: '"$user", public' },
  server_encoding: { usual: "UTF8", isReported: true, isFixed: true },
  server_version: { usual: serverVersion, isReported: true, isFixed: true },
  server_version_num: { usual: versionNumber(serverVersion), isFixed: true },
  session_authorization: { usual: "", isReported: true, isFixed: true },
  standard_conforming_strings: { usual: "on", isReported: true, read: only(/^(?:on|true|yes|1)$/i, "on") },
  statement_timeout: timeout,
  timezone: { usual: "UTC", isReported: true },
  transaction_isolation: { usual: "read committed" },
  transaction_read_only: { usual: "on", read: only(/^(?:on|true|yes|1)$/i, "on") },
  "lethe.intervals": { usual: "on", read: switched, takes: "on or off", isOfConnection: true },
  ...Object.fromEntries(Object.keys(questionSettings).map((name) => [name, { usual: "" }])),
};

/** Names as PostgreSQL reports them where they have capitals. */
const reportedAs: Readonly<Record<string, string>> = {
  datestyle: "DateStyle",
  intervalstyle: "IntervalStyle",
  timezone: "TimeZone",
};

const mostCharacters = 1_000;

/** The settings of one connection. Those that have no meaning here, such as lock_timeout where nothing is locked, are kept as they are set; none changes what a question costs but those that begin with `lethe.`. */
export class Settings {
  readonly #values = new Map<string, string>();
  readonly #first = new Map<string, string>();
  /** Those that were set for the block alone. */
  readonly #ofBlock = new Map<string, string>();
  readonly #changed: (name: string, value: string) => void;

  /** `changed` is told of each setting that clients follow. */
  constructor(user: string, changed: (name: string, value: string) => void) {
    this.#first.set("session_authorization", user);
    this.#changed = changed;
  }

  /** All names, in order. */
  static get names(): readonly string[] {
    return Object.keys(settings).sort();
  }

  /** Returns a value; null where there is no such setting. */
  value(asked: string): string | null {
    const name = asked.toLowerCase();
    if (!Object.hasOwn(settings, name)) return null;
    return (
      this.#ofBlock.get(name) ??
      this.#values.get(name) ??
      this.#first.get(name) ??
      settings[name]?.usual ??
      null
    );
  }

  /** The time of a setting that is one, in milliseconds; null where nothing ends by it. */
  timeout(
    name: "statement_timeout" | "idle_session_timeout" | "idle_in_transaction_session_timeout",
  ): number | null {
    return durationMs(this.value(name) ?? "0") || null;
  }

  /** Sets a value, for the block alone or until it is set again. Errors: query.option. */
  set(asked: string, value: string, isOfBlock = false): void {
    const name = asked.toLowerCase();
    const kept = checked(name, asked, value);
    if (settings[name]?.isOfConnection && kept !== this.value(name))
      throw new LetheError("query.option", `${name} is stated as a connection begins`, {
        fix: `connect anew with options='-c ${name}=${kept}'`,
        fields: { name },
      });
    this.#ofBlock.delete(name);
    (isOfBlock ? this.#ofBlock : this.#values).set(name, kept);
    this.#report(name);
  }

  /** A block, or what stands for one, has ended: what was set for it alone is as it was. */
  endBlock(): void {
    const names = [...this.#ofBlock.keys()];
    this.#ofBlock.clear();
    for (const name of names) this.#report(name);
  }

  /** Sets a value as the connection begins: it is what a reset goes back to. What is not known or not taken here is passed over, as drivers send many. */
  begin(asked: string, value: string): void {
    const name = asked.toLowerCase();
    if (!Object.hasOwn(settings, name)) return;
    this.#first.set(name, checked(name, asked, value));
  }

  /** Goes back to the first value, of all where no name is stated. Errors: query.option. */
  reset(asked: string | null): void {
    const names = asked === null ? [...this.#values.keys(), ...this.#ofBlock.keys()] : [asked.toLowerCase()];
    for (const name of names) {
      if (!Object.hasOwn(settings, name)) throw unknownSetting(name);
      this.#values.delete(name);
      this.#ofBlock.delete(name);
      this.#report(name);
    }
  }

  /** Tells of every setting that clients follow. */
  reportAll(): void {
    for (const name of Settings.names) this.#report(name);
  }

  #report(name: string): void {
    if (settings[name]?.isReported) this.#changed(reportedAs[name] ?? name, this.value(name) ?? "");
  }
}

function checked(name: string, asked: string, value: string): string {
  const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
  if (!setting) throw unknownSetting(asked);
  const kept = setting.read ? setting.read(value) : value;
  if (kept === null || setting.isFixed || value.length > mostCharacters)
    throw new LetheError(
      "query.option",
      setting.takes ? `${name} takes ${setting.takes}` : `${name} has one value here: ${setting.usual}`,
      {
        fix: setting.example ? `write SET ${name} = '${setting.example}'` : `leave ${name} as it is`,
        fields: { name },
      },
    );
  return kept;
}

/** 18.4 as 180004. */
function versionNumber(version: string): string {
  const [major = "0", minor = "0"] = version.split(".");
  return `${major}${minor.padStart(4, "0")}`;
}

function unknownSetting(asked: string): LetheError {
  return new LetheError("query.option", `there is no setting ${JSON.stringify(asked.slice(0, 63))} here`, {
    fix: "write SHOW ALL to see the settings that there are",
  });
}
