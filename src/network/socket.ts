/** What the platform's sockets have beyond their types. */
export interface Closable {
  close(): void;
}

export interface Multicast extends Closable {
  add(group: string): void;
}
