// The console of the built `lethe serve`, in a process of its own, in a headless Chromium over loopback: the 534 people of the CPS of 1985, imported. Says so, and measures nothing, where there is no Chromium.
// console.load: what the browser fetches of the page, as it is sent, until somebody who is signed in can write a question, in kB (target 150). console.start: until then, in ms, median.
// console.price: from a key in the editor until the price and the expected error of the new text are shown, in ms, median (target 150). console.price.p90: the slowest tenth.
// console.verify: from the button until a release is verified in the browser, its question planned again, in ms, median (target 300). console.verify.first: the first time, with the thread's start.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { startService } from "../testing/src/serve/service-process.mjs";
import { figure, median } from "./figure.mjs";
import { makeCpsWorkspace, runLethe } from "./workspace.mjs";

const password = "a long password of a bench";

export default async function bench() {
  const executablePath = [process.env.LETHE_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
    (place) => place && existsSync(place),
  );
  if (!executablePath) {
    console.error("no Chromium on this machine (Debian: apt-get install chromium)");
    return;
  }
  const workspace = makeCpsWorkspace({ epsilon: "1000000" });
  const { folder } = workspace;
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    runLethe(folder, ["people", "add", "ada"]);
    runLethe(folder, ["people", "password", "ada"], `${password}\n`);
    const service = await startService(folder);
    const visits = [];
    for (let turn = 0; turn < 5; turn += 1) visits.push(await visit(browser, service.url));
    figure("console.load", visits[0].bytes / 1000, "kB");
    figure("console.start", median(visits.map(({ ms }) => ms)), "ms");
    const { page } = visits.at(-1);
    await measurePrice(page);
    await measureVerify(page);
    await service.stop();
  } finally {
    await browser.close();
    workspace.remove();
  }
}

/** Opens the page in a profile of its own, signed in, until a question can be written. */
async function visit(browser, url) {
  const context = await browser.newContext();
  const signedIn = await context.request.post(`${url}/v1/session`, {
    data: { name: "ada", password },
    headers: { origin: url },
  });
  if (signedIn.status() !== 204) throw new Error(`ada was not signed in: ${signedIn.status()}`);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  const paths = new Map();
  let bytes = 0;
  devtools.on("Network.requestWillBeSent", ({ requestId, request }) => paths.set(requestId, request.url));
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (!new URL(paths.get(requestId) ?? url).pathname.startsWith("/v1/")) bytes += encodedDataLength;
  });
  const began = performance.now();
  await page.goto(`${url}/#/ask`);
  await editorOf(page).waitFor();
  const ms = performance.now() - began;
  await page.waitForLoadState("networkidle");
  return { page, bytes, ms };
}

function editorOf(page) {
  return page.getByRole("textbox", { name: "A question in SQL" });
}

/** The words of the price name the columns of the question: so each letter of an alias has its own. */
async function measurePrice(page) {
  await page.getByLabel("Price, ε").fill("1");
  await editorOf(page).fill("SELECT COUNT(*) AS count_\nFROM people");
  await page.locator(".price", { hasText: "count_" }).waitFor();
  await editorOf(page).press("Control+Home");
  await editorOf(page).press("End");
  const times = [];
  let alias = "count_";
  for (let turn = 0; turn < 40; turn += 1) {
    const letter = "abcdefghijklmnopqrstuvwxyz"[turn % 26];
    alias += letter;
    const shown = page.evaluate(
      `new Promise((resolve) => {
        let began = null;
        addEventListener("keydown", () => { began ??= performance.now(); }, { capture: true, once: true });
        const look = () => {
          const words = document.querySelector(".price")?.textContent ?? "";
          if (began !== null && words.includes(${JSON.stringify(alias)})) resolve(performance.now() - began);
          else requestAnimationFrame(look);
        };
        look();
      })`,
    );
    await page.keyboard.press(letter);
    times.push(await shown);
    await page.keyboard.press("Escape");
  }
  times.sort((a, b) => a - b);
  figure("console.price", median(times), "ms");
  figure("console.price.p90", times[Math.floor(times.length * 0.9)], "ms");
}

async function measureVerify(page) {
  await editorOf(page).fill("SELECT sector, COUNT(*) AS n, AVG(wage) AS mean FROM people GROUP BY sector");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("heading", { name: "Answer" }).waitFor();
  await page.getByRole("link", { name: "Verify" }).first().click();
  const button = page.getByRole("button", { name: "Verify in this browser" });
  await button.waitFor();
  const times = [];
  for (let turn = 0; turn < 12; turn += 1) {
    const done = page.evaluate(
      `new Promise((resolve) => {
        const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Verify in this browser");
        const began = performance.now();
        button.click();
        let left = false;
        const look = () => {
          const isDone = document.querySelector("main")?.textContent.includes("No check failed.");
          if (!isDone) left = true;
          if (left && isDone) resolve(performance.now() - began);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      })`,
    );
    times.push(await done);
  }
  const [first, ...others] = times;
  figure("console.verify.first", first, "ms");
  figure("console.verify", median(others), "ms");
}
