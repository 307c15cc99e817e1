import { expect, it } from "vitest";
import { inFolder } from "../../testing/command-line.ts";
import { serverNamed } from "./server-named.ts";

const token = `lethe_${"0".repeat(16)}_${"A".repeat(43)}`;
const named = (server: string) => serverNamed({ server, tokenFile: "token" });

it("a service is named by its origin, and a token by its file", () =>
  inFolder({ token: `${token}\n` }, async () => {
    expect(named("https://lethe.example/")).toEqual({ server: "https://lethe.example", token });
    for (const here of ["http://127.0.0.1:8377", "http://localhost:8377", "http://[::1]:8377"])
      expect(named(here).server).toBe(here);
  }));

it("a token is sent to no other machine in the clear, and what is advised is taken", () =>
  inFolder({ token }, async () => {
    for (const host of ["lethe.example:8377", "127.0.0.1.example", "localhost.example"]) {
      const fix = `write --server https://${host}`;
      expect(() => named(`http://${host}`)).toThrowError(expect.objectContaining({ code: "cli.usage", fix }));
      expect(named(fix.split(" ").at(-1)!).server).toBe(`https://${host}`);
    }
  }));

it.each([
  "",
  "lethe.example",
  "ftp://lethe.example",
  "https://lethe.example/v1",
  "https://lethe.example/?a=b",
])("%j is no address of a service", (server) =>
  inFolder({ token }, async () => {
    expect(() => named(server)).toThrowError(expect.objectContaining({ code: "cli.usage" }));
  }),
);
