import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a fake server met. */
export interface MetRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type FakeAnswer =
  | string
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** The connection is cut, or nothing is answered at all. */
  | "cut"
  | "silence";

export interface FakeTrino {
  readonly url: string;
  readonly met: readonly MetRequest[];
  stop(): Promise<void>;
}

/** A server on the loopback that says what a test has it say; "$" in an answer is its own origin. */
export async function fakeTrino(
  answer: (request: MetRequest, count: number) => FakeAnswer,
): Promise<FakeTrino> {
  const met: MetRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { method = "", url: path = "", headers } = request;
    const asked = { method, path, headers, body };
    met.push(asked);
    reply(response, answer(asked, met.length));
  });
  function reply(response: ServerResponse, said: FakeAnswer): void {
    if (said === "silence") return;
    if (said === "cut") return void response.destroy();
    const { status, headers = {}, body = "" } = typeof said === "string" ? { status: 200, body: said } : said;
    response.writeHead(status, headers).end(body.replaceAll("$", url));
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    met,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
