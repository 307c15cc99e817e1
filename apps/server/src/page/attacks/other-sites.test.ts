import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { password } from "../../testing/app-house.ts";
import { noBrowser, openPageHouse, type PageHouse } from "../../testing/page-house.ts";
import { type OtherSite, openOtherSite } from "./testing/other-site.ts";
import { stateOf } from "./testing/state-of.ts";

if (noBrowser) console.log(`skipped: ${noBrowser}`);

const sql = "SELECT COUNT(*) AS n FROM people";

describe.skipIf(noBrowser !== null)("another site, in the browser of somebody who is signed in", () => {
  let pages: PageHouse;
  let other: OtherSite;
  let owner: Page;
  let dashboard: string;
  beforeAll(async () => {
    pages = await openPageHouse();
    other = await openOtherSite();
    const made = await pages.house.send("/v1/dashboards", {
      as: "owner",
      json: { name: "Mine", questions: [], readers: [] },
    });
    dashboard = ((await made.json()) as { readonly id: string }).id;
    owner = (await pages.visit("olga")).page;
    await owner.getByRole("heading", { level: 1 }).waitFor();
  });
  afterAll(async () => {
    await pages?.close();
    await other?.close();
  });
  /** Opens the other site in the browser that is signed in. */
  const evil = async (at: "near" | "far"): Promise<Page> => {
    const page = await owner.context().newPage();
    await page.goto(other[at]);
    return page;
  };
  /** Every route that changes something, and the body that would. */
  const changes = (): readonly (readonly [string, string, object | null])[] => [
    ["POST", "query", { sql, epsilon: "1" }],
    ["POST", "received", { offer: "offer_x" }],
    ["POST", "dashboards", { name: "Theirs", questions: [], readers: ["bob"] }],
    ["PUT", `dashboards/${dashboard}`, { name: "Theirs", questions: [], readers: ["bob"], version: 1 }],
    ["DELETE", `dashboards/${dashboard}`, null],
    ["POST", "people", { name: "mallory", roles: ["owner"], password: "a password of mallory" }],
    ["PATCH", "people/bob", { roles: ["owner"] }],
    ["PUT", "people/bob/password", { password: "a password of mallory" }],
    [
      "POST",
      "people/olga/tokens",
      { name: "t", roles: ["owner"], expiresAt: new Date(Date.now() + 6e5).toISOString() },
    ],
    ["DELETE", "sessions?of=olga", null],
    ["DELETE", "session", null],
    ["POST", "session", { name: "bob", password }],
    ["PUT", "policy", { text: "version: 1", budget: [], reason: "x" }],
    ["POST", "requests/x/cancel", {}],
  ];

  for (const at of ["near", "far"] as const)
    it(`changes nothing by any request, and reads no answer: from a ${at} origin`, async () => {
      const page = await evil(at);
      const before = await stateOf(pages.house);
      const arrived: string[] = [];
      page.on("request", (request) => arrived.push(`${request.method()} ${request.url()}`));
      const read = await page.evaluate<string[]>(`(async () => {
        const url = ${JSON.stringify(pages.url)}, read = [];
        const attempt = async (name, send) => {
          try {
            const response = await send();
            if (response.type !== "opaque") read.push(name + " " + response.status);
          } catch {}
        };
        for (const [method, path, body] of ${JSON.stringify(changes())}) {
          const to = url + "/v1/" + path, text = body === null ? undefined : JSON.stringify(body);
          for (const mode of ["cors", "no-cors"])
            for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"])
              for (const referrerPolicy of ["unsafe-url", "no-referrer"])
                await attempt(method + " " + path, () => fetch(to, { method, mode, credentials: "include", body: text, referrerPolicy, headers: { "content-type": type }, keepalive: false }));
          if (text) navigator.sendBeacon(to, text);
          if (text) navigator.sendBeacon(to, new Blob([text], { type: "text/plain" }));
        }
        for (const path of ["me", "tables", "budget", "releases", "people", "policy", "audit-log", "ledger", "charges", "dashboards"])
          await attempt("GET " + path, () => fetch(url + "/v1/" + path, { credentials: "include" }));
        return read;
      })()`);
      expect(read).toEqual([]);
      expect(arrived.length).toBeGreaterThan(50);
      expect(await stateOf(pages.house)).toBe(before);
      await page.close();
    });

  it("changes nothing with the cookie and a body that is JSON, whatever origin it names, or none", async () => {
    const before = await stateOf(pages.house);
    const answers: unknown[] = [];
    for (const origin of [
      new URL(other.near).origin,
      new URL(other.far).origin,
      "null",
      `${pages.url}.evil.example`,
      null,
    ])
      for (const [method, path, body] of changes()) {
        // What a browser would not let a page send is sent by its own stack, with its cookies.
        const answer = await owner.context().request.fetch(`${pages.url}/v1/${path}`, {
          method,
          headers: { "content-type": "application/json", ...(origin === null ? {} : { origin }) },
          ...(body === null ? {} : { data: body }),
        });
        const { code } = JSON.parse((await answer.text()) || "{}") as { readonly code?: string };
        if (answer.status() !== 403 || code !== "serve.origin")
          answers.push([origin, method, path, answer.status(), code]);
      }
    expect(answers).toEqual([]);
    expect(await stateOf(pages.house)).toBe(before);
  });

  it("changes nothing by forms, also with an origin that says nothing, and from a frame in a sandbox", async () => {
    const before = await stateOf(pages.house);
    const page = await evil("near");
    const posts = changes().filter(([method, , body]) => method === "POST" && body !== null);
    for (const [, path, body] of posts)
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
        for (const target of ["framed", "sandboxed"] as const) {
          await page.setContent(
            `<meta name=referrer content="no-referrer"><iframe name=framed></iframe><iframe name=sandboxed sandbox="allow-forms"></iframe>`,
          );
          // By the trick of a form whose one field becomes JSON: {"a":1,"x":"="}.
          const name = `${JSON.stringify(body).slice(0, -1)},"x":"`;
          const sent = page.waitForRequest((request) => request.url().includes("/v1/"));
          await page.evaluate(`(() => {
            const form = document.createElement("form");
            Object.assign(form, { method: "post", action: ${JSON.stringify(`${pages.url}/v1/${path}`)}, enctype: ${JSON.stringify(type)}, target: ${JSON.stringify(target)} });
            form.append(Object.assign(document.createElement("input"), { name: ${JSON.stringify(name)}, value: '"}' }));
            document.body.append(form);
            form.submit();
          })()`);
          await (await sent).response();
        }
    expect(await stateOf(pages.house)).toBe(before);
    await page.close();
  });

  it("is told the truth by the service's own page: the same requests change something there", async () => {
    const before = await stateOf(pages.house);
    const status = await owner.evaluate<number>(
      `fetch("/v1/dashboards", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name: "Own", questions: [], readers: [] }) }).then(({ status }) => status)`,
    );
    expect(status).toBe(201);
    expect(await stateOf(pages.house)).not.toBe(before);
  });

  it("cannot frame the page, hold its window, or load anything of it as its own", async () => {
    for (const at of ["near", "far"] as const) {
      const page = await evil(at);
      const told = await page.evaluate<Record<string, unknown>>(`(async () => {
        const url = ${JSON.stringify(pages.url)};
        const loads = (tag, attributes) => new Promise((resolve) => {
          const made = Object.assign(document.createElement(tag), attributes);
          made.onload = () => resolve("loaded");
          made.onerror = () => resolve("refused");
          document.body.append(made);
        });
        const path = (await (await fetch(url + "/", { mode: "no-cors" }).catch(() => null)))?.type ?? "refused";
        return {
          document: path,
          json: await loads("script", { src: url + "/v1/me" }),
          list: await loads("link", { rel: "stylesheet", href: url + "/v1/releases" }),
          image: await loads("img", { src: url + "/v1/me" }),
          verifier: await loads("script", { src: url + "/verify/worker.js" }),
        };
      })()`);
      expect({ at, ...told }).toEqual({
        at,
        document: "refused",
        json: "refused",
        list: "refused",
        image: "refused",
        verifier: "refused",
      });
      for (const place of ["/", "/v1/me", "/openapi.json", "/#/ask"]) {
        await page.setContent(
          `<iframe src="${pages.url}${place}"></iframe><object data="${pages.url}${place}"></object>`,
        );
        await expect
          .poll(() => page.frames().filter((frame) => frame.url().startsWith("chrome-error:")).length)
          .toBeGreaterThan(0);
        for (const frame of page.frames()) expect(frame.url().startsWith(pages.url)).toBe(false);
      }
      const opened = page.context().waitForEvent("page");
      await page.evaluate(
        `window.held = open(${JSON.stringify(`${pages.url}/#/ask?sql=${encodeURIComponent(sql)}`)})`,
      );
      const popup = await opened;
      await popup.getByRole("button", { name: "Ask", exact: true }).waitFor();
      expect(await popup.evaluate("opener")).toBeNull();
      // Its opener sees a window that is closed, as it would see any: it can neither post to it nor count its frames.
      expect(await page.evaluate("[held.closed, held.length]")).toEqual([true, 0]);
      await popup.close();
      await page.close();
    }
  });

  it("finds nothing that a request to look changes", async () => {
    const description = (await (await pages.house.send("/openapi.json")).json()) as {
      readonly paths: Record<string, Record<string, unknown>>;
    };
    const paths = Object.entries(description.paths).flatMap(([path, methods]) =>
      "get" in methods ? [path] : [],
    );
    expect(paths.length).toBeGreaterThan(12);
    const before = await stateOf(pages.house);
    for (const path of paths) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === "name" ? "olga" : dashboard));
      for (const method of ["GET", "HEAD"])
        await owner.evaluate(
          `fetch(${JSON.stringify(filled)}, { method: ${JSON.stringify(method)}, redirect: "manual" }).then((answer) => answer.text())`,
        );
    }
    expect(await stateOf(pages.house)).toBe(before);
  });
});
