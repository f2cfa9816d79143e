/** What an image is made of, from the linker's map. */
import { expect, it } from "vitest";
import { linkedParts } from "../../scripts/size/linked.mjs";

const MAP = `Archive member included to satisfy reference by file (symbol)

xs_esp32c3.a(mc.xs.c.o)       esp-idf/main/libmain.a(main.c.obj) (xsPreparationAndCreation)

Discarded input sections

 .text.fxUnused
                0x00000000      0x478 xs_esp32c3.a(xsLexical.c.o)

Linker script and memory map

LOAD esp-idf/riscv/libriscv.a

.iram0.text     0x40380000       0x30
 .text.memcpy   0x40380000       0x20 /tools/lib/libc.a(memcpy.o)
 *fill*         0x40380020       0x10 
.dram0.data     0x3fc8c000        0x8
 .data.pool     0x3fc8c000        0x8 esp-idf/freertos/libfreertos.a(tasks.c.obj)
                0x3fc8c000                pool
.dram0.bss      0x3fc8e390       0x40
 .bss.heap      0x3fc8e390       0x40 esp-idf/lwip/liblwip.a(pbuf.c.obj)
.flash.text     0x42000020      0x150
 .text.fxRunEval
                0x42000020      0x100 xs_esp32c3.a(xsRun.c.o)
 .text.xs_wifi  0x42000120       0x50 xs_esp32c3.a(xs6wifi.c.o)
.flash.rodata   0x3c0e0120     0x1010
 .rodata.gxHeap
                0x3c0e0120     0x1000 xs_esp32c3.a(mc.xs.c.o)
 .rodata.pp     0x3c0e1120       0x10 /idf/libpp.a(pp.o)
.debug_info     0x00000000       0x99
 .debug_info    0x00000000       0x99 xs_esp32c3.a(xsRun.c.o)
`;

it("is counted by part, where it is, once, and without what was discarded or is for debuggers", () => {
  expect(linkedParts(MAP)).toEqual([
    ["`mc.xs.c`", 0x1000, 0, 0, 0],
    ["the XS engine", 0x100, 0, 0, 0],
    ["natives of the SDK and this project", 0x50, 0, 0, 0],
    ["lwIP and esp_netif", 0, 0, 0, 0x40],
    ["libc, libm, libgcc", 0, 0x20, 0, 0],
    ["Wi-Fi with its WPA supplicant", 0x10, 0, 0, 0],
    ["ESP-IDF's other parts, and gaps", 0, 0x10, 0, 0],
    ["FreeRTOS", 0, 0, 8, 0],
    ["together", 0x1160, 0x30, 8, 0x40],
  ]);
});
