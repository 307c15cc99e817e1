import { spawn } from "node:child_process";

/**
 * Starts one gateway, which waits until `go(number)` says where its questions begin. `told` grows with every whole line that it prints, and `heard`
 * is called with each. `opened` resolves when its ledger is open, `tells(n)` when it told n lines more, `ended` with { killed, code, stderr } when it is gone.
 */
export function startGateway(program, directory, plan, heard) {
  const child = spawn(process.execPath, [program, directory, JSON.stringify(plan)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const told = [];
  const errors = [];
  let rest = "";
  let awaited = { lines: Number.POSITIVE_INFINITY, reached: () => {} };
  let isOpen;
  const opened = new Promise((resolve) => {
    isOpen = resolve;
  });
  child.stdout.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    // A kill may cut the last line: then what it would have said was never heard.
    rest = lines.pop();
    for (const line of lines.map((each) => JSON.parse(each))) {
      told.push(line);
      if (line.did === "opened") isOpen();
      heard(line);
    }
    if (told.length >= awaited.lines) awaited.reached();
  });
  child.stderr.on("data", (chunk) => errors.push(chunk));
  child.stdin.on("error", () => {});
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve({ killed: signal === "SIGKILL", code, stderr: Buffer.concat(errors).toString("utf8") });
    });
  });
  return {
    told,
    tells: (more) =>
      new Promise((reached) => {
        awaited = { lines: told.length + more, reached };
        if (more === 0) reached();
      }),
    opened,
    ended,
    go: (number) => child.stdin.end(String(number)),
    kill: () => child.kill("SIGKILL"),
  };
}
