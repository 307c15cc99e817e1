import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Installs packages of the house in a project as users get them: what `npm pack` packs of each folder, with the dependencies that it declares
 * and no others. The house must be built.
 * @example installPacked(project, "packages/core"); // project/node_modules/@lethe/core
 */
export function installPacked(project: string, ...folders: readonly string[]): void {
  const modules = join(project, "node_modules");
  const words = folders.map((folder) => `--workspace=${folder}`);
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", project, ...words], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  for (const { name, filename } of JSON.parse(packed) as { name: string; filename: string }[]) {
    const file = join(project, filename);
    mkdirSync(join(modules, name), { recursive: true });
    execFileSync("tar", ["-xzf", file, "-C", join(modules, name), "--strip-components=1"]);
    rmSync(file);
  }
  const declared = folders.flatMap((folder) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as {
      dependencies?: Readonly<Record<string, string>>;
    };
    return Object.keys(dependencies);
  });
  // Packages of the house come packed or not at all.
  for (const name of new Set(declared.filter((each) => !each.startsWith("@lethe/")))) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
}
