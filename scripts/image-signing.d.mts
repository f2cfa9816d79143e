import type { KeyObject } from "node:crypto";

export function makeKey(): string;
export function readKey(pem: string | Buffer): KeyObject;
export function publicKeyOf(key: KeyObject): string;
export function signImage(image: Buffer, key: KeyObject): Buffer;
