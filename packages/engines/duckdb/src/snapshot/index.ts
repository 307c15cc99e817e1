export { importOf, readManifest } from "./manifest.ts";
