export * from "./store/service-file.ts";
