/**
 * The address of the project. `repository.url` in package.json is the only place that names it; this writes it to all others,
 * --check only compares (exit 1: out of date).
 */
import { readFileSync } from "node:fs";
import { replaceFile } from "./replace-file.mjs";

/** Placeholder for the publisher's name until it is filled in: docs/releasing.md. */
const OWNER = "OWNER";
const FILES = ["package.json", "README.md", "docs/flash/index.html"];

/** @param {{ name: string, repository: { url: string } }} product package.json */
const addressOf = ({ repository }) => repository.url.replace(/^git\+|\.git$/g, "");

/** Undefined as long as no name is filled in. */
export function homepageOf(product) {
  const address = addressOf(product);
  return address.includes(`/${OWNER}/`) ? undefined : address;
}

/** A text of the repository with the address as in `product`. */
export function withAddress(text, product) {
  const anybodys = new RegExp(`https://github\\.com/[\\w.-]+/${product.name}(?![\\w-])(?!\\.git)`, "g");
  return text.replace(anybodys, addressOf(product));
}

if (process.argv[1] === import.meta.filename) {
  const product = JSON.parse(readFileSync("package.json", "utf8"));
  for (const file of FILES) {
    const text = readFileSync(file, "utf8");
    const fresh = withAddress(text, product);
    if (fresh === text) continue;
    if (process.argv[2] !== "--check") replaceFile(file, fresh);
    else {
      console.error(`${file} names another address than package.json's repository: npm run generate`);
      process.exitCode = 1;
    }
  }
}
