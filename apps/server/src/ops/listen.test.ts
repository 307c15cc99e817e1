import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppHouse, openHouse, secretValue } from "../testing/app-house.ts";
import type { Listening } from "./begin-listening.ts";
import { listen } from "./listen.ts";

/*
 * Over a real socket: what is no request, or none yet. Each is refused by a problem as every route has it, in bounded time and memory, and the process goes on.
 */

let house: AppHouse;
let at: Listening;
beforeAll(async () => {
  house = await openHouse();
  at = await listen((request, env) => house.app.fetch(request, env), {
    address: "127.0.0.1",
    port: 0,
    tls: null,
    proxies: [],
  });
});
afterAll(async () => {
  await at.close(100);
  await house.close();
});

/** Sends bytes on a connection of their own; resolves with all that came back, once it is closed. */
const exchange = (...parts: (string | Buffer)[]): Promise<string> =>
  new Promise((resolve, reject) => {
    let told = "";
    const socket: Socket = connect(at.port, at.address, () => {
      for (const part of parts) socket.write(part);
    });
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      told += chunk;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error);
    });
    socket.on("close", () => resolve(told));
  });

interface Read {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

function read(text: string): Read {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), headers: head.toLowerCase(), body: rest.join("\r\n\r\n") };
}

const host = "Host: lethe.example\r\n";
const close = "Connection: close\r\n";

describe("what is no request", () => {
  test.each([
    ["bytes of another protocol", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), 400],
    ["a method that is none", `FLY / HTTP/1.1\r\n${host}\r\n`, 400],
    ["no host", `GET / HTTP/1.1\r\n${close}\r\n`, 400],
    ["a host that is none", `GET /v1/tables HTTP/1.1\r\nHost: a b^\r\n${close}\r\n`, 400],
    ["a target that is none", `GET \\v1 HTTP/1.1\r\n${host}${close}\r\n`, 400],
    ["a header with a line feed in it", `GET / HTTP/1.1\r\n${host}a: b\nc\0: d\r\n\r\n`, 400],
    ["two lengths", `POST /v1/query HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`, 400],
    [
      "a length and chunks",
      `POST /v1/query HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ["an expectation that nobody has", `GET / HTTP/1.1\r\n${host}Expect: tea\r\n\r\n`, 417],
    ["headers of 20 kB", `GET / HTTP/1.1\r\n${host}a: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ])("%s is refused by a problem, and the connection ends", async (_, bytes, status) => {
    const { status: got, headers, body } = read(await exchange(bytes));
    expect(got).toBe(status);
    for (const header of [
      "content-type: application/problem+json",
      "cache-control: no-store",
      "x-content-type-options: nosniff",
      "content-security-policy: default-src 'none'",
    ])
      expect(headers).toContain(header);
    const problem = JSON.parse(body);
    expect(problem).toMatchObject({ status, code: expect.any(String), fix: expect.any(String) });
    for (const hidden of [secretValue, house.folder, "node_modules"]) expect(body).not.toContain(hidden);
  });

  test("after a request is not put into that request's answer", async () => {
    const body = JSON.stringify({ sql: "SELECT COUNT(*) AS n FROM people", epsilon: "1" });
    const request = `POST /v1/query HTTP/1.1\r\n${host}Authorization: Bearer ${house.tokens.analyst}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const told = await exchange(request, "\0\0\0\r\n\r\n");
    expect(told.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(1);
    if (told !== "") expect(read(told).status).toBe(200);
  });
});

test("requests that come in one piece are answered in their order", async () => {
  const told = await exchange(
    `GET / HTTP/1.1\r\n${host}\r\nGET /v1/none HTTP/1.1\r\n${host}\r\nGET /none HTTP/1.1\r\n${host}${close}\r\n`,
  );
  expect([...told.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["200", "401", "404"]);
});

test("nothing is repeated to whoever traces, and no folder is listed", async () => {
  for (const [method, path] of [
    ["TRACE", "/"],
    ["TRACE", "/v1/query"],
    ["GET", "/.git/HEAD"],
    ["GET", "/assets/"],
    ["GET", "/../lethe.yaml"],
  ]) {
    const told = await exchange(`${method} ${path} HTTP/1.1\r\n${host}${close}X-Secret: repeated\r\n\r\n`);
    expect([400, 401, 404]).toContain(read(told).status);
    expect(told).not.toContain("repeated");
    expect(JSON.parse(read(told).body)).toHaveProperty("code");
  }
});

test("a body that is declared too large is refused before it is sent", async () => {
  const told = await exchange(
    `POST /v1/query HTTP/1.1\r\n${host}${close}Authorization: Bearer ${house.tokens.analyst}\r\nContent-Type: application/json\r\nContent-Length: 300000\r\n\r\n`,
    "x".repeat(1000),
  );
  expect(read(told).status).toBe(413);
});

test("a server that ends waits for what it answers, and takes nothing more by a connection that stays", async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let began = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => {
    began = resolve;
  });
  const own = await listen(
    async (request) => {
      if (request.url.endsWith("/held")) {
        began();
        await held;
      } else release();
      return new Response("told");
    },
    { address: "127.0.0.1", port: 0, tls: null, proxies: [] },
  );
  const socket = connect(own.port, own.address);
  let told = "";
  socket.setEncoding("utf8").on("data", (chunk) => {
    told += chunk;
  });
  const ended = new Promise((resolve) => socket.once("close", resolve));
  socket.write(`GET /held HTTP/1.1\r\n${host}\r\n`);
  await isHeld;
  // Longer than any test may last: what is left open would be seen.
  const closed = own.close(10 ** 8);
  socket.write(`GET /next HTTP/1.1\r\n${host}\r\nGET /later HTTP/1.1\r\n${host}\r\n`);
  await Promise.all([closed, ended]);
  expect(told.match(/HTTP\/1\.1 200/g)?.length).toBe(2);
  expect(told.toLowerCase().match(/connection: close/g)?.length).toBe(1);
});
