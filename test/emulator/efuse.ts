/** The fuses of a new chip: its MAC address and its revision, which the boot loader and ESP-IDF's start check. */

/** Bytes of a chip's fuses as QEMU reads them (ESP-IDF v6.0.2, tools/idf_py_actions/qemu_ext.py). */
const ESP32_BYTES = 124;
const BLOCKS_BYTES = 1024;

/** ESP32 (components/efuse/esp32/esp_efuse_table.csv): the factory's MAC address, its CRC, and two bits of the revision, which make it 3. */
const ESP32_MAC = 4;
const ESP32_MAC_CRC = 10;
const ESP32_REVISION_1 = { byte: 13, bits: 0x80 };
const ESP32_REVISION_2 = { byte: 22, bits: 0x10 };

/** ESP32-C3 and ESP32-S3: the second block follows six words; the low bits of the wafer's minor version are 3: revision 0.3. */
const BLOCK1 = 0x18;
const MINOR_LOW = { byte: 38, bits: 3 << 2 };

const MAC_BYTES = 6;

/** CRC-8 of the MAC address: polynomial 0x31 reflected (esp_rom_efuse_mac_address_crc8). */
export function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0x8c : crc >> 1;
  }
  return crc;
}

/** @param chip esp_chip_id_t @param mac as written: "10:00:00:12:34:56" */
export function efuseImage(chip: number, mac: string): Buffer {
  const bytes = Uint8Array.from(mac.split(":"), (pair) => parseInt(pair, 16));
  if (!/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(mac) || bytes.length !== MAC_BYTES)
    throw new Error(`${mac} is no MAC address`);
  const reversed = bytes.toReversed();
  switch (chip) {
    case 0: {
      const fuses = Buffer.alloc(ESP32_BYTES);
      fuses.set(reversed, ESP32_MAC);
      fuses[ESP32_MAC_CRC] = crc8(bytes);
      fuses[ESP32_REVISION_1.byte] = ESP32_REVISION_1.bits;
      fuses[ESP32_REVISION_2.byte] = ESP32_REVISION_2.bits;
      return fuses;
    }
    case 5:
    case 9: {
      const fuses = Buffer.alloc(BLOCKS_BYTES);
      fuses.set(reversed, BLOCK1);
      fuses[MINOR_LOW.byte] = MINOR_LOW.bits;
      return fuses;
    }
    default:
      throw new Error(`no fuses are known for the chip ${chip}`);
  }
}
