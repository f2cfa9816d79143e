/** Node-RED's runtime with one flow, in a process of its own (test/peers/node-red.mjs). */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";

export class NodeRed {
  /** Messages received by debug nodes: name and value. */
  readonly messages: [string, unknown][] = [];
  #diagnostics = "";

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    createInterface(child.stdout).on("line", (line) => this.messages.push(JSON.parse(line) as [string, unknown]));
    child.stderr.on("data", (text) => (this.#diagnostics += String(text)));
  }

  /** Resolves when the flow runs. */
  static async start(flow: string, env: Readonly<Record<string, string>>): Promise<NodeRed> {
    const folder = mkdtempSync(join(tmpdir(), "node-red-"));
    const child = spawn(process.execPath, ["test/peers/node-red.mjs", flow, folder], {
      env: { ...process.env, NO_PROXY: "*", ...env },
    });
    const nodeRed = new NodeRed(child);
    await nodeRed.message("started");
    return nodeRed;
  }

  /** Waits for a message of this debug node that `accept` accepts, including earlier ones, and returns its value. */
  async message(name: string, accept: (value: unknown) => boolean = () => true, from = 0): Promise<unknown> {
    const find = (): [string, unknown] | undefined =>
      this.messages.slice(from).find(([of, value]) => of === name && accept(value));
    await expect.poll(() => (this.child.exitCode === null ? find()?.[0] : this.#diagnostics)).toBe(name);
    return find()?.[1];
  }

  /** Triggers an inject node and waits for the next message of a debug node. */
  trigger(inject: string, debug: string, accept?: (value: unknown) => boolean): Promise<unknown> {
    const from = this.messages.length;
    this.child.stdin.write(`${inject}\n`);
    return this.message(debug, accept, from);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const closed = once(this.child, "close");
    this.child.stdin.end();
    await closed;
  }
}
