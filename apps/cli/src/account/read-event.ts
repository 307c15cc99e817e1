import { readFileSync } from "node:fs";
import { type Adjacency, type Event, eventFromDpAccounting, eventFromJson, LetheError } from "@lethe/core";
import { fileError, readText } from "../workspace.ts";

/** A longer file is no event tree that is accepted. */
const mostCharacters = 64 * 1024 * 1024;

/**
 * The event tree in a file, or in standard input ("-"): our own JSON (docs/reference/events.md), or what dp_accounting's to_named_tuple
 * writes. Errors: cli.file; parameter.invalid for broken JSON and for events that are not read; account.unprovable.
 */
export function readEvent(path: string, adjacency: Adjacency): Event {
  const json = parsed(path === "-" ? readStandardInput() : readText(path, "the event"), path);
  return isDpAccounting(json) ? eventFromDpAccounting(json, adjacency) : eventFromJson(json);
}

function parsed(text: string, path: string): unknown {
  if (text.length > mostCharacters) throw notJson(path, `is longer than ${mostCharacters} characters`);
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(path, "is not JSON");
  }
}

function notJson(path: string, what: string): LetheError {
  const name = path === "-" ? "standard input" : path;
  return new LetheError("parameter.invalid", `${name} ${what}`, {
    fix: 'give an event tree, such as {"kind": "laplace", "version": 1, "scale": "10", "l1": "1"}; docs/reference/events.md has every kind',
    fields: { name: "event" },
  });
}

/** Named tuples are lists, or objects with the name of their class; our own events have a kind. */
function isDpAccounting(json: unknown): boolean {
  if (Array.isArray(json)) return true;
  return typeof json === "object" && json !== null && "class_name" in json;
}

function readStandardInput(): string {
  try {
    return readFileSync(0, "utf8");
  } catch (error) {
    throw fileError("read", "standard input", "the event from", error);
  }
}
