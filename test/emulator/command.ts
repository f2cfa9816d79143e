/** QEMU's arguments for a chip. */

/** What a chip is called in QEMU. `forked`: in lcgamboa/qemu, which adds Wi-Fi to Espressif's fork. */
interface Names {
  readonly machine: string;
  readonly forked: string;
  readonly wifi: string;
  readonly efuse: string;
  readonly more: readonly string[];
}

/** By esp_chip_id_t. */
const NAMES: Readonly<Record<number, Names>> = {
  0: {
    machine: "esp32",
    forked: "esp32-picsimlab",
    wifi: "esp32_wifi",
    efuse: "nvram.esp32.efuse",
    more: ["-m", "4M"],
  },
  5: {
    machine: "esp32c3",
    forked: "esp32c3-picsimlab",
    wifi: "esp32c3_wifi",
    efuse: "nvram.esp32c3.efuse",
    // The guest's time follows its instructions: on a busy machine it goes slower, and loses nothing.
    more: ["-icount", "shift=3,align=off,sleep=on"],
  },
  9: { machine: "esp32s3", forked: "", wifi: "", efuse: "nvram.esp32s3.efuse", more: ["-m", "32M"] },
};

/** The network of the emulated router, whose first lease is .15, and which leads to this machine at .2. Not that of the device's access point. */
export const ROUTER = { network: "192.168.7.0/24", lease: "192.168.7.15", host: "192.168.7.2" };

/** Name of the connection to the router. */
export const NETWORK = "router";

export interface CommandOptions {
  /** esp_chip_id_t. */
  readonly chip: number;
  /** Output of `-M help`. */
  readonly machines: string;
  readonly flash: string;
  readonly efuse: string;
  /** File for the output of UART0. */
  readonly console: string;
  /** Path of the BMS's terminal, and the number of its UART, 1 or 2. */
  readonly bms: string;
  readonly uart: number;
  /** Path of the socket for QEMU's machine protocol, and of the one for a debugger. */
  readonly control: string;
  readonly debug: string;
  /** TCP port of this machine that leads to port 80 of the device. */
  readonly port: number;
  /** UDP port of this machine that leads to port 161 of the device. */
  readonly snmpPort?: number;
}

function namesOf(chip: number): Names {
  const names = NAMES[chip];
  if (!names) throw new Error(`no machine is known for the chip ${chip}`);
  return names;
}

/** Whether the emulator has the chip's Wi-Fi. @param machines output of `-M help` */
export function hasWifi(chip: number, machines: string): boolean {
  const { forked } = namesOf(chip);
  return forked !== "" && machines.split("\n").some((line) => line.startsWith(`${forked} `));
}

export function qemuArguments({
  chip,
  machines,
  flash,
  efuse,
  console,
  bms,
  uart,
  control,
  debug,
  port,
  snmpPort,
}: CommandOptions): string[] {
  const names = namesOf(chip);
  const wifi = hasWifi(chip, machines);
  if (!wifi && !machines.split("\n").some((line) => line.startsWith(`${names.machine} `)))
    throw new Error(`this QEMU has no machine ${names.machine}: Espressif's fork is needed`);
  return [
    ...["-M", wifi ? names.forked : names.machine, ...names.more],
    ...["-display", "none", "-monitor", "none"],
    ...["-drive", `file=${flash},if=mtd,format=raw`],
    ...["-drive", `file=${efuse},if=none,format=raw,id=efuse`],
    ...["-global", `driver=${names.efuse},property=drive,value=efuse`],
    ...["-chardev", `serial,id=bms,path=${bms}`],
    ...["-serial", `file:${console}`],
    ...new Array<string[]>(uart - 1).fill(["-serial", "null"]).flat(),
    ...["-serial", "chardev:bms"],
    ...["-qmp", `unix:${control},server=on,wait=off`],
    ...["-gdb", `unix:${debug},server=on,wait=off`],
    ...(wifi
      ? [
          "-nic",
          [
            `user,id=${NETWORK},model=${names.wifi},net=${ROUTER.network}`,
            `hostfwd=tcp:127.0.0.1:${port}-${ROUTER.lease}:80`,
            ...(snmpPort === undefined ? [] : [`hostfwd=udp:127.0.0.1:${snmpPort}-${ROUTER.lease}:161`]),
          ].join(","),
        ]
      : []),
  ];
}
