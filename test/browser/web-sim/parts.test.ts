/** What this host has of its own, without a browser. */
import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { buildDemo } from "../../../web-sim/build.mjs";
import { files, openFiles } from "../../../web-sim/files";
import { bodyOf, Incoming, readHead } from "../../../web-sim/http";
import { Sha256 } from "../../../web-sim/sha256";
import { createServer, dial, type Segment } from "../../../web-sim/sockets";
import { builtPage } from "../../support/web/built-page.ts";

it("SHA-256 is OpenSSL's for each length around a block, in one piece or several", () => {
  for (let length = 0; length <= 130; length++) {
    const bytes = Uint8Array.from({ length }, (_, at) => (7 * at + length) & 0xff);
    const expected = createHash("sha256").update(bytes).digest("hex");
    expect(Buffer.from(new Sha256().update(bytes).digest()).toString("hex"), `${length}`).toBe(expected);
    const parts = new Sha256();
    for (let at = 0; at < length; at += 5) parts.update(bytes.subarray(at, at + 5));
    expect(Buffer.from(parts.digest()).toString("hex"), `${length} in parts`).toBe(expected);
  }
});

it("a build with something of Node's in the worker fails", async () => {
  const folder = mkdtempSync(join(tmpdir(), "node-in-worker-"));
  const worker = join(folder, "worker.ts");
  writeFileSync(worker, `import { readFileSync } from "node:fs"; self.postMessage(readFileSync("x"));`);
  await expect(buildDemo({ out: folder, page: await builtPage(), worker })).rejects.toThrow(
    'Could not resolve "node:fs"',
  );
});

/** The body that is read of an answer that comes in pieces of so many bytes. */
async function read(answer: string, size: number): Promise<[status: number, body: string]> {
  const { port1, port2 } = new MessageChannel();
  const incoming = new Incoming(port1);
  const bytes = new TextEncoder().encode(answer);
  for (let at = 0; at < bytes.length; at += size) port2.postMessage(bytes.slice(at, at + size));
  port2.postMessage(null);
  const head = await readHead(incoming);
  let body = "";
  for await (const part of bodyOf(incoming, head)) body += new TextDecoder().decode(part);
  incoming.close();
  port2.close();
  return [head.status, body];
}

it.each([
  ["its length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"],
  ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"],
  ["the end of the connection", "HTTP/1.1 200 OK\r\nX: y\r\n\r\nhello"],
])("a body that ends by %s is read however it is cut", async (_, answer) => {
  for (let size = 1; size <= answer.length; size++) expect(await read(answer, size), `${size}`).toEqual([200, "hello"]);
});

it("an answer that ends too early is an error", async () => {
  await expect(read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", 100)).rejects.toThrow(
    "has ended the connection",
  );
});

/** IndexedDB whose transactions end when the test says so: a real one is too fast to be caught before. */
function slowDatabase(): { readonly commit: (() => void) | undefined } {
  const requestOf = (result: unknown): object => {
    const request = { result, onsuccess: (): void => undefined };
    setTimeout(() => request.onsuccess());
    return request;
  };
  const store = { getAllKeys: () => requestOf([]), getAll: () => requestOf([]), put: () => undefined };
  const transaction: { objectStore: () => object; oncomplete?: () => void } = { objectStore: () => store };
  vi.stubGlobal("indexedDB", { open: () => requestOf({ transaction: () => transaction }) });
  return {
    get commit() {
      return transaction.oncomplete;
    },
  };
}

it("an answer leaves once everything that was stored before it is in the database", async () => {
  const database = slowDatabase();
  await openFiles("any");
  createServer()
    .on("connection", (socket) =>
      socket.on("readable", () => {
        if (!socket.read(3)) return;
        files.writeText("settings", "new");
        socket.write(Uint8Array.of(1, 2), () => undefined);
      }),
    )
    .listen(80, "");
  const { port1, port2 } = new MessageChannel();
  const got: Segment[] = [];
  port1.onmessage = ({ data }: MessageEvent<Segment>) => void got.push(data);
  dial(80, port2);
  port1.postMessage(Uint8Array.of(7, 8, 9));
  await expect.poll(() => database.commit).toBeDefined();
  // The request has been read, and what comes after it is still here.
  await expect.poll(() => got).toEqual([3]);
  port1.postMessage(Uint8Array.of(7, 8, 9));
  await expect.poll(() => got).toEqual([3, 3]);
  database.commit?.();
  await expect.poll(() => database.commit).toBeDefined();
  database.commit?.();
  await expect.poll(() => got.filter((segment) => segment instanceof Uint8Array).length).toBeGreaterThan(0);
  port1.close();
  vi.unstubAllGlobals();
});
