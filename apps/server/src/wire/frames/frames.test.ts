import fc from "fast-check";
import { expect, test } from "vitest";
import { frame, int32, parse, query, startup, sync, text } from "../testing/raw-client.ts";
import { BodyReader } from "./body-reader.ts";
import { mostBytes, readMessage } from "./client-message.ts";
import { FrameBuffer } from "./frame-buffer.ts";
import { mostStartup, readStartup } from "./startup-packet.ts";

const limits = mostBytes(65_536);

test("messages are cut out of bytes wherever these are cut", () => {
  const messages = [query("SELECT 1"), parse("a", "SELECT $1", [701]), sync, query("é".repeat(3_000))];
  const bytes = Buffer.concat(messages);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 60 }), (sizes) => {
      const frames = new FrameBuffer();
      const taken: Buffer[] = [];
      let at = 0;
      for (let turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        frames.push(bytes.subarray(at, at + size));
        at += size;
        for (let next = frames.takeFrame(limits); next; next = frames.takeFrame(limits))
          taken.push(frame(next.kind, next.body));
      }
      expect(Buffer.concat(taken).equals(bytes)).toBe(true);
      expect(frames.waiting).toBe(0);
    }),
    { seed: 17, numRuns: 200 },
  );
});

test.each([
  ["negative", Buffer.from([0x51, 0xff, 0xff, 0xff, 0xff]), "serve.protocol"],
  ["3, which is less than a length itself", Buffer.from([0x51, 0, 0, 0, 3]), "serve.protocol"],
  ["2 GB", Buffer.from([0x51, 0x7f, 0xff, 0xff, 0xff]), "serve.too-large"],
  [
    "a byte above what is taken",
    Buffer.concat([Buffer.from("Q"), int32(65_536 + 4_096 + 5)]),
    "serve.too-large",
  ],
  ["of a kind that no client sends", Buffer.from([0x7a, 0, 0, 0, 4]), "serve.protocol"],
])("a message whose length is %s is refused by its first bytes", (_, bytes, code) => {
  const frames = new FrameBuffer();
  frames.push(bytes);
  expect(() => frames.takeFrame(limits)).toThrow(expect.objectContaining({ code }));
});

test("a length that is stated takes no memory", () => {
  const frames = new FrameBuffer();
  const before = process.memoryUsage().arrayBuffers;
  frames.push(Buffer.concat([Buffer.from("Q"), int32(65_000)]));
  expect(frames.takeFrame(limits)).toBeNull();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000);
});

test.each([
  ["GET / HTTP/1.1\r\n\r\n", "serve.too-large"],
  [Buffer.concat([int32(-1)]), "serve.protocol"],
])("the first words of another protocol are refused", (bytes, code) => {
  const frames = new FrameBuffer();
  frames.push(Buffer.from(bytes as string));
  expect(() => frames.takeStartup(mostStartup)).toThrow(expect.objectContaining({ code }));
});

test("the first words are read", () => {
  const body = (packet: Buffer): Buffer => packet.subarray(4);
  expect(readStartup(body(startup({ user: "ada", database: "x" })))).toEqual({
    kind: "start",
    minor: 0,
    parameters: new Map([
      ["user", "ada"],
      ["database", "x"],
    ]),
  });
  expect(readStartup(int32(80_877_103))).toEqual({ kind: "tls" });
  expect(readStartup(int32(80_877_104))).toEqual({ kind: "gss" });
  expect(readStartup(Buffer.concat([int32(80_877_102), int32(7), int32(-9)]))).toEqual({
    kind: "cancel",
    process: 7,
    secret: -9,
  });
  for (const wrong of [
    body(startup({ user: "ada" }, 2 << 16)),
    Buffer.concat([int32(80_877_103), int32(1)]),
    Buffer.concat([int32(3 << 16), Buffer.from("user\0ada")]),
    Buffer.concat([int32(3 << 16), Buffer.from("user\0ada\0\0more")]),
    Buffer.alloc(2),
  ])
    expect(() => readStartup(wrong)).toThrow(expect.objectContaining({ code: "serve.protocol" }));
});

test.each([
  ["a text that does not end", frame("Q", Buffer.from("SELECT 1"))],
  ["more than its text", frame("Q", text("SELECT 1"), text("x"))],
  ["bytes that are not UTF-8", frame("Q", Buffer.from([0xff, 0]))],
  ["a count without its parts", frame("P", text(""), text("SELECT 1"), Buffer.from([0xff, 0xff]))],
  ["a value longer than the message", frame("B", text(""), text(""), Buffer.from([0, 0, 0, 1]), int32(99))],
  ["a format of its own", frame("B", text(""), text(""), Buffer.from([0, 1, 0, 7, 0, 0, 0, 0]))],
  ["no statement and no portal", frame("D", Buffer.from("X\0"))],
])("a message with %s is refused", (_, bytes) => {
  const frames = new FrameBuffer();
  frames.push(bytes);
  const next = frames.takeFrame(limits);
  expect(next).not.toBeNull();
  expect(() => next && readMessage(next)).toThrow(expect.objectContaining({ code: "serve.protocol" }));
});

test("whatever comes is read or refused, and never anything else", () => {
  const body = fc.uint8Array({ maxLength: 60 });
  fc.assert(
    fc.property(fc.constantFrom(..."QPBDECSHXFdcfpz"), body, (kind, bytes) => {
      const frames = new FrameBuffer();
      frames.push(frame(kind, bytes));
      try {
        const next = frames.takeFrame(limits);
        if (next) readMessage(next);
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^serve\.(?:protocol|too-large)$/) });
      }
      try {
        readStartup(Buffer.from(bytes));
      } catch (error) {
        expect(error).toMatchObject({ code: "serve.protocol" });
      }
    }),
    { seed: 18, numRuns: 5_000 },
  );
});

test("a body is read to its end and no further", () => {
  const reader = new BodyReader(Buffer.concat([int32(5), text("a"), Buffer.from([1])]));
  expect([reader.int32(), reader.text(), reader.byte(), reader.left]).toEqual([5, "a", 1, 0]);
  for (const more of [() => reader.byte(), () => reader.int16(), () => reader.bytes(-1), () => reader.text()])
    expect(more).toThrow(expect.objectContaining({ code: "serve.protocol" }));
});
