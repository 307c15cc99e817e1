import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Lets what nobody holds be collected: SQLite's driver closes a file of this process only when the statements of its connection are. */
export async function collected(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  for (let turn = 0; turn < 3; turn += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
