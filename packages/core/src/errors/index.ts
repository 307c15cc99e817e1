export { type ErrorCode, errorCodes } from "./codes.ts";
export { type ErrorDetails, invalidParameter, LetheError } from "./lethe-error.ts";
