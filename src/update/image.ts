import type { UpdateProblem } from "./problems";
import { MAX_SEGMENTS, MAX_VERSION, MIN_IMAGE, TRAILER_BYTES, TRAILER_MARK } from "./limits";
import { isOlder } from "./version";

/** Requirements an image must meet. */
export interface ImageDemands {
  /** Chip ID: `esp_chip_id_t` of esp_image_format.h (0 ESP32, 5 ESP32-C3, 9 ESP32-S3). */
  readonly chip: number;
  /**
   * ASCII text naming product and board, followed by the version. The image must contain it, so that firmware for other pins is rejected.
   */
  readonly mark: string;
  /** The running firmware's version; undefined: older images are accepted too. */
  readonly version: string | undefined;
  /** Public key of the required signature, see `verify` of modules/signature; undefined: unsigned images are accepted. */
  readonly key: Uint8Array | undefined;
  readonly verify: (key: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
  /** Size of the slot in bytes. */
  readonly slot: number;
}

/** Incremental SHA-256, such as the SDK's `Digest`. */
export interface Digest {
  write(bytes: Uint8Array): void;
  close(): ArrayBuffer;
}

const HEADER_BYTES = 24;
const SEGMENT_HEADER_BYTES = 8;
const SHA_BYTES = 32;

const IMAGE_MAGIC = 0xe9;
const CHIP_AT = 12;
const HASH_APPENDED_AT = 23;
/** Magic word of the application description, at the start of the first segment. */
const DESCRIPTION_MAGIC = 0xabcd5432;
const DESCRIPTION_MAGIC_BYTES = 4;

const DOT = 0x2e;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

const HEADER = 0;
const SEGMENT_HEADER = 1;
const SEGMENT = 2;
const CHECKSUM = 3;
const SHA = 4;
/** The signature; an unsigned image ends before it. */
const TRAILER = 5;
const COMPLETE = 6;

/**
 * Checks an ESP32 application image (ESP-IDF: App Image Format) as it streams in, in pieces of any size: magic byte, chip, application
 * description, segments, mark, version, length, SHA-256, signature. Buffers 104 bytes of it.
 *
 * The signature is ECDSA over P-256 and SHA-256; the signed message is the image's own SHA-256, which covers everything before it. The
 * signature follows the image: TRAILER_MARK, then r and s.
 */
export class ImageCheck {
  private readonly demands: ImageDemands;
  private readonly digest: Digest;
  private readonly kept = new Uint8Array(SHA_BYTES);
  private readonly trailer = new Uint8Array(TRAILER_BYTES);
  /** The first problem found; empty if none so far. */
  problem: UpdateProblem | "" = "";
  private state = HEADER;
  private at = 0;
  /** Bytes collected in this state, and their target. */
  private count = 0;
  private wanted = HEADER_BYTES;
  private segments = 0;
  private segment = 0;
  /** Bytes left in the segment, or up to the end of the checksum. */
  private left = 0;
  /** Length of the part of the mark matched so far; the full length once found. */
  private marked = 0;
  private versionEnded = false;
  /** The version that follows the mark. */
  version = "";

  constructor(demands: ImageDemands, digest: Digest) {
    this.demands = demands;
    this.digest = digest;
  }

  /** Takes the next bytes. False: the image is rejected, see `problem`. */
  take(bytes: Uint8Array): boolean {
    let at = 0;
    while (at < bytes.length && !this.problem) at = this.next(bytes, at);
    return !this.problem;
  }

  /** Ends the image. False: it is rejected. */
  end(): boolean {
    if (this.problem) return false;
    const { demands, state } = this;
    if (state !== COMPLETE && (state !== TRAILER || this.count)) return this.refuse("image-incomplete");
    const sum = new Uint8Array(this.digest.close());
    for (let index = 0; index < SHA_BYTES; index++)
      if (sum[index] !== this.kept[index]) return this.refuse("image-damaged");
    if (this.at < MIN_IMAGE) return this.refuse("image-too-small");
    if (this.marked < demands.mark.length) return this.refuse("image-other-board");
    if (demands.version !== undefined && isOlder(this.version, demands.version)) return this.refuse("image-older");
    if (!demands.key) return true;
    if (state !== COMPLETE) return this.refuse("image-unsigned");
    if (!demands.verify(demands.key, this.kept, this.trailer.subarray(TRAILER_MARK.length)))
      return this.refuse("image-signature");
    return true;
  }

  /** Consumes some of the bytes and returns the new position. */
  private next(bytes: Uint8Array, at: number): number {
    switch (this.state) {
      case HEADER:
      case SEGMENT_HEADER:
      case SHA:
      case TRAILER:
        return this.collect(bytes, at);
      case SEGMENT:
      case CHECKSUM:
        return this.pass(bytes, at);
      default:
        this.refuse("image-too-long");
        return at;
    }
  }

  private collect(bytes: Uint8Array, at: number): number {
    const end = Math.min(bytes.length, at + this.wanted - this.count);
    const part = bytes.subarray(at, end);
    const { state } = this;
    (state === TRAILER ? this.trailer : this.kept).set(part, this.count);
    this.count += part.length;
    if (state === SHA || state === TRAILER) this.at += part.length;
    else this.hash(part);
    if (state === TRAILER && !TRAILER_MARK.startsWith(this.trailerMark())) this.refuse("image-too-long");
    if (this.count === this.wanted) this.collected();
    return end;
  }

  /** The part received so far. */
  private trailerMark(): string {
    return String.fromCharCode(...this.trailer.subarray(0, Math.min(this.count, TRAILER_MARK.length)));
  }

  private pass(bytes: Uint8Array, at: number): number {
    const end = Math.min(bytes.length, at + this.left);
    const part = bytes.subarray(at, end);
    // The first segment starts with the description's magic word, which is captured as it passes.
    if (this.state === SEGMENT && this.segment === 1 && this.count < DESCRIPTION_MAGIC_BYTES) {
      for (let index = 0; index < part.length && this.count < DESCRIPTION_MAGIC_BYTES; index++)
        this.kept[this.count++] = part[index] as number;
      if (this.count === DESCRIPTION_MAGIC_BYTES && this.word(0) !== DESCRIPTION_MAGIC) {
        this.refuse("image-no-application");
        return at;
      }
    }
    this.search(part);
    this.hash(part);
    this.left -= part.length;
    if (!this.left) this.passed();
    return end;
  }

  private hash(part: Uint8Array): void {
    this.at += part.length;
    this.digest.write(part);
  }

  private collected(): void {
    const kept = this.kept;
    this.count = 0;
    if (this.state === SHA) {
      this.state = TRAILER;
      this.wanted = TRAILER_BYTES;
    } else if (this.state === TRAILER) this.state = COMPLETE;
    else if (this.state === HEADER) {
      this.segments = kept[1] as number;
      if (kept[0] !== IMAGE_MAGIC) this.refuse("not-firmware");
      else if (((kept[CHIP_AT] as number) | ((kept[CHIP_AT + 1] as number) << 8)) !== this.demands.chip)
        this.refuse("image-other-chip");
      else if (!this.segments || this.segments > MAX_SEGMENTS) this.refuse("image-header");
      else if (kept[HASH_APPENDED_AT] !== 1) this.refuse("image-no-hash");
      this.beginSegmentHeader();
    } else {
      this.left = this.word(4);
      // The segment must fit the slot together with the checksum and the SHA-256.
      if (this.at + this.left + SHA_BYTES >= this.demands.slot) this.refuse("image-too-large");
      else if (this.segment === 1 && this.left < DESCRIPTION_MAGIC_BYTES) this.refuse("image-no-application");
      this.state = SEGMENT;
      if (!this.left) this.passed();
    }
  }

  private passed(): void {
    this.count = 0;
    if (this.state === CHECKSUM) {
      this.state = SHA;
      this.wanted = SHA_BYTES;
    } else if (this.segment < this.segments) this.beginSegmentHeader();
    else {
      // Padding puts the checksum in the last byte of a 16-byte row.
      this.state = CHECKSUM;
      this.left = 16 - (this.at & 15);
    }
  }

  private beginSegmentHeader(): void {
    this.segment++;
    this.state = SEGMENT_HEADER;
    this.wanted = SEGMENT_HEADER_BYTES;
  }

  /** The mark's first character occurs only once in it, so after a mismatch the search can restart at the current character. */
  private search(part: Uint8Array): void {
    const { mark } = this.demands;
    for (let index = 0; index < part.length && !this.versionEnded; index++) {
      const byte = part[index] as number;
      if (this.marked === mark.length) {
        if ((isDigit(byte) || byte === DOT) && this.version.length < MAX_VERSION)
          this.version += String.fromCharCode(byte);
        else this.versionEnded = true;
      } else if (byte === mark.charCodeAt(this.marked)) this.marked++;
      else this.marked = byte === mark.charCodeAt(0) ? 1 : 0;
    }
  }

  /** Little-endian. */
  private word(at: number): number {
    const kept = this.kept;
    return (
      ((kept[at] as number) |
        ((kept[at + 1] as number) << 8) |
        ((kept[at + 2] as number) << 16) |
        ((kept[at + 3] as number) << 24)) >>>
      0
    );
  }

  private refuse(problem: UpdateProblem): false {
    this.problem ||= problem;
    return false;
  }
}
