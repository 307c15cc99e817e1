export { importOf, isImported, readManifest } from "./manifest.ts";
