import { connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/**
 * A way to a server that now and then is slow or ends: a connection is cut with probability `cut` at each piece that comes along, and delayed with
 * probability `delay`. A COMMIT is cut more often: with probability `commit` before it arrives, and as often once it did, so that its answer is never
 * heard. With probability `drop` at a piece a connection goes silent: that piece and what follows are dropped, until one of its ends leaves. It does so until what `disturb` is given has ended, and is a plain way before and after. Gives { port, told: { cuts, commits, delays, drops }, disturb, close }.
 */
export async function cuttingProxy(port, random, { cut = 0.01, delay = 0.05, commit = 0.1, drop = 0 } = {}) {
  const told = { cuts: 0, commits: 0, delays: 0, drops: 0 };
  const open = new Set();
  let isCalm = true;
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    const both = [client, upstream];
    for (const socket of both) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        for (const other of both) other.destroy();
      });
    }
    let [deaf, silent] = [false, false];
    const end = () => {
      told.cuts += 1;
      for (const socket of both) socket.destroy();
    };
    const relay = (from, to, commits) => {
      let turn = Promise.resolve();
      from.on("data", (piece) => {
        turn = turn.then(async () => {
          if (from.destroyed) return;
          if (isCalm) return to.write(piece);
          if (silent) return;
          if (random() < drop) {
            told.drops += 1;
            silent = true;
            return;
          }
          if (random() < delay) {
            told.delays += 1;
            await pause(20 * random());
          }
          if (commits && /COMMIT(?!TED)/.test(piece.toString("latin1"))) {
            told.commits += 1;
            const fate = random();
            if (fate < commit) return end();
            if (fate < 2 * commit) deaf = true;
          }
          if (random() < cut || (deaf && !commits)) return end();
          to.write(piece);
        });
      });
    };
    relay(client, upstream, true);
    relay(upstream, client, false);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: server.address().port,
    told,
    async disturb(ended) {
      isCalm = false;
      await ended;
      isCalm = true;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
