#!/usr/bin/python3
"""A JK BMS as pymodbus would serve it: an RTU slave on a serial device whose registers are addressed by byte offset.

usage: pymodbus_bms.py DEVICE BAUD SLAVES IMAGES
SLAVES are addresses, separated by commas; each has images of its own.
IMAGES is a JSON file {"4096": "hex bytes", ...}: block base address to the block's bytes, big-endian words.
Prints "ready" once it serves, then one line "write ADDRESS HEX" a write received.
"""
import json
import sys

from pymodbus.datastore import ModbusServerContext, ModbusSlaveContext
from pymodbus.datastore.store import BaseModbusDataBlock
from pymodbus.server import StartSerialServer
from pymodbus.transaction import ModbusRtuFramer


class ByteAddressedBlock(BaseModbusDataBlock):
    """Register address = block base + byte offset; the words of one request are contiguous bytes (docs/jk-modbus.md, Framing)."""

    def __init__(self, images):
        self.images = images
        self.address = 0
        self.default_value = 0
        self.values = {}

    def _place(self, address, count):
        for base, image in self.images.items():
            offset = address - base
            if 0 <= offset and offset + 2 * count <= len(image):
                return image, offset
        return None

    def validate(self, address, count=1):
        return address % 2 == 0 and self._place(address, count) is not None

    def getValues(self, address, count=1):
        image, offset = self._place(address, count)
        return [int.from_bytes(image[offset + 2 * n : offset + 2 * n + 2], "big") for n in range(count)]

    def setValues(self, address, values):
        image, offset = self._place(address, len(values))
        data = b"".join(value.to_bytes(2, "big") for value in values)
        image[offset : offset + len(data)] = data
        print("write", address, data.hex(), flush=True)


def main():
    device, baud, path = sys.argv[1], int(sys.argv[2]), sys.argv[4]
    with open(path, encoding="ascii") as file:
        given = json.load(file)
    slaves = {}
    for slave in map(int, sys.argv[3].split(",")):
        images = {int(base): bytearray.fromhex(data) for base, data in given.items()}
        slaves[slave] = ModbusSlaveContext(hr=ByteAddressedBlock(images), zero_mode=True)
    print("ready", flush=True)
    StartSerialServer(
        context=ModbusServerContext(slaves=slaves, single=False),
        framer=ModbusRtuFramer,
        port=device,
        baudrate=baud,
        ignore_missing_slaves=True,
    )


main()
