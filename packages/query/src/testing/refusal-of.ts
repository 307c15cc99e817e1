import { LetheError } from "@lethe/core";

/** The coded refusal that `work` ends with. Whatever else it ends with fails the test. */
export async function refusalOf(work: Promise<unknown>): Promise<LetheError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof LetheError) return error;
    throw error;
  }
  throw new Error("was accepted");
}
