/**
 * `ssl/ciphersuites` for the SDK's TLS: of its own list only those with forward secrecy and authenticated encryption (RFC 5289,
 * TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 and TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256), in the shape that it asks for.
 */
import { AES, ECDHE_RSA, GCM, SHA256 } from "ssl/constants";
import { ECDHE_ECDSA_SUITE, ECDHE_RSA_SUITE } from "./server-messages";

const suite = (value: number): object => ({
  value: [value >> 8, value & 0xff],
  keyExchangeAlgorithm: ECDHE_RSA,
  cipherAlgorithm: AES,
  cipherKeySize: 16,
  cipherBlockSize: 16,
  hashAlgorithm: SHA256,
  hashSize: 32,
  encryptionMode: GCM,
  ivSize: 8,
  saltSize: 4,
});

export default Object.freeze([suite(ECDHE_ECDSA_SUITE), suite(ECDHE_RSA_SUITE)], true);
