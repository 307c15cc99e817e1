import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { inFolder } from "../testing/command-line.ts";
import { findBrowser, pngOf } from "./browser.ts";

it("a browser is what LETHE_CHROMIUM names, else the first of its names in the folders of the PATH", () =>
  inFolder({ own: "" }, async (folder) => {
    const [first, second] = ["first", "second"].map((name) => join(folder, name)) as [string, string];
    for (const place of [first, second]) mkdirSync(place);
    const PATH = ["", first, second].join(delimiter);
    expect(findBrowser({ PATH })).toBeNull();
    expect(findBrowser({})).toBeNull();
    writeFileSync(join(second, "chromium"), "");
    expect(findBrowser({ PATH })).toBe(join(second, "chromium"));
    writeFileSync(join(first, "google-chrome-stable"), "");
    expect(findBrowser({ PATH })).toBe(join(first, "google-chrome-stable"));
    writeFileSync(join(first, "google-chrome"), "");
    expect(findBrowser({ PATH })).toBe(join(first, "google-chrome"));
    writeFileSync(join(first, "chromium-browser"), "");
    expect(findBrowser({ PATH })).toBe(join(first, "chromium-browser"));
    expect(findBrowser({ PATH, LETHE_CHROMIUM: "" })).toBe(join(first, "chromium-browser"));
    expect(findBrowser({ PATH, LETHE_CHROMIUM: join(folder, "own") })).toBe(join(folder, "own"));
    expect(findBrowser({ PATH, LETHE_CHROMIUM: join(folder, "none") })).toBeNull();
    // A name in the folder of the command itself is no browser: an empty part of the PATH is none.
    writeFileSync("chromium", "");
    expect(findBrowser({ PATH: "" })).toBeNull();
  }));

/** A browser that draws what it was asked for: its own words. */
const echo = (folder: string, last = ""): string => {
  const path = join(folder, "browser.mjs");
  writeFileSync(
    path,
    `#!/usr/bin/env node
import { writeFileSync } from "node:fs";
const words = process.argv.slice(2);
const picture = words.find((word) => word.startsWith("--screenshot=")).slice(13);
${last === "" ? "writeFileSync(picture, JSON.stringify(words));" : last}
`,
  );
  chmodSync(path, 0o755);
  return path;
};
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="916" height="394.5" viewBox="0 0 916 394.5"></svg>';

it("a picture has the drawing's size, two pixels for each of its own, and nothing stays of the work", () =>
  inFolder({}, async (folder) => {
    const words: readonly string[] = JSON.parse(Buffer.from(await pngOf(svg, echo(folder))).toString());
    expect(words).toContain("--window-size=916,394");
    expect(words).toContain("--force-device-scale-factor=2");
    expect(words).toContain("--headless");
    expect(words.includes("--no-sandbox")).toBe(process.getuid?.() === 0);
    expect(words.at(-1)).toMatch(/^file:\/\/\/.*lethe-plot-\w+\/plot\.svg$/);
    const [place] = words.flatMap((word) => (word.startsWith("--screenshot=") ? [word.slice(13)] : []));
    expect(existsSync(join(place!, ".."))).toBe(false);
  }));

it("a browser that fails, or draws nothing, leaves nothing either", () =>
  inFolder({}, async (folder) => {
    const told = join(folder, "told");
    const failing = echo(folder, `writeFileSync(${JSON.stringify(told)}, picture); process.exit(3);`);
    await expect(pngOf(svg, failing)).rejects.toThrow();
    expect(existsSync(join(readFileSync(told, "utf8"), ".."))).toBe(false);
    await expect(pngOf(svg, echo(folder, "process.exit(0);"))).rejects.toThrow(/ENOENT/);
  }));
