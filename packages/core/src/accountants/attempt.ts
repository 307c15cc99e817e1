import { LetheError } from "../errors/lethe-error.ts";

/** Null where a formula cannot take the numbers of a valid event in doubles; every other error passes. */
export function attempt<T>(run: () => T | null): T | null {
  try {
    return run();
  } catch (error) {
    if (error instanceof LetheError && error.code === "parameter.invalid") return null;
    throw error;
  }
}
