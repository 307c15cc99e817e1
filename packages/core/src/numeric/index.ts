export * from "./rational.ts";
