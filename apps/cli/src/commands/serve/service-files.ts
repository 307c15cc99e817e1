import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { LetheError } from "@lethe/core";
import {
  derive,
  isKnownPassword,
  type PeopleHouse,
  readServiceConfig,
  type ServiceConfig,
} from "@lethe/serve";
import { createServiceFile, openServiceDatabase, openServiceFile, type ServiceStore } from "@lethe/server";
import { readText } from "../../workspace.ts";

/** The configuration that is read where none is named and none is there: everything at its default. */
const allDefaults = "version: 1\n";

/** A configuration, and the folder that its paths are relative to. */
export interface PlacedConfig {
  readonly config: ServiceConfig;
  readonly base: string;
}

/** Reads the service's configuration; where `path` is the default and no such file is there, all is at its default. Errors: cli.file, config.*. */
export function readConfig(path: string, isDefault: boolean): PlacedConfig {
  const absolute = resolve(path);
  const text = isDefault && !existsSync(absolute) ? allDefaults : readText(absolute, "the configuration");
  return { config: readServiceConfig(text), base: dirname(absolute) };
}

/** Opens what the service keeps, and makes it where it is not there. Errors: people.unreadable; config.invalid for a variable that holds no URL. */
export async function openPeople(placed: PlacedConfig): Promise<ServiceStore> {
  const { store } = placed.config;
  if (store !== null) return openServiceDatabase({ url: storeUrl(store), random: randomly, log: sayOnError });
  const path = pathOf(placed);
  if (existsSync(path)) return openServiceFile(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return createServiceFile(path, randomly);
}

/** Opens what the service keeps where it is there. Errors: those of {@link openPeople}. */
export async function openExistingPeople(placed: PlacedConfig): Promise<ServiceStore> {
  const { store } = placed.config;
  if (store !== null) return openServiceDatabase({ url: storeUrl(store), random: null, log: sayOnError });
  return openServiceFile(pathOf(placed));
}

/** The URL of the service's database, which may hold a password and is never said. */
function storeUrl({ urlVariable }: NonNullable<ServiceConfig["store"]>): string {
  const url = process.env[urlVariable];
  if (url && URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol)) return url;
  throw new LetheError(
    "config.invalid",
    `store.url_env: the variable ${urlVariable} holds no URL of PostgreSQL`,
    {
      fix: `export ${urlVariable}=postgres://role@host/database`,
      fields: { path: "store.url_env" },
    },
  );
}

const sayOnError = (detail: string): void => console.error(detail);

function pathOf({ config, base }: PlacedConfig): string {
  return join(resolve(base, config.data), "service.sqlite");
}

/** Returns the means by which whoever owns the files changes people; the audit log names the command line for it. */
export function peopleHouse(
  { people: store }: Pick<ServiceStore, "people">,
  { signIn }: ServiceConfig,
): PeopleHouse {
  const { leastLength: least, iterations } = signIn;
  return {
    store,
    random: randomly,
    now: Date.now,
    by: { name: null, by: "command-line", id: null, address: null },
    passwords: { least, isKnown: isKnownPassword, iterations, derive },
  };
}

function randomly(count: number): Uint8Array {
  return new Uint8Array(randomBytes(count));
}
