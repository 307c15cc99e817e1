import { connect, createServer } from "node:net";

/** Listens on a free port of this machine and hands each connection to the next of the ports, one after another, leaving out those that take none; returns { port, close }. The list may change meanwhile. */
export async function roundRobin(ports) {
  let next = 0;
  const open = new Set();
  const server = createServer((client) => {
    open.add(client);
    client.on("close", () => open.delete(client)).on("error", () => undefined);
    const hand = (tries) => {
      if (tries === 0) return client.destroy();
      const node = connect(ports[next++ % ports.length], "127.0.0.1");
      node.once("error", () => hand(tries - 1));
      node.once("connect", () => {
        node.removeAllListeners("error");
        node.on("error", () => client.destroy());
        client.on("error", () => node.destroy()).on("close", () => node.destroy());
        client.pipe(node).pipe(client);
      });
    };
    hand(ports.length);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: server.address().port,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const client of open) client.destroy();
      }),
  };
}
