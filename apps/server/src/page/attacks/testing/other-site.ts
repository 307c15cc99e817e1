import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A site that is not the service: whatever is asked of it, it answers with one page. */
export interface OtherSite {
  /** On the host of the service, where browsers send its cookies along: another port is the same site. */
  readonly near: string;
  /** On another site. */
  readonly far: string;
  close(): Promise<void>;
}

/** Opens a site on loopback, under two names. */
export async function openOtherSite(): Promise<OtherSite> {
  const html = "<!doctype html><title>evil</title><body>evil";
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    near: `http://127.0.0.1:${port}/`,
    far: `http://localhost:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
