import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "tsdown";

/** A program for a page, and what it weighs on the way there. */
export interface Bundle {
  /** Declares the global `Lethe`. */
  readonly code: string;
  readonly minifiedBytes: number;
  readonly gzippedBytes: number;
  /** The files it is made of, from the root of the house. */
  readonly modules: readonly string[];
}

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** One minified script of all that a file of `packages/core/src` exports, for browsers, made from sources. Nothing is written. */
export async function bundle(entry: string): Promise<Bundle> {
  const built = await build({
    cwd: `${root}packages/core`,
    entry: { lethe: `src/${entry}` },
    config: false,
    clean: false,
    dts: false,
    write: false,
    logLevel: "silent",
    platform: "browser",
    target: "es2022",
    format: "iife",
    globalName: "Lethe",
    minify: true,
  });
  const chunks = built
    .flatMap(({ chunks }) => chunks)
    .flatMap((chunk) => (chunk.type === "chunk" ? [chunk] : []));
  const [chunk, ...others] = chunks;
  if (!chunk || others.length > 0) throw new Error(`expected one script, got ${chunks.length}`);
  return {
    code: chunk.code,
    minifiedBytes: Buffer.byteLength(chunk.code),
    gzippedBytes: gzipSync(chunk.code, { level: 9 }).byteLength,
    modules: Object.keys(chunk.modules).map((file) => file.replace(root, "")),
  };
}
