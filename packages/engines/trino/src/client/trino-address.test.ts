import { describe, expect, it } from "vitest";
import { readTrinoUrl } from "./trino-address.ts";

describe("the URL of a Trino", () => {
  it("says who asks whom, and where names lie", () => {
    expect(
      readTrinoUrl("https://le%40the:p%3As@trino.example:8443/lake/clinic?session.hive.x_y=1%25"),
    ).toEqual({
      origin: "https://trino.example:8443",
      user: "le@the",
      password: "p:s",
      tokenFile: null,
      catalog: "lake",
      schema: "clinic",
      session: { "hive.x_y": "1%" },
    });
    expect(readTrinoUrl("https://u@h?token_file=/run/token")).toMatchObject({
      tokenFile: "/run/token",
      password: null,
      catalog: null,
      schema: null,
    });
  });

  it.each([
    "http://u@127.0.0.1:8080",
    "http://u@localhost/c",
    "http://u@[::1]:1/c/s",
    "http://u@trino/c/s?transport=plaintext",
  ])("may be of plain http: %s", (url) => {
    expect(readTrinoUrl(url).user).toBe("u");
  });

  it.each([
    ["trino", "is not a URL"],
    ["postgres://u@secret/d", "is not of https"],
    ["https://secret/c/s", "names no user"],
    ["https://u@secret/c/s/t", "names more than a catalog and a schema"],
    ["https://u@secret/%zz", "has a part that is not encoded as URLs are"],
    ["https://u@secret/c#s", "has a fragment"],
    ["https://u@secret/c?ssl=1", "has an option that is not known"],
    ["https://u@secret/c?session.=1", "has an option that is not known"],
    ["https://u:p@secret/c?token_file=t", "has both a password and a token"],
    ["http://u:p@127.0.0.1/c", "would send a password or a token in plain text"],
    ["http://u@secret/c?token_file=t&transport=plaintext", "would send a password or a token in plain text"],
    ["http://u@secret/c/s", "would send rows in plain text"],
    ["http://u@127.0.0.1.secret/c/s", "would send rows in plain text"],
  ])("is refused as %s, without a word of it", (url, wrong) => {
    let error: unknown;
    try {
      readTrinoUrl(url);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: "engine.source", message: `the URL of Trino ${wrong}` });
    expect(JSON.stringify(error)).not.toContain("secret");
  });
});
