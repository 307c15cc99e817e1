import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  derive,
  isKnownPassword,
  type PeopleHouse,
  readServiceConfig,
  type ServiceConfig,
} from "@lethe/serve";
import { createServiceFile, openServiceFile, type ServiceFile } from "@lethe/server";
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

/** Opens the file of people and of the audit log, and makes it where it is not there. Errors: people.unreadable. */
export async function openPeople(placed: PlacedConfig): Promise<ServiceFile> {
  const path = pathOf(placed);
  if (existsSync(path)) return openServiceFile(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return createServiceFile(path, randomly);
}

/** Opens the file where it is there. Errors: people.unreadable. */
export function openExistingPeople(placed: PlacedConfig): Promise<ServiceFile> {
  return openServiceFile(pathOf(placed));
}

function pathOf({ config, base }: PlacedConfig): string {
  return join(resolve(base, config.data), "service.sqlite");
}

/** Returns the means by which whoever owns the files changes people; the audit log names the command line for it. */
export function peopleHouse({ people: store }: ServiceFile, { signIn }: ServiceConfig): PeopleHouse {
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
