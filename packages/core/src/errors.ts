/**
 * The one family of errors, and every code.
 * @module @lethe/core/errors
 */
export {
  type ErrorCode,
  type ErrorDetails,
  errorCodes,
  invalidParameter,
  LetheError,
} from "./errors/index.ts";
