/** What a catalog query may learn of the connection that asks it. */
export interface CatalogSession {
  /** The name of whoever asks. */
  readonly user: string;
  readonly database: string;
  /** The number of the connection. */
  readonly process: number;
  /** Milliseconds since 1970. */
  now(): number;
  /** Returns a setting; null where there is no such setting. */
  setting(name: string): string | null;
  /** Returns the names of all settings. */
  settings(): readonly string[];
  /** Sets a setting for the connection, and returns the value that is kept. Errors: query.option. */
  configure(name: string, value: string): string;
}
