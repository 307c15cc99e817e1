import { readFileSync } from "node:fs";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

/** The places where a client's version is pinned. */
export type PinnedIn = "npm" | "pip" | "maven";

/** Returns the version of a client that the tests run. Throws where none is pinned. */
export function pinnedVersion(name: string, by: PinnedIn): string {
  const version = {
    npm: () => {
      const { dependencies, devDependencies } = JSON.parse(read("../../../../package.json"));
      return { ...dependencies, ...devDependencies }[name] as string | undefined;
    },
    pip: () => new RegExp(`^${name}==(.*)$`, "m").exec(read("requirements.txt"))?.[1],
    maven: () =>
      new RegExp(`"${name}:([\\d.]+)"`).exec(read("../../../../../../scripts/wire-clients.mjs"))?.[1],
  }[by]();
  if (version === undefined) throw new Error(`no version of ${name} is pinned`);
  return version;
}
