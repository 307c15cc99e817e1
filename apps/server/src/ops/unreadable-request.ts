import type { Server } from "node:http";
import type { Socket } from "node:net";
import { invalidParameter, LetheError } from "@lethe/core";
import { tooLarge } from "@lethe/serve";
import { renderJson } from "@lethe/serve/formats";
import { protections } from "../http/answers/whole-answer.ts";
import { problemType } from "../http/problems/answer-problem.ts";
import { problemOf } from "../http/problems/problem.ts";

/** What every answer says, also one that the routes never met. */
const always = { ...protections, "content-type": problemType };

const notHttp = invalidParameter("the request", undefined, "well-formed HTTP/1.1, to this service's host");
const tooSlow = new LetheError("parameter.invalid", "the request was not sent whole in time", {
  fix: "send headers and body at once",
  fields: { name: "the request" },
});

/** Answers a request whose target or host is none, which no route is asked about. */
export function unreadableRequest(): Response {
  const { status, text } = written(notHttp, 400);
  return new Response(text, { status, headers: always });
}

/**
 * Refuses, by a problem as every route has it, what never becomes a request: bytes that are no HTTP, headers beyond `mostHeaders` bytes, and what comes too slowly. A connection on which an answer is on its way is
 * closed instead, so that nothing is put into that answer.
 */
export function refuseUnreadable(server: Server, mostHeaders: number): void {
  const answering = new WeakMap<Socket, number>();
  const count = (socket: Socket, by: 1 | -1): void =>
    void answering.set(socket, (answering.get(socket) ?? 0) + by);
  server.on("request", ({ socket }, response) => {
    count(socket, 1);
    response.once("close", () => count(socket, -1));
  });
  // Nothing but 100-continue is expected of a server today.
  server.on("checkExpectation", (_request, response) => {
    const { status, text } = written(notHttp, 417);
    const headers = { ...always, connection: "close", "content-length": Buffer.byteLength(text) };
    response.writeHead(status, headers).end(text);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const isAnswering = (answering.get(socket as Socket) ?? 0) > 0;
    if (!socket.writable || isAnswering || error.code === "ECONNRESET") return void socket.destroy();
    const { status, reason, text } = refusalOf(error.code, mostHeaders);
    const headers = { ...always, connection: "close", "content-length": String(Buffer.byteLength(text)) };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}\r\n${text}`, () => socket.destroy());
  });
}

function refusalOf(code: string | undefined, mostHeaders: number): Written & { readonly reason: string } {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return { ...written(tooLarge(mostHeaders), 431), reason: "Request Header Fields Too Large" };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { ...written(tooSlow, 408), reason: "Request Timeout" };
    default:
      return { ...written(notHttp, 400), reason: "Bad Request" };
  }
}

interface Written {
  readonly status: number;
  readonly text: string;
}

function written(error: LetheError, status: number): Written {
  return { status, text: renderJson({ ...problemOf(error), status }) };
}
