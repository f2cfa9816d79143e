/** What is used of npm's serialport 13: its own declarations do not resolve ("exports" without "types"). */
declare module "serialport" {
  export interface OpenOptions {
    path: string;
    baudRate: number;
    dataBits: 8;
    parity: "none";
    stopBits: 1;
    autoOpen: false;
  }

  export class SerialPort {
    constructor(options: OpenOptions);
    readonly isOpen: boolean;
    open(done: (error: Error | null) => void): void;
    close(done: (error: Error | null) => void): void;
    write(bytes: Uint8Array): boolean;
    on(event: "data", listener: (bytes: Uint8Array) => void): this;
    on(event: "error", listener: (error: Error) => void): this;
    on(event: "close", listener: () => void): this;
  }
}
