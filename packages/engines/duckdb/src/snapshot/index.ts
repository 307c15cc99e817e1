export { importOf, isImported, readManifest } from "./manifest.ts";
export { type ReadingAsked, readingOfManifest } from "./reading-of-manifest.ts";
