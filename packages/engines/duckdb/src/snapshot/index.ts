export { type ReadingAsked, readingOfManifest } from "../reading-of-manifest.ts";
export { importOf, isImported, readManifest } from "./manifest.ts";
