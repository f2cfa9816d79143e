/** What the simulated board needs of the program that it runs in: Node (node/host.ts) or a browser's worker (web-sim/host.ts). */

/** The part of Node's `net.Socket` that lwIP's model is built on. */
export interface HostSocket {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly connecting: boolean;
  readonly destroyed: boolean;
  readonly readableLength: number;
  readonly writableCorked: number;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  on(event: "connect" | "end" | "error" | "close" | "readable", listener: () => void): this;
  setNoDelay(): this;
  /** Null: so much is not there. With 0: goes on reading. */
  read(length: number): Uint8Array | null;
  cork(): void;
  uncork(): void;
  /** `done`: the bytes are out of this program's hands. */
  write(bytes: Uint8Array, done: (error?: Error | null) => void): boolean;
  end(): this;
  destroy(): this;
  resetAndDestroy(): this;
}

/** The part of Node's `net.Server`. */
export interface HostServer {
  on(event: "connection", listener: (socket: HostSocket) => void): this;
  once(event: "listening" | "close", listener: () => void): this;
  once(event: "error", listener: (error: Error) => void): this;
  listen(port: number, address: string): this;
  address(): { readonly port: number } | string | null;
  close(): this;
}

/** Files, or what stands for them: each change is kept when the call returns, as far as the host can promise that. */
export interface HostFiles {
  /** Undefined: there is none. Throws an Error that names the file if it cannot be read, or its folder not be written. */
  readText(path: string): string | undefined;
  /** Replaces it at once: what is there afterwards is either the old text or the new one. */
  writeText(path: string, text: string): void;
  /** Renames it to `to`. */
  rename(path: string, to: string): void;
  /** The file's bytes; if there is none, it is made of `initial`. */
  readBytes(path: string, initial: Uint8Array): Uint8Array;
  /** Writes `length` bytes of `bytes` from `at` to the same place in the file. */
  patch(path: string, bytes: Uint8Array, at: number, length: number): void;
}

export interface Host {
  readonly files: HostFiles;
  /** The build that the firmware reports. */
  build(): string;
  print(text: string): void;
  /** Calls back after what is to be done now, without a delay. */
  soon(callback: () => void): void;
  sha256(text: string): Uint8Array;
  /** A file embedded by a build. `folder`: in place of the usual one. */
  resource(path: string, folder: string | undefined): Uint8Array | undefined;
  isIP(address: string): boolean;
  /** The IPv4 address of a name; undefined: unknown. */
  lookup(name: string, done: (address: string | undefined) => void): void;
  connect(address: string, port: number): HostSocket;
  /** `highWaterMark`: bytes that wait in this program, beyond which the peer has to. */
  createServer(highWaterMark: number): HostServer;
}
