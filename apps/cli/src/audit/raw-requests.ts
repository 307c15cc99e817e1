import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { connect as plainConnect, type Socket } from "node:net";
import { connect as secureConnect } from "node:tls";
import type { WireReply, WireRequest } from "@lethe/audit";

/** An answer that is not whole by then is none. */
const patienceMs = 60_000;

/** Sends a request on a connection of its own, with any header, the Host too; status 0 where no answer came. */
export function sendRaw(
  server: string,
  { method, path, headers = {}, body }: WireRequest,
): Promise<WireReply> {
  const url = new URL(path, server);
  const send = url.protocol === "https:" ? secureRequest : plainRequest;
  const from = performance.now();
  const took = (): number => performance.now() - from;
  const none = (): WireReply => ({ status: 0, type: "", body: "", took: took() });
  const sent = {
    ...headers,
    ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
  };
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(patienceMs);
    const call = send(url, { method, headers: sent, agent: false, signal }, (response) => {
      const parts: Buffer[] = [];
      const { statusCode = 0, headers: told } = response;
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        resolve({ status: statusCode, type: told["content-type"] ?? "", body: text, took: took() });
      });
      response.on("error", () => resolve(none()));
    });
    // A refusal may come before the whole body was sent.
    call.on("error", () => resolve(none()));
    call.end(body);
  });
}

/** Sends half of a request and waits until the service ends the connection: the milliseconds that it took, or null where they are more than `patience`. */
export function halfRequest(server: string, part: "head" | "body", patience: number): Promise<number | null> {
  const { protocol, hostname, port, host } = new URL(server);
  const place = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (protocol === "https:" ? 443 : 80),
  };
  const head = `POST /v1/query HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  const half = part === "head" ? head : `${head}Content-Length: 1000\r\n\r\n{"sql":"SELECT`;
  const secure = { ...place, servername: place.host };
  return endOf(protocol === "https:" ? secureConnect(secure) : plainConnect(place), half, patience);
}

/** Sends bytes on a connection and waits until the other side ends it: the milliseconds that it took, or null where they are more than `patience`. */
export function endOf(socket: Socket, bytes: string | Uint8Array, patience: number): Promise<number | null> {
  const from = performance.now();
  return new Promise((resolve) => {
    const end = (took: number | null): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(took);
    };
    const timer = setTimeout(() => end(null), patience);
    socket.on("close", () => end(performance.now() - from));
    socket.on("error", () => end(performance.now() - from));
    socket.resume();
    socket.write(bytes);
  });
}
