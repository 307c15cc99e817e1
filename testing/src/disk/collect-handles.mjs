import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** The ledger's database driver keeps the files of a closed connection open until its statements are collected. */
export async function collectHandles() {
  await turn();
  collect();
  await turn();
}
