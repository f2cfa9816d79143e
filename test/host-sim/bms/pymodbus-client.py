"""Reads and writes a simulated BMS with pymodbus (Debian package python3-pymodbus, version 3). Argument: the serial device."""

import json
import sys

from pymodbus.client import ModbusSerialClient

client = ModbusSerialClient(port=sys.argv[1], baudrate=115200, bytesize=8, parity="N", stopbits=1, timeout=60)
assert client.connect()


def exception(reply):
    return reply.exception_code if reply.isError() and hasattr(reply, "exception_code") else None


found = {}
found["cells"] = client.read_holding_registers(0x1200, 16, slave=1).registers
found["serials"] = []
for address in (1, 2, 3):
    words = client.read_holding_registers(0x1450, 8, slave=address).registers
    text = b"".join(word.to_bytes(2, "big") for word in words)
    found["serials"].append(text.split(b"\0")[0].decode())
found["ovp"] = client.read_holding_registers(0x100C, 2, slave=1).registers
found["beyond"] = exception(client.read_holding_registers(0x14F0, 27, slave=1))
found["written"] = client.write_registers(0x100C, [0, 3600], slave=1).count
found["ovp_after"] = client.read_holding_registers(0x100C, 2, slave=1).registers
found["too_high"] = exception(client.write_registers(0x1048, [0, 2001], slave=1))
found["single"] = exception(client.write_register(0x1114, 0x3210, slave=1))
found["coils"] = exception(client.read_coils(0, 1, slave=1))
client.close()
print(json.dumps(found))
