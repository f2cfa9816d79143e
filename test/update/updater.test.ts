import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { MIN_IMAGE, RESTART_MS, WAIT_MS } from "../../src/update/limits";
import { Updater } from "../../src/update/updater";
import { ApplicationSlots } from "../../host-sim/flash";
import { Harness, response, responses } from "../support/http/http-harness";
import { text } from "../support/http/http-app";
import verify from "../../host-sim/io/signature";
import { makeKey, publicKeyOf, readKey } from "../../scripts/image-signing.mjs";
import { image, MARK } from "../support/boards/image";
import type { MemoryClient } from "../support/http/memory-sockets";

class Sha {
  readonly #hash = createHash("sha256");
  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }
  close(): ArrayBuffer {
    return Uint8Array.from(this.#hash.digest()).buffer;
  }
}

class Bench {
  readonly log: string[] = [];
  readonly flash = new ApplicationSlots();
  readonly writes = { pending: false };
  restarts = 0;
  noted = 0;
  failing: "open" | "write" | "complete" | "note" | undefined;
  done: string[] = [];
  restart = (): void => undefined;
  readonly updater: Updater;
  readonly harness: Harness;

  constructor(private readonly updateKey = "") {
    const { flash } = this;
    const failsAt = (what: string): void => {
      if (this.failing === what) throw new Error(what);
    };
    flash.boot();
    this.updater = new Updater({
      slots: {
        size: flash.size,
        running: flash.running,
        open: () => {
          failsAt("open");
          const writer = flash.begin();
          return {
            write: (bytes) => {
              failsAt("write");
              writer.write(bytes);
            },
            complete: () => {
              failsAt("complete");
              writer.complete();
            },
            close: () => undefined,
          };
        },
        confirm: () => flash.confirm(),
        reject: () => flash.reject(),
      },
      build: { chip: 0, image: `${MARK}:1.0.0`, version: "1.0.0", updateKey: this.updateKey },
      verify,
      events: { add: (line) => void this.log.push(line) },
      monitor: { writes: this.writes },
      noteUpdate: () => {
        failsAt("note");
        this.noted++;
      },
      forgetUpdate: () => this.noted--,
      restartFor: () => {
        this.restart();
        this.restarts++;
      },
      makeDigest: () => new Sha(),
    });
    this.harness = new Harness({
      handler: (exchange) => {
        const answer = (problem: string): void => {
          this.done.push(problem);
          exchange.respond(problem ? 400 : 200, "text/plain", text(problem || "ok"));
        };
        const refused = this.updater.receive(exchange, Number(exchange.header("content-length") ?? 0), answer);
        if (refused !== undefined) exchange.respond(409, "text/plain", text(refused));
      },
    });
  }

  /** Uploads `bytes` in segments. */
  upload(bytes: Uint8Array, announced = bytes.length, query = ""): MemoryClient {
    const client = this.harness.connect();
    client.send(`POST /${query} HTTP/1.1\r\nHost: a\r\nContent-Length: ${announced}\r\n\r\n`);
    for (let at = 0; at < bytes.length; at += 1436) client.send(bytes.subarray(at, at + 1436));
    return client;
  }
}

let bench: Bench;
afterEach(() => bench.harness.server.close());

describe("an upload", () => {
  it("that is valid is activated and noted, and the device restarts once the answer is sent; then it is on trial", () => {
    bench = new Bench();
    const bytes = image();
    expect(response(bench.upload(bytes)).body.toString()).toBe("ok");
    expect(bench.updater).toMatchObject({ state: "restarting", received: bytes.length, size: bytes.length, error: "" });
    expect([bench.restarts, bench.noted]).toEqual([0, 1]);
    bench.harness.advance(RESTART_MS);
    expect(bench.restarts).toBe(1);
    expect(bench.flash.states).toEqual(["valid", "new"]);
    bench.flash.boot();
    expect([bench.flash.running, bench.flash.version, bench.flash.states[1]]).toEqual([1, "9.9.9", "pending"]);
  });

  it("that is valid is started at once without memory for a timer", () => {
    bench = new Bench();
    bench.restart = () => expect(bench.done).toEqual([""]);
    const bytes = image();
    const client = bench.upload(bytes.subarray(0, -1), bytes.length);
    SimulatedBoard.current.refusals.failAllocation(1);
    client.send(bytes.subarray(-1));
    expect(bench.restarts).toBe(1);
  });

  it("that is damaged is rejected with the reason; nothing is activated, and another may follow", () => {
    bench = new Bench();
    const bytes = image();
    bytes[2000] = (bytes[2000] as number) ^ 1;
    expect(response(bench.upload(bytes)).body.toString()).toBe("image-damaged");
    expect(bench.updater).toMatchObject({ state: "failed", error: "image-damaged" });
    bench.flash.boot();
    expect([bench.flash.running, bench.noted, bench.restarts]).toEqual([0, 0, 0]);
    expect(response(bench.upload(image())).status).toBe(200);
  });

  it("for another board is rejected at its end, for another chip at its beginning", () => {
    bench = new Bench();
    expect(response(bench.upload(image({ mark: "@jk-bms-monitor/nodemcu" }))).body.toString()).toMatch(
      "image-other-board",
    );
    const client = bench.upload(image({ chip: 5, size: 40_000 }).subarray(0, 1436), 90_000);
    expect(response(client).body.toString()).toBe("image-other-chip");
    expect(bench.updater.received).toBe(0);
  });

  it.each([
    [MIN_IMAGE - 1, "image-too-small"],
    [0x1f_0000 + 1, "image-too-large"],
  ])("of %i bytes is refused before anything is received", (length, reason) => {
    bench = new Bench();
    expect(response(bench.upload(new Uint8Array(0), length)).body.toString()).toBe(reason);
    expect(bench.updater.state).toBe("idle");
  });

  it("is refused while another is in progress, until the restart, and does not disturb it", () => {
    bench = new Bench();
    const bytes = image();
    expect(bench.updater.isRunning).toBe(false);
    const client = bench.upload(bytes.subarray(0, 2000), bytes.length);
    expect(bench.updater.isRunning).toBe(true);
    expect(response(bench.upload(image().subarray(0, 1000), bytes.length)).body.toString()).toBe("update-running");
    client.send(bytes.subarray(2000));
    expect(response(client).status).toBe(200);
    expect(bench.updater.isRunning).toBe(true);
    expect(response(bench.upload(new Uint8Array(0), 9000)).body.toString()).toBe("update-running");
  });

  it("that is aborted is reported, activates nothing, and another may follow", () => {
    bench = new Bench();
    bench.upload(image().subarray(0, 3000), 9000).rst();
    expect(bench.updater).toMatchObject({ state: "failed", error: "upload-ended", isRunning: false });
    expect(bench.done).toEqual([]);
    expect(response(bench.upload(image())).status).toBe(200);
  });

  it.each([
    ["open", 409, "no-slot"],
    ["write", 400, "flash-write"],
    ["note", 400, "not-noted"],
    ["complete", 400, "image-refused"],
  ] as const)("is reported, and activates nothing, when the platform fails to %s", (what, status, reason) => {
    bench = new Bench();
    bench.failing = what;
    expect(response(bench.upload(image()))).toMatchObject({ status, body: Buffer.from(reason) });
    bench.harness.advance(RESTART_MS * 2);
    bench.flash.boot();
    expect([bench.flash.running, bench.restarts, bench.noted]).toEqual([0, 0, 0]);
  });
});

describe("while a write to the BMS is pending", () => {
  it("nothing is written to flash; then the upload completes", () => {
    bench = new Bench();
    const bytes = image();
    const client = bench.upload(bytes.subarray(0, 3000), bytes.length);
    const before = bench.updater.received;
    bench.writes.pending = true;
    client.send(bytes.subarray(3000));
    bench.harness.advance(5_000);
    expect(bench.updater.received).toBe(before);
    expect(responses(client)).toEqual([]);
    bench.writes.pending = false;
    bench.harness.advance(WAIT_MS);
    expect(response(client).status).toBe(200);
    expect(bench.flash.states).toEqual(["valid", "new"]);
  });

  it("a client that leaves meanwhile is detected afterwards, and another update may follow", () => {
    bench = new Bench();
    bench.writes.pending = true;
    bench.upload(image().subarray(0, 3000), image().length).rst();
    bench.writes.pending = false;
    bench.harness.advance(10 * WAIT_MS);
    expect(bench.updater).toMatchObject({ state: "failed", error: "upload-ended" });
    expect(response(bench.upload(image())).status).toBe(200);
  });
});

describe("a power cut", () => {
  it("at any piece boots the running firmware again", () => {
    bench = new Bench();
    const bytes = image();
    for (let length = 0; length < bytes.length; length += 1436) {
      const client = bench.upload(bytes.subarray(0, length), bytes.length);
      bench.flash.boot();
      expect(bench.flash.running, String(length)).toBe(0);
      client.rst();
    }
  });
});

describe("a firmware with a key", () => {
  const key = readKey(makeKey());

  it("accepts only images signed with it", () => {
    bench = new Bench(publicKeyOf(key));
    expect(bench.updater.signed).toBe(true);
    for (const other of [undefined, readKey(makeKey())]) {
      const reply = response(bench.upload(image(other && { key: other })));
      expect(reply.body.toString()).toMatch(/^image-(signature|unsigned)$/);
      expect([bench.flash.states, bench.noted]).toEqual([["valid", "empty"], 0]);
    }
    expect(response(bench.upload(image({ key }))).body.toString()).toBe("ok");
    expect(bench.flash.states).toEqual(["valid", "new"]);
  });

  it("that cannot be read accepts no image", () => {
    bench = new Bench("no key");
    expect(response(bench.upload(image({ key }))).body.toString()).toBe("image-signature");
    expect(new Bench().updater.signed).toBe(false);
  });
});

describe("an older image", () => {
  it("is accepted only on request, which is logged", () => {
    bench = new Bench();
    const older = image({ version: "0.9.9" });
    expect(response(bench.upload(older)).body.toString()).toBe("image-older");
    expect([bench.flash.states, bench.log]).toEqual([["valid", "empty"], []]);
    expect(response(bench.upload(older, older.length, "?older=1")).body.toString()).toBe("ok");
    expect(bench.log).toEqual(["older-update\t0.9.9"]);
  });

  it("is neither a newer version nor the same", () => {
    for (const version of ["1.0.0", "1.0.1"]) {
      bench = new Bench();
      const bytes = image({ version });
      expect(response(bench.upload(bytes, bytes.length, "?older=1")).body.toString()).toBe("ok");
      expect(bench.log).toEqual([]);
    }
  });
});
