export { normalizeGroups } from "./normalized-groups.ts";
export { openScattering, type Scattering, type ScatteringRequest } from "./open-scattering.ts";
