import type { X509Certificate } from "node:crypto";

export const FILE: string;
export const PAGE: string;
export const SOON: number;
export function minimal(der: Buffer): Buffer;
export function installedRoots(): { certificate: X509Certificate; purpose: string }[];
export function rootsFile(): Buffer;
export function expiringRoots(date: number): string[];
export function pageWithRoots(page: string): string;
