/** Members of the platform's sockets that are missing from their types. */
export interface Closable {
  close(): void;
}

export interface Multicast extends Closable {
  add(group: string): void;
}
