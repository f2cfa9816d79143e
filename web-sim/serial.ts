/** The parts of the Web Serial API (https://wicg.github.io/serial/) that are used: the DOM's types do not have it. */
export interface PortInfo {
  readonly usbVendorId?: number;
  readonly usbProductId?: number;
}

export interface SerialPort {
  /** Null: closed, or lost. A new stream after one that a line error has ended. */
  readonly readable: ReadableStream<Uint8Array> | null;
  readonly writable: WritableStream<Uint8Array> | null;
  getInfo(): PortInfo;
  open(options: { readonly baudRate: number; readonly bufferSize?: number }): Promise<void>;
  close(): Promise<void>;
  forget(): Promise<void>;
}

export interface Serial {
  /** Only in a page, and only for a gesture of its user. */
  requestPort(): Promise<SerialPort>;
  /** What the user has permitted so far, in a worker too. */
  getPorts(): Promise<SerialPort[]>;
}

/** Undefined: not this browser, or not over https. */
export const serialOf = (navigator: unknown): Serial | undefined => (navigator as { serial?: Serial }).serial;

export const isOfKind = (port: SerialPort, { usbVendorId, usbProductId }: PortInfo): boolean =>
  port.getInfo().usbVendorId === usbVendorId && port.getInfo().usbProductId === usbProductId;
