export { readServiceConfig, serviceConfigJsonSchema } from "./read-config.ts";
export type { OidcConfig, ServiceConfig } from "./service-config.ts";
