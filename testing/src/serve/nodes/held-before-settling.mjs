/*
 * For tests alone: node --import this program, and no thread of it asks for a settlement while the file LETHE_TEST_HOLD is there. The program itself knows nothing of it.
 */
import { existsSync } from "node:fs";
import { MessagePort } from "node:worker_threads";

const file = process.env.LETHE_TEST_HOLD;
const post = MessagePort.prototype.postMessage;
const never = new Int32Array(new SharedArrayBuffer(4));

MessagePort.prototype.postMessage = function (message, ...more) {
  if (typeof message?.body === "string" && message.body.startsWith('{"name":"settle"'))
    while (existsSync(file)) Atomics.wait(never, 0, 0, 20);
  return post.call(this, message, ...more);
};
