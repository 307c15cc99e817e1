import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "../temporary-folder.ts";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const patience = 60_000;

/** A Chromium of this machine: what LETHE_CHROMIUM names, else the first on the PATH; null where there is none. */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): string | null {
  const stated = env.LETHE_CHROMIUM;
  if (stated !== undefined && stated !== "") return existsSync(stated) ? stated : null;
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return (
    folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path)) ??
    null
  );
}

/** An SVG as the PNG that the browser shows, two pixels for each of its own. Errors: whatever the browser failed of. */
export async function pngOf(svg: string, browser: string): Promise<Uint8Array> {
  const size = /^<svg [^>]*\bwidth="(\d+)[\d.]*" height="(\d+)[\d.]*"/.exec(svg);
  if (size === null) throw new TypeError("a drawing states no size");
  const [, width, height] = size;
  const { path: folder, remove } = temporaryFolder("lethe-plot-");
  try {
    const [drawing, picture] = [join(folder, "plot.svg"), join(folder, "plot.png")];
    writeFileSync(drawing, svg);
    const flags = [
      "--headless",
      "--disable-gpu",
      "--hide-scrollbars",
      "--force-device-scale-factor=2",
      `--user-data-dir=${join(folder, "profile")}`,
      `--window-size=${width},${height}`,
      `--screenshot=${picture}`,
      // As root Chromium has no sandbox to run in; it shows nothing but this drawing, which holds no script.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ];
    await promisify(execFile)(browser, [...flags, pathToFileURL(drawing).href], { timeout: patience });
    return readFileSync(picture);
  } finally {
    remove();
  }
}
