import { afterAll, beforeAll } from "vitest";
import { inFolder } from "./command-line.ts";

/**
 * Keeps the process in one folder with these files for all tests of a file, once `prepare` is done there: every test asks of the same account. Call it
 * at the top of the file.
 */
export function oneFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
  prepare: () => Promise<void>,
): void {
  let leave: () => void = () => undefined;
  let left: Promise<void>;
  beforeAll(
    () =>
      new Promise<void>((ready, failed) => {
        left = inFolder(files, async () => {
          await prepare();
          ready();
          await new Promise<void>((done) => {
            leave = done;
          });
        });
        left.catch(failed);
      }),
  );
  afterAll(() => {
    leave();
    return left;
  });
}
